"""Prompt texts: Markdown files with `$slots`, ours or a user's own in their place.

A family says which texts an interface needs and which slots a text may use; what is wrong with a
user's folder is said before anything is played.
"""

from collections.abc import Collection, Iterable
from pathlib import Path
from string import Template

from causarium.contract.frozen import digest
from causarium.errors import BadFile


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
    found = set(text.get_identifiers())
    if missing := set(needed) - found:
        raise BadFile(f"{path} lacks the slots {_slots(missing)}")
    if unknown := found - set(allowed):
        raise BadFile(
            f"{path} has the unknown slots {_slots(unknown)}; it may use {_slots(allowed)}"
        )
    return text


def _slots(names: Iterable[str]) -> str:
    return ", ".join(f"${name}" for name in sorted(names))


def folder_digest(folder: Path) -> str:
    """Return the digest of all texts in a folder, so that changed words are another run."""
    texts = sorted(folder.glob("*.md"))
    return digest(*(f"{path.name}\n{path.read_text(encoding='utf-8')}" for path in texts))
