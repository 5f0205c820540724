"""Files of columns, Parquet and Arrow, in batches of the columns that are asked for."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rankproof.formats.arrow import Batch, batches
from rankproof.formats.blocks import NotPlain
from rankproof.formats.columnar import Table
from rankproof.formats.sources import Source

if TYPE_CHECKING:
    import polars as pl

STEP = 1 << 17  # rows of a batch, where polars hands out none of its own


def table_in(source: Source, scan: str) -> Table:
    """The table in a file of columns, which polars reads by its function `scan`; NotPlain where it cannot."""
    import polars as pl

    def told(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise NotPlain(str(error)) from error

    def begin(names: Sequence[str]) -> Iterator[Batch]:
        frames = _frames(lazy.select(pl.selectors.by_name(*names)))
        while (frame := told(lambda: next(frames, None))) is not None:
            yield from batches(frame)

    lazy = told(lambda: getattr(pl, scan)(source.path))
    return Table(told(lambda: lazy.collect_schema().names()), begin, source.file)


def _frames(lazy: "pl.LazyFrame") -> "Iterator[pl.DataFrame]":
    """The rows in frames, one after the other."""
    if hasattr(lazy, "collect_batches"):
        yield from lazy.collect_batches(maintain_order=True)
        return
    start = 0
    while len(frame := lazy.slice(start, STEP).collect()):
        yield frame
        start += STEP
