"""Every sentence that users see speaks Chinese, and says the same: places, numbers and codes included."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from runpy import run_path
from shutil import copytree
from string import Formatter
from typing import Any

import pytest
from babel.messages.pofile import read_po

from rankproof import Study, verify
from rankproof.cli.lines import columns
from rankproof.cli.main import VERBS, main
from rankproof.wording import say, translate

HERE = Path(__file__).parent
TOOLS: dict[str, Any] = run_path(str(HERE / "sentences.py"))
DEMO = TOOLS["ROOT"] / "demo" / "help-centre-small"
DIRTY_FOLDER = HERE.parent / "data" / "dirty"
DIRTY = sorted(DIRTY_FOLDER.glob("[a-z]*"))
DATA = [str(DEMO / name) for name in ("judgments.csv", "runs/甲.jsonl", "runs/乙.jsonl")]
CHINESE = re.compile(r"[\u4e00-\u9fff]")

# Sentences without a word of their own: places, marks and formulas.
WORDLESS = {
    ", ": "stands between words in a list",
    "{file}: ": "a place, before what is said of it",
    "{file}: {reason}.": "a file, and what the system says of it",
    "{heading}:": "a heading",
    "{message}": "what click says where we have no sentence",
    "{measure}: {values}": "a measure and its values",
    "{family}: {help}": "a family, and what its measures say",
    "INST": "the name of a measure that has no other",
    "INSQ": "the name of a measure that has no other",
    "(1 + beta²) · P · R / (beta² · P + R)": "a formula",
    "{run} {value}": "a run and its value",
    "{run}, {query}: {measure} = {added} / {divisor} = {value}": "a sum and its value",
    "DCG / IDCG": "a formula of names",
}

Said = tuple[int, str, str]


@pytest.fixture(scope="module")
def said_where() -> dict[str, list[str]]:
    """Every sentence of the sources."""
    found: dict[str, list[str]] = TOOLS["sentences"]()
    return found


@pytest.fixture(scope="module")
def chinese() -> dict[str, str]:
    """Every sentence of the catalogue."""
    found: dict[str, str] = TOOLS["translations"]()
    return found


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """The command line in a language: its exit code and what it wrote."""
    monkeypatch.setenv("COLUMNS", "400")

    def run(language: str, *arguments: str) -> Said:
        with pytest.raises(SystemExit) as stop:
            main(["--lang", language, *arguments])
        return int(str(stop.value.code or 0)), *capsys.readouterr()

    return run


def places(text: str) -> Counter[tuple[str, str, str]]:
    """The places of a sentence, with the form in which a number is written there.

    A form such as query|queries is the word of an English number, which Chinese has in its sentence.
    """
    parsed = Formatter().parse(text)
    forms = (
        (name, "" if "|" in (form or "") else form or "", how or "")
        for _, name, form, how in parsed
        if name is not None
    )
    return Counter(forms)


def left_in_english(text: str, chinese: dict[str, str]) -> list[str]:
    """The sentences of two and more words that a Chinese text still says in English."""
    plain = re.sub(r"[\s\\]+", "", text)
    longer = (english for english, other in chinese.items() if english != other and " " in english.strip())
    pieces = {english: re.split(r"\{[^}]*\}", english) for english in longer}
    telling = {english: max(parts, key=len) for english, parts in pieces.items()}
    return [one for one, part in telling.items() if " " in part.strip() and "".join(part.split()) in plain]


def test_every_sentence_has_a_translation(said_where: dict[str, list[str]], chinese: dict[str, str]) -> None:
    lacking = {text: places for text, places in said_where.items() if not chinese.get(text, "").strip()}
    assert not lacking, "run: python tests/house/sentences.py, then fill in what is empty"


def test_the_catalogue_holds_nothing_else(said_where: dict[str, list[str]], chinese: dict[str, str]) -> None:
    assert not chinese.keys() - said_where.keys(), "run: python tests/house/sentences.py"


def test_the_catalogue_is_in_order(chinese: dict[str, str]) -> None:
    assert TOOLS["CATALOGUE"].read_text("utf-8") == TOOLS["written"](chinese)


def test_no_translation_is_uncertain_or_obsolete() -> None:
    with TOOLS["CATALOGUE"].open("rb") as stream:
        catalogue = read_po(stream, locale="zh")
    assert not [entry.id for entry in catalogue if entry.id and entry.fuzzy]
    assert not catalogue.obsolete


def test_places_agree(chinese: dict[str, str]) -> None:
    assert {text: other for text, other in chinese.items() if places(text) != places(other)} == {}


def test_translations_are_chinese(chinese: dict[str, str]) -> None:
    without = {text for text, other in chinese.items() if not CHINESE.search(other)}
    assert without == WORDLESS.keys()


def test_chinese_has_its_own_marks(chinese: dict[str, str]) -> None:
    narrow = re.compile(r'[\u4e00-\u9fff}”）](?:[;:?!"]|,(?!\)))|[\u4e00-\u9fff][.]|["][\u4e00-\u9fff]')
    assert {text: other for text, other in chinese.items() if narrow.search(other)} == {}


def test_a_sentence_takes_its_facts_in_either_language() -> None:
    sorts = say(
        "{count:query text holds|query texts hold} what looks like personal data ({sorts}), the first being query "
        "{first_query}: {example}.",
        count=2,
        sorts=(say("phone number"), say("e-mail address")),
        first_query="q1",
        example="13***",
    )
    assert "电话号码、电子邮箱" in sorts.to("zh")
    assert "phone number, e-mail address" in sorts.to("en")
    assert say("{n:more line|more lines} with the same problem.", n=1).to("en").startswith("1 more line with")
    assert translate("not in the catalogue", "zh") == "not in the catalogue"


@pytest.mark.parametrize("arguments", [[], *([verb] for verb in VERBS)], ids=lambda one: " ".join(one))
def test_help_speaks_chinese(arguments: list[str], run: Callable[..., Said], chinese: dict[str, str]) -> None:
    code, out, _ = run("zh", *arguments, "--help")
    assert code == 0
    assert "用法：" in out
    assert left_in_english(out, chinese) == []
    prose = [line for line in out.splitlines() if not line.strip().startswith("$ ")]
    assert not re.findall(r"(?:[A-Za-z]+ ){4,}", "\n".join(prose))
    assert max(columns(line) for line in prose) <= 80


MISUSES = {
    "unknown command": ["chek"],
    "unknown option": ["evaluate", "--mesure", "AP"],
    "missing argument": ["evaluate"],
    "missing option": ["explain", *DATA[:2]],
    "missing value": ["evaluate", *DATA[:2], "-m"],
    "value of a flag": ["evaluate", *DATA[:2], "--per-query=3"],
    "unknown choice": ["evaluate", *DATA[:2], "--format", "xls"],
    "no number": ["compare", *DATA, "--seed", "x"],
    "number too low": ["check", "--cutoff", "0", *DATA[:1]],
    "too many arguments": ["measures", "AP", "RR"],
    "unknown measure": ["evaluate", *DATA[:2], "-m", "nDCGG@3"],
    "unknown setting": ["evaluate", *DATA[:2], "-m", "nDCG(depth=3)@3"],
    "unknown convention": ["evaluate", *DATA[:2], "--missing", "nil"],
    "unknown query": ["explain", *DATA[:2], "-q", "none such"],
    "unknown dialect": ["dialects", "trec"],
    "no such file": ["evaluate", "no/such/file", DATA[1]],
    "files in the wrong order": ["evaluate", *DATA[1::-1]],
    "no such study": ["accept", "no/such/study.toml"],
    "no record": ["verify", str(DEMO)],
    "one run only": ["compare", *DATA[:2]],
    "nothing relevant": ["evaluate", *DATA[:2], "--rel", "99"],
    "findings as errors": ["evaluate", str(DIRTY_FOLDER / "ratings_duplicate_and_conflict.csv"), DATA[1], "--strict"],
}  # fmt: skip  # a table, read row by row


@pytest.mark.parametrize("arguments", MISUSES.values(), ids=MISUSES)
def test_errors_speak_chinese(
    arguments: list[str], run: Callable[..., Said], chinese: dict[str, str]
) -> None:
    code, _, english = run("en", *arguments)
    again, _, other = run("zh", *arguments)
    assert again == code != 0
    assert english.startswith("Error: ")
    assert other.startswith("错误：")
    assert len(CHINESE.findall(other)) > 4
    assert left_in_english(other, chinese) == []


@pytest.mark.parametrize("file", DIRTY, ids=lambda file: file.name)
def test_findings_speak_chinese(file: Path, run: Callable[..., Said], chinese: dict[str, str]) -> None:
    role = "--run" if file.name.startswith("run") else "--judgments"
    arguments = ["check", str(file)] if file.name.startswith("corpus") else ["check", role, str(file)]
    code, english, _ = run("en", *arguments, "--format", "json")
    again, other, _ = run("zh", *arguments, "--format", "json")
    assert again == code
    assert unworded(json.loads(other)) == unworded(json.loads(english))
    for row in json.loads(other):
        for text in (row["message"], row["mend"]):
            assert CHINESE.search(text)
            assert left_in_english(text, chinese) == []


def test_a_record_keeps_words_apart(tmp_path: Path) -> None:
    """What a reader noticed speaks both languages, also where it is read from a record."""
    folder = Path(copytree(DEMO, tmp_path / "study"))
    questions = folder / "questions.csv"
    questions.write_text(questions.read_text("utf-8").replace(",1,", ",heavy,"), "utf-8")
    study = Study.read(folder)
    (found,) = (row for row in study.findings if row.code == "bad-value")
    assert found.message.to("zh") == "weight 的值“heavy”无效（应为不小于 0 的数）；已按 1 处理。"
    assert found.message.to("en") == 'The weight "heavy" cannot be (a number from 0); 1 was taken.'
    assert verify(study.accept().record).sound


def unworded(value: Any) -> Any:
    """Machine output without the two fields that are sentences."""
    if isinstance(value, dict):
        return {key: unworded(one) for key, one in value.items() if key not in ("message", "mend")}
    return [unworded(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", *DATA, "--questions", str(DEMO / "questions.csv"), "--format", "json"],
        ["evaluate", *DATA, "--per-query", "--format", "json"],
        ["explain", *DATA[:2], "-q", "q01", "--format", "json"],
        ["check", *DATA, "--format", "json"],
    ],
    ids=lambda one: one[0],
)
def test_numbers_and_names_are_the_same(arguments: list[str], run: Callable[..., Said]) -> None:
    code, english, _ = run("en", *arguments)
    again, other, _ = run("zh", *arguments)
    assert again == code
    assert unworded(json.loads(other)) == unworded(json.loads(english))


def test_rows_and_records_do_not_depend_on_the_language(run: Callable[..., Said], tmp_path: Path) -> None:
    rows = ["evaluate", *DATA, "--per-query", "--format", "jsonl"]
    assert run("en", *rows)[1] == run("zh", *rows)[1]
    copytree(DEMO, tmp_path / "study")
    decided = [
        run(language, "accept", str(tmp_path / "study"), "--format", "json", "-o", str(tmp_path / language))
        for language in ("en", "zh")
    ]
    assert decided[0][0] == decided[1][0]
    english, other = (json.loads(out) for _, out, _ in decided)
    assert english | {"record": ""} == other | {"record": ""}
    for file in (tmp_path / "en").iterdir():
        assert file.read_bytes() == (tmp_path / "zh" / file.name).read_bytes()
    assert run("zh", "verify", str(tmp_path / "en"))[:2] == (0, run("zh", "verify", str(tmp_path / "zh"))[1])


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", *DATA, "--questions", str(DEMO / "questions.csv")],
        ["compare", *DATA, "--questions", str(DEMO / "questions.csv"), "--format", "md"],
        ["evaluate", *DATA],
        ["explain", *DATA[:2], "-q", "q01"],
        ["check", *DATA],
        ["measures"],
        *(["measures", name] for name in ("nDCG", "AP", "ERR", "RBP", "Bpref", "Judged")),
        ["dialects"],
        ["dialects", "trec_eval"],
    ],
    ids=lambda one: " ".join(part for part in one if "/" not in part),
)
def test_reports_speak_chinese(
    arguments: list[str], run: Callable[..., Said], chinese: dict[str, str]
) -> None:
    _, out, _ = run("zh", *arguments)
    assert CHINESE.search(out)
    assert left_in_english(out, chinese) == []
