"""Texts on a page: both languages, each fact once where it can be, nothing that turns its surroundings round."""

import pytest

from rankproof import wording
from rankproof.reports.markup import both, clipped, css_string, differs, plain, width, within
from rankproof.wording import Words, say

ZH = {
    "none": "无关",
    "{run}: nDCG@10 = {value}": "{run}：nDCG@10 = {value}",
    "{a} beats {b}": "{b} 不如 {a}",
}


@pytest.fixture(autouse=True)
def _chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wording, "_catalogue", {"zh": ZH}.__getitem__)


def test_both_languages_stand_beside_each_other() -> None:
    assert both(say("none")) == "<span lang=en>none</span><span lang=zh>无关</span>"
    assert both(say("{a} beats {b}", a="甲", b="<乙>")) == (
        "<span lang=en>甲 beats &lt;乙&gt;</span><span lang=zh>&lt;乙&gt; 不如 甲</span>"
    )


def test_what_is_the_same_in_both_languages_stands_once() -> None:
    assert both("as {it} is") == "as {it} is"
    assert both(say("not {translated}")) == "not {translated}"
    assert not differs(say("not translated"))
    assert differs(say("none"))


def test_facts_at_the_ends_of_a_sentence_stand_once() -> None:
    sentence = say("{run}: nDCG@10 = {value}", run="甲", value="0.7884")
    assert both(sentence) == "甲<span lang=en>: nDCG@10 = </span><span lang=zh>：nDCG@10 = </span>0.7884"


def test_facts_are_said_in_the_language_of_the_sentence_and_keep_their_form() -> None:
    assert within(say("{x:+.2f} {y!r} {z}", x=0.5, y="q", z=say("none")), "zh") == "+0.50 &#39;q&#39; 无关"
    assert within(say("[{all}]", all=[say("none"), "a"]), "en") == "[none, a]"


def test_a_kind_of_words_may_say_itself_in_its_own_way() -> None:
    class Own(Words):
        def to(self, language: str) -> str:
            return f"<{language}>"

    assert both(Own("{x}", {"x": 1})) == "<span lang=en>&lt;en&gt;</span><span lang=zh>&lt;zh&gt;</span>"


@pytest.mark.parametrize("text", ["\u202eevil", "\u05e9\u05dc\u05d5\u05dd", "\u0627", "a\u2066b"])
def test_texts_that_turn_the_line_stand_apart(text: str) -> None:
    assert plain(text) == f"<bdi>{text}</bdi>"
    assert within(say("{a} and {b}", a=text, b="plain"), "en") == f"<bdi>{text}</bdi> and plain"


def test_what_a_page_cannot_carry_is_replaced() -> None:
    assert plain("a\0b\ud800c\x1b") == "a\ufffdb\ufffdc\ufffd"
    assert plain("tab\tline\n甲🙂") == "tab\tline\n甲🙂"


def test_a_css_string_ends_only_where_it_should() -> None:
    assert css_string('"</style>\\') == '"\\22 \\3c \\2f style\\3e \\5c "'


def test_lengths_count_ideographs_twice() -> None:
    assert width("kb-1") == 4
    assert width("甲乙") == 4
    assert clipped("registration", 6) == "regis…"
    assert clipped("short", 6) == "short"
