"""The dialects of search engines and workbenches: what is displayed is what counts."""

from rankproof.measures.dialect import Dialect
from rankproof.tables.conventions import Conventions

_DISPLAYED = Conventions(precision_divisor="shown", no_relevant="zero")
_EXPONENTIAL = _DISPLAYED.but(gain="exp2")

TOOLS = (
    Dialect(
        "quepid",
        _EXPONENTIAL.but(dialect="quepid"),
        "from source",
        "8.6.0",
        (
            "The ideal list of NDCG@10 is not cut at 10: a full page of the best docs can score below 1. "
            "NDCG_CUT@10 is nDCG(against=ideal)@10.",
            "P@10 is divided by the docs shown.",
            "A query without results or without ratings enters the mean as 0.",
        ),
        settings={"nDCG@": {"against": "uncut"}},
        covers=("nDCG@", "DCG@", "CG@", "P@", "AP@", "RR@", "ERR@"),
    ),
    Dialect(
        "elasticsearch",
        _EXPONENTIAL.but(missing="exclude", dialect="elasticsearch"),
        "from source",
        "the module rank-eval of 7 and 8",
        (
            "The ideal list of normalised DCG is as long as the list of hits: one good hit alone scores 1.",
            "Precision is divided by the hits returned.",
            "A request that fails leaves the mean: a system that breaks down on hard queries looks better.",
            "Docs without a rating are worth nothing, unless unknown_doc_rating is given.",
        ),
        settings={"nDCG": {"against": "length"}},
        covers=("nDCG@", "DCG@", "P@", "R@", "RR@", "ERR@"),
    ),
    Dialect(
        "opensearch_srw",
        _EXPONENTIAL.but(missing="exclude", dialect="opensearch_srw"),
        "from source",
        "the plug-in search-relevance of 2026",
        (
            "Rounds the value of each query to two decimals before the mean is taken.",
            "Precision is divided by the hits returned.",
            "Ratings made of clicks need not be whole, nor below 1.",
        ),
        covers=("nDCG@", "DCG@", "P@", "R@", "AP@", "RR@"),
        decimals=2,
    ),
    Dialect(
        "rre",
        _EXPONENTIAL.but(rel=0, dialect="rre"),
        "from source",
        "1.1, of October 2021",
        (
            "Every judged doc is relevant to precision, recall and AP, also one of grade 0.",
            "Cuts each term of NDCG and the quotient to two decimals, so that small changes vanish.",
            "A query without hits scores 1 where nothing was judged for it.",
            "Its RR is that of the best doc shown, not of the first relevant one; its ERR gives unjudged docs a "
            "middle grade. Neither is ours.",
        ),
        covers=("nDCG@", "P@", "R", "AP"),
        decimals=2,
    ),
    Dialect(
        "evidently",
        _DISPLAYED.but(
            order="score", pool="shown", missing="exclude", no_relevant="null", dialect="evidently"
        ),
        "run",
        "0.7.23",
        (
            "Sees only the rows that it is given: the ideal list, and the number of relevant docs, are theirs.",
            "Leaves out users without feedback, unless no_feedback_users is set.",
            "Precision at k is divided by the docs shown.",
            "Equal scores share their mean rank, cut to a whole number, so that several docs stand at one place.",
            "Fails where k is beyond the longest list.",
        ),
        covers=("nDCG@", "P@", "R@", "AP@", "RR@", "Success@"),
    ),
    Dialect(
        "haystack",
        _DISPLAYED.but(duplicates="keep", dialect="haystack"),
        "run",
        "3.4.1",
        (
            "AP is divided by all the truth; older versions divided it by the relevant docs found.",
            "There is no cutoff, and the ideal list of NDCG holds all the truth, however short the list is.",
            "Recall is 1 where one relevant doc was found (Success), unless mode is multi_hit.",
            "Docs are the same if their texts are, unless it is told to compare ids.",
        ),
        settings={"nDCG": {"against": "uncut"}},
        exceptions={"R": {"duplicates": "first"}, "Success": {"duplicates": "first"}},
        covers=("nDCG", "AP", "RR", "R", "Success"),
    ),
)
