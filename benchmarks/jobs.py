"""What other tools do, each in a process of its own, run by the Python of the peers' environment.

    PYTHON benchmarks/jobs.py JOB QRELS RUN

A job prints "measure, query, value" lines for the six measures, by the names of trec_eval. The jobs that work on
dicts in memory read the files first, and say on their first line what the work itself took:
"# CPU seconds, wall seconds".
"""

import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median

# By the names of trec_eval, ir_measures, ranx, and of rankproof.
NAMES = (
    ("ndcg_cut_10", "nDCG@10", "ndcg@10", "nDCG@10"),
    ("map", "AP", "map", "AP"),
    ("recip_rank", "RR", "mrr", "RR"),
    ("P_10", "P@10", "precision@10", "P@10"),
    ("recall_100", "R@100", "recall@100", "R@100"),
    ("recall_1000", "R@1000", "recall@1000", "R@1000"),
)
PYTREC = {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100,1000"}
REPEATS = 3

Rows = Iterable[tuple[str, str, float]]
Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]


def show(rows: Rows) -> None:
    """Print lines."""
    sys.stdout.writelines(f"{measure}\t{query}\t{value!r}\n" for measure, query, value in rows)


def by_query(values: dict[str, dict[str, float]]) -> Rows:
    """Rows of what pytrec_eval returns."""
    return ((measure, query, value) for query, found in values.items() for measure, value in found.items())


def pytrec_eval(qrels: str, run: str) -> None:
    """As its README does it."""
    import pytrec_eval

    with Path(qrels).open() as file:
        judged = pytrec_eval.parse_qrel(file)
    with Path(run).open() as file:
        shown = pytrec_eval.parse_run(file)
    show(by_query(pytrec_eval.RelevanceEvaluator(judged, PYTREC).evaluate(shown)))


def ir_measures(qrels: str, run: str, *, cut: bool = False) -> None:
    """As its documentation does it; with `cut` RR@10 in place of RR."""
    import ir_measures

    names = {name: ours for ours, name, _, _ in NAMES}
    if cut:
        del names["RR"]
        names["RR@10"] = "RR@10"
    measures = {ir_measures.parse_measure(name): ours for name, ours in names.items()}
    judged, shown = ir_measures.read_trec_qrels(qrels), ir_measures.read_trec_run(run)
    show((measures[v.measure], v.query_id, v.value) for v in ir_measures.iter_calc(measures, judged, shown))


def ir_measures_cut(qrels: str, run: str) -> None:
    """The job for which it asks two of its providers."""
    ir_measures(qrels, run, cut=True)


def ranx(qrels: str, run: str) -> None:
    """As its documentation does it; no value is averaged."""
    import ranx

    shown = ranx.Run.from_file(run, kind="trec")
    measures = {name: ours for ours, _, name, _ in NAMES}
    ranx.evaluate(ranx.Qrels.from_file(qrels, kind="trec"), shown, list(measures))
    show((measures[m], q, float(v)) for m, found in shown.scores.items() for q, v in found.items())


def polars_scan(qrels: str, run: str) -> None:
    """Every column of both tables, decoded into memory; nothing is measured."""
    import polars

    print("# rows:", *(polars.scan_parquet(path).collect().height for path in (qrels, run)))


def dicts(qrels: str, run: str) -> tuple[Grades, Scores]:
    """The files as dicts of dicts: query, doc, and the grade or the score."""
    judged: Grades = {}
    shown: Scores = {}
    with Path(qrels).open() as file:
        for query, _, doc, grade in map(str.split, file):
            judged.setdefault(query, {})[doc] = int(grade)
    with Path(run).open() as file:
        for query, _, doc, _, score, _ in map(str.split, file):
            shown.setdefault(query, {})[doc] = float(score)
    return judged, shown


def timed(work: Callable[[], dict[str, dict[str, float]]]) -> None:
    """Do the work some times, say what it took (median), and show what came out."""
    took: list[tuple[float, float]] = []
    for _ in range(REPEATS):
        cpu, wall = time.process_time(), time.perf_counter()
        found = work()
        took.append((time.process_time() - cpu, time.perf_counter() - wall))
    print("#", *(median(column) for column in zip(*took, strict=True)))
    show(by_query(found))


def pytrec_eval_dicts(qrels: str, run: str) -> None:
    """The evaluator is there already; it evaluates."""
    import pytrec_eval

    judged, shown = dicts(qrels, run)
    evaluator = pytrec_eval.RelevanceEvaluator(judged, PYTREC)
    timed(lambda: evaluator.evaluate(shown))


def pytrec_eval_dicts_whole(qrels: str, run: str) -> None:
    """The evaluator is built from the judgments, and evaluates."""
    import pytrec_eval

    judged, shown = dicts(qrels, run)
    timed(lambda: pytrec_eval.RelevanceEvaluator(judged, PYTREC).evaluate(shown))


def rankproof_dicts(qrels: str, run: str) -> None:
    """From the dicts to Measurements; the clock stops there."""
    import rankproof

    judged, shown = dicts(qrels, run)
    asked = [name for *_, name in NAMES]
    took: list[tuple[float, float]] = []
    for _ in range(REPEATS):
        cpu, wall = time.process_time(), time.perf_counter()
        found = rankproof.evaluate(judged, shown, asked, keep=False)  # type: ignore[arg-type]  # dicts are tables
        took.append((time.process_time() - cpu, time.perf_counter() - wall))
    print("#", *(median(column) for column in zip(*took, strict=True)))
    for theirs, *_, name in NAMES:
        values = found.of(found.runs[0], found.measures[asked.index(name)])
        show((theirs, query, float(v)) for query, v in zip(found.queries, values, strict=True) if v == v)


JOBS = (
    pytrec_eval,
    ir_measures,
    ir_measures_cut,
    ranx,
    polars_scan,
    pytrec_eval_dicts,
    pytrec_eval_dicts_whole,
    rankproof_dicts,
)

if __name__ == "__main__":
    {job.__name__: job for job in JOBS}[sys.argv[1]](*sys.argv[2:])
