"""Numbers as the compiled engine reads them, beside float() and a regular expression."""

import random
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from rankproof.scanning.engine import engine
from rankproof.scanning.lines import RUN, UNREADABLE, Lines

pytest.importorskip("rankproof._scan", reason="the compiled engine is not in this installation")

# Numbers that this reader leaves to a slower one: a name, a separator of thousands, very many places or powers.
PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
WHOLE = re.compile(r"[+-]?[0-9]{1,15}(\.0*)?")


def read(ranks: Sequence[str], scores: Sequence[str]) -> Lines:
    block = "".join(f"q Q0 d {rank} {score} t\n" for rank, score in zip(ranks, scores, strict=True)).encode()
    tokens = engine("native").tokenise(block, len(block), RUN)
    assert tokens is not None
    assert tokens.counts.rows == len(ranks)
    return tokens.lines


def numbers(texts: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Each text and the number that it was read as, NaN where it was left to others; in blocks, for events are few."""
    for start in range(0, len(texts), 1000):
        part = texts[start : start + 1000]
        yield from zip(part, read(["1"] * len(part), part).number.tolist(), strict=True)


def exactly(seen: float, expected: float) -> bool:
    return np.float64(seen).tobytes() == np.float64(expected).tobytes()


def written(dice: random.Random) -> Iterator[str]:
    """Numbers in every length and form."""
    for digits in range(1, 26):
        for _ in range(60):
            text = "".join(dice.choices("0123456789", k=digits))
            point = dice.randrange(digits + 1)
            yield text
            yield f"{text[:point]}.{text[point:]}"
            yield f"{dice.choice('+-')}{text[:point]}.{text[point:]}"
            yield f"{text[:point]}.{text[point:]}{dice.choice('eE')}{dice.choice(['', '+', '-'])}{dice.randrange(40)}"
    for _ in range(4000):
        value = dice.uniform(-1, 1) * 10.0 ** dice.randrange(-6, 9)
        yield from (repr(value), f"{value:.6f}", f"{value:.17g}", repr(float(np.float32(value))))


def halfway(dice: random.Random) -> Iterator[str]:
    """Decimals that lie exactly between two doubles, and a last digit beside that."""
    for _ in range(3000):
        low = dice.randrange(2**52, 2**53)
        middle = Fraction(2 * low + 1, 2 ** dice.randrange(1, 12))
        text = format(Decimal(middle.numerator) / Decimal(middle.denominator), "f")
        yield text
        if len(text) < 21:
            yield text + ("1" if "." in text else ".1")
            yield text[:-1] + str((int(text[-1]) + dice.choice([1, 9])) % 10)


@pytest.mark.parametrize("texts", [written, halfway], ids=lambda texts: texts.__name__)
def test_a_number_is_what_float_reads(texts: object) -> None:
    asked = list(dict.fromkeys(texts(random.Random(11))))  # type: ignore[operator]  # one of the two above
    read_here = 0
    for text, seen in numbers(asked):
        if np.isnan(seen):
            assert len(re.sub(r"\D", "", text)) > 18 or "e" in text.lower(), f"{text} was not read"
        else:
            assert PLAIN.fullmatch(text)
            assert exactly(seen, float(text)), text
            read_here += 1
    assert read_here > 0.5 * len(asked)


@pytest.mark.parametrize(
    "text", ["0", "-0", "-0.0", "+.5", "5.", "00000000000000000000000.25", "1e5", "1E-7", "9007199254740993"]
)
def test_a_form_that_is_read(text: str) -> None:
    ((_, seen),) = numbers([text])
    assert exactly(seen, float(text))


@pytest.mark.parametrize(
    "text",
    [".", "-", "+", "--1", "1..2", "1.2.3", "1e", "1e+", "e5", "nan", "inf", "1_0", "0x10", "1,5", "1f", "٣"],
)
def test_a_text_that_is_left_to_others(text: str) -> None:
    ((_, seen),) = numbers([text])
    assert np.isnan(seen)


def whole_texts(dice: random.Random) -> Iterator[str]:
    for digits in range(1, 19):
        for _ in range(30):
            text = "".join(dice.choices("0123456789", k=digits))
            yield from (text, dice.choice("+-") + text, text + "." + "0" * dice.randrange(12))
            yield text[: dice.randrange(digits)] + dice.choice(".:/a-e") + text
    yield from (
        "+",
        "-",
        ".",
        ".0",
        "1.05",
        "1.0.0",
        "--1",
        "1e3",
        "0",
        "-0",
        "x",
        "12345678",
        "1234567a",
        "a2345678",
    )


def test_a_whole_number_is_what_the_expression_says() -> None:
    asked = list(dict.fromkeys(whole_texts(random.Random(5))))
    seen = [rank for at in range(0, len(asked), 1000) for rank in whole_numbers(asked[at : at + 1000])]
    for text, rank in zip(asked, seen, strict=True):
        assert rank == (int(text.split(".")[0]) if WHOLE.fullmatch(text) else UNREADABLE), text
    assert 0.3 < np.mean([rank != UNREADABLE for rank in seen]) < 0.9


def whole_numbers(texts: Sequence[str]) -> list[int]:
    found: list[int] = read(texts, ["0"] * len(texts)).whole.tolist()
    return found


@pytest.mark.parametrize("length", range(1, 40))
def test_a_number_at_either_end_of_a_block_is_read_without_what_is_around_it(length: int) -> None:
    text = ("1.25" + "0" * 40)[:length]
    for block in (f"{text} b c", f"a b {text}"):
        layout = RUN._replace(
            fields=3, query=1, doc=1, whole=-1, tag=-1, number=0 if block.startswith(text) else 2
        )
        tokens = engine("native").tokenise(block.encode(), len(block), layout)
        assert tokens is not None
        assert exactly(tokens.lines.number[0], float(text))
