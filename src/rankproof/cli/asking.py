"""What evaluate, compare and explain ask for: files read, audited and measured, as the options say."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

import rankproof
from rankproof.cli import options
from rankproof.cli.progress import steps
from rankproof.cli.speaking import tr


@dataclass(frozen=True)
class Asked:
    """What the files hold and what was measured."""

    measurements: "rankproof.Measurements"
    findings: "rankproof.Findings"
    questions: "rankproof.Questions"
    documents: "rankproof.Documents"
    tags: dict[str, str]  # of the runs whose files name the system

    def diagnosed(
        self, compared: "rankproof.Comparisons | None" = None
    ) -> "tuple[rankproof.Findings, rankproof.Diagnosis]":
        """What was noticed in the inputs and then in the results, and what the conclusion hangs on."""
        diagnosis = rankproof.diagnose(self.measurements, compared)
        return self.findings + rankproof.audit_results(diagnosis), diagnosis


@dataclass(frozen=True)
class Given:
    """What the files hold, audited, and what is to be measured by which conventions."""

    judgments: Any
    runs: "list[rankproof.Run]"
    questions: "rankproof.Questions"
    documents: "rankproof.Documents"
    rubric: "rankproof.Rubric"
    beside: dict[str, Any]  # what only some measures look at
    findings: "rankproof.Findings"
    measures: "tuple[rankproof.Measure, ...]"
    conventions: "rankproof.Conventions"
    evaluate: Callable[..., "rankproof.Measurements"]  # of one aspect or of several


def measured(
    judgments: str, runs: tuple[str, ...], values: dict[str, Any], *, keep: bool, output: Path | None = None
) -> Asked:
    """Read, audit and measure, as the options ask."""
    with steps(2 * len(runs) + 2) as step:
        read = given(judgments, runs, values, output=output, step=step)
        found = read.evaluate(
            read.judgments,
            read.runs,
            read.measures,
            conventions=read.conventions,
            questions=read.questions,
            rubric=read.rubric,
            documents=read.documents,
            **read.beside,
            fixed_candidates=values.get("candidates") == "fixed",
            keep=keep,
            progress=step,
        )
    tags = {run.name: run.tags[-1] for run in read.runs if run.tags}
    marked = found.marked(read.findings.anomalous)
    return Asked(marked, read.findings, read.questions, read.documents, tags)


def given(
    judgments: str,
    runs: tuple[str, ...],
    values: dict[str, Any],
    *,
    output: Path | None = None,
    step: Callable[[str], None] = lambda _: None,
) -> Given:
    """Read and audit, as the options ask."""
    conventions = options.chosen(values)
    files = [values[name] for name in ("questions", "documents", "rubric", "history", "expected")]
    options.apart(output, judgments, *runs, *files)
    step(judgments)
    judged, findings, audit, evaluate = _judged(judgments, values)
    preferred = isinstance(judged, rankproof.Preferences)
    usual = rankproof.PREFERENCE_MEASURES if preferred else rankproof.DEFAULT_MEASURES
    wanted = rankproof.parse_measures(values["measures"] or usual, conventions.dialect)
    questions, documents, rubric, more = _attributes(values)
    findings += more
    beside, more = _beside(values)
    findings += more
    read = []
    for path in runs:
        step(path)
        run, more = rankproof.read_run(path)
        read.append(run)
        findings += more
    read = _told_apart(read, runs)
    step(tr("audit"))
    cutoffs = [measure.at for measure in wanted if measure.at]
    findings = audit(
        judged.judgments if preferred else judged,
        read,
        questions=questions,
        documents=documents,
        rubric=rubric,
        conventions=conventions.but(rel=1) if preferred else conventions,  # preferences are no grades
        fixed_candidates=values.get("candidates") == "fixed",
        cutoff=min(cutoffs, default=None),
        measures=wanted,
        noticed=findings,
    )
    if values["strict"]:
        findings.stop_at_error()
    return Given(judged, read, questions, documents, rubric, beside, findings, wanted, conventions, evaluate)


def _judged(path: str, values: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    """The judgments, what was noticed in them, and what audits and measures them: of one aspect or of several."""
    aspects = values.get("aspects", ())
    if aspects:
        return *rankproof.read_aspects(path, aspects), rankproof.audit_aspects, rankproof.evaluate_aspects
    subtopics = values["subtopics"] or None
    read = rankproof.read_judged(path, values["judgments_as"], subtopics=subtopics)
    return *read, rankproof.audit, rankproof.evaluate


def _attributes(values: dict[str, Any]) -> tuple[Any, Any, Any, "rankproof.Findings"]:
    findings = rankproof.Findings()
    questions, documents, rubric = rankproof.Questions(), rankproof.Documents(), rankproof.Rubric()
    if values["questions"]:
        questions, more = rankproof.read_questions(values["questions"])
        findings += more
    if values["documents"]:
        documents, more = rankproof.read_documents(values["documents"])
        findings += more
    if values["rubric"]:
        rubric = rankproof.read_rubric(values["rubric"])
    return questions, documents, rubric, findings


def _beside(values: dict[str, Any]) -> tuple[dict[str, Any], "rankproof.Findings"]:
    """The history and the expected run, where they were given."""
    found: dict[str, Any] = {}
    findings = rankproof.Findings()
    for name, read in (("history", rankproof.read_history), ("expected", rankproof.read_run)):
        if values[name]:
            found[name], more = read(values[name])
            findings += more
    return found, findings


def _told_apart(runs: "list[rankproof.Run]", paths: tuple[str, ...]) -> "list[rankproof.Run]":
    """Runs go by the names of their files; those that share one go by their paths."""
    options.stop_at_same_file(paths)
    names = [run.name for run in runs]
    return [replace(run, name=run.source) if names.count(run.name) > 1 else run for run in runs]


def shared(function: Any) -> Any:
    """The options that evaluate, compare and explain have in common."""
    function = options.conventions(function)
    function = click.option(
        "--judgments-as",
        type=click.Choice(["grades", "raters", "preferences", "grades-as-preferences"]),
        help="What the judgments are, where their columns leave that open. raters: the second column of a TREC "
        "file names who judged.",
    )(function)
    function = click.option("--strict", is_flag=True, help="Stop at the first error-level finding.")(function)
    return options.measures(options.subtopics(options.attributes(function)))


def as_json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
