"""The page: well-formed, self-contained, in two languages, safe whatever the texts hold, small enough to mail."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof import wording
from rankproof.reports.document import (
    Column,
    Document,
    Movement,
    Paragraph,
    Queries,
    Section,
    Shown,
    Table,
    cell,
)
from rankproof.reports.html import MOST, render_html
from rankproof.wording import say
from reports.pages import Page, document, query

ZH = {
    "none": "无关",
    "exact": "完全",
    "Counts": "数量",
    "grade": "等级",
    "running sum": "累计",
    "all": "全部",
    "Queries left out of this list: {omitted}.": "未列出的查询：{omitted} 个。",
}
hostile = st.text(
    "<>&\"'`={}/\\ab1 ;:()%\u202e\u2066\u05d0\u0627甲🙂\u0000\n\ud800", min_size=1, max_size=30
).map(str.strip).filter(bool) | st.sampled_from(
    ("</style><b>", "</title>", "<!--", "]]>", "&lt;", '" onclick="x', "{{ 7 * 7 }}", "{% raw %}", "\\3c b")
)


@pytest.fixture(autouse=True, scope="module")
def _chinese() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wording, "_catalogue", {"zh": ZH}.__getitem__)
        yield


@pytest.fixture(scope="module")
def page(_chinese: None) -> Page:
    return Page(render_html(document()))


def one(*blocks: object) -> Page:
    """A page with one section."""
    return Page(render_html(Document("t", [Section("only", "Only", blocks)])))


def test_is_well_formed_and_names_each_thing_once(page: Page) -> None:
    assert page.open == []
    ids = page.all("id")
    assert len(ids) == len(set(ids))
    assert {name for value in page.all("aria-labelledby") for name in value.split()} <= set(ids)
    assert {value[1:] for value in page.all("href")} <= set(ids)


def test_asks_nothing_of_the_network_and_runs_nothing() -> None:
    text = render_html(document())
    for word in ("http:", "https:", "<script", "src=", "url(", "@import", "javascript:", "<link", "<base"):
        assert word not in text
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert f'http-equiv="Content-Security-Policy" content="{policy}"' in text


def test_every_section_has_an_id_and_a_link(page: Page) -> None:
    sections = [attrs["id"] for tag, attrs in page.tags if tag == "section"]
    assert sections == ["verdict", "counts", "measures", "queries"]
    assert {f"#{name}" for name in sections} <= set(page.all("href"))


def test_sections_with_odd_names_have_ids_too() -> None:
    names = ("a b", "", "x", "x", "_en", "查询")
    page = Page(render_html(Document("t", [Section(name, name, [Paragraph("p")]) for name in names])))
    sections = [attrs["id"] for tag, attrs in page.tags if tag == "section"]
    assert sections == ["part_1", "part_2", "x", "part_4", "part_5", "part_6"]
    assert len(page.all("id")) == len(set(page.all("id")))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_holds_both_languages_and_shows_its_own_first(language: str) -> None:
    text = render_html(document(language=language))
    assert "<span lang=en>Counts</span><span lang=zh>数量</span>" in text
    assert f'<html lang="{language}">' in text
    first = [attrs["id"] for _, attrs in Page(text).tags if "checked" in attrs and attrs.get("id")]
    assert first == [f"_{language}"]


@given(hostile)
def test_no_text_can_leave_its_place(text: str) -> None:
    rendered = render_html(document(1, text=text))
    page, tame = Page(rendered), Page(render_html(document(1)))
    skeleton = [tag for tag, _ in page.tags if tag != "bdi"]
    assert skeleton == [tag for tag, _ in tame.tags]
    assert page.open == []
    sendable = re.sub("[\x00\ud800]", "\ufffd", text)
    assert page.text.count(sendable) >= tame.text.count("plain")
    assert page.style.count("{") == page.style.count("}") == tame.style.count("{")
    rendered.encode()


def test_a_hundred_queries_of_two_systems_can_be_mailed() -> None:
    text = render_html(document(100))
    assert len(text.encode()) <= MOST == 500_000
    assert text.count("<tbody>") >= 200
    assert "<b>Refunds after a postponement</b>" in text


def test_titles_give_way_before_the_page_grows_too_big() -> None:
    long = "A title that says much more than anybody will read on a phone"
    docs = [Shown(i + 1, f"d{i}", long, 1, "") for i in range(6000)]
    page = one(Movement("a", "b", docs, docs[:1], 3))
    assert "A title that says much…" in page.text
    assert long not in page.text


def test_filters_are_offered_for_what_occurs(page: Page) -> None:
    names = [attrs["class"] for tag, attrs in page.tags if tag == "input" and "class" in attrs]
    assert names == ["f-dn", "f-up", "f-eq", "f-na", "f-open"]
    assert "worse 1" in page.text
    assert "all全部 5" in page.text
    alone = one(Queries("a", "", "AP", [query(0, random.Random(0))]))
    assert not [name for name in alone.all("name") if name.startswith("_f")]


def test_a_query_with_nothing_inside_does_not_open(page: Page) -> None:
    assert sum(tag == "details" for tag, _ in page.tags) == 4 + 1  # four queries, and one count with its ids


def test_says_how_many_queries_are_left_out(page: Page) -> None:
    assert "Queries left out of this list: 7.未列出的查询：7 个。" in page.text


def test_the_whole_text_of_a_query_is_inside() -> None:
    text = "word " * 2000
    page = one(Queries("a", "b", "AP", [query(0, random.Random(0), text)]))
    assert page.text.count(text) == 1


def test_tables_have_headings_with_scope_and_marks_beside_colours() -> None:
    rows = [
        [
            cell("AP"),
            cell(-0.1, signed=True, tone="down"),
            cell(say("none"), tone="bad"),
            cell(None, note="why"),
        ]
    ]
    titles = ("m", say("grade"), "x", "y")
    text = render_html(
        Document(
            "t",
            [Section("s", "S", [Table([Column(title, "right") for title in titles], rows, "c")])],
        )
    )
    assert "<tr lang=en><th scope=col>m<th scope=col>grade" in text
    assert "<tr lang=zh><th scope=col>m<th scope=col>等级" in text
    assert "<th scope=row>AP<td class=dn>-0.1000<td class=dn>✗ " in text
    assert "<td>— <small>why</small>" in text


def test_sums_under_the_same_headings_share_them(page: Page) -> None:
    assert sum(tag == "thead" for tag, _ in page.tags) == 1 + 3
    assert page.all("scope").count("rowgroup") == 6


def test_grades_are_said_by_number_word_and_colour(page: Page) -> None:
    assert '.a0{background:var(--g4);color:var(--t4)}.a0:after{content:"\\20 exact"}' in page.style
    assert 'html:has(#_zh:checked) .a0:after{content:"\\20 完全"}' in page.style
    assert ("i", {"class": "a0"}) in page.tags
    assert "3 exact完全" in page.text.replace("\n", "")  # the key, as text


def test_an_interval_is_drawn_beside_its_number(page: Page) -> None:
    assert [attrs["d"] for tag, attrs in page.tags if tag == "path"][:3] == [
        "M33.3 0V16",
        "M25.8 8H76.3",
        "M51.1 8h0",
    ]


@pytest.mark.parametrize(
    "empty", [Document(""), Document("", [Section("s", "", [])]), Document("", language="zh")]
)
def test_an_empty_document_is_a_page(empty: Document) -> None:
    assert Page(render_html(empty)).open == []


def test_the_page_files_lie_within_the_package() -> None:
    import rankproof

    here = Path(rankproof.__file__).parent / "reports" / "page"
    assert {path.name for path in here.iterdir()} == {"page.html", "blocks.html", "style.css"}
