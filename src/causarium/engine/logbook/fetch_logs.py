"""Logs of an object store, brought to this machine: a log is read whole, so it is fetched whole.

Copies lie in the user's cache folder, each fetched again when the store's own has changed.
"""

import json
from contextlib import suppress
from pathlib import Path, PurePosixPath

from causarium.contract.frozen import canonical_json, digest
from causarium.contract.places import Place
from causarium.engine.local.weights import cache_folder
from causarium.errors import UsageError

_LOG_SUFFIXES = (".eval", ".json")
_MARKS = ".fetched.json"


def fetch_logs(place: str | Path | Place) -> Path:
    """Return a log, or a folder of logs, on this machine; it is fetched if it lies elsewhere.

    Raises:
        UsageError: The scheme is unknown, or there is nothing at this place.
    """
    source = Place.parse(place)
    if source.path is not None:
        return source.path
    folder = local_copy(source)
    if source.suffix in _LOG_SUFFIXES:
        source.copy_to(folder / source.name)
        return folder / source.name
    files = {name: file for name, file in source.find_files(".eval").items() if _is_below(name)}
    if not files:
        raise UsageError(f"no .eval log in {source}; `causarium run` writes one")
    marks = _read_marks(folder)
    for name, (file, mark) in files.items():
        if marks.get(name) != mark or not (folder / name).exists():
            file.copy_to(folder / name)
            marks[name] = mark
    for left in folder.rglob("*.eval"):
        if left.relative_to(folder).as_posix() not in files:
            left.unlink(missing_ok=True)
    kept = {name: marks[name] for name in files}
    Place.parse(folder / _MARKS).write_bytes(canonical_json(kept).encode())
    return folder


def local_copy(source: Place) -> Path:
    """Return the folder in which copies of a place lie; it may not be there yet."""
    key = digest(source.url).partition(":")[2][:16]
    return cache_folder() / "fetched-logs" / key / (source.name or "logs")


def _is_below(name: str) -> bool:
    """Whether a name leads into the folder and not out of it: names of a store may be anything."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name


def _read_marks(folder: Path) -> dict[str, str]:
    with suppress(OSError, ValueError):
        marks = json.loads((folder / _MARKS).read_text(encoding="utf-8"))
        return marks if isinstance(marks, dict) else {}
    return {}
