"""Several goals from files: --aspects, combinations, and what a conclusion hangs on, in every form."""

import json
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from flow.program import BASELINE, CANDIDATE, QRELS, inside, run
from flow.test_schemas import fits

LABELS = """query_id,doc_id,click,dwell,buy
q1,A,1,35,1
q1,B,0,0,0
q1,C,1,12.5,0
q2,A,0,,1
q2,D,1,5,0
q3,A,1,3,0
q3,B,0,8,1
"""
WEIGHED = "0.5*click:nDCG@3 + 0.5*buy:nDCG@3"
ASPECTS = ("--aspects", "click,dwell=0,10,30", "--aspects", "buy")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    lists = {"old": {"q1": "ABC", "q2": "DA", "q3": "AB"}, "new": {"q1": "CAB", "q2": "AD", "q3": "BA"}}
    paths = [tmp_path / "labels.csv"]
    paths[0].write_text(LABELS, "utf-8")
    for name, shown in lists.items():
        rows = [f"{q},{d},{r}" for q, docs in shown.items() for r, d in enumerate(docs, 1)]
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text("\n".join(["query_id,doc_id,rank", *rows]) + "\n", "utf-8")
    return paths[0], paths[1], paths[2]


def test_rows_say_their_aspect_and_fit(files: tuple[Path, Path, Path]) -> None:
    done = run("evaluate", *files, *ASPECTS, "-m", WEIGHED, "-m", "RR", "--per-query", "--format", "jsonl")
    assert (done.code, done.error) == (0, "")
    for row in done.rows:
        fits("evaluate-row", row)
    means = {(r["run"], r["aspect"], r["measure"]): r["value"] for r in done.rows if r["query_id"] is None}
    assert means["old", "click", "RR"] == 1
    assert means["old", "buy", "RR"] == pytest.approx(2 / 3)
    assert means["old", None, WEIGHED] == pytest.approx(
        (means["old", "click", "nDCG@3"] + means["old", "buy", "nDCG@3"]) / 2
    )
    assert {key[1] for key in means} == {None, "click", "dwell", "buy"}
    plain = run("evaluate", QRELS, BASELINE, "-m", "RR", "--format", "jsonl").rows
    assert "aspect" not in plain[0]


@pytest.mark.parametrize("form", ["table", "json", "csv", "parquet", "md", "html"])
def test_every_form_has_aspects(files: tuple[Path, Path, Path], form: str) -> None:
    done = run("evaluate", *files, *ASPECTS, "-m", WEIGHED, "-m", "RR", "--format", form)
    assert (done.code, done.error) == (0, "")
    if form == "json":
        fits("evaluate", done.json)
    if form in ("table", "md", "html"):
        assert all(
            word in done.text.replace("\\", "") for word in ("Aspects", "click:RR", "0.5*click:nDCG@3")
        )


def test_trec_eval_has_no_place_for_aspects(files: tuple[Path, Path, Path]) -> None:
    done = run("evaluate", *files, *ASPECTS, "-m", "RR", "--format", "trec_eval")
    assert done.code == 2
    assert "no place for aspects" in done.error


@pytest.mark.parametrize("measures", [(WEIGHED, "RR"), ("RR", "AP"), ("0.1*RR + 0.2*AP + 0.7*nDCG@3",)])
@pytest.mark.parametrize("some", [ASPECTS, ("--aspects", "click")])
def test_a_comparison_of_aspects_fits(
    files: tuple[Path, Path, Path], measures: tuple[str, ...], some: tuple[str, ...]
) -> None:
    asked = [part for name in measures for part in ("-m", name)]
    done = run("compare", *files, *some, *asked, "--format", "json")
    if "buy" not in some and "buy" in measures[0]:
        assert done.code == 2
        assert 'no aspect "buy"' in done.error
        return
    fits("compare", done.json)
    n_aspects = 3 if some is ASPECTS else 1
    combined = {WEIGHED: 1, "RR": 0}.get(measures[0], n_aspects)
    assert len(done.json["weights"]) == combined


def test_weights_stand_in_the_report(files: tuple[Path, Path, Path]) -> None:
    for form in ("table", "md", "html"):
        text = run("compare", *files, *ASPECTS, "-m", WEIGHED, "--format", form).text
        plain = " ".join(text.split())
        assert "of all ways to weigh them its mean is higher" in plain
        assert "The two are even where click:nDCG@3 has" in plain
    whole = run("compare", *files, *ASPECTS, "-m", WEIGHED, "--format", "json").json
    (told,) = whole["weights"]
    row = next(r for r in whole["comparisons"] if r["measure"] == WEIGHED)
    assert told["difference"] == pytest.approx(row["difference"])
    assert told["better"] + told["worse"] == pytest.approx(1)
    assert told["interval"]["better"] + told["interval"]["worse"] + told["interval"]["undecided"] == (
        pytest.approx(1)
    )


