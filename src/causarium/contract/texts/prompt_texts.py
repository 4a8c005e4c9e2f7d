"""Prompt texts: Markdown files with `$slots`, ours or a user's own in their place.

A family says which texts an interface needs and which slots a text may use; what is wrong with a
user's folder is said before anything is played.
"""

import re
from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from pathlib import Path
from string import Template

from causarium.contract.frozen import digest
from causarium.errors import BadFile, UnknownName

RECHECK = "recheck"
"""The one text that belongs to no family: what asks an agent to check its answer."""


def need_texts(folder: Path, names: Iterable[str]) -> None:
    """Make sure that a user's folder has the texts called `names`.

    Raises:
        BadFile: It lacks some; says which, and which are needed.
    """
    needed = [f"{name}.md" for name in names]
    if missing := [name for name in needed if not (folder / name).is_file()]:
        raise BadFile(
            f"the prompt folder {folder} lacks {', '.join(missing)}; this interface needs "
            f"{', '.join(needed)}"
        )


def read_text(path: Path, *, needed: Collection[str], allowed: Collection[str]) -> Template:
    """Read one text of a user's and check its slots.

    Raises:
        BadFile: It cannot be read, lacks a slot that is needed, or has one that is not allowed.
    """
    try:
        text = Template(path.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadFile(f"cannot read the prompt text {path}: {wrong}") from wrong
    if not text.is_valid():
        raise BadFile(f"{path} has a $ that begins no slot; write $$ for a dollar sign")
    fields = set(text.get_identifiers())
    if missing := set(needed) - fields:
        raise BadFile(f"{path} lacks the slots {_slots(missing)}")
    if unknown := fields - set(allowed):
        raise BadFile(
            f"{path} has the unknown slots {_slots(unknown)}; it may use {_slots(allowed)}"
        )
    return text


def _slots(names: Iterable[str]) -> str:
    return ", ".join(f"${name}" for name in sorted(names))


_PART = re.compile(r"^<!-- (\w+) -->\n", re.MULTILINE)


def split_parts(name: str, text: str) -> dict[str, Template]:
    r"""Return the parts of a file, each under a comment that names it; all of it where none does.

    Example:
        >>> sorted(split_parts("task", "<!-- story -->\nOnce.\n<!-- end -->\nDone."))
        ['end', 'story']
    """
    pieces = _PART.split(text)
    if len(pieces) == 1:
        return {name: Template(text.strip())}
    return {
        part: Template(body.strip()) for part, body in zip(pieces[1::2], pieces[2::2], strict=True)
    }


class Texts:
    """The prompt texts of a family; a user's folder may replace any of them."""

    def __init__(
        self, folder: Path, slots: Callable[[str], tuple[frozenset[str], frozenset[str]]]
    ) -> None:
        """Know where the texts are.

        Args:
            folder: The family's own texts.
            slots: For a text's name, the slots that it must have, and those that it may.
        """
        self._folder = folder
        self._slots = slots
        self._kept: dict[tuple[str | None, tuple[str, ...]], dict[str, Template]] = {}

    @cached_property
    def ours(self) -> dict[str, Template]:
        """The family's own texts by name: each file is one, or holds several named parts."""
        texts: dict[str, Template] = {}
        for path in sorted(self._folder.glob("*.md")):
            texts.update(split_parts(path.stem, path.read_text("utf-8")))
        return texts

    def load(self, folder: str | None, needed: tuple[str, ...]) -> dict[str, Template]:
        """Return all texts, a user's in the place of ours.

        Raises:
            BadFile: The user's folder lacks one of `needed`, or a text of it has wrong slots.
            UnknownName: It has a text that nothing uses.
        """
        key = (folder, needed)
        if key not in self._kept:
            self._kept[key] = {**self.ours, **(self._users(Path(folder), needed) if folder else {})}
        return self._kept[key]

    def _users(self, folder: Path, needed: tuple[str, ...]) -> dict[str, Template]:
        need_texts(folder, needed)
        files = [path for path in sorted(folder.glob("*.md")) if path.stem != RECHECK]
        for path in files:
            if path.stem not in self.ours:
                raise UnknownName(f"prompt text in {folder}", path.stem, self.ours, plural="texts")
        texts = {}
        for path in files:
            must, may = self._slots(path.stem)
            texts[path.stem] = read_text(path, needed=must, allowed=must | may)
        return texts


def folder_digest(folder: Path) -> str:
    """Return the digest of all texts in a folder, so that changed words are another run."""
    texts = sorted(folder.glob("*.md"))
    return digest(*(f"{path.name}\n{path.read_text(encoding='utf-8')}" for path in texts))
