"""A run of a real model that ships with the package, so that the demo has one to show.

It is a recording: nothing is asked. It says which model, how and when, and it is shown only for
sets that are still the ones it was made on.
"""

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from causarium import families
from causarium.contract.frozen import Frozen
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile

if TYPE_CHECKING:
    from causarium.engine.logbook.log_book import LogBook

FOLDER = Path(__file__).parent / "recorded"
ABOUT = "about.toml"
SET = "smoke"
"""What was played."""


class RecordedRun(Frozen):
    """Which model played, how and when."""

    model: str
    licence: str
    """Of the model's weights."""
    weights: str
    """The file of the weights: its form and its digest."""
    server: str
    """What answered the calls, and where it ran."""
    made: str
    """The day."""
    command: str
    sets: dict[str, str]
    """By family, the digest of the set that was played."""

    @property
    def sentence(self) -> str:
        """All of it in words."""
        return (
            f"Recorded: {self.model} (weights under {self.licence}), run by {self.server}, played "
            f"cases of {', '.join(self.sets)} on {self.made} by `{self.command}`. The logs came "
            "with this package; no model is called now."
        )

    def list_outdated(self) -> tuple[str, ...]:
        """Return the families whose set is no longer the one that was played."""
        return tuple(
            name
            for name, digest in self.sets.items()
            if name not in families.names()
            or families.card(name).sets["certified"][SET].digest != digest
        )


def read_recorded(folder: Path = FOLDER) -> RecordedRun | None:
    """Return what a folder says of its recorded run; None if it holds none.

    Raises:
        BadFile: It cannot be read.
    """
    path = folder / ABOUT
    if not path.is_file():
        return None
    try:
        return RecordedRun.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as wrong:
        raise BadFile(f"{path} is not TOML: {wrong}") from wrong
    except ValidationError as wrong:
        raise BadFile(f"{path} says too little: {describe_validation_error(wrong)}") from wrong


def list_recorded_logs(run: RecordedRun, folder: Path = FOLDER) -> tuple[list[Path], list[str]]:
    """Return the logs that can be shown, and a sentence on each that cannot.

    Args:
        run: What the folder says of its run.
        folder: Where the logs are.

    Raises:
        BadFile: A log is damaged.
    """
    from causarium.engine.logbook.log_files import read_header

    outdated = run.list_outdated()
    problems = [
        f"The recorded run of {name} was made on another version of its {SET} set and is left out."
        for name in outdated
    ]
    logs = [
        path
        for path in sorted(folder.rglob("*.eval"))
        if (name := read_header(path).card.family) in run.sets and name not in outdated
    ]
    return logs, problems


def read_recorded_logs(logs: list[Path]) -> "LogBook":
    """Return all that the logs of a recorded run say."""
    from causarium.engine.logbook.log_book import LogBook

    return LogBook.read(logs)
