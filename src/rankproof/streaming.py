"""From files to measurements without holding the lines of a run: scanned where that is enough, else read whole."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeVar

from rankproof.errors import NothingToEvaluate, UsageError
from rankproof.evaluation import DEFAULT_MEASURES, asked_for, evaluate
from rankproof.formats.blocks import NotPlain
from rankproof.formats.gathering import MEMORY, Scanning, worth_threads
from rankproof.formats.names import run_name
from rankproof.formats.scanned import scan_judgments, scan_run
from rankproof.formats.sources import Source
from rankproof.measures.measure import Measure
from rankproof.preparing import one_ordering
from rankproof.scanning.engine import engine
from rankproof.scanning.lines import Index
from rankproof.tables.attributes import Questions
from rankproof.tables.conventions import Conventions
from rankproof.tables.findings import Findings
from rankproof.tables.hits import Hits
from rankproof.tables.judged import Judged
from rankproof.tables.judgments import Judgments
from rankproof.tables.measurements import Measurements
from rankproof.tables.run import Run
from rankproof.wording import Words

Table = TypeVar("Table", Run, Hits)


class FromFiles(NamedTuple):
    """What files came to: the values, and what was noticed in reading.

    tags      the name of the system, of the runs that say it
    repeats   how many lines name a doc that their list has already, of the runs that were scanned and have such
    """

    measurements: Measurements
    findings: Findings
    tags: dict[str, str]
    repeats: dict[str, int]


def evaluate_files(
    judgments: str | Path,
    runs: str | Path | Sequence[str | Path],
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    conventions: Conventions | None = None,
    questions: Questions | None = None,
    threads: int | None = None,
    memory: int = MEMORY,
    progress: Callable[[str], None] = lambda _: None,
) -> FromFiles:
    """What `evaluate` gives for files, with nothing kept, and what was noticed in them.

    judgments, runs   paths; "-" is standard input; packed files are unpacked
    threads           how many blocks of a run are scanned at once; by default one for every two gigabytes of it,
                      and no more than there are processors
    memory            bytes of rows held at once where the lines of a query do not stand together; past it the
                      file is read several times

    TREC files are scanned: of a run nothing is held but the places of its judged docs, so memory does not grow
    with the lines. Where a measure looks at more than hits, a convention names docs, or a file is in
    another format or odd in a way that needs careful reading, everything is read whole; the numbers are the same.
    """
    for name, seen in (("threads", threads), ("memory", memory)):
        if seen is not None and (not isinstance(seen, int) or seen < 1):
            raise UsageError("{name} is {seen}; expected a whole number from 1.", name=name, seen=repr(seen))
    conventions = conventions or Conventions()
    paths = [runs] if isinstance(runs, (str, Path)) else list(runs)
    ordering = one_ordering(asked_for(measures, conventions), conventions)
    with ExitStack() as opened:
        sources = [opened.enter_context(Source(path)) for path in (judgments, *paths)]
        try:
            if ordering is None:
                raise NotPlain("more than hits is asked for")
            progress(sources[0].file)
            index, findings = _judged(sources[0])
            found = []
            for source in sources[1:]:
                progress(source.file)
                scanning = Scanning(index, ordering, threads or worth_threads(source.size), memory)
                hits, more = scan_run(source, scanning, run_name(source.path))
                found.append(hits)
                findings += more
            told = _told_apart(found)
            with _findings_told(findings):
                values = evaluate(index.judged, told, measures, conventions=conventions, questions=questions)
            repeats = {run.name: run.n_repeats for run in told if run.n_repeats}
            return FromFiles(values, findings, _tags(told), repeats)
        except NotPlain:
            return _read_whole(sources, measures, conventions, questions, progress)


def _judged(source: Source) -> tuple[Index, Findings]:
    """Judgments made ready: scanned where they are plain, else read with care."""
    try:
        return scan_judgments(source)
    except NotPlain:
        from rankproof.formats.bytes import pipes_kept
        from rankproof.formats.preferences import read_judged

        with pipes_kept(_pipes([source])):
            table, findings = read_judged(source.path)
        if not isinstance(table, Judgments):
            raise NotPlain("preferences") from None
        return engine().index(Judged.of(table)), findings


def _read_whole(
    sources: Sequence[Source],
    measures: str | Measure | Iterable[str | Measure],
    conventions: Conventions,
    questions: Questions | None,
    progress: Callable[[str], None],
) -> FromFiles:
    """The same from tables of all lines."""
    from rankproof.formats.bytes import pipes_kept
    from rankproof.formats.preferences import read_judged
    from rankproof.formats.reading import read_run

    with pipes_kept(_pipes(sources)):
        table, findings = read_judged(sources[0].path)
        found = []
        for source in sources[1:]:
            progress(source.file)
            run, more = read_run(source.path)
            found.append(run)
            findings += more
    told = _told_apart(found)
    with _findings_told(findings):
        values = evaluate(table, told, measures, conventions=conventions, questions=questions, keep=False)
    return FromFiles(values, findings, _tags(told), {})


@contextmanager
def _findings_told(findings: Findings) -> Iterator[None]:
    """Where nothing can be evaluated, what was noticed in reading may be the reason."""
    try:
        yield
    except NothingToEvaluate as error:
        noticed = next((one for one in findings if one.severity == "error"), None)
        if noticed is None:
            raise
        raise NothingToEvaluate(
            "{what} When it was read, this was noticed: {place}{message}",
            what=Words(error.template, error.facts),
            place=noticed.place,
            message=noticed.message,
        ) from error


def _pipes(sources: Sequence[Source]) -> dict[str, bytes]:
    """What came through each pipe."""
    return {str(source.path): source.whole() for source in sources if source.is_pipe}


def _told_apart(runs: list[Table]) -> list[Table]:
    """Runs go by the names of their files; those that share one go by their paths."""
    names = [run.name for run in runs]
    return [replace(run, name=run.source) if names.count(run.name) > 1 else run for run in runs]


def _tags(runs: Sequence[Run] | Sequence[Hits]) -> dict[str, str]:
    return {run.name: run.tags[-1] for run in runs if run.tags}
