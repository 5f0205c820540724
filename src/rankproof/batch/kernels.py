"""The measures that can be had of a padded batch: one pure function each, by the names and settings of MEASURES."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from rankproof.batch.libraries import Array
from rankproof.batch.ranked import Ranked
from rankproof.errors import UsageError
from rankproof.measures.gains import discounted, of_full_list, worth
from rankproof.measures.user_models import persistent
from rankproof.tables.conventions import GainTable


def dcg(r: Ranked, *, cutoff: int | None, gain: str | GainTable, discount: str, base: float) -> Array:
    """(n,) gain of each doc times what its place is worth, added up."""
    return r.library.total(r.worth(r.grade(cutoff), gain) * r.placed(discounted(discount, base), cutoff))


def ideal_dcg(r: Ranked, *, cutoff: int | None, gain: str | GainTable, discount: str, base: float) -> Array:
    """(n,) DCG of the best possible list."""
    gains = r.ideal_gains(gain, cutoff)
    return r.library.total(gains * _places(r, gains, discount, base))


def _places(r: Ranked, gains: Array, discount: str, base: float) -> Array:
    """(c,) what the places of these gains are worth."""
    return r.library.array(discounted(discount, base)(np.arange(1, gains.shape[1] + 1)), r.library.real)


def ndcg(
    r: Ranked, *, cutoff: int | None, gain: str | GainTable, discount: str, base: float, against: str
) -> Array:
    """(n,) DCG over that of the best possible list."""
    reached = dcg(r, cutoff=cutoff, gain=gain, discount=discount, base=base)
    if against == "full":
        return reached / _full(r, cutoff, gain, discount, base)
    gains = r.ideal_gains(gain, None if against == "uncut" else cutoff)
    places = _places(r, gains, discount, base)
    if against == "length":
        xp = r.library.xp
        rank = xp.arange(1, gains.shape[1] + 1, dtype=r.library.real, device=r.library.device)
        gains = gains * r.library.reals(rank <= xp.expand_dims(r.n_docs, axis=1))
    return r.library.ratio(reached, r.library.total(gains * places))


def _full(r: Ranked, cutoff: int | None, gain: str | GainTable, discount: str, base: float) -> float:
    """DCG of a cutoff full of docs of the top grade."""
    if cutoff is None:
        raise UsageError("nDCG(against=full) needs a cutoff: write nDCG(against=full)@10, for example.")
    top = _top_grade(r, None, "nDCG(against=full)")
    named = [level for level in (gain if isinstance(gain, Mapping) else ()) if level <= top]
    return float(
        worth(np.array([top, *named]), gain).max() * of_full_list(discounted(discount, base), cutoff)
    )


def _top_grade(r: Ranked, own: int | None, name: str) -> int:
    top = r.top_grade if own is None else own
    if top is None:
        raise UsageError(
            "{name} asks for the highest grade of the scale, which a batch does not show. Give it: top_grade=3, "
            "for example.",
            name=name,
        )
    return top


def cumulated_gain(r: Ranked, *, cutoff: int | None, gain: str | GainTable) -> Array:
    """(n,) gain of each doc in the cutoff, added up."""
    return r.library.total(r.worth(r.grade(cutoff), gain) * r.placed(discounted("none", 2.0), cutoff))


def expected_reciprocal_rank(r: Ranked, *, cutoff: int | None, rel: int, max_grade: int | None) -> Array:
    """(n,) the expected 1 / rank at which a reader stops, who stops at grade g with chance (2^g - 1) / 2^max."""
    xp, real = r.library.xp, r.library.reals
    top = _top_grade(r, max_grade, "ERR")
    grade = r.grade(cutoff)
    counted = xp.where(grade >= max(rel, 1), grade, xp.zeros_like(grade))
    above = real(xp.clip(counted - top, None, 1))
    stops = xp.clip(r.library.array(2.0, r.library.real) ** above - 2.0**-top, None, 1.0)
    passes = xp.cumulative_prod(1 - stops, axis=1, include_initial=True)[:, :-1]
    return r.library.total(stops * passes / r.rank(cutoff))


def precision(r: Ranked, *, cutoff: int | None, rel: int, divisor: str) -> Array:
    """(n,) the share of relevant docs among the first places."""
    found = r.n_found(rel, cutoff)
    return (
        r.library.ratio(found, r.n_shown(cutoff)) if cutoff is None or divisor == "shown" else found / cutoff
    )


def recall(r: Ranked, *, cutoff: int | None, rel: int) -> Array:
    """(n,) the share of the relevant docs that stand in the cutoff."""
    return r.library.ratio(r.n_found(rel, cutoff), r.n_relevant(rel))


def r_precision(r: Ranked, *, cutoff: int | None, rel: int) -> Array:
    """(n,) precision at the rank that equals the number of relevant docs."""
    n = r.n_relevant(rel)
    each = r.library.xp.expand_dims(n, axis=1)
    hit = r.relevant(rel, cutoff)
    if r.averaged:
        return r.library.ratio(r.library.total(r.library.reals(hit) * r.within(each)), n)
    return r.library.ratio(r.library.count(hit & (r.rank(cutoff) <= each)), n)


def reciprocal_rank(r: Ranked, *, cutoff: int | None, rel: int) -> Array:
    """(n,) 1 / rank of the first relevant doc."""
    return r.library.xp.max(r.inverse_rank(rel, cutoff), axis=1)


def success(r: Ranked, *, cutoff: int | None, rel: int) -> Array:
    """(n,) 1 where a relevant doc stands in the cutoff."""
    return r.library.reals(r.library.xp.any(r.relevant(rel, cutoff), axis=1))


def average_precision(r: Ranked, *, cutoff: int | None, rel: int, denominator: str, step: str) -> Array:
    """(n,) precision at each relevant doc found, added up, over all the relevant docs there are."""
    xp = r.library.xp
    hit = r.relevant(rel, cutoff)
    found = xp.cumulative_sum(r.library.reals(hit), axis=1)
    if step == "score":
        total = r.library.total(r.library.reals(hit) * _at_score(r, found))
    else:
        total = r.library.total(found * r.inverse_rank(rel, cutoff))
    if denominator == "found":
        return r.library.ratio(total, r.library.count(hit))
    if denominator == "k" and cutoff is not None:
        return total / cutoff
    n = r.n_relevant(rel)
    capped = denominator == "min_k" and cutoff is not None
    return r.library.ratio(total, xp.clip(n, None, float(cutoff or 0)) if capped else n)


def _at_score(r: Ranked, found: Array) -> Array:
    """(n, c) precision at the last doc that has the score of a doc."""
    xp = r.library.xp
    begin, size = (column[:, : found.shape[1]] for column in r.ranked.ties)
    end = begin + size - 1
    last = xp.clip(xp.astype(end, xp.int64), None, found.shape[1]) - 1
    return xp.take_along_axis(found, last, axis=1) / end


def set_f(r: Ranked, *, cutoff: int | None, rel: int, divisor: str, beta: float) -> Array:
    """(n,) the weighted harmonic mean of precision and recall."""
    size = r.n_shown(cutoff) if cutoff is None or divisor == "shown" else cutoff
    square = beta * beta
    return r.library.ratio((1 + square) * r.n_found(rel, cutoff), square * r.n_relevant(rel) + size)


def set_average_precision(r: Ranked, *, cutoff: int | None, rel: int) -> Array:
    """(n,) precision of the whole list times its recall."""
    found = r.n_found(rel, cutoff)
    return r.library.ratio(found, r.n_shown(None)) * r.library.ratio(found, r.n_relevant(rel))


def relative_precision(r: Ranked, *, cutoff: int | None, rel: int) -> Array:
    """(n,) precision over the best that was possible."""
    n = r.n_relevant(rel)
    xp = r.library.xp
    over = xp.minimum(n, r.n_docs) if cutoff is None else xp.clip(n, None, float(cutoff))
    return r.library.ratio(r.n_found(rel, cutoff), over)


def rank_biased_precision(r: Ranked, *, cutoff: int | None, rel: int, p: float, gain: str) -> Array:
    """(n,) what a reader gains a place, who goes on to the next place with chance `p`."""
    weight = r.placed(partial(persistent, p=p), cutoff)
    if gain == "binary":
        return r.library.total(weight * r.library.reals(r.relevant(rel, cutoff)))
    gains = r.library.total(weight * r.worth(r.grade(cutoff), "linear"))
    return r.library.ratio(gains, r.peak) if gain == "scaled" else gains


def judged(r: Ranked, *, cutoff: int | None, unanswered: str) -> Array:  # noqa: ARG001 - it says where the value is defined
    """(n,) the share of the docs in the cutoff that somebody judged."""
    return r.library.ratio(r.n_found(0, cutoff), r.n_shown(cutoff))


OFFERED: Mapping[str, Callable[..., Array]] = {
    "nDCG": ndcg,
    "DCG": dcg,
    "IDCG": ideal_dcg,
    "CG": cumulated_gain,
    "ERR": expected_reciprocal_rank,
    "AP": average_precision,
    "RR": reciprocal_rank,
    "P": precision,
    "R": recall,
    "Rprec": r_precision,
    "Success": success,
    "RelP": relative_precision,
    "SetF": set_f,
    "SetAP": set_average_precision,
    "RBP": rank_biased_precision,
    "Judged": judged,
}


def _relevant(r: Ranked, values: Mapping[str, object], at: int | None) -> Array:  # noqa: ARG001 - every need is asked alike
    return r.n_relevant(int(str(values.get("rel", 1)))) > 0


def _gain(r: Ranked, values: Mapping[str, object], at: int | None) -> Array:  # noqa: ARG001 - every need is asked alike
    gain = values.get("gain", "linear")
    if isinstance(gain, Mapping):
        return r.library.total(r.worth(r.pool, gain)) > 0
    return r.n_relevant(1) > 0


def _worth(r: Ranked, values: Mapping[str, object], at: int | None) -> Array:
    return _relevant(r, values, at) if values["gain"] == "binary" else r.n_relevant(1) > 0


def _shown(r: Ranked, values: Mapping[str, object], at: int | None) -> Array:
    return (r.n_shown(at) > 0) | (values.get("unanswered") == "zero")


# What a row must have for a measure to be defined, by the names of NEEDS.
MET: Mapping[str, Callable[[Ranked, Mapping[str, object], int | None], Array]] = {
    "relevant": _relevant,
    "gain": _gain,
    "worth": _worth,
    "shown": _shown,
}
