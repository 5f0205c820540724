"""Record what other tools say of the lists in this folder: `python record.py TOOL`, each in its own environment.

    python -m venv one && one/bin/pip install rectools==0.19.0 && one/bin/python record.py rectools
    python -m venv two && two/bin/pip install replay-rec==0.22.0 && two/bin/python record.py replay
    python -m venv three && three/bin/pip install recommenders==1.2.1 && three/bin/python record.py recommenders
    python -m venv four && four/bin/pip install --no-deps recmetrics==0.1.5 && four/bin/pip install numpy \
        pandas scipy scikit-learn matplotlib plotly seaborn funcsigs && four/bin/python record.py recmetrics

Writes values.TOOL.json: a row a value, [measure, run, cutoff, user or null for all users, value].
`python record.py data` makes the lists anew, with the standard library alone.
"""

import csv
import json
import random
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
CUTOFFS = (1, 3, 5)
RUNS = ("fresh", "mixed", "short")


def data() -> None:
    """Twelve users and thirty items, made up: item 30 nobody met, popularity falls with the number."""
    draw = random.Random(7)
    items = [f"i{n:02}" for n in range(1, 31)]
    users = [f"u{n:02}" for n in range(1, 13)]
    known = {u: [i for n, i in enumerate(items[:-1], 1) if draw.random() < 1.6 / (n**0.6 + 1)] for u in users}
    assert all(known.values())
    write("history.csv", "query_id,doc_id", [(u, i) for u in users for i in known[u]])
    lists = {run: {} for run in (*RUNS, "base")}
    for u in users:
        unknown = [i for i in items[:-1] if i not in known[u] and any(i in some for some in known.values())]
        lists["fresh"][u] = draw.sample(unknown, 5)
        lists["mixed"][u] = draw.sample(items, 5)
        lists["short"][u] = draw.sample(items, draw.randint(1, 5))
        lists["base"][u] = draw.sample(items[:12], 5)
    for run, some in lists.items():
        rows = [(u, i, rank) for u in users for rank, i in enumerate(some[u], 1)]
        write(f"{run}.csv", "query_id,doc_id,rank", rows)
    write("relevant.csv", "query_id,doc_id,grade", [(u, i, 1) for u in users for i in draw.sample(items, 9)])
    with (HERE / "items.jsonl").open("w") as stream:
        for i in items:
            row = {
                "doc_id": i,
                "category": draw.choice("pqrst"),
                "vector": [draw.randint(0, 3) for _ in range(4)],
            }
            row["vector"][draw.randrange(4)] = 2  # none is nothing but 0
            stream.write(json.dumps(row) + "\n")


def write(name: str, head: str, rows: list) -> None:
    """A table as CSV."""
    lines = [head, *(",".join(map(str, row)) for row in rows)]
    (HERE / name).write_text("".join(f"{line}\n" for line in lines))


def table(name: str, **names: str):
    """A file as a frame, with columns called as the tool wants them."""
    import pandas as pd

    return pd.DataFrame(list(csv.DictReader((HERE / name).open()))).rename(columns=names)


def items():
    """Each item's row."""
    return [json.loads(line) for line in (HERE / "items.jsonl").open()]


def rectools():
    import pandas as pd
    from rectools import Columns, metrics
    from rectools.metrics.distances import PairwiseHammingDistanceCalculator

    names = {"query_id": Columns.User, "doc_id": Columns.Item, "rank": Columns.Rank}
    history, relevant = table("history.csv", **names), table("relevant.csv", **names)
    catalog = [row["doc_id"] for row in items()]
    features = pd.DataFrame([row["vector"] for row in items()], index=catalog)
    base = table("base.csv", **names).astype({Columns.Rank: int})
    far = PairwiseHammingDistanceCalculator(features)
    for run in RUNS:
        reco = table(f"{run}.csv", **names).astype({Columns.Rank: int})
        for k in CUTOFFS:
            each = {
                "MIUF": metrics.MeanInvUserFreq(k).calc_per_user(reco, history),
                "AvgRecPopularity": metrics.AvgRecPopularity(k).calc_per_user(reco, history),
                "AvgRecPopularity(normalize)": metrics.AvgRecPopularity(k, normalize=True).calc_per_user(
                    reco, history
                ),
                "ILD": metrics.IntraListDiversity(k, far).calc_per_user(reco),
                "Serendipity": metrics.Serendipity(k).calc_per_user(reco, relevant, history, catalog),
                "SufficientReco(deep)": metrics.SufficientReco(k, deep=True).calc_per_user(reco),
                "Intersection": metrics.Intersection(k).calc_per_user(reco, base),
            }
            for name, values in each.items():
                yield from ([name, run, k, str(user), float(value)] for user, value in values.items())
            yield [
                "CatalogCoverage",
                run,
                k,
                None,
                float(metrics.CatalogCoverage(k, normalize=True).calc(reco, catalog)),
            ]


