"""The whole job from files, and from dicts in memory, against other tools that take turns with it.

    python benchmarks/against_peers.py [--quick] [--runs N] [--only CASE ...] [--trec-eval PATH] [--write]

The job: read judgments and a run, give six measures for each query. Whole processes from their start to their
end; a ratio is one of two runs of the same round. Where two tools give different values, or rankproof fails,
that is said and the program ends with 1: speed of wrong numbers does not count. A figure above its limit is
named, and ends nothing: this machine may be busy. With --quick the data are a fiftieth, each tool runs once,
and nothing is held to a limit. The data go to .cache/bench (6 GB for all cases), and with --write the tables
to docs/benchmarks.md.
"""

import argparse
import importlib.util
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from cases import CASES, Case, Pair, Single
from data import SHAPES, Data
from page import machine, spread, table, write_section
from peers import Tool
from turns import CACHE, Outcome, take_turns

HEADING = "From files and from memory, against other tools"


def shrunk(data: Data) -> Data:
    """A fiftieth of the queries, and no fewer than ten."""
    return replace(data, queries=max(10, (data.queries or SHAPES[data.shape].queries) // 50))


def judged(figures: Sequence[float], limit: float | None, quick: bool) -> str:
    """Whether the median is within the limit."""
    if limit is None or quick:
        return ""
    return "yes" if median(figures) <= limit else "**no**"


def pair_rows(outcome: Outcome, quick: bool) -> list[list[str]]:
    """Rows of ratios."""
    rows = []
    for pair in outcome.case.pairs:
        rounds = outcome.each((pair.mine, pair.theirs))
        told = [limit_text(pair.limit), limit_text(pair.aim)]
        if not rounds:
            rows.append(
                [outcome.case.name, pair.mine, pair.theirs, why_not(outcome, pair), *told, "", "", ""]
            )
            continue
        cpu, wall, peak = (
            [getattr(one[pair.mine], what) / getattr(one[pair.theirs], what) for one in rounds]
            for what in ("cpu", "wall", "peak")
        )
        within = judged(cpu, pair.limit, quick)
        rows.append(
            [
                outcome.case.name,
                pair.mine,
                pair.theirs,
                spread(cpu),
                *told,
                within,
                spread(wall),
                spread(peak),
            ]
        )
    return rows


def single_rows(outcome: Outcome, quick: bool) -> list[list[str]]:
    """Rows of single figures."""
    rows = []
    for single in outcome.case.singles:
        rounds = outcome.each(single.needs)
        if single.least and rounds:
            rounds = [{n: min((one[n] for one in rounds), key=lambda used: used.cpu) for n in single.needs}]
        figures = [single.value(one) for one in rounds]
        shown = f"{spread(figures)} {single.unit}" if figures else why_not(outcome, single)
        within = judged(figures, single.limit, quick) if figures else ""
        rows.append([single.what, shown, limit_text(single.limit), limit_text(single.aim), within])
    return rows


def limit_text(limit: float | None) -> str:
    """A limit or an aim in its cell."""
    return "" if limit is None else f"{limit:.3g}"


def why_not(outcome: Outcome, of: Pair | Single) -> str:
    """Why there is no figure."""
    names = of.needs if isinstance(of, Single) else (of.mine, of.theirs)
    return "not measured: " + "; ".join(
        outcome.missing.get(n, "") or f"{n} failed" for n in names if not any(n in r for r in outcome.rounds)
    )


def entry_rows(outcome: Outcome) -> list[list[str]]:
    """What each entry used."""
    rows = []
    for entry in outcome.case.entries:
        used = [one[entry.name] for one in outcome.each((entry.name,))]
        if used:
            cells = [spread([getattr(u, what) for u in used]) for what in ("cpu", "wall", "peak")]
            rows.append([outcome.case.name, entry.name, *cells])
    return rows


def report(outcomes: Sequence[Outcome], runs: int, quick: bool) -> str:
    """The section of the page."""
    pairs = [row for outcome in outcomes for row in pair_rows(outcome, quick)]
    singles = [row for outcome in outcomes for row in single_rows(outcome, quick)]
    entries = [row for outcome in outcomes for row in entry_rows(outcome)]
    above = [f"{row[1]} against {row[2]} ({row[0]})" for row in pairs if "**no**" in row]
    above += [row[0] for row in singles if "**no**" in row]
    tools: dict[str, Tool] = {}
    for outcome in outcomes:
        for entry in outcome.case.entries:
            if entry.name not in outcome.missing:
                tools.setdefault(entry.tool.name.partition(",")[0], entry.tool)
    versions = {name: tool.version() for name, tool in tools.items() if " " not in name}
    missing = {f"{name}: {why}" for outcome in outcomes for name, why in outcome.missing.items()}
    wrong = [f"{outcome.case.name}: {what}" for outcome in outcomes for what in outcome.wrong]
    parts = [
        "`python benchmarks/against_peers.py`: read judgments and a run, give nDCG@10, AP, RR, P@10, R@100 and "
        "R@1000 for each query. Whole processes in turn; a ratio is of two runs of one round, and smaller is "
        "better for rankproof. Each cell: min - median - max. Limits and aims are those of CPU.",
        "\n".join(f"- **{outcome.case.name}**: {outcome.case.title}." for outcome in outcomes),
        table(
            [
                "data",
                "rankproof",
                "against",
                "CPU ratio",
                "limit",
                "aim",
                "within",
                "wall ratio",
                "memory ratio",
            ],
            pairs,
        ),
        table(["figure", "measured", "limit", "aim", "within"], singles),
        "Above the limit: " + ("; ".join(above) or "nothing") + "."
        if not quick
        else "Quick: held to nothing.",
        "Values: " + ("; ".join(wrong) if wrong else "all tools that were compared say the same."),
        *(["Not measured: " + "; ".join(sorted(missing)) + "."] if missing else []),
        table(["data", "tool", "CPU s", "wall s", "peak MiB"], entries),
        f"{machine()}; {'; '.join(f'{name} {v}' for name, v in versions.items())}; compiled code of rankproof: "
        f"{'there' if importlib.util.find_spec('rankproof._scan') else 'absent'}; rounds: {runs} (small data: more). "
        "The machine is shared: read the ratios, not the seconds.",
    ]
    return "\n\n".join(part for part in parts if part)


def main(arguments: Sequence[str] | None = None, cases: Sequence[Case] = CASES) -> int:
    """Measure, print, and write the page if asked; 1 where values differ or rankproof fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--only", nargs="*", choices=[case.name for case in cases])
    parser.add_argument("--trec-eval", type=Path)
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args(arguments)
    if asked.quick and asked.write:
        parser.error("the figures of a quick run say nothing: they are not written")
    if asked.trec_eval:
        os.environ["TREC_EVAL"] = str(asked.trec_eval)
    runs = asked.runs or (1 if asked.quick else 3)
    outcomes = []
    for case in cases:
        if asked.only and case.name not in asked.only:
            continue
        print(case.title, flush=True)
        if asked.quick:
            small = tuple(replace(entry, data=shrunk(entry.data)) for entry in case.entries)
            case = replace(case, entries=small, times=1)
        outcomes.append(take_turns(case, runs * case.times, asked.cache))
    text = report(outcomes, runs, asked.quick)
    print("\n" + text)
    if asked.write:
        write_section(HEADING, text)
    return 1 if any(outcome.wrong for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
