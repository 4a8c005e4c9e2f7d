"""A published release on a user's machine: recognised by content, read, never copied.

A family that can be played from its release has a file `release.toml` in its folder, which says
where the release is to be had, which files of it are used and what each held at known commits, and
its companion `publication` has a `Release`, which reads those files. Nothing here knows a family.
"""

import ast
import hashlib
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Formatter, Template
from typing import Any, Literal

from pydantic import Field, ValidationError

from causarium.contract.frozen import Frozen, digest
from causarium.contract.texts.replies import describe_error
from causarium.errors import BadFile, UnknownName, UsageError

CARD = "release.toml"
"""In a family's folder: the card of its release."""
PUBLISHED = "published"
"""The one protocol that has a name."""
UNKNOWN = "no digest of its files is known, so each state of it is unknown; give --release-anyway"
"""What is said of a release that nobody here has seen."""

Role = Literal["prompts", "rubric", "code", "settings", "instances", "predictions", "world"]
FileState = Literal["known", "unknown", "changed", "missing"]
"""Unknown: the card has no digest of it."""


class ReleaseFile(Frozen):
    """One file of a release that is used."""

    path: str
    """Where it is, from the release's root, with slashes; with a star, all files that fit."""
    role: Role
    says: str
    """What is used from it, in a few words."""
    known: dict[str, str] = Field(default_factory=dict)
    """The sha256 of its bytes, in hex, by commit or by the name of an archive; of several files,
    that of their paths and digests, a line each."""
    optional: bool = False
    """Whether a folder without it can still be played."""
    set: str = ""
    """The set that its instances are, where it holds instances."""
    part_of: tuple[str, ...] = ()
    """The sets of ours that it is a part of, where the release splits what we play as one."""


class ModelRules(Frozen):
    """Rules that the published runs had for some models alone."""

    named: tuple[str, ...]
    """Any of these, in small letters, in a model's name."""
    rules: dict[str, Any]


class Protocol(Frozen):
    """How the published runs were made: what one switch sets, and a user may still change."""

    says: str
    """Where these values come from, and what cannot be set so."""
    rules: dict[str, Any] = Field(default_factory=dict)
    """Changes to the rules of the paper edition."""
    models: tuple[ModelRules, ...] = ()
    settings: dict[str, Any] = Field(default_factory=dict)
    """Options for Inspect, by the names of its parameters: temperature, max_tokens and so on."""

    def rules_for(self, model: str | None) -> dict[str, Any]:
        """Return the changes to the rules for a model; None: a player."""
        found = dict(self.rules)
        for one in self.models:
            if model is not None and any(part in model.lower() for part in one.named):
                found |= one.rules
        return found


class ReleaseCard(Frozen):
    """What is known of a release, as `release.toml` says it."""

    name: str
    """What a clone of it is called."""
    url: str
    licence: str
    commits: dict[str, str]
    """The known states: a commit, or the name of an archive, and its date; the newest first. None:
    the digests of its files are not known."""
    files: tuple[ReleaseFile, ...]
    lacks: tuple[str, ...] = ()
    """What one might look for in it in vain, one sentence each."""
    protocol: Protocol

    def find_protocol(self, name: str) -> Protocol:
        """Return the protocol called `name`.

        Raises:
            UnknownName: There is no such one.
        """
        if name != PUBLISHED:
            raise UnknownName("protocol", name, [PUBLISHED])
        return self.protocol

    @classmethod
    def load(cls, folder: Path) -> "ReleaseCard | None":
        """Read the card in a family's folder; None if the family has none.

        Raises:
            BadFile: It is there and cannot be read.
        """
        path = folder / CARD
        if not path.is_file():
            return None
        try:
            return cls.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        except (ValidationError, tomllib.TOMLDecodeError) as wrong:
            raise BadFile(f"{path} is not a release card: {describe_error(wrong)}") from wrong


