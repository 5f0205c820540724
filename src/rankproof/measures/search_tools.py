"""The dialects of the tools of search: the relatives of trec_eval."""

from rankproof.measures.dialect import Dialect
from rankproof.tables.conventions import Conventions

_BY_SCORE = Conventions(order="score", no_relevant="zero")
_PYTREC_EVAL = _BY_SCORE.but(ties="doc_id_desc", score_width=32, missing="exclude")
_OF_PYTREC_EVAL = ("nDCG@", "AP@", "R@", "P@", "RR@")
_OF_BEIR = {"ties": "file", "score_width": 64, "missing": "zero"}  # what is its own code

TOOLS = (
    Dialect(
        "gdeval",
        _BY_SCORE.but(
            ties="doc_id_desc", gain="exp2", missing="exclude", negative_grades="skip", dialect="gdeval"
        ),
        "run",
        "as in ir_measures 0.4.3",
        (
            "Its nDCG has exponential gain: it is another number than that of trec_eval.",
            "The scale of ERR ends at grade 4, whatever the judgments have; a higher grade stops it.",
            'Queries have to be numbers: of "q1" it fails, and of "PLAIN-2" it answers for "2".',
            "Skips judgments below 0.",
        ),
        settings={"ERR": {"max_grade": "4"}},
        covers=("nDCG@", "ERR@"),
        decimals=5,
    ),
    Dialect(
        "msmarco",
        Conventions(ties="doc_id_asc", no_relevant="zero", dialect="msmarco"),
        "run",
        "as in ir_measures 0.4.3",
        (
            "The script of the leaderboard takes the rank column; where there are only scores, equal ones stand in ascending order of doc ids.",
            "That order is the reverse of that of trec_eval, so its RR can be above the RR of trec_eval.",
        ),
        covers=("RR",),
    ),
    Dialect(
        "ranx",
        _BY_SCORE.but(missing="error", extra="error", negative_grades="zero", dialect="ranx"),
        "run",
        "0.3.21",
        (
            "Stops where the queries of run and judgments differ; make_comparable=True is missing=zero and "
            "extra=exclude.",
            "Keeps equal scores in the order given in short lists only: its sort is not stable.",
            "Bpref is no number where no doc is judged not relevant; a grade below 0 counts as judged not relevant.",
            "RBP adds up grades, not relevance, and so can be above 1.",
            "Grades such as 1.7 are cut to whole numbers, and nothing is said.",
            "hits is the mean over queries; NumRelRet adds them up.",
        ),
        settings={"RBP": {"gain": "linear"}},
        covers=(
            *("nDCG", "DCG", "AP", "RR", "P", "R", "Rprec", "Success", "Bpref", "RBP"),
            *("SetP", "SetR", "SetF", "NumRelRet"),
        ),
    ),
    Dialect(
        "beir",
        _PYTREC_EVAL.but(dialect="beir"),
        "run",
        "2.2.0",
        (
            "NDCG, MAP, Recall and P come from pytrec_eval, MRR and Accuracy from its own code: two rules for ties "
            "and two denominators stand in one report.",
            "A query without results leaves the mean of NDCG, and counts 0 in MRR.",
            "R_cap@k is RelP@k, by the rules of MRR; it fails at a query without relevant docs.",
            "Accuracy@k is Success@k. A query of the run that nobody judged is an error in it and in MRR.",
            "Hole@k counts a doc as judged if it was judged for any query.",
            "Deletes a result whose doc has the id of the query, from the results of who called it.",
        ),
        exceptions={"RR": _OF_BEIR, "Success": _OF_BEIR},
        covers=(*_OF_PYTREC_EVAL, "Success@"),
        decimals=5,
    ),
    Dialect(
        "mteb",
        _PYTREC_EVAL.but(dialect="mteb"),
        "run",
        "2.26.24",
        (
            "NDCG, MAP, Recall, P and hit rate come from pytrec_eval; MRR breaks ties as they do, and compares "
            "scores in double precision.",
            "A query without results leaves the mean; a query of the run that nobody judged is an error.",
        ),
        exceptions={"RR": {"score_width": 64}},
        covers=(*_OF_PYTREC_EVAL, "Success@"),
        decimals=5,
    ),
    Dialect(
        "trectools",
        _BY_SCORE.but(ties="doc_id_desc", missing="exclude", dialect="trectools"),
        "run",
        "0.0.50",
        (
            "With trec_eval=False it keeps equal scores in the order given, and NDCG has exponential gain.",
            "NDCG breaks ties by doc id, ascending, as the run was read; the other measures descending.",
            "MAP is no number where no doc is relevant, and counts 0 for a query that nobody judged.",
            "Its bpref counts docs that nobody judged as not relevant, so it is no Bpref.",
        ),
        exceptions={"AP": {"no_relevant": "null"}, "nDCG": {"ties": "doc_id_asc"}},
        covers=("AP", "RR", "nDCG", "P", "Rprec"),
    ),
    Dialect(
        "cwl_eval",
        _BY_SCORE.but(dialect="cwl_eval"),
        "run",
        "1.0.12",
        (
            "AP is divided by the relevant docs found, not by all of them: one relevant doc of ten, shown first, "
            "has AP 1.",
            "Equal scores stand in the order of the lines; where lines of several queries are mixed, its values "
            "are wrong.",
        ),
        settings={"AP": {"denominator": "found"}},
        covers=("AP", "RR", "P@", "RBP"),
    ),
)