def replay():
    from replay import metrics
    from replay.metrics import PerUser

    names = {"doc_id": "item_id"}
    history = table("history.csv", **names)
    category = {row["doc_id"]: row["category"] for row in items()}

    def rated(name: str):
        frame = table(name, **names)
        return frame.assign(
            rating=100.0 - frame["rank"].astype(int), category_id=frame["item_id"].map(category)
        )

    for run in RUNS:
        reco, ks = rated(f"{run}.csv"), list(CUTOFFS)
        each = {
            "CategoricalDiversity": metrics.CategoricalDiversity(ks, mode=PerUser())(reco),
            "Novelty": metrics.Novelty(ks, mode=PerUser())(reco, history),
            "Surprisal": metrics.Surprisal(ks, mode=PerUser())(reco, history),
            "Unexpectedness": metrics.Unexpectedness(ks, mode=PerUser())(reco, rated("base.csv")),
        }
        for name, told in each.items():
            for key, values in told.items():
                k = int(key.partition("@")[2])
                yield from ([name, run, k, str(user), float(value)] for user, value in values.items())
        for key, value in metrics.Coverage(ks)(reco, history).items():
            yield ["Coverage", run, int(key.partition("@")[2]), None, float(value)]


def recommenders():
    import numpy as np
    import pandas as pd
    from recommenders.evaluation import python_evaluation as tool

    names = {"query_id": "userID", "doc_id": "itemID"}
    history = table("history.csv", **names)
    features = pd.DataFrame(
        [(r["doc_id"], np.array(r["vector"])) for r in items()], columns=["itemID", "features"]
    )
    for k in CUTOFFS:
        reco = table("fresh.csv", **names)
        reco = reco[reco["rank"].astype(int) <= k][["userID", "itemID"]]
        yield ["novelty", "fresh", k, None, float(tool.novelty(history, reco))]
        yield [
            "distributional_coverage",
            "fresh",
            k,
            None,
            float(tool.distributional_coverage(history, reco)),
        ]
        yield ["catalog_coverage", "fresh", k, None, float(tool.catalog_coverage(history, reco))]
        if k > 1:
            told = tool.user_diversity(history, reco, features, "item_feature_vector")
            yield from (["user_diversity", "fresh", k, u, float(v)] for u, v in told.itertuples(index=False))


def recmetrics():
    import pandas as pd
    import recmetrics as tool

    history, all_items = table("history.csv"), items()
    features = pd.DataFrame([row["vector"] for row in all_items], index=[row["doc_id"] for row in all_items])
    popularity = history.groupby("doc_id")["query_id"].nunique().to_dict()
    n_users = history["query_id"].nunique()
    for run in ("fresh", "mixed"):
        lists = table(f"{run}.csv").groupby("query_id")["doc_id"].apply(list)
        for k in CUTOFFS:
            cut = [docs[:k] for docs in lists]
            yield ["personalization", run, k, None, float(tool.personalization(cut))]
            yield [
                "prediction_coverage",
                run,
                k,
                None,
                float(tool.prediction_coverage(cut, list(features.index))),
            ]
            if run == "fresh":
                _, each = tool.novelty(cut, popularity, n_users, k)
                yield from (["novelty", run, k, u, float(v)] for u, v in zip(lists.index, each, strict=True))
            if k > 1:
                yield [
                    "intra_list_similarity",
                    run,
                    k,
                    None,
                    float(tool.intra_list_similarity(cut, features)),
                ]


TOOLS = {"rectools": rectools, "replay": replay, "recommenders": recommenders, "recmetrics": recmetrics}
PACKAGES = {
    "rectools": "rectools",
    "replay": "replay-rec",
    "recommenders": "recommenders",
    "recmetrics": "recmetrics",
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    asked = sys.argv[1]
    if asked == "data":
        data()
    else:
        rows = list(TOOLS[asked]())
        head = {"tool": asked, "version": version(PACKAGES[asked])}
        lines = ",\n  ".join(json.dumps(row) for row in rows)
        text = f'{json.dumps(head)[:-1]}, "values": [\n  {lines}\n]}}\n'
        (HERE / f"values.{asked}.json").write_text(text)
        sys.stdout.write(f"{len(rows)} values\n")
