"""SECTIONS, RENDERERS; results to a report, and a report to bytes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rankproof.catalog import Catalog
from rankproof.explanation import Explanation
from rankproof.reports import changes, drilldown, goals, grounds, numbers, verdicts
from rankproof.reports.document import Block, Document, Paragraph, Section
from rankproof.reports.results import Results
from rankproof.reports.text import markdown, on_terminal
from rankproof.tables.attributes import Documents, Questions
from rankproof.tables.comparisons import Comparisons
from rankproof.tables.decisions import Decision
from rankproof.tables.diagnoses import Diagnosis
from rankproof.tables.findings import Findings
from rankproof.tables.measurements import Measurements
from rankproof.wording import Words, say


@dataclass(frozen=True)
class SectionKind:
    """One section: its name, its title, and how results become its blocks."""

    name: str
    title: Words | str
    blocks: Callable[[Results], Iterator[Block]]


SECTIONS = (
    SectionKind("verdict", "", verdicts.headline),
    SectionKind("counts", say("Counts"), numbers.counts),
    SectionKind("gates", say("Gates"), verdicts.gates),
    SectionKind("changes", say("Regressions and improvements"), changes.changes),
    SectionKind("measures", say("Measures"), numbers.measures),
    SectionKind("aspects", say("Aspects"), goals.aspects),
    SectionKind("weights", say("Weights"), goals.weights),
    SectionKind("cutoffs", say("Cutoffs"), goals.cutoffs),
    SectionKind("ceiling", say("Ceiling"), goals.ceiling),
    SectionKind("systems", say("Systems"), numbers.systems),
    SectionKind("found", say("Found"), numbers.found),
    SectionKind("differences", say("Differences"), changes.dots),
    SectionKind("tags", say("By tag"), changes.segments),
    SectionKind("queries", say("Queries"), drilldown.queries),
    SectionKind("findings", say("Findings"), grounds.findings),
    SectionKind("conventions", say("Conventions"), grounds.conventions),
    SectionKind("reproduce", say("How to reproduce"), grounds.reproduce),
)
# A terminal shows one line of conventions instead of their table, what was diagnosed only where it matters, and
# no pictures.
_SHORT = {"cutoffs": goals.cutoffs_that_turn, "ceiling": goals.ceiling_that_binds}
ON_TERMINAL = (
    *(
        replace(row, blocks=_SHORT.get(row.name, row.blocks))
        for row in SECTIONS
        if row.name
        in ("verdict", "counts", "gates", "changes", "measures", "systems", "found", "tags", "findings")
        or row.name in ("aspects", "weights", *_SHORT)
    ),
    SectionKind("conventions", "", grounds.conventions_line),
)


EACH_QUERY = SectionKind("each-query", say("Queries"), numbers.each_query)


@dataclass(frozen=True)
class Renderer:
    """One form of a report. `render` turns a document into text."""

    name: str
    render: Callable[[Document], str]


def _html(document: Document) -> str:
    from rankproof.reports.html import render_html  # brings a template engine along

    page: str = render_html(document)
    return page


RENDERERS: Catalog[Renderer] = Catalog(
    "report format",
    (Renderer("html", _html), Renderer("md", markdown)),
    names=lambda row: (row.name,),
    member_type=Renderer,
    group="rankproof.reports",
)


def document_of(
    results: Results, *, language: str = "en", kinds: Sequence[SectionKind] = SECTIONS
) -> Document:
    """The results as a document of the given sections; a section with nothing to say is left out."""
    made = [Section(row.name, row.title, list(row.blocks(results))) for row in kinds]
    return Document(results.title or "rankproof", [s for s in made if s.blocks], language)


def report(
    measurements: Measurements,
    comparisons: Comparisons | None = None,
    *,
    findings: Findings | None = None,
    decision: Decision | None = None,
    documents: Documents | None = None,
    diagnosis: Diagnosis | None = None,
    title: str = "",
    primary: tuple[str, ...] = (),
    reproduce: tuple[str | Words, ...] = (),
    format: str = "html",
    language: str = "en",
    per_query: bool = False,
    only: Sequence[str] = (),
    width: int = 100,
    color: bool = False,
) -> str:
    """A report as text: "html" (one self-contained page, both languages inside), "md" or "table".

    "table" is for a terminal of `width` columns, with `color` or without. `per_query` adds a row for each
    query and run with every value; `only` names the sections that are wanted, such as "verdict". `diagnosis` is
    what `diagnose` told.

    >>> from rankproof import Judgments, Run, compare, evaluate, report
    >>> judgments = Judgments.from_dict({"q": {"A": 3, "B": 2, "C": 1, "D": 0, "E": 0}})
    >>> runs = [Run.from_dict("first", {"q": list("CADBE")}), Run.from_dict("second", {"q": list("ABCDE")})]
    >>> found = evaluate(judgments, runs, "nDCG@3")
    >>> "1 of 1 evaluable" in report(found, compare(found), format="md")
    True
    """
    results = Results(
        measurements,
        comparisons,
        findings or Findings(),
        decision,
        documents or Documents(),
        title,
        primary,
        reproduce,
        diagnosis or Diagnosis(),
    )
    kinds = list(ON_TERMINAL if format == "table" else SECTIONS)
    if per_query:
        kinds.insert([kind.name for kind in kinds].index("findings"), EACH_QUERY)
    if only:
        kinds = [kind for kind in kinds if kind.name in only]
    document = document_of(results, language=language, kinds=kinds)
    if format == "table":
        return on_terminal(document, width=width, color=color)
    return RENDERERS.find(format).render(document)


def explanation_report(
    explained: Explanation | Sequence[Explanation],
    questions: Questions | None = None,
    *,
    format: str = "table",
    language: str = "en",
    width: int = 100,
    color: bool = False,
) -> str:
    """One query's sum, or its sums of several measures, as tables to follow with a pencil.

    `format` is "table", "md" or "html".
    """
    sums = [explained] if isinstance(explained, Explanation) else explained
    texts = dict.fromkeys((questions or Questions()).text(one.query_id) for one in sums)
    blocks: list[Block] = [Paragraph(text) for text in texts if text]
    for one in sums:
        blocks.append(drilldown.sum_table(one))
        if one.parts:
            blocks.append(drilldown.part_table(one))
        more = one.displayed - len(one.terms)
        if more > 0:
            blocks.append(
                Paragraph(say("{n:more doc is|more docs are} not shown; the sum is over all.", n=more))
            )
    document = Document("", [Section("sum", "", blocks)], language)
    if format == "table":
        return on_terminal(document, width=width, color=color)
    return RENDERERS.find(format).render(document)
