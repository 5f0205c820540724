"""Every engine says what a plain reading and the alignment of tables say, and all of them say the same."""

import re
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from rankproof import Judgments
from rankproof.scanning import pure_words as words
from rankproof.scanning.engine import engine
from rankproof.scanning.lines import ODD_NUMBER, RUN, TooBrief
from rankproof.scanning.numbers import number_of
from rankproof.tables.hits import Ordering
from rankproof.tables.judged import Judged
from rankproof.tables.spans import Spans
from scanning.blocks import COMMAS, DOCS, LAYOUTS, NUMBERS, QUERIES, WHOLES, blocks, plainly, read, texts
from scanning.lists import IDS, TIES, Line, aligned, block_of, judgments, lines, looked_up, orderings, settled

COMPILED = find_spec("rankproof._scan") is not None
compiled = pytest.mark.skipif(not COMPILED, reason="rankproof._scan is not compiled here")
every = pytest.mark.parametrize("name", ["pure", pytest.param("native", marks=compiled)])

# Random blocks and lists differ in more ways than what laws are tried on elsewhere.
MANY = 2 * settings.default.max_examples


@every
@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=MANY)
@given(st.data())
def test_a_block_is_read_as_line_by_line(name: str, layout: str, data: st.DataObject) -> None:
    block = data.draw(blocks(LAYOUTS[layout]))
    end = data.draw(st.sampled_from((len(block), block.rfind(b"\n") + 1)))
    found, plain = read(engine(name), block, end, LAYOUTS[layout]), plainly(block, end, LAYOUTS[layout])
    if found is None:
        assert len(plain.rows) > end // (2 * LAYOUTS[layout].fields)
    else:
        assert found == plain


@compiled
@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=MANY)
@given(st.data())
def test_engines_leave_the_same_open(layout: str, data: st.DataObject) -> None:
    block = data.draw(blocks(LAYOUTS[layout]))
    one, other = (engine(name).tokenise(block, len(block), LAYOUTS[layout]) for name in ("pure", "native"))
    assert (one is None) == (other is None)
    if one and other:
        assert one.events.tolist() == other.events.tolist()


@every
@settings(max_examples=MANY)
@given(st.lists(texts(), min_size=1, max_size=40))
def test_numbers_are_read_as_float_reads_them(name: str, scores: list[str]) -> None:
    held_against_float(name, [score.encode() for score in scores])


@every
def test_numbers_of_all_forms(name: str) -> None:
    held_against_float(name, [number.encode() for number in NUMBERS])


@every
@pytest.mark.parametrize(
    "form", ["{:.6f}", "{!r}", "{:.9f}", "{:.17g}", "{:.18e}", "{:.3e}", "{:+.4f}", "{:.16f}", "{:.19f}"]
)
def test_many_numbers_of_one_form(name: str, form: str) -> None:
    some = np.random.default_rng(3)
    values = some.standard_normal(3000) * 10.0 ** some.integers(-6, 6, 3000)
    held_against_float(name, [form.format(value).encode() for value in values.tolist()])


def held_against_float(name: str, scores: list[bytes]) -> None:
    """What is read equals float(); the fewer are left open the better, and the usual ones never are."""
    block = b"".join(b"q,Q0,d,1,%b,t\n" % score for score in scores)
    tokens = engine(name).tokenise(block, len(block), COMMAS)
    assert tokens is not None
    open_ = set(tokens.events[tokens.events[:, 0] == ODD_NUMBER, 4].tolist())
    assert not any(re.fullmatch(rb"-?[0-9]{1,8}(\.[0-9]{1,9})?", scores[row]) for row in open_)
    for row, (score, number) in enumerate(zip(scores, tokens.lines.number.tolist(), strict=True)):
        expected = number_of(score)
        assert row in open_ or repr(number) == repr(expected), score


@every
def test_blocks_without_lines(name: str) -> None:
    for layout in LAYOUTS.values():
        tokens = engine(name).tokenise(b"", 0, layout)
        assert tokens is not None
        assert tuple(tokens.counts) == (0,) * 8
        assert tokens.events.shape == (0, 5)
        judged = Judged.of(Judgments.from_dict({"q": {"d": 1}}))
        index = engine(name).index(judged)
        looked = engine(name).look_up(tokens.lines, index)
        assert looked.starts.tolist() == [0]
        assert looked.place.tolist() == []


