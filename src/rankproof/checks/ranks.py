"""Checks of the rank column: can it be followed, and does it say what the scores say?"""

from collections.abc import Iterator
from dataclasses import replace

from rankproof.checks.check import Check, Inputs
from rankproof.checks.places import all_queries
from rankproof.tables.findings import Finding, Kind
from rankproof.wording import say

RANK_NOT_STRICT = Kind(
    "rank-not-strict",
    "warning",
    "Run {run}: in {count:query|queries} the ranks are equal or repeat ({examples}); there {decides}.",
    "A rank column that does not order the docs cannot say what was displayed.",
    "Write the ranks 1, 2, 3 ... in the displayed order.",
)
RANK_FROM_ZERO = Kind(
    "rank-from-zero",
    "info",
    "Run {run}: in {count:query|queries} the ranks begin at 0 ({examples}); the first doc counts as rank 1.",
    "Harmless here; tools that use the number itself divide by it or shift every cutoff.",
    "Nothing to do; write ranks from 1 for other tools.",
)
RANK_GAP = Kind(
    "rank-gap",
    "info",
    "Run {run}: in {count:query|queries} the ranks skip a place ({examples}); the docs below move up.",
    "Something may have been filtered out after ranking; some tools keep the gap as a doc without worth.",
    "Check that no line is missing.",
)
RANK_AGAINST_SCORE = Kind(
    "rank-against-score",
    "warning",
    "Run {run}: in {count:query|queries} a doc has a higher score than the doc ranked above it ({examples}); {decides}.",
    "Tools that sort by score evaluate another list than the one displayed.",
    "Write the score by which the list was sorted, or rank by the score that is written.",
)

SCORES = say("the scores decide")
RANKS = say("the ranks decide")
LINES = say("the order of the lines decides")


def find_ranks_not_strict(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Ranks that repeat within a query: all zeros, say. Only for information where scores decide anyway."""
    for ranked in inputs.ranked:
        queries = ranked.names(ranked.repeats)
        if queries:
            decides = LINES if ranked.run.score is None else SCORES
            finding = all_queries(kind, ranked.run, queries, decides=decides)
            meant = inputs.conventions.order == "score"
            yield replace(finding, severity_here="info") if meant else finding


def find_ranks_from_zero(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Ranks that order a list and begin at 0."""
    for ranked in inputs.ranked:
        queries = ranked.names(~ranked.repeats & (ranked.lowest == 0))
        if queries:
            yield all_queries(kind, ranked.run, queries)


def find_rank_gaps(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Ranks that order a list and skip a place, at its top or within it."""
    for ranked in inputs.ranked:
        late = (ranked.lowest != 0) & (ranked.lowest != 1)
        skips = ranked.highest - ranked.lowest + 1 != ranked.size
        queries = ranked.names(~ranked.repeats & (late | skips))
        if queries:
            yield all_queries(kind, ranked.run, queries)


def find_ranks_against_scores(kind: Kind, inputs: Inputs) -> Iterator[Finding]:
    """Ranks that order a list otherwise than its scores do."""
    decides = SCORES if inputs.conventions.order == "score" else RANKS
    for ranked in inputs.ranked:
        queries = ranked.names(~ranked.repeats & ranked.rises)
        if queries:
            yield all_queries(kind, ranked.run, queries, decides=decides)


CHECKS = (
    Check(RANK_NOT_STRICT, find_ranks_not_strict, "Every line of a run has the rank 0."),
    Check(RANK_FROM_ZERO, find_ranks_from_zero, "The ranks of q1 are 0, 1, 2."),
    Check(RANK_GAP, find_rank_gaps, "The ranks of q1 are 1, 2, 4."),
    Check(RANK_AGAINST_SCORE, find_ranks_against_scores, "Rank 1 has the score 5.0, rank 2 the score 9.0."),
)
