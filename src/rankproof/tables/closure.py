"""From values to pairs: which doc is above which, what follows from it, and what contradicts itself."""

import numpy as np
from numpy.typing import NDArray

from rankproof.tables.columns import Bools, Floats, Ints, offsets_of
from rankproof.tables.preferred import ranges

Places = NDArray[np.int32]


def ordered_pairs(unit: Ints, value: Floats, doc: Ints) -> tuple[Places, Places]:
    """(n_pairs,) each doc and each doc of a lower value in the same unit, as the numbers in `doc`."""
    order = np.lexsort((doc, -value, unit))
    unit, value, docs = unit[order], value[order], doc[order].astype(np.int32)
    n = len(docs)
    last_of_level = np.append((unit[1:] != unit[:-1]) | (value[1:] != value[:-1]), True)[:n]
    last_of_unit = np.append(unit[1:] != unit[:-1], True)[:n]
    lower, end = (_next(last) for last in (last_of_level, last_of_unit))
    better: Places = np.repeat(docs, end - lower)
    return better, docs[ranges(lower, end - lower)]


def _next(last: Bools) -> Ints:
    """(n_rows,) the place after the last row of the stretch in which each row stands."""
    ends = np.flatnonzero(last)
    return ends[np.searchsorted(ends, np.arange(len(last)))] + 1 if len(last) else np.zeros(0, np.int64)


def closed(
    group: Ints, docs: Ints, whole: Bools, better: Places, worse: Places
) -> tuple[Ints, Places, Places, list[tuple[int, int]]]:
    """The pairs group by group with all that follows: where each group's begin, better, worse.

    Only groups that were ordered in parts can imply or contradict anything. Two docs above each other
    are in the last list, and no pair says anything of them.
    """
    n_groups = len(whole)
    if whole.all():  # the pairs came group by group
        return offsets_of(group[better], n_groups), better, worse, []
    in_parts = ~whole[group[better]]
    better_by, worse_by, against = [better[~in_parts]], [worse[~in_parts]], []
    part_better, part_worse = better[in_parts], worse[in_parts]
    order = np.argsort(group[part_better], kind="stable")
    part_better, part_worse = part_better[order], part_worse[order]
    edges = offsets_of(group[part_better], n_groups)
    for g in np.flatnonzero(np.diff(edges)).tolist():
        here, start = slice(edges[g], edges[g + 1]), docs[g]
        above = np.zeros((int(docs[g + 1] - start),) * 2, np.float32)
        above[part_better[here] - start, part_worse[here] - start] = 1
        reached = _reached(above)
        both = reached & reached.T
        against += [(int(a + start), int(b + start)) for a, b in np.argwhere(np.triu(both, 1))]
        one, other = np.nonzero(reached & ~both)
        better_by.append((one + start).astype(np.int32))
        worse_by.append((other + start).astype(np.int32))
    better, worse = np.concatenate(better_by), np.concatenate(worse_by)
    order = np.argsort(group[better], kind="stable")
    better, worse = better[order], worse[order]
    return offsets_of(group[better], n_groups), better, worse, against


def _reached(above: NDArray[np.float32]) -> Bools:
    """(n_docs, n_docs) True where a chain of preferences leads from the one to the other."""
    while True:
        longer = ((above + above @ above) > 0).astype(np.float32)
        if (longer == above).all():
            return above > 0
        above = longer
