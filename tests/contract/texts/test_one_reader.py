"""Families read forms with the one reader of the contract, not with patterns of their own."""

import ast
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

import pytest

from causarium import families

SOURCES = Path(__file__).resolve().parents[3] / "src"
NOT_READING = {"mechanics", "model", "generation", "evidence", "scoring", "publication"}
"""Rooms that have other uses for patterns than the form of a reply."""


def find_imports(module: str) -> Iterator[str]:
    path = SOURCES / f"{module.replace('.', '/')}.py"
    path = path if path.exists() else SOURCES / module.replace(".", "/") / "__init__.py"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module if path.stem == "__init__" else module.rpartition(".")[0]
            yield resolve_name("." * node.level + (node.module or ""), package)


def find_own_patterns(family: str) -> list[str]:
    """Return what the modules import that reading a reply goes through."""
    package = f"causarium.families.{family}"
    waiting, seen, own = [families.get(family).replies.parse.__module__], set(), []
    while waiting:
        module = waiting.pop()
        rooms = module.removeprefix(f"{package}.").split(".")
        if module in seen or rooms[0] in NOT_READING or rooms[-1].startswith("published"):
            continue
        seen.add(module)
        for name in find_imports(module):
            if name in {"re", "ast"}:
                own.append(f"{module} imports {name}")
            elif name.startswith(f"{package}."):
                waiting.append(name)
    return own


@pytest.mark.parametrize("family", families.names())
def test_no_family_has_patterns_of_its_own_for_forms(family):
    own = [line for line in find_own_patterns(family) if not line.endswith("instance imports re")]
    assert own == []
