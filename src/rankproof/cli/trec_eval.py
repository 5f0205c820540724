"""The output of trec_eval, under its names and in its digits, so that scripts which read it go on."""

from collections.abc import Iterable, Mapping

import rankproof

WITH_TAG = ("runid", "official", "all_trec", "set")  # what prints the tag of the run


def trec_eval_output(
    found: "rankproof.Measurements",
    measured: "rankproof.Measurements",
    tags: Mapping[str, str],
    asked: Iterable[str],
    *,
    per_query: bool,
) -> Iterable[bytes]:
    """`found` as trec_eval prints it; `measured` are the values themselves where `found` are standard scores."""
    rows = {name: rankproof.parse_measure(name) for name in measured.measures}
    names = {name: rankproof.trec_eval_name(row, measured.conventions) for name, row in rows.items()}
    final = {name for name, row in rows.items() if rankproof.trec_eval_final(row)}
    whole = {name for name, total in zip(measured.measures, measured.totals, strict=True) if total}
    if found is not measured:
        standard = dict(zip(measured.measures, found.measures, strict=True))
        names = {new: f"Z{names[old]}" if new != old else names[old] for old, new in standard.items()}
        final, whole = {standard[name] for name in final}, set()
    with_tag = any(name.strip() in WITH_TAG for name in asked)
    told = tags if with_tag else {}
    if rankproof.can_line(found):
        return rankproof.tool_lines(found, names, whole, final, told, per_query=per_query)
    return (rankproof.trec_eval_lines(found.rows(per_query=per_query), names, whole, final, told),)
