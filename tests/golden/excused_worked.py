"""Recorded values that are not ours on purpose: the tool has a defect there, or no order of its own."""

from dataclasses import dataclass

NO_NUMBER = "a score that is no number: each sort puts it elsewhere, and here it stands last"


@dataclass(frozen=True)
class Excuse:
    """The values of one tool for one input, of the named measures, and why they are not ours.

    Where the tool put equal scores in an order that nobody can tell (`tied`), each value is one that some order
    of them gives: between the least and the most favourable.
    """

    tool: str
    case: str
    why: str
    measures: tuple[str, ...]
    tied: bool = False


SORTED = "equal scores stand as a sort left them that keeps no order"
CODED = "equal scores stand in the order of codes that it gives to docs"
SHARED = "equal scores share a place, and no order of them is meant"
NO_LIST = "a score that is no finite number makes the list worth 0"
AT_3 = ("RR@10", "map_cut_3", "map")

EXCUSES = (
    *(
        Excuse(tool, "nan", NO_NUMBER, measures)
        for tool, measures in {
            "ir_measures-0.4.3": ("Compat", "RBP", "RR@10"),
            "irm:cwl_eval": ("map", "recip_rank"),
            "irm:msmarco": ("recip_rank",),
            "pyspark-4.3.0 RankingMetrics": ("map_cut_2", "map_cut_3", "map", "ndcg_cut_3"),
            "rectools-0.19.0": (*AT_3, "P_5", "Rprec5", "map@3divk", "ndcg_cut_3", "ndcgach_3", "recall_3"),
            "catboost-1.2.10": ("map_cut_2", "map_cut_3", "map", "nDCGexp@5", "ndcg_cut_3", "ndcg", "dcg"),
        }.items()
    ),
    Excuse(
        "ir_measures-0.4.3",
        "interleaved",
        "lines of two queries in turn: the lists that cwl_eval makes are wrong",
        ("RBP",),
    ),
    Excuse(
        "irm:cwl_eval",
        "interleaved",
        "lines of two queries in turn: the lists that it makes are wrong",
        ("map", "recip_rank"),
    ),
    Excuse(
        "recommenders-1.2.1",
        "multi",
        "its R-precision leaves out users of whom nothing was found, and so is 1 for one of three",
        ("Rprec",),
    ),
    *(
        Excuse("replay-rec-0.22.0", case, CODED, (*AT_3, "map_cut_2", "ndcg_cut_3", *more), tied=True)
        for case, more in {"tie_all_relfirst": ("recall_3",), "tie_numeric_ids": ()}.items()
    ),
    *(
        Excuse("evidently-0.7.23", case, SHARED, ("map_cut_2", *more))
        for case, more in {
            "tie_all_relfirst": ("map_cut_3", "success_1"),
            "tie_all_rellast": ("map_cut_3", "recall_3"),
            "tie_numeric_ids": (),
        }.items()
    ),
    *(
        Excuse(
            "torchmetrics-1.9.0",
            case,
            NO_LIST,
            (*AT_3, "P_5adaptive", "P_5", "recall_3", "recip_rank", *more),
        )
        for case, more in {"inf": (), "nan": ("Rprec",)}.items()
    ),
    *(
        Excuse("torchmetrics-1.9.0", case, SORTED, (*AT_3, "map_cut_2", "recip_rank"), tied=True)
        for case in ("tie_all_relfirst", "tie_all_rellast")
    ),
    Excuse(
        "torchmetrics-1.9.0", "unj", "adds up in single precision, and the sixth digit shows it", ("ndcg",)
    ),
)


def excused(tool: str, case: str, measure: str) -> Excuse | None:
    """The row that says why a value of a tool is not ours; None where it has to be."""
    return next(
        (row for row in EXCUSES if (row.tool, row.case) == (tool, case) and measure in row.measures),
        None,
    )