@every
def test_a_block_with_too_much_that_is_odd_is_not_told(name: str) -> None:
    line = b"q Q0 d x 1 t\n"
    known = engine(name).tokenise(line * 4095, 4095 * len(line), RUN)
    assert known is not None
    assert len(known.events) == 4096
    assert engine(name).tokenise(line * 4096, 4096 * len(line), RUN) is None


@every
@settings(max_examples=MANY)
@given(judgments(), lines())
def test_docs_are_found(name: str, table: Judgments, displayed: list[Line]) -> None:
    judged, block = Judged.of(table), block_of(displayed)
    tokens = engine(name).tokenise(block, len(block), RUN)
    assert tokens is not None
    found = engine(name).look_up(tokens.lines, engine(name).index(judged))
    assert (found.starts.tolist(), found.place.tolist(), found.judgment.tolist()) == looked_up(
        judged, displayed
    )
    asked = np.repeat(found.place >= 0, np.diff(found.starts))
    assert not found.hash[~asked].any()
    hashes = {
        (doc.doc, value)
        for doc, value, is_asked in zip(displayed, found.hash.tolist(), asked, strict=True)
        if is_asked
    }
    assert len(hashes) == len({doc for doc, _ in hashes}) == len({value for _, value in hashes})


@every
@settings(max_examples=MANY)
@given(judgments(), lines(together=True), orderings(), st.booleans())
def test_hits_are_those_of_the_alignment(
    name: str, table: Judgments, displayed: list[Line], ordering: Ordering, gathered: bool
) -> None:
    judged = Judged.of(table)
    found = settled(engine(name), judged, displayed, ordering, gathered=gathered)
    expected = aligned(judged, table, displayed, ordering)
    asked = {place: rest for place, *rest in found if place >= 0}
    for place, (repeats, hits) in expected.items():
        assert asked.get(place, [0, []]) == [repeats, hits]
    assert all(rest == [0, []] for place, *rest in found if place < 0)


@every
@settings(max_examples=MANY)
@given(judgments(), lines(), orderings())
def test_hits_of_lines_from_anywhere(
    name: str, table: Judgments, displayed: list[Line], ordering: Ordering
) -> None:
    judged = Judged.of(table)
    found = settled(engine(name), judged, displayed, ordering, gathered=True)
    expected = aligned(judged, table, displayed, ordering)
    assert {place: (repeats, hits) for place, repeats, hits in found if place >= 0} == expected


@compiled
@settings(max_examples=MANY)
@given(judgments(), lines(), orderings(), st.booleans())
def test_engines_settle_the_same(
    table: Judgments, displayed: list[Line], ordering: Ordering, gathered: bool
) -> None:
    judged = Judged.of(table)
    one, other = (
        settled(engine(name), judged, displayed, ordering, gathered=gathered) for name in ("pure", "native")
    )
    assert one == other


def is_enough(found: list[tuple[Any, ...]], judged: Judged, displayed: list[Line]) -> bool:
    """Is it enough to know of lines in brief? Their lists need a doc once and, where there are hits, each rank once."""
    for place, repeats, hits in found:
        ranks = [line.rank for line in displayed if place >= 0 and line.query == judged.queries[place]]
        if repeats or (hits and (None in ranks or len({*ranks}) < len(ranks))):
            return False
    return True


@every
@settings(max_examples=MANY)
@given(judgments(), lines(), st.sampled_from(TIES))
def test_ranked_lines_in_brief_say_the_same_or_that_they_are_too_brief(
    name: str, table: Judgments, displayed: list[Line], ties: str
) -> None:
    judged, ordering = Judged.of(table), Ordering("displayed", ties)
    readable = [line for line in displayed if line.rank is not None]
    found = settled(engine(name), judged, readable, ordering, gathered=True)
    if is_enough(found, judged, readable):
        assert settled(engine(name), judged, readable, ordering, gathered=True, brief=True) == found
    else:
        with pytest.raises(TooBrief):
            settled(engine(name), judged, readable, ordering, gathered=True, brief=True)
    if len(readable) < len(displayed):
        with pytest.raises(TooBrief):
            settled(engine(name), judged, displayed, ordering, gathered=True, brief=True)


@every
@settings(max_examples=MANY)
@given(judgments(), lines(), orderings())
def test_scored_lines_in_brief_say_the_same(
    name: str, table: Judgments, displayed: list[Line], ordering: Ordering
) -> None:
    judged, by_score = Judged.of(table), replace(ordering, order="score")
    found = settled(engine(name), judged, displayed, by_score, gathered=True)
    assert settled(engine(name), judged, displayed, by_score, gathered=True, brief=True) == found


