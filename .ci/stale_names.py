"""Names in docstrings that lead nowhere: every backticked file or dotted name of ours must exist.

A file is looked for below the folder of the room or family that speaks of it, and from the root of
the repository. A dotted name is ours if its first part is a module that can be seen from where it
stands: `scoring.intervals.summarize`, or `intervals.summarize` within `scoring`.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
_QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_FILE = re.compile(r"[a-z_][\w/-]*\.py")
_SUFFIXES = {"toml", "md", "json", "jsonl", "txt", "html", "svg", "yaml", "eval", "csv", "png"}
"""A name that ends so is a file of data, which may be a user's."""
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


def list_stale_names(path: Path) -> Iterator[str]:
    """Yield `file:line: name` for each name in a file's docstrings that leads nowhere."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            text = node.value.value
            for quoted in _QUOTED.findall(text) if isinstance(text, str) else ():
                name = quoted.removesuffix("()")
                if not _exists(name, path):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}: `{quoted}` is not there"


def _exists(name: str, path: Path) -> bool:
    if _FILE.fullmatch(name):
        return (ROOT / name).exists() or _is_below(_room_of(path), name)
    if not _DOTTED.fullmatch(name) or name.rpartition(".")[2] in _SUFFIXES:
        return True
    seen = [place for place in path.parents if place.is_relative_to(SOURCE)]
    homes = [place for place in seen if _find_module(place, name.partition(".")[0])]
    return not homes or any(_leads_somewhere(home, name.split(".")) for home in homes)


def _room_of(path: Path) -> Path:
    """Return the room or family that a file is in: the second folder below the source, or third."""
    parts = path.relative_to(ROOT).parts
    depth = 4 if "families" in parts[:4] else 3
    return ROOT.joinpath(*parts[: min(depth, len(parts) - 1)])


@cache  # 30 rooms, and some thousand files in each: 2 s in all against 40 s
def _list_files(room: Path) -> frozenset[str]:
    return frozenset(str(path.relative_to(room)) for path in room.rglob("*") if path.is_file())


def _is_below(room: Path, name: str) -> bool:
    return any(f"/{file}".endswith(f"/{name}") for file in _list_files(room))


def _find_module(folder: Path, name: str) -> Path | None:
    package, module = folder / name / "__init__.py", folder / f"{name}.py"
    return package if package.is_file() else module if module.is_file() else None


def _leads_somewhere(folder: Path, names: list[str]) -> bool:
    """Say whether a path of modules, classes and functions leads from a folder to something."""
    first, *rest = names
    module = _find_module(folder, first)
    if module is None:
        return False
    if not rest:
        return True
    if (folder / first).is_dir() and _leads_somewhere(folder / first, rest):
        return True
    return _is_defined(module, rest[0])


@cache  # as many as there are modules that docstrings name, some fifty
def _list_definitions(module: Path) -> frozenset[str]:
    names = set()
    stub = module.with_suffix(".pyi")  # where names are loaded on first use
    texts = [path.read_text(encoding="utf-8") for path in (module, stub) if path.is_file()]
    for node in ast.walk(ast.parse("\n".join(texts))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return frozenset(names)


def _is_defined(module: Path, name: str) -> bool:
    return name in _list_definitions(module)


def main() -> None:
    """Print the names that lead nowhere, in the files named or in all; exit 1 if there are any."""
    named = [Path(word).resolve() for word in sys.argv[1:]]
    files = named or sorted(SOURCE.rglob("*.py"))
    stale = [line for path in files for line in list_stale_names(path)]
    sys.stdout.writelines(f"{line}\n" for line in stale)
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
