"""One paper's folder: what a person puts there, what each step makes, and what it was made from.

    paper.toml        id, title, url, abstract, source, date         by a person, optional
    source.pdf        the paper; source.txt or source.md will do     by a person
    annotation.txt    the diagram, lines of "cause" -> "effect"      by a person
    second.txt        the same by a second annotator                 by a person, optional
    text.txt, markdown.md, graph.json, …                             by the steps
    steps/NAME.json   what a step was made from, what it asked, what came of it

A step never changes a file that it did not make. It is done as long as its record names the
digests that its inputs have; a changed input makes it, and what rests on it, due again.
"""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from causarium.contract.frozen import Frozen, digest
from causarium.contract.places import write_atomically
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile, UsageError

SOURCES = ("source.pdf", "source.txt", "source.md")
"""What a paper may be given as, the best first."""


class StepFailed(UsageError):
    """A step that cannot be finished; says why, and what a person can do."""


class About(Frozen):
    """What `paper.toml` says of a paper."""

    id: int | None = Field(default=None, ge=0)
    """The row's number; without it, the paper's place among all folders."""
    title: str = ""
    url: str = ""
    abstract: str = ""
    source: str = ""
    date: str = ""
    domains: tuple[str, ...] = ()
    """Published domain labels; where there is a model it finds them itself."""


class Record(Frozen):
    """What came of one step."""

    step: str
    inputs: dict[str, str]
    """The digest of each file that the step read."""
    model: str = ""
    """Who made it: a model, `rule`, or nobody's judgement where it is empty."""
    asked: int = 0
    """How many questions were put to the model."""
    notes: dict[str, Any] = Field(default_factory=dict)
    """What the step counted and measured."""
    failed: str = ""
    """Why it could not be finished."""


@dataclass(frozen=True, slots=True)
class Folder:
    """One paper being worked on."""

    path: Path

    @property
    def key(self) -> str:
        """The paper's name."""
        return self.path.name

    def has(self, name: str) -> bool:
        """Tell whether a file is there."""
        return (self.path / name).is_file()

    def read(self, name: str) -> str:
        """Return the text of a file.

        Raises:
            BadFile: It cannot be read.
        """
        try:
            return (self.path / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as wrong:
            raise BadFile(f"cannot read {self.path / name}: {wrong}") from wrong

    def value(self, name: str) -> Any:
        """Return what a JSON file holds.

        Raises:
            BadFile: It cannot be read, or is no JSON.
        """
        try:
            return json.loads(self.read(name))
        except ValueError as wrong:
            raise BadFile(f"{self.path / name} is not JSON: {wrong}") from wrong

    def write(self, name: str, text: str) -> None:
        """Write a file, whole or not at all."""
        write_atomically(self.path / name, text)

    def digest_of(self, name: str) -> str:
        """Return the digest of a file; of nothing, where there is none."""
        path = self.path / name
        return digest(path.read_bytes().hex()) if path.is_file() else ""

    def read_about(self) -> About:
        """Return what is said of the paper; nothing where there is no `paper.toml`.

        Raises:
            BadFile: It is not TOML, or has other fields.
        """
        if not self.has("paper.toml"):
            return About(title=self.key)
        try:
            return About.model_validate(tomllib.loads(self.read("paper.toml")))
        except tomllib.TOMLDecodeError as wrong:
            raise BadFile(f"{self.path / 'paper.toml'} is not TOML: {wrong}") from wrong
        except ValidationError as wrong:
            raise BadFile(
                f"{self.path / 'paper.toml'}: {describe_validation_error(wrong)}"
            ) from wrong

    def record(self, step: str) -> Record | None:
        """Return what came of a step, or None if it was never tried or cannot be read."""
        try:
            return Record.model_validate_json(self.read(f"steps/{step}.json"))
        except (BadFile, ValidationError):
            return None

    def keep(self, record: Record) -> None:
        """Write down what came of a step."""
        self.write(f"steps/{record.step}.json", record.model_dump_json(indent=1) + "\n")


def folders(root: Path) -> list[Folder]:
    """Return the papers of a dataset in the order of their names.

    Raises:
        BadFile: There is none.
    """
    found = [
        Folder(path)
        for path in sorted(root.iterdir() if root.is_dir() else [])
        if any((path / name).is_file() for name in SOURCES)
    ]
    if not found:
        raise BadFile(
            f"{root} has no papers; give each a folder of its own with a source.pdf and an "
            "annotation.txt in it"
        )
    return found