@dataclass(frozen=True)
class ReleaseFolder:
    """A folder that holds a release, file by file as it was found."""

    card: ReleaseCard
    path: Path
    states: Mapping[str, FileState]
    """How each file of the card was found."""
    commit: str | None
    """The newest known state that all files agree with; None: there is none."""
    digest: str
    """Of all files of the card that are there."""

    @property
    def flaws(self) -> tuple[str, ...]:
        """What is not as at any known commit, a file each."""
        optional = {file.path for file in self.card.files if file.optional}
        found = [
            f"{path} is {state}"
            for path, state in self.states.items()
            if state in {"changed", "unknown"} or (state == "missing" and path not in optional)
        ]
        if not found and self.commit is None:
            found = ["its files are of different commits"]
        return tuple(found)

    def check_set(self, name: str) -> None:
        """Make sure that a set which the release should hold is there.

        Raises:
            BadFile: Its file is missing.
            UsageError: The release holds it in parts, each a set.
        """
        if parts := self._list_parts(name):
            raise UsageError(
                f"the release holds the set {name} in parts: play {', '.join(parts)}, or all of "
                "them with `causarium reproduce`"
            )
        for file in self.card.files:
            if file.set == name and self.states[file.path] == "missing":
                raise BadFile(
                    f"the release in {self.path} lacks {file.path}, its set {name}; get that file, "
                    "or leave the release out to play a set that is drawn anew"
                )

    def find_parts(self, name: str) -> list[str]:
        """Return the sets of the release that together are a set of ours; none: it has no such.

        Raises:
            BadFile: The file of a part is missing.
        """
        parts = self._list_parts(name)
        for part in parts:
            self.check_set(part)
        return parts

    def _list_parts(self, name: str) -> list[str]:
        return [file.set for file in self.card.files if name in file.part_of]

    @property
    def sets(self) -> dict[str, Path]:
        """The files of instances that are there, by the names of sets."""
        files = (file for file in self.card.files if file.set)
        return {
            file.set: self.path / file.path for file in files if self.states[file.path] != "missing"
        }

    def describe(self) -> str:
        """Say in a line which state this is."""
        if self.commit is not None:
            return f"{self.card.name} {self.commit[:7]}"
        return f"{self.card.name}, unknown state: {'; '.join(self.flaws)}"

    def read(self, path: str) -> str:
        """Return the text of a file.

        Raises:
            BadFile: It is not there, or is no text.
        """
        try:
            return (self.path / path).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as wrong:
            raise BadFile(
                f"cannot read {path} of the release in {self.path}: {_reason(wrong)}"
            ) from wrong

    def read_python(self, path: str) -> ast.Module:
        """Return a Python file as a tree; nothing of it is run.

        Raises:
            BadFile: It is not there, or is no Python.
        """
        try:
            return ast.parse(self.read(path))
        except (SyntaxError, ValueError, RecursionError) as wrong:
            raise BadFile(
                f"{path} of the release in {self.path} is not Python: {_reason(wrong)}"
            ) from wrong

    def find_assigned(self, path: str, name: str, within: str = "") -> Iterator[ast.expr]:
        """Yield what a Python file assigns, or adds, to a name.

        Args:
            path: The file.
            name: The name.
            within: The function that does so, wherever it is defined; empty: anywhere.

        Raises:
            BadFile: It is not there, or is no Python.
        """
        tree = self.read_python(path)
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        named = [n for n in ast.walk(tree) if isinstance(n, functions) and n.name == within]
        for node in (node for root in (named if within else [tree]) for node in ast.walk(root)):
            if isinstance(node, ast.Assign | ast.AugAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(one, ast.Name) and one.id == name for one in targets):
                    yield node.value

    def read_constant(self, path: str, name: str) -> Any:  # noqa: ANN401
        """Return the first plain value that a Python file assigns to a name, as data.

        Raises:
            BadFile: The file assigns no plain value to such a name.
        """
        for value in self.find_assigned(path, name):
            with suppress(ValueError):
                return ast.literal_eval(value)
        raise BadFile(f"{path} of the release in {self.path} assigns no plain value to {name}")

    def read_message(self, path: str, function: str, name: str) -> Template:
        """Return the message that a function of a Python file puts together, with named slots.

        Args:
            path: The file.
            function: The function, wherever it is defined.
            name: The variable to which it assigns one f-string; what stands there in braces are
                the slots, and must be names.

        Raises:
            BadFile: There is no such message.
        """
        for value in self.find_assigned(path, name, function):
            if (message := _read_message(value)) is not None:
                return message
        raise BadFile(
            f"{function} in {path} of the release in {self.path} builds no message {name}"
        )


def _read_message(value: ast.expr) -> Template | None:
    parts = []
    for piece in value.values if isinstance(value, ast.JoinedStr) else ():
        if isinstance(piece, ast.Constant):
            parts.append(str(piece.value).replace("$", "$$"))
        elif isinstance(piece, ast.FormattedValue) and isinstance(piece.value, ast.Name):
            parts.append(f"${{{piece.value.id}}}")
        else:
            return None
    return Template("".join(parts)) if parts else None