def many(seed: int, n_queries: int, depth: int, distinct: int) -> tuple[Judgments, list[Line]]:
    """Longer lists: docs now and then twice, and scores of which many are equal."""
    some = np.random.default_rng(seed)
    grades, found = {}, []
    for query in range(n_queries):
        docs = [
            f"clueweb09-en{n:09d}" if n % 3 else f"d{n}" for n in some.integers(0, 4 * depth, depth).tolist()
        ]
        scores = np.sort(some.integers(0, distinct, depth) / 64)[::-1]
        judged = some.choice(docs, depth // 3).tolist() + [f"other{n}" for n in range(depth // 5)]
        grades[f"q{query}"] = {
            doc: int(grade) for doc, grade in zip(judged, some.integers(-1, 4, len(judged)), strict=True)
        }
        where = some.permutation(depth) if query % 3 == 0 else np.arange(depth)
        rank = np.zeros(depth, int) if query % 4 == 0 else np.arange(depth) + 1
        shown = zip(docs, rank.tolist(), scores.tolist(), strict=True)
        every = [Line(f"q{query}", doc, place, repr(score)) for doc, place, score in shown]
        found += [every[i] for i in where.tolist()]
    return Judgments.from_dict(grades), found


@every
@pytest.mark.parametrize("order", ["displayed", "score"])
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("gathered", [False, True])
def test_hits_of_longer_lists(name: str, order: str, ties: str, gathered: bool) -> None:
    for seed, distinct in enumerate((3, 100, 10**6)):
        table, displayed = many(seed, 7, 150, distinct)
        judged = Judged.of(table)
        ordering = Ordering(order, ties, 32 if seed == 1 else 64)
        found = settled(engine(name), judged, displayed, ordering, gathered=gathered)
        expected = aligned(judged, table, displayed, ordering)
        assert {place: (repeats, hits) for place, repeats, hits in found if place >= 0} == expected


@every
def test_lists_that_fill_more_than_one_part(name: str) -> None:
    table, displayed = many(5, 3, 40_000, 10**6)
    judged, ordering = Judged.of(table), Ordering("score", "doc_id_desc")
    found = settled(engine(name), judged, displayed, ordering, gathered=False)
    assert {place: (repeats, hits) for place, repeats, hits in found} == aligned(
        judged, table, displayed, ordering
    )


@every
@settings(max_examples=MANY)
@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(IDS)), max_size=60))
def test_ids_are_grouped_packed_and_told_apart(name: str, ids: list[tuple[int, str]]) -> None:
    place = np.array([group for group, _ in ids], np.int32)
    spans = Spans.of(doc for _, doc in ids)
    order, starts = engine(name).grouped(place, 4)
    assert order.tolist() == sorted(range(len(ids)), key=lambda i: ids[i][0])
    assert starts.tolist() == [sum(group < g for group, _ in ids) for g in range(5)]
    chosen = spans.at_places(order)
    packed = engine(name).packed(chosen)
    assert packed.texts() == chosen.texts()
    assert len(packed.view) == int(chosen.length.sum())
    first: dict[tuple[int, str], int] = {}
    expected = [first.setdefault(ids[i], at) for at, i in enumerate(order.tolist())]
    assert engine(name).repeats(packed, starts).tolist() == expected


@every
def test_many_groups(name: str) -> None:
    some = np.random.default_rng(1)
    place = some.integers(0, 100_000, 200_000).astype(np.int32)
    order, starts = engine(name).grouped(place, 100_000)
    assert order.tolist() == np.argsort(place, kind="stable").tolist()
    assert np.diff(starts).tolist() == np.bincount(place, minlength=100_000).tolist()
    with pytest.raises(ValueError, match="a group that is none"):
        engine(name).grouped(place, 99_000)


def test_ids_of_equal_hashes_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def coarse(hashes: NDArray[np.uint64], _word: NDArray[np.uint64]) -> None:
        hashes &= np.uint64(1)

    monkeypatch.setattr(words, "_mix", coarse)
    table, displayed = many(2, 4, 60, 20)
    judged, ordering = Judged.of(table), Ordering("score", "doc_id_asc")
    found = settled(engine("pure"), judged, displayed, ordering, gathered=False)
    assert {place: (repeats, hits) for place, repeats, hits in found} == aligned(
        judged, table, displayed, ordering
    )
    ids = Spans.of([*DOCS, *QUERIES, *DOCS, *WHOLES])
    expected = [ids.texts().index(text) for text in ids.texts()]
    assert engine("pure").repeats(ids, np.array([0, len(ids)])).tolist() == expected
