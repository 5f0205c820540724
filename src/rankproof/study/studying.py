"""A study: a plan in a folder, run and accepted."""

from dataclasses import dataclass
from pathlib import Path

from rankproof.study.inputs import read_inputs
from rankproof.study.plan import read_plan
from rankproof.study.record import verdict_of_another, write_record
from rankproof.study.results import StudyResults
from rankproof.tables.decisions import Decision


@dataclass(frozen=True, eq=False)
class Study(StudyResults):
    """A plan with its inputs, in a folder."""

    folder: Path = Path()

    @classmethod
    def read(cls, path: str | Path) -> "Study":
        """The study in a study.toml, or in a folder that has one; unreadable files are errors."""
        path = Path(path)
        path = path / "study.toml" if path.is_dir() else path
        plan = read_plan(path)
        return cls(plan, read_inputs(plan, path.parent), path.parent)

    def accept(self, folder: str | Path | None = None) -> "Accepted":
        """Decide by the gates and write the acceptance record; `folder` is "acceptance" beside the plan.

        Returns the decision and where the record is. The record is written whole, then put in place.
        """
        place = Path(folder) if folder is not None else self.folder / "acceptance"
        earlier = verdict_of_another(place, self.plan.sha256)
        write_record(self, place)
        return Accepted(self.decision, place, earlier)


@dataclass(frozen=True)
class Accepted:
    """What `accept` came to: the decision, and the record's folder.

    `replaced` is the verdict of the record that stood there before, where it was made by another plan.
    """

    decision: Decision
    record: Path
    replaced: str = ""