def inspect_release(card: ReleaseCard, folder: str | Path) -> ReleaseFolder:
    """Say which state of a release a folder holds, whatever it is.

    Args:
        card: The release that is looked for.
        folder: A clone of it, or an unpacked archive.

    Raises:
        UsageError: There is no such folder, or none of the release's files is in it.
    """
    root = Path(folder).expanduser().resolve()
    if not root.is_dir():
        raise UsageError(f"{folder} is not a folder; a release is a clone of {card.url}")
    found = {file.path: _hash_all(root, file.path) for file in card.files}
    if not any(found.values()):
        files = ", ".join(file.path for file in card.files[:3])
        raise UsageError(
            f"{folder} is not a release of {card.name}: it has none of its files ({files}, ...); "
            f"clone {card.url}"
        )
    states: dict[str, FileState] = {}
    fitting = set(card.commits)
    for file in card.files:
        seen = found[file.path]
        commits = {commit for commit, known in file.known.items() if known == seen}
        if seen is None and file.optional:
            commits = fitting
        other: FileState = "changed" if file.known else "unknown"
        states[file.path] = "missing" if seen is None else "known" if commits else other
        fitting &= commits
    return ReleaseFolder(
        card=card,
        path=root,
        states=states,
        commit=next((commit for commit in card.commits if commit in fitting), None),
        digest=digest(*(f"{path} {seen}" for path, seen in found.items() if seen is not None)),
    )


def open_release(card: ReleaseCard, folder: str | Path, *, anyway: bool = False) -> ReleaseFolder:
    """Open a release in a known state, or in any where that will do.

    Raises:
        UsageError: It is no such release, or in an unknown state; says which files differ.
    """
    found = inspect_release(card, folder)
    if found.flaws and not anyway:
        known = ", ".join(commit[:7] for commit in card.commits)
        first = f"Check out one of {known}, or" if known else "No commit of it is known here:"
        raise UsageError(
            f"the release in {folder} is not in a known state: {'; '.join(found.flaws)}. {first} "
            "give --release-anyway (release_anyway=True) to play it as it is"
        )
    return found


def check_words(interface: str, played: Collection[str]) -> None:
    """Make sure that a release has words for an interface.

    Args:
        interface: What is to be played.
        played: The interfaces that the release has words for.

    Raises:
        UsageError: It has none.
    """
    if interface not in played:
        raise UsageError(
            f"the release has no words for the interface {interface}; give --rule interface="
            f"{' or interface='.join(played)}, or --protocol published and no interface"
        )


def make_template(text: str, slots: Sequence[str]) -> Template:
    """Return a text that `str.format` fills by position as one with named slots.

    Args:
        text: The text, as a release has it.
        slots: What its fields are called, in their order.

    Raises:
        BadFile: It has other fields, or braces that are none.

    Example:
        >>> make_template('Say {} of {{"a": ""}}.', ["what"]).substitute(what="yes")
        'Say yes of {"a": ""}.'
    """
    try:
        pieces = list(Formatter().parse(text))
    except ValueError as wrong:
        raise BadFile(f"a text of the release is not a format string: {wrong}") from wrong
    fields = [field for _, field, _, _ in pieces if field is not None]
    if len(fields) != len(slots) or any(fields):
        raise BadFile(f"a text of the release has {len(fields)} fields and not {len(slots)}")
    names = iter(slots)
    filled = [
        plain.replace("$", "$$") + ("" if field is None else f"${{{next(names)}}}")
        for plain, field, _, _ in pieces
    ]
    return Template("".join(filled))


def _hash_all(root: Path, path: str) -> str | None:
    if "*" not in path:
        return _hash(root / path)
    fitting = sorted(file.relative_to(root).as_posix() for file in root.glob(path))
    lines = "".join(f"{name} {_hash(root / name)}\n" for name in fitting)
    return hashlib.sha256(lines.encode()).hexdigest() if fitting else None


def _hash(path: Path) -> str | None:
    try:
        known = path.stat()
        return _hash_file(path, known.st_size, known.st_mtime_ns)
    except OSError:
        return None


@lru_cache(maxsize=256)  # 2 s for the largest file, and a run opens its release several times
def _hash_file(path: Path, _size: int, _changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _reason(wrong: Exception) -> str:
    return getattr(wrong, "strerror", None) or str(wrong)
