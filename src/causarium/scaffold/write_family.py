"""Writing the folders of a new family, whole or not at all.

The texts are in `template/`, one `.txt` for each file that is written. `$name` stands for the
family's name and `$Name` for the same as the beginning of a class's name.
"""

import keyword
import os
import re
import shutil
from pathlib import Path
from string import Template

from causarium import families
from causarium.errors import BadFile, UsageError

_TEMPLATE = Path(__file__).parent / "template"
_PLACES = {"family": Path("src/causarium/families"), "tests": Path("tests/families")}
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def write_family(name: str, root: Path) -> list[Path]:
    """Write the folder of a family called `name`, and its tests, under `root`.

    Returns:
        The files written, in the order in which to fill them.

    Raises:
        UsageError: The name cannot be a family's, or something of that name is already there.
        BadFile: The folders cannot be written; none is left behind.
    """
    _refuse_bad_name(name)
    if name in families.names():
        raise UsageError(f"there is a family {name} already; choose another name")
    folders = {part: root / place / name for part, place in _PLACES.items()}
    for folder in folders.values():
        if folder.exists():
            raise UsageError(f"{folder} is already there; choose another name or remove it first")
    staged = {part: f.with_name(f".{name}.{os.getpid()}.partial") for part, f in folders.items()}
    try:
        written = [
            folders[part] / path for part in _PLACES for path in _fill(part, staged[part], name)
        ]
        _move_in(staged, folders)
    except OSError as wrong:
        for folder in staged.values():
            shutil.rmtree(folder, ignore_errors=True)
        raise BadFile(f"cannot write the family {name}: {wrong}") from wrong
    return written


def _refuse_bad_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        near = re.sub(r"\W+", "_", name.strip().lower()).strip("_")
        hint = f"{near!r} would do" if _NAME.fullmatch(near) else "'tides' would do"
        raise UsageError(
            f"{name!r} cannot be the name of a family; {hint}: "
            "small letters, digits and underscores, beginning with a letter"
        )
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise UsageError(f"{name!r} is a word of Python's own; '{name}_family' would do")


def _fill(part: str, folder: Path, name: str) -> list[Path]:
    """Write one folder from its template and return the paths within it."""
    words = {"name": name, "Name": "".join(word.capitalize() for word in name.split("_"))}
    source = _TEMPLATE / part
    order = (source / "ORDER").read_text(encoding="utf-8").split()
    for path in order:
        text = (source / f"{path}.txt").read_text(encoding="utf-8")
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(text).substitute(words), encoding="utf-8")
    return [Path(path) for path in order]


def _move_in(staged: dict[str, Path], folders: dict[str, Path]) -> None:
    moved: list[Path] = []
    try:
        for part, folder in folders.items():
            staged[part].rename(folder)
            moved.append(folder)
    except OSError:
        for folder in moved:
            shutil.rmtree(folder, ignore_errors=True)
        raise
