"""Values to lines for programs, straight from the columns: what `write_rows` and `trec_eval_lines` write, faster."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from rankproof.tables.columns import Floats
from rankproof.tables.measurements import REASONS, Measurements, number

FINE = 10_000  # values from 0 to 1 are printed with four decimals: so many steps
AT_ONCE = 100_000  # lines held before they are given out


def can_line(found: Measurements) -> bool:
    """True where every value is a number of one measure: no aspects, no texts."""
    return not found.aspects and not found.texts


def json_lines(found: Measurements, *, per_query: bool = True) -> Iterator[bytes]:
    """One JSON object a line: a line a query where asked, then the mean, for each run and measure."""
    import json

    queries = [json.dumps(query, ensure_ascii=False) for query in found.queries]
    for r, run in enumerate(found.runs):
        for m, measure in enumerate(found.measures):
            head = f'{{"run": {json.dumps(run, ensure_ascii=False)}, "query_id": '
            middle = f', "measure": {json.dumps(measure, ensure_ascii=False)}, "value": '
            tails = [
                f', "reason": {json.dumps(one or None)}, "lower": null, "upper": null, "judged": '
                for one in REASONS
            ]
            if per_query:
                columns = (
                    queries,
                    _plain(found.values[r, m]),
                    found.reasons[r, m].tolist(),
                    _plain(found.judged[r, m]),
                )
                yield from _joined(
                    f"{head}{query}{middle}{value}{tails[reason]}{judged}}}\n"
                    for query, value, reason, judged in zip(*columns, strict=True)
                )
            mean = found.mean(run, measure)
            tail = (
                tails[0]
                if mean.n
                else ', "reason": "nothing_evaluable", "lower": null, "upper": null, "judged": '
            )
            value, judged = (json.dumps(number(one)) for one in (mean.value, mean.judged))
            yield (
                f'{head}null{middle}{value}{tail}{judged}, "n": {mean.n}, "n_total": {mean.n_total}}}\n'
            ).encode(errors="backslashreplace")


def tool_lines(
    found: Measurements,
    names: Mapping[str, str],
    whole: Iterable[str],
    final: Iterable[str] = (),
    tags: Mapping[str, str] | None = None,
    *,
    per_query: bool = True,
) -> Iterator[bytes]:
    """What trec_eval prints: measure, query ("all" for the mean) and four decimals; as `trec_eval_lines`."""
    counts, means, told = set(whole), set(final), tags or {}
    several = len(found.runs) > 1
    queries = [f"{query}\t" for query in found.queries]
    for run in found.runs:
        if several or run in told:
            yield f"runid\tall\t{told.get(run, run)}\n".encode(errors="backslashreplace")
        for measure in found.measures:
            name = names.get(measure, measure)
            printed: Callable[[Floats], list[str]] = _whole if measure in counts else _four
            if per_query and measure not in means:
                yield _table(name, queries, printed(found.of(run, measure)))
            mean = found.mean(run, measure).value
            if mean is not None and found.conventions.dialect.startswith("trec_eval"):
                mean = _added_up(found, run, measure, mean)
            if mean is not None:
                yield f"{name}\tall\t{printed(np.array([mean]))[0]}\n".encode(errors="backslashreplace")


def _added_up(found: Measurements, run: str, measure: str, mean: float) -> float:
    """The mean as trec_eval adds it up, query after query by their ids: where a mean lies in the middle between two
    printed numbers, what floating point leaves over says which of them is printed.
    """
    if found.means_are[found.measures.index(measure)] != "arithmetic":
        return mean
    order = np.argsort(np.array(found.queries, object), kind="stable")
    values = found.of(run, measure)[order]
    values = values[~np.isnan(values)]
    return float(np.cumsum(values)[-1]) / len(values)


def _table(name: str, queries: Sequence[str], values: Sequence[str]) -> bytes:
    """A line for each query that has a value: all pieces laid side by side and joined at once."""
    if "" in values:
        shown = [(query, value) for query, value in zip(queries, values, strict=True) if value]
        queries, values = [query for query, _ in shown], [value for _, value in shown]
    if not values:
        return b""
    pieces = [f"\n{name}\t"] * (3 * len(values))
    pieces[1::3], pieces[2::3] = queries, values
    return ("".join(pieces)[1:] + "\n").encode(errors="backslashreplace")


def _joined(lines: Iterator[str]) -> Iterator[bytes]:
    """Lines in pieces of bytes."""
    held: list[str] = []
    for line in lines:
        held.append(line)
        if len(held) == AT_ONCE:
            yield "".join(held).encode(errors="backslashreplace")
            held.clear()
    yield "".join(held).encode(errors="backslashreplace")


def _plain(values: Floats) -> list[str]:
    """Each value as JSON has it; null where it is not defined."""
    return [repr(value) if value == value else "null" for value in values.tolist()]


def _whole(values: Floats) -> list[str]:
    """Each value without decimals; empty where it is not defined."""
    return [f"{value:.0f}" if value == value else "" for value in values.tolist()]


def _four(values: Floats) -> list[str]:
    """Each value with four decimals; empty where it is not defined.

    Where there are many, those from 0 to 1 that lie clearly nearer to one step than to another are looked up.

    >>> _four(np.array([0.25, 2 / 3, np.nan, 12.5]))
    ['0.2500', '0.6667', '', '12.5000']
    """
    if len(values) < FINE:
        return [f"{value:.4f}" if value == value else "" for value in values.tolist()]
    with np.errstate(invalid="ignore"):
        step = np.rint(values * FINE)
        sure = ~np.signbit(values) & (values <= 1) & (np.abs(values * FINE - step) < 0.499)
    found = list(map(_steps().__getitem__, np.where(sure, step, 0).astype(np.int64).tolist()))
    for place in np.flatnonzero(~sure).tolist():
        value = float(values[place])
        found[place] = f"{value:.4f}" if value == value else ""
    return found


@cache
def _steps() -> list[str]:
    """Each step from 0 to 1 with four decimals."""
    return [f"{step / FINE:.4f}" for step in range(FINE + 1)]
