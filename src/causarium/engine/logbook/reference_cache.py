"""Reference rows kept in the user's cache folder, so that a second report costs nothing.

A file holds the rows of one player on some instances. Its name is a digest of all that could move
them: the family and its version, the code, the player, the rules and the instances.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

import causarium
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import canonical_json, digest
from causarium.contract.places import cache_folder, write_atomically
from causarium.contract.row import Row
from causarium.contract.rules import Rules
from causarium.errors import BadFile

MOST_FILES = 1_000
"""Beyond so many, the oldest files are deleted."""

_MODEL_ONLY = frozenset(Rules.model_fields) - {"interface"}
"""The rules that only a model notices: how it is worded, continued, checked and shortened."""


def keep_rows(
    family: AnyFamily,
    player: str,
    rules: Rules,
    instances: Mapping[str, AnyInstance],
    play: Callable[[], Iterable[Row]],
) -> list[Row]:
    """Return a player's rows from the cache, or play them and keep them.

    Args:
        family: The family.
        player: Who plays.
        rules: How it is played.
        instances: What is played, by the digests of their lines.
        play: Plays them; called only if the cache has no rows.
    """
    path = _cache_file(family, player, rules, instances)
    with suppress(OSError, ValidationError):
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = [Row.model_validate_json(line) for line in lines]
        if [row.id for row in rows] == [instance.id for instance in instances.values()]:
            return rows
    rows = list(play())
    # A folder that cannot be written costs time and nothing else.
    with suppress(BadFile, OSError):
        write_atomically(path, "".join(f"{row.model_dump_json()}\n" for row in rows))
        delete_oldest(path.parent)
    return rows


def _cache_file(family: AnyFamily, player: str, rules: Rules, instances: Iterable[str]) -> Path:
    key = digest(
        family.name,
        family.card.version,
        code_stamp(family.instance.__module__),
        player,
        canonical_json(rules.model_dump(mode="json", exclude=set(_MODEL_ONLY))),
        *instances,
    )
    return cache_folder() / "reference-rows" / f"{key.partition(':')[2][:32]}.jsonl"


@lru_cache(maxsize=16)  # looks at 800 files: 30 ms for each player otherwise
def code_stamp(module: str) -> str:
    """Return a digest of when the code was last touched: ours, and the family's where it lives."""
    places = {Path(causarium.__file__).parent}
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is not None:
        places.add(Path(file).parent)
    stamps = []
    for path in sorted(path for place in places for path in place.rglob("*.py")):
        with suppress(OSError):
            stat = path.stat()
            stamps.append(f"{path.name} {stat.st_size} {stat.st_mtime_ns}")
    return digest(*stamps)


def delete_oldest(folder: Path) -> None:
    """Delete the oldest files of a folder of this cache, beyond `MOST_FILES`."""
    files = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    for path in files[:-MOST_FILES]:
        path.unlink(missing_ok=True)
