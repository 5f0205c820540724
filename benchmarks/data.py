"""Judgments and runs shaped like what people evaluate, made up, the same bytes for the same settings.

    python benchmarks/data.py M --out FOLDER [--queries N] [--depth N] [--ties F] [--shuffle] ...

S is a TREC track, G graded pools, M a passage collection with one known answer a query, L a recommender.
Every doc that is judged or shown has a hidden worth that grows with its grade; a run sees it through noise
and shows the best. Scores fall from line to line by more than single precision can miss, so that plain data
have no ties in any tool and every tool must give the same values; `--ties` makes ties.
"""

import argparse
import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

CELLS = 1_000_000  # candidates held at a time; part of what the data are
WORTH = (0.3, 1.5, 2.4, 3.1, 3.6)  # of grades 0 to 4, in standard deviations of the noise
OUT_OF_REACH = -9.0  # the worth of what no system finds
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


@dataclass(frozen=True)
class Shape:
    """How many queries of what kind; a query has `least` judged docs and, on average, `more` beside them."""

    queries: int
    depth: int
    candidates: int
    least: int
    more: float
    grades: tuple[float, ...]  # the share of each grade among the judged, from 0
    unreachable: float  # the share of relevant docs that no system finds
    hardness: float  # what the worth is divided by
    docs: str
    query: str


SHAPES = {
    "S": Shape(50, 1000, 2600, 1000, 590.0, (0.9, 0.07, 0.03), 0.05, 1.0, "news", "{:d}"),
    "G": Shape(250, 1000, 1500, 500, 0.0, (0.55, 0.2, 0.13, 0.08, 0.04), 0.05, 2.5, "web", "{:d}"),
    "M": Shape(6980, 1000, 1250, 1, 0.08, (0.0, 1.0), 0.12, 0.7, "number", "10{:06d}"),
    "L": Shape(200_000, 100, 160, 5, 7.5, (0.0, 1.0), 0.5, 2.0, "item", "u{:07d}"),
}


@dataclass(frozen=True)
class Data:
    """One set of files: a shape and what differs from it."""

    shape: str
    queries: int = 0  # 0: as the shape says
    depth: int = 0
    ties: float = 0.0  # the share of lines with the score of the line above
    shuffle: bool = False
    separator: str = "blank"  # or tab, spaces
    scores: str = "fixed"  # six decimals, or single: 32 bits printed in full
    absent: float = 0.0  # the share of judged queries that the run lacks
    unjudged: float = 0.0  # the share of the run's queries without judgments
    form: str = "trec"  # or parquet
    seed: int = 1

    @property
    def name(self) -> str:
        """What sets it apart from its shape, in one word for a folder."""
        plain = Data(self.shape)
        told = [(f.name, getattr(self, f.name)) for f in fields(self)[1:]]
        return "-".join([self.shape, *(f"{n}{v}" for n, v in told if v != getattr(plain, n))])

    @property
    def lines(self) -> int:
        """Lines of the run, where no query is absent."""
        shape = SHAPES[self.shape]
        return (self.queries or shape.queries) * (self.depth or shape.depth)

    def files(self, folder: Path) -> tuple[Path, Path]:
        """Judgments and run below `folder`."""
        ending = {"trec": "txt", "parquet": "parquet"}[self.form]
        return folder / self.name / f"qrels.{ending}", folder / self.name / f"run.{ending}"


def make(data: Data, folder: Path) -> tuple[Path, Path]:
    """The two files, made where they are not there yet as this program makes them."""
    target, mark = folder / data.name, folder / data.name / "made.json"
    told = {"program": hashlib.sha256(Path(__file__).read_bytes()).hexdigest(), **asdict(data)}
    if not mark.exists() or json.loads(mark.read_text("utf-8")) != told:
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        qrels, run = data.files(folder)
        _write(qrels, data, (judged for judged, _ in _chunks(data)), ("query_id", "doc_id", "grade"))
        _write(run, data, (shown for _, shown in _chunks(data)), ("query_id", "doc_id", "rank", "score"))
        if data.shuffle:
            _shuffle(run, data.seed)
        mark.write_text(json.dumps(told, indent=1), "utf-8")
    return data.files(folder)


Columns = list[list[Any]]


