"""A rubric that is not what its author meant is refused, by its file, its key and what was expected."""

from pathlib import Path

import pytest

from rankproof import read_rubric
from rankproof.errors import UnreadableInput

GOOD = 'version = "1"\n[[grades]]\ngrade = 1\nmeaning = { en = "good", zh = "好" }\n[[grades]]\ngrade = 0\nexample = "none"\n'
WRONG = {
    "grades = 3": "grades",
    "grades = [1]": "grades",
    "[grades]\ngrade = 1": "grades",
    "version = [1]": "version",
    "version = true": "version",
    "versoin = '1'": "versoin",
    "[[grades]]\nmeaning = 'x'": "grade",
    "[[grades]]\ngrade = true": "grade",
    "[[grades]]\ngrade = -1": "grade",
    "[[grades]]\ngrade = 1.0": "grade",
    "[[grades]]\ngrade = 'one'": "grade",
    "[[grades]]\ngrade = 99999999999999999999": "grade",
    "[[grades]]\ngrade = 1\nmeening = 'x'": "meening",
    "[[grades]]\ngrade = 1\nmeaning = 3": "meaning",
    "[[grades]]\ngrade = 1\nmeaning = ['x']": "meaning",
    "[[grades]]\ngrade = 1\nexample = { en = 3 }": "example",
    "[[grades]]\ngrade = 1\n[[grades]]\ngrade = 1": "two",
    "[[grades": "TOML",
    "grades = " + "[" * 5000: "TOML",
    "grades = " + "9" * 5000: "TOML",
}


def test_a_rubric(tmp_path: Path) -> None:
    path = tmp_path / "rubric.toml"
    for raw in (GOOD.encode(), b"\xef\xbb\xbf" + GOOD.encode()):
        path.write_bytes(raw)
        rubric = read_rubric(path)
        assert (rubric.version, [one.grade for one in rubric.grades]) == ("1", [1, 0])
        assert (rubric.meaning(1, "zh"), rubric.grades[1].example["en"]) == ("好", "none")


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:40])
def test_a_rubric_that_cannot_be(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rubric.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(UnreadableInput, match=WRONG[text]) as stop:
        read_rubric(path)
    assert "rubric.toml" in str(stop.value)


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16"])
def test_a_rubric_that_is_not_utf_8(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "rubric.toml"
    path.write_bytes(GOOD.encode(encoding))
    with pytest.raises(UnreadableInput, match="UTF-8"):
        read_rubric(path)
    path.write_bytes(GOOD.encode() + b"\xff\xff\xff")
    with pytest.raises(UnreadableInput, match="UTF-8"):
        read_rubric(path)
