"""Clones of the published releases, for whoever has them: CAUSARIUM_RELEASES names their folder.

Their code is held against ours. It is never installed: functions are taken from its source one by
one, so that what they need to call a model or a database need not be there.
"""

import ast
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from causarium import families
from causarium.contract.release import ReleaseFolder, open_release

FOLDER = "CAUSARIUM_RELEASES"
"""The environment variable with the folder in which clones are found by their names."""


def find_clone(family: str) -> ReleaseFolder:
    """Return the clone of a family's release, in a known state; skips the test without one."""
    card = families.get(family).release_card
    place = os.environ.get(FOLDER)
    if place is None or not (Path(place) / card.name).is_dir():
        pytest.skip(f"needs a clone of {card.url} in the folder that {FOLDER} names")
    return open_release(card, Path(place) / card.name)


def take_functions(
    clone: ReleaseFolder, path: str, names: Iterable[str], **needed: Any
) -> dict[str, Any]:
    """Return functions and classes of a released file, defined among `needed` and nothing else."""
    tree = clone.read_python(path)
    wanted = set(names)
    tree.body = [node for node in tree.body if getattr(node, "name", None) in wanted]
    assert {node.name for node in tree.body} == wanted  # type: ignore[attr-defined]
    future = ast.ImportFrom("__future__", [ast.alias("annotations")], 0)
    tree.body.insert(0, future)
    found: dict[str, Any] = {"__file__": str(clone.path / path), "__name__": path, **needed}
    code = compile(ast.fix_missing_locations(tree), path, "exec")
    exec(code, found)
    return found
