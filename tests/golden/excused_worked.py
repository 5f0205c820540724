"""Recorded values that are not ours on purpose: the tool has a defect there, or no order of its own."""

from dataclasses import dataclass

NO_NUMBER = "a score that is no number: each sort puts it elsewhere, and here it stands last"


@dataclass(frozen=True)
class Excuse:
    """The values of one tool for one input, of the named measures or of all, and why they are not ours."""

    tool: str
    case: str
    why: str
    measures: tuple[str, ...] = ()


EXCUSES = (
    *(
        Excuse(tool, "nan", NO_NUMBER)
        for tool in (
            *("irm:cwl_eval", "irm:msmarco", "pyspark-4.3.0 RankingMetrics", "rectools-0.19.0"),
            "catboost-1.2.10",
        )
    ),
    Excuse(
        "ir_measures-0.4.3",
        "interleaved",
        "lines of two queries in turn: the lists that cwl_eval makes are wrong",
        ("RBP",),
    ),
    Excuse(
        "ir_measures-0.4.3",
        "missing_run_q",
        "0 for the judged share of an empty list, which has none",
        ("Judged@3",),
    ),
    Excuse("ir_measures-0.4.3", "nan", NO_NUMBER),
    Excuse("irm:cwl_eval", "interleaved", "lines of two queries in turn: the lists that it makes are wrong"),
    Excuse(
        "recommenders-1.2.1",
        "multi",
        "its R-precision leaves out users of whom nothing was found, and so is 1 for one of three",
        ("Rprec",),
    ),
    *(
        Excuse("replay-rec-0.22.0", case, "equal scores stand in the order of codes that it gives to docs")
        for case in ("tie_all_relfirst", "tie_numeric_ids")
    ),
    *(
        Excuse("evidently-0.7.23", case, "equal scores share a place, and no order of them is meant")
        for case in ("tie_all_relfirst", "tie_all_rellast", "tie_numeric_ids")
    ),
    *(
        Excuse("torchmetrics-1.9.0", case, "a score that is no finite number makes the list worth 0")
        for case in ("inf", "nan")
    ),
    *(
        Excuse("torchmetrics-1.9.0", case, "equal scores stand as a sort left them that keeps no order")
        for case in ("tie_all_relfirst", "tie_all_rellast")
    ),
    Excuse(
        "torchmetrics-1.9.0", "unj", "adds up in single precision, and the sixth digit shows it", ("ndcg",)
    ),
)


def excused(tool: str, case: str, measure: str) -> Excuse | None:
    """The row that says why a value of a tool is not ours; None where it has to be."""
    return next(
        (
            row
            for row in EXCUSES
            if (row.tool, row.case) == (tool, case) and (not row.measures or measure in row.measures)
        ),
        None,
    )
