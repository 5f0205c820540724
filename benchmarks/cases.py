"""What is measured, as rows: on which data, which tools take turns, and what the figures are held to.

The limits are the project's own: a figure above its limit is named as such, on the page too. An aim is what
seems attainable. All tools have the same job, RR of the whole list included. ir_measures needs twice the time
for RR@10, since it then asks two of its providers; both jobs are measured, and held to the same limit.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import peers
from data import Data
from peers import Tool
from processes import Usage


@dataclass(frozen=True)
class Entry:
    """A tool on data. Those of one group must give the same values."""

    tool: Tool
    data: Data
    label: str = ""
    group: str = "plain"

    @property
    def name(self) -> str:
        """What it is called in its case."""
        return self.label or self.tool.name


@dataclass(frozen=True)
class Pair:
    """Two entries of one round as a ratio; the limit is one of CPU."""

    mine: str
    theirs: str
    limit: float | None = None
    aim: float | None = None


@dataclass(frozen=True)
class Single:
    """A figure of one round that is no ratio of two entries."""

    what: str
    unit: str
    value: Callable[[Mapping[str, Usage]], float]
    needs: tuple[str, ...]
    limit: float
    aim: float | None = None
    least: bool = False  # of the least that each entry needed: a small difference drowns in one round


@dataclass(frozen=True)
class Case:
    """Entries that take turns, and what is read off them."""

    name: str
    title: str
    entries: tuple[Entry, ...]
    pairs: tuple[Pair, ...] = ()
    singles: tuple[Single, ...] = ()
    times: int = 1  # how many times the rounds of a long case


S, G, M, L = Data("S"), Data("G"), Data("M"), Data("L")
TIED = Data("M", ties=0.3)
MORE_QUERIES, LONGER_LISTS = Data("M", queries=4 * 6980), Data("M", depth=4000)
FEW, TEN_THOUSAND, A_MILLION = (Data("M", queries=n, depth=10) for n in (10, 10_000, 1_000_000))


def further(longer: str) -> Single:
    """Bytes of peak memory for each further line."""

    def value(round_: Mapping[str, Usage]) -> float:
        return (round_[longer].peak - round_["M"].peak) * 2**20 / (MORE_QUERIES.lines - M.lines)

    # 0, rounded; what is kept of a further query counts as well
    return Single(f"peak memory for each further line: {longer}", "bytes", value, ("M", longer), 0.5, 0.0)


def growth(round_: Mapping[str, Usage]) -> float:
    """CPU for a query among a million over CPU for one among ten thousand, the start apart."""
    start = round_["ten queries"].cpu
    many = (round_["a million queries"].cpu - start) / A_MILLION.queries
    return many / ((round_["ten thousand queries"].cpu - start) / TEN_THOUSAND.queries)


def dicts(data: Data, title: str, limit: float, aim: float, times: int) -> Case:
    """Dicts of dicts that are in memory already."""
    entries = tuple(Entry(tool, data) for tool in (peers.OUR_DICTS, peers.DICTS, peers.DICTS_WHOLE))
    pairs = tuple(Pair("rankproof, dicts", entry.name, limit, aim) for entry in entries[1:])
    return Case(f"dicts-{data.shape}", title, entries, pairs, times=times)


CASES = (
    Case(
        "M",
        "M: 6,980 queries, 1,000 docs each, one or two of them judged",
        tuple(
            Entry(tool, M, group="cut" if tool in (peers.OURS_CUT, peers.IR_MEASURES_CUT) else "plain")
            for tool in (
                peers.OURS,
                peers.PURE,
                peers.TREC_EVAL,
                peers.PYTREC_EVAL,
                peers.IR_MEASURES,
                peers.OURS_CUT,
                peers.IR_MEASURES_CUT,
                peers.RANX,
            )
        ),
        (
            Pair("rankproof", "trec_eval", 0.10, 0.06),
            Pair("rankproof", "pytrec_eval-terrier", 0.10, 0.06),
            Pair("rankproof", "ir_measures", 0.03, 0.02),
            Pair("rankproof, RR@10", "ir_measures, RR@10", 0.03, 0.02),
            Pair("rankproof", "ranx", 0.02, 0.02),
            Pair("rankproof without compiled code", "trec_eval", 0.55, 0.25),
        ),
        (
            Single(
                "peak memory on M",
                "MiB",
                lambda r: r["rankproof"].peak,
                ("rankproof",),
                90 * 1e6 / 2**20,
                40.0,
            ),
        ),
    ),
    Case(
        "L",
        "L: 200,000 queries, 100 docs each, 5 or more judged (trec_eval needs ten minutes here: left out)",
        (Entry(peers.OURS, L), Entry(peers.PYTREC_EVAL, L)),
        (Pair("rankproof", "pytrec_eval-terrier", 0.15, 0.10),),
    ),
    Case(
        "S",
        "S: 50 queries, 1,000 docs each, some 1,600 judged",
        (Entry(peers.OURS, S), Entry(peers.TREC_EVAL, S), Entry(peers.PYTREC_EVAL, S)),
        (Pair("rankproof", "pytrec_eval-terrier", 1.0, 0.25), Pair("rankproof", "trec_eval")),
        times=3,
    ),
    Case(
        "memory",
        "28 million lines, four times those of M, in more queries or in longer lists",
        (
            Entry(peers.OURS, M, "M"),
            Entry(peers.OURS, MORE_QUERIES, "more queries", "more"),
            Entry(peers.OURS, LONGER_LISTS, "longer lists", "longer"),
        ),
        (),
        (further("more queries"), further("longer lists")),
    ),
    Case(
        "parquet",
        "M as Parquet, against decoding every column of it with polars and doing nothing",
        (Entry(peers.OURS, replace(M, form="parquet")), Entry(peers.SCAN, replace(M, form="parquet"))),
        (Pair("rankproof", "polars, bare scan", 2.5, 1.5),),
    ),
    dicts(M, "M as dicts of dicts, sparse judgments", 0.15, 0.10, 1),
    dicts(S, "S as dicts of dicts, dense judgments", 1.0, 0.6, 3),
    dicts(G, "G as dicts of dicts, dense judgments", 1.0, 0.6, 3),
    Case(
        "growth",
        "From ten thousand to a million queries of 10 docs each",
        (
            Entry(peers.OURS, FEW, "ten queries", "ten"),
            Entry(peers.OURS, TEN_THOUSAND, "ten thousand queries", "thousands"),
            Entry(peers.OURS, A_MILLION, "a million queries", "million"),
        ),
        (),
        (
            Single(
                "CPU a query at 1,000,000 over CPU a query at 10,000",
                "times",
                growth,
                ("ten queries", "ten thousand queries", "a million queries"),
                1.3,
                1.0,
                least=True,
            ),
        ),
        times=3,
    ),
    Case(
        "start",
        "rankproof --help",
        (Entry(peers.HELP, FEW),),
        (),
        (Single("CPU of --help", "s", lambda r: r[peers.HELP.name].cpu, (peers.HELP.name,), 0.15, 0.05),),
        times=3,
    ),
    Case(
        "nasty",
        "M with its lines shuffled, two blanks between fields, 3 of 10 scores repeated, each against plain M",
        (
            Entry(peers.OURS, M, "plain"),
            Entry(peers.OURS, replace(M, shuffle=True), "shuffled"),
            Entry(peers.OURS, replace(M, separator="spaces"), "two blanks"),
            Entry(peers.OURS, TIED, "tied", "tied as displayed"),
            Entry(peers.BY_SCORE, M, "plain, by score"),
            Entry(peers.BY_SCORE, TIED, "tied, by score", "tied"),
            Entry(peers.TREC_EVAL, TIED, "tied, trec_eval", "tied"),
        ),
        (
            Pair("shuffled", "plain", 2.0),
            Pair("two blanks", "plain", 1.5),
            Pair("tied", "plain", 1.4),
            Pair("tied, by score", "plain, by score", 1.4),
            Pair("tied, by score", "tied, trec_eval"),
        ),
    ),
)