def _chunks(data: Data) -> Iterator[tuple[Columns, Columns]]:
    """The columns of the judgments and of the run, some queries at a time."""
    import numpy as np

    shape = SHAPES[data.shape]
    depth, queries = data.depth or shape.depth, data.queries or shape.queries
    width = max(shape.candidates - shape.depth + depth, shape.least + 4 * int(shape.more + 1))
    spread = np.array(WORTH[: len(shape.grades)]) / shape.hardness
    step = max(1, CELLS // width)
    for start in range(0, queries, step):
        n = min(step, queries - start)
        rng = np.random.default_rng([data.seed, start])
        docs = np.cumsum(rng.integers(1, 40, (n, width)), axis=1)  # a doc stands once in a query
        place = np.argsort(
            rng.random((n, width)), axis=1
        )  # which candidates are judged, whatever their number
        judged = place < np.minimum(shape.least + rng.poisson(shape.more, n), width)[:, None]
        grade = np.where(judged, rng.choice(len(shape.grades), (n, width), p=shape.grades), -1)
        worth = np.where(judged, spread[grade], 0.0) + rng.standard_normal((n, width))
        worth[(grade > 0) & (rng.random((n, width)) < shape.unreachable)] = OUT_OF_REACH
        best = np.argsort(-worth, axis=1)[:, :depth]
        score = _scores(np.take_along_axis(worth, best, axis=1), data, rng)
        lot = rng.random(n)
        names = [shape.query.format(301 + start + i) for i in range(n)]
        row, column = np.nonzero(judged & (lot >= data.unjudged)[:, None])
        shown = np.nonzero(lot <= 1 - data.absent)[0]
        yield (
            [
                [names[i] for i in row.tolist()],
                _named(shape.docs, docs[row, column]),
                grade[row, column].tolist(),
            ],
            [
                [names[i] for i in shown.tolist() for _ in range(depth)],
                _named(shape.docs, np.take_along_axis(docs, best, axis=1)[shown].ravel()),
                list(range(1, depth + 1)) * len(shown),
                score[shown].ravel().tolist(),
            ],
        )


def _scores(worth: Any, data: Data, rng: Any) -> Any:
    """Falling scores, in whole steps that single precision tells apart; ties where they are asked for."""
    import numpy as np

    unit, gap = (1e-6, 8) if data.scores == "fixed" else (2.0**-23, 1)
    level = np.round((20 + 3 * worth if data.scores == "fixed" else 0.7 + 0.03 * worth) / unit)
    fall = gap * np.arange(worth.shape[1])
    level = np.minimum.accumulate(level + fall, axis=1) - fall
    if data.ties:
        same = rng.random(worth.shape) < data.ties
        same[:, 0] = False
        source = np.maximum.accumulate(np.where(same, 0, np.arange(worth.shape[1])), axis=1)
        level = np.take_along_axis(level, source, axis=1)
    return level * unit


def _named(kind: str, numbers: Any) -> list[str]:
    """Ids as collections of that kind write them."""
    if kind == "number":
        return list(map(str, (numbers * 211).tolist()))
    if kind == "news":
        return [f"{('AP88', 'WSJ9', 'ZIFF')[n % 3]}{n % 97:04d}-{n // 3:05d}" for n in numbers.tolist()]
    if kind == "web":
        return [f"web12-{n % 9973:06d}wb-{n % 89:02d}-{n:05d}" for n in numbers.tolist()]
    return [_item(n) for n in numbers.tolist()]


def _item(number: int) -> str:
    """Ten letters and digits, one to one."""
    scrambled = number * 2_862_933_555_777_941 % 2**45  # odd times: no two numbers give the same
    return "I" + "".join(LETTERS[scrambled >> shift & 31] for shift in range(0, 45, 5))


def _write(path: Path, data: Data, chunks: Iterable[Columns], names: Sequence[str]) -> None:
    """The chunks as lines, or as one Parquet file."""
    if data.form == "parquet":
        import polars as pl

        frames = [pl.DataFrame(dict(zip(names, chunk, strict=True))) for chunk in chunks]
        pl.concat(frames).write_parquet(path, compression="zstd")
        return
    between = {"blank": " ", "tab": "\t", "spaces": "  "}[data.separator]
    number = "%.6f" if data.scores == "fixed" else "%r"
    judged = len(names) == 3
    line = (
        between.join(("%s", "0", "%s", "%d") if judged else ("%s", "Q0", "%s", "%d", number, "made-up-data"))
        + "\n"
    )
    with path.open("w", encoding="ascii", newline="\n", buffering=1 << 20) as file:
        for chunk in chunks:
            file.write("".join([line % row for row in zip(*chunk, strict=True)]))


def _shuffle(path: Path, seed: int) -> None:
    """The lines of a file in random order."""
    import numpy as np

    lines = path.read_bytes().splitlines(keepends=True)
    with path.open("wb") as file:
        file.writelines([lines[i] for i in np.random.default_rng(seed).permutation(len(lines)).tolist()])


def main(arguments: Sequence[str] | None = None) -> None:
    """Make one set of files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("shape", choices=SHAPES)
    parser.add_argument("--out", type=Path, required=True)
    for field in fields(Data)[1:]:
        if field.default is False:
            parser.add_argument(f"--{field.name}", action="store_true")
        else:
            parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    asked = vars(parser.parse_args(arguments))
    folder = asked.pop("out")
    print(*make(Data(**asked), folder), sep="\n")


if __name__ == "__main__":
    main()
