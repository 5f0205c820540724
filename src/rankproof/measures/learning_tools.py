"""The dialects of the tools for learning to rank: they see the docs that they score, and no others."""

from rankproof.measures.dialect import Dialect
from rankproof.tables.conventions import Conventions

_SCORED = Conventions(order="score", pool="shown", missing="exclude", no_relevant="zero")
_CAPPED = {"AP@": {"denominator": "min_k"}}
_OF_SKLEARN = (
    "Sees only the docs that it is given: with the retrieved ones alone, the ideal list is made of them.",
    "average_precision_score takes all docs of one score together, as a curve over thresholds does.",
    "Refuses grades below 0 and lists of one doc.",
    "A query without a relevant doc counts 0.",
)

TOOLS = (
    Dialect(
        "sklearn",
        _SCORED.but(ties="average", negative_grades="error", dialect="sklearn"),
        "run",
        "1.9.1",
        ("Averages over all orders of equal scores.", *_OF_SKLEARN),
        also=("scikit-learn",),
        settings={"AP": {"step": "score"}},
        covers=("nDCG", "DCG", "AP"),
    ),
    Dialect(
        "sklearn_ignore_ties",
        _SCORED.but(ties="file_last", negative_grades="error", dialect="sklearn_ignore_ties"),
        "run",
        "1.9.1",
        (
            "ignore_ties=True: of equal scores the later line stands first as long as numpy's sort keeps their "
            "order, which depends on the processor: with AVX-512 it need not do so from four docs on.",
            *_OF_SKLEARN,
        ),
        settings={"AP": {"step": "score"}},
        covers=("nDCG", "DCG", "AP"),
    ),
    Dialect(
        "torchmetrics",
        _SCORED.but(score_width=32, extra="zero", negative_grades="zero", dialect="torchmetrics"),
        "run",
        "1.9.0",
        (
            "Sees only the docs that it is given: the ideal list, and the number of relevant docs, are theirs.",
            "AP is divided by the relevant docs found within the cutoff.",
            "NDCG averages over ties; of the other measures equal scores stand as the sort left them.",
            "Compares scores in single precision. Infinite scores and scores that are no numbers give 0.",
            "P with adaptive_k=True is precision_divisor=shown.",
            "AP, RR, P and R take a doc whose score is 0 or less for not relevant.",
        ),
        settings={"AP": {"denominator": "found"}},
        exceptions={"nDCG": {"ties": "average"}},
        covers=("nDCG", "AP", "RR", "P@", "R@", "Rprec", "Success@"),
    ),
    Dialect(
        "xgboost",
        _SCORED.but(
            score_width=32, gain="exp2", no_relevant="one", precision_divisor="shown", dialect="xgboost"
        ),
        "run",
        "3.2.0",
        (
            "Sees only the docs that it scores: the ideal list is made of them.",
            "A query without a relevant doc counts 1; with a minus after the name (ndcg@5-) it counts 0.",
            "Equal scores stand in the order of the lines.",
            "A name without a cutoff has the cutoff 32: ndcg is ndcg@32, map is map@32, and pre is pre@32.",
            "map and pre refuse grades other than 0 and 1; pre@k is divided by the docs shown.",
            "Grades above 31 need ndcg_exp_gain=False, which is nDCG(gain=linear).",
        ),
        settings=_CAPPED,
        exceptions={"P": {"no_relevant": "zero"}},
        covers=("nDCG@", "AP@", "P@"),
    ),
    Dialect(
        "lightgbm",
        _SCORED.but(gain="exp2", no_relevant="one", dialect="lightgbm"),
        "run",
        "4.7.0",
        (
            "Sees only the docs that it scores: the ideal list is made of them.",
            "A query without a relevant doc counts 1.",
            "Equal scores stand in the order of the lines.",
            "label_gain can make gains linear (0,1,2,3), which is nDCG(gain=linear).",
        ),
        settings=_CAPPED,
        covers=("nDCG@", "AP@"),
    ),
    Dialect(
        "catboost",
        _SCORED.but(ties="pessimistic", dialect="catboost"),
        "run",
        "1.2.10",
        (
            "Sees only the docs that it scores: the ideal list is made of them.",
            "Of equal scores the worse doc stands first.",
            "NDCG has linear gain; type=Exp is nDCG(gain=exp2). A query without a relevant doc counts 1 in it.",
            "PrecisionAt and RecallAt count only docs whose score is above a border, so they are no P and R.",
            "Its ERR takes grades for chances to stop, so it is no ERR.",
        ),
        settings=_CAPPED,
        exceptions={"nDCG": {"no_relevant": "one"}},
        covers=("nDCG", "DCG", "AP", "RR"),
    ),
)
