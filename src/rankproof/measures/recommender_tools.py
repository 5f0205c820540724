"""The dialects of the tools for recommendations: binary relevance, and many denominators."""

from rankproof.measures.dialect import Dialect
from rankproof.tables.conventions import Conventions

_BINARY = Conventions(gain="binary")
_CAPPED = {"AP@": {"denominator": "min_k"}}

TOOLS = (
    Dialect(
        "spark_mllib",
        _BINARY.but(duplicates="keep", missing="exclude", no_relevant="zero", dialect="spark_mllib"),
        "run",
        "4.3.0",
        (
            "A grade is relevant or not, also in ndcgAt; the relevance that its constructor takes since 3.4 "
            "changes nothing.",
            "MAP at k is divided by the relevant docs that fit in k, MAP by all of them.",
            "A doc that stands twice counts twice, so that recall can be above 1.",
            "A query without results leaves the mean, since lists and truth are joined before.",
        ),
        also=("spark",),
        settings=_CAPPED,
        covers=("AP", "P@", "R@", "nDCG@"),
    ),
    Dialect(
        "recommenders",
        _BINARY.but(order="score", missing="exclude", dialect="recommenders"),
        "run",
        "1.2.1",
        (
            "AP@k is its map_at_k, divided by the relevant docs that fit in k; its map with k is "
            "AP(denominator=all)@k.",
            "Its R-precision leaves out users for whom none of the first R docs is relevant; Rprec counts 0 for them.",
            "NDCG counts 0 for a user without results; the other measures leave that user out.",
            "NDCG is binary unless score_type is raw (nDCG(gain=linear)@k) or exp (nDCG(gain=exp2)@k).",
            "Never sees users without relevant docs.",
        ),
        settings=_CAPPED,
        exceptions={"nDCG": {"missing": "zero"}},
        covers=("nDCG@", "AP", "P@", "R@", "Rprec"),
    ),
    Dialect(
        "rectools",
        _BINARY.but(dialect="rectools"),
        "run",
        "0.19.0",
        (
            "NDCG is divided by what k relevant docs would give, though there may be fewer: a perfect list can "
            "score below 1. divide_by_achievable=True is nDCG(against=ideal)@k.",
            "MAP is divided by all relevant docs; divide_by_k=True is AP(denominator=k)@k.",
            "Precision with r_precision=True is RelP@k, and no R-precision.",
            "Takes the rank as given. Never sees users without relevant docs.",
        ),
        settings={"nDCG@": {"against": "full"}},
        covers=("AP@", "nDCG@", "P@", "R@", "RR@", "Success@"),
    ),
    Dialect(
        "replay",
        _BINARY.but(order="score", dialect="replay"),
        "run",
        "0.22.0",
        (
            "Equal scores stand in an order of its own codes of the docs, which the lines do not say.",
            "Never sees users without relevant docs.",
        ),
        also=("replay-rec",),
        settings=_CAPPED,
        covers=("AP@", "nDCG@", "P@", "R@", "RR@", "Success@"),
    ),
)
