"""A progress bar on standard error, on a terminal only, for what takes longer than a glance."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rankproof.cli.speaking import tr


@contextmanager
def steps(total: int) -> Iterator[Callable[[str], None]]:
    """A function to call with the name of each step before it begins."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(tr("Starting"), total=total)
        begun = [False]

        def step(name: str) -> None:
            bar.update(task, description=name.replace("[", "\\["), advance=1 if begun[0] else 0)
            begun[0] = True

        yield step
        bar.update(task, completed=total)