def test_a_combination_of_one_column(tmp_path: Path) -> None:
    name = "0.7*nDCG@5 + 0.3*AP"
    asked = ("-m", "0.7*ndcg_cut_5+.3*map", "-m", "P@5")
    whole = run("compare", QRELS, BASELINE, CANDIDATE, *asked, "--format", "json").json
    fits("compare", whole)
    named = dict.fromkeys(row["measure"] for row in whole["comparisons"])
    assert list(named) == [name, "P@5", "nDCG@5", "AP"]
    assert whole["diagnosis"]["measure"] == "nDCG@5"
    explained = run("explain", QRELS, BASELINE, "-q", "1", *asked, "--format", "json").json
    fits("explain", explained)
    parts, value = explained[0]["parts"], explained[0]["value"]
    assert value == pytest.approx(0.7 * parts["nDCG@5"] + 0.3 * parts["AP"])
    lines = run("evaluate", QRELS, BASELINE, *asked, "--format", "trec_eval").text.splitlines()
    assert [line.split("\t")[0] for line in lines] == [name, "P_5", "ndcg_cut_5", "map"]
    shown = run("measures", name)
    assert shown.code == 0
    assert "average precision" in shown.text


def test_what_a_conclusion_hangs_on_is_in_the_pages(tmp_path: Path) -> None:
    with inside(tmp_path):
        labels = "".join(f"q{i} 0 d{j} {g}\n" for i in range(6) for j, g in enumerate((2, 1, 1, 0)))
        Path("qrels.txt").write_text(labels, "utf-8")
        for name, order in (("old", "0xyz"), ("new", "102x")):
            lines = [f"q{i} Q0 d{d} {r} {9 - r} t\n" for i in range(6) for r, d in enumerate(order, 1)]
            Path(f"{name}.run").write_text("".join(lines), "utf-8")
        whole = run("compare", "qrels.txt", "old.run", "new.run", "-m", "nDCG@3", "--format", "json").json
        fits("compare", whole)
        assert [row["cutoff"] for row in whole["diagnosis"]["cutoffs"]] == [1, 3, 5]
        assert [f["code"] for f in whole["findings"]][-1] == "sign-changes-with-cutoff"
        for form in ("table", "md", "html"):
            text = run("compare", "qrels.txt", "old.run", "new.run", "-m", "nDCG@3", "--format", form).text
            assert "at other cutoffs" in text
            assert "sign-changes-with-cutoff" in text
        done = run("evaluate", "qrels.txt", "new.run", "-m", "Success@3", "--format", "json").json
        fits("evaluate", done)
        assert done["diagnosis"]["ceilings"][0]["saturated"]
        assert [f["code"] for f in done["findings"]][-1] == "saturated-measure"


def test_strict_and_unknown_columns(files: tuple[Path, Path, Path]) -> None:
    assert run("evaluate", *files, "--aspects", "clik", "-m", "RR").code == 2
    done = run("evaluate", *files, "--aspects", "dwell", "-m", "RR")
    assert done.code == 0
    assert "bad-label" in done.text
    done = run("evaluate", *files, "--aspects", "dwell", "-m", "RR", "--strict")
    assert done.code == 1
    assert "12.5" in done.error


def test_a_study_decides_by_a_combination_and_its_record_recomputes(studies: Path, tmp_path: Path) -> None:
    place = tmp_path / "study"
    copytree(studies / "help-centre", place, ignore=ignore_patterns("acceptance"))
    plan = (place / "study.toml").read_text("utf-8")
    name = "0.7*nDCG@5 + 0.3*AP"
    (place / "study.toml").write_text(plan.replace('"nDCG@5"', f'"{name}"'), "utf-8")
    done = run("accept", place, "--format", "json")
    assert done.code in (0, 1, 3), done.error
    assert run("verify", place / "acceptance").code == 0
    evidence = json.loads((place / "acceptance" / "3-report.json").read_bytes())
    fits("evidence", evidence)
    assert [row["measure"] for row in evidence["weights"]] == [name]
    first, *rest = dict.fromkeys(row["measure"] for row in evidence["measurements"])
    assert first == name
    assert {"nDCG@5", "AP"} <= set(rest)
    assert evidence["diagnosis"]["measure"] == "nDCG@5"
