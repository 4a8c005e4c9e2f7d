"""Rules of the house that no linter knows."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from importlib.util import resolve_name
from pathlib import Path

import pytest

from causarium.contract.family import Family
from causarium.families import FAMILIES

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
MAX_LINES = 800


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.splitlines()]


def test_a_module_is_short_enough_to_have_one_subject() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {lines} lines"
        for path in SOURCES
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MAX_LINES
    ]
    assert not long


def test_no_file_is_a_link_to_somewhere_else() -> None:
    assert not [path for path in tracked() if path.is_symlink()]


def test_a_family_is_a_value_of_few_fields() -> None:
    assert len(fields(Family)) <= 14


def test_the_house_has_at_most_so_many_modules() -> None:
    assert len(SOURCES) <= 566


def test_the_layers_have_no_exception() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]["contracts"]
    assert contracts
    assert not [contract["name"] for contract in contracts if contract.get("ignore_imports")]
    (family,) = [each for each in contracts if each["name"].startswith("Inside a family")]
    assert family["exhaustive"]


@pytest.mark.parametrize("name", FAMILIES)
def test_importing_a_family_loads_none_of_its_companions(name: str) -> None:
    code = (
        f"import sys, causarium.families.{name}; "
        "print(*(m for m in sys.modules if m.startswith('causarium')))"
    )
    asked = [sys.executable, "-c", code]
    loaded = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    beside = ("proofs", "players", "training", "helpers", "publication", "views")
    companions = [f"causarium.families.{name}.{room}" for room in beside]
    others = ["causarium.charts", "causarium.web", "causarium.report", "causarium.players"]
    assert not [m for m in loaded if m.startswith((*companions, *others))]


MOST_LOADED = 4_350
"""Lines of ours that importing the smallest family loads; it may only fall."""


def test_importing_a_family_loads_little() -> None:
    code = (
        "import sys, causarium.families.causallink.certified; "
        "print(*(m.__file__ for n, m in sys.modules.items() if n.startswith('causarium')))"
    )
    asked = [sys.executable, "-c", code]
    files = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    lines = [Path(file).read_text(encoding="utf-8").count("\n") for file in files]
    assert sum(lines) <= MOST_LOADED


def test_no_modules_import_each_other() -> None:
    names = {_name_module(path): path for path in SOURCES}
    imports = {name: _list_imports(path, names) - {name} for name, path in names.items()}
    # What imports nothing that is left is taken away; a circle stays.
    while free := {name for name, targets in imports.items() if not targets & imports.keys()}:
        imports = {name: targets for name, targets in imports.items() if name not in free}
    assert not {name: sorted(targets & imports.keys()) for name, targets in imports.items()}


def _name_module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")


def _name_package(path: Path) -> str:
    return ".".join(path.parent.relative_to(ROOT / "src").parts)


def test_relative_imports_stay_in_their_family_and_others_lead_out_of_it() -> None:
    wrong = []
    for path in SOURCES:
        package = _name_package(path)
        home = f"{'.'.join(package.split('.')[:3])}."
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                name = f"{resolve_name('.' * node.level + (node.module or ''), package)}."
                inside = "families" in package and name.startswith(home)
                # A task is also loaded by its path, where it has no package.
                if path.name != "task.py" and inside != (node.level > 0):
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not wrong


def _list_imports(path: Path, names: Mapping[str, Path]) -> set[str]:
    """Return the modules of ours that a file imports, at its top or within a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), _name_package(path))
            pairs = {f"{module}.{alias.name}" for alias in node.names}
            found |= (pairs & names.keys()) or ({module} & names.keys())
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & names.keys()
    return found


STATELESS = [
    path
    for path in SOURCES
    # Families, contract and causal models follow; programs count what an Inspect sandbox has run.
    if not {"families", "contract", "scm"} & set(path.parts) and path.stem != "programs"
]
CHANGES = {"append", "add", "update", "setdefault", "pop", "clear", "extend", "remove"}


@pytest.mark.parametrize("path", STATELESS, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_nothing_at_the_top_of_a_module_changes(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tops = {
        name.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
            own = {name.id for name in names if isinstance(name.ctx, ast.Store)}
            own |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
            assert not _list_changed(function) & (tops - own), function.name


def _list_changed(function: ast.AST) -> set[str]:
    """Return the names of containers that a function changes."""
    changed = set()
    for node in ast.walk(function):
        match node:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                changed.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute)):
                changed |= {name} if attribute in CHANGES else set()
    return changed


@pytest.mark.parametrize("path", STATELESS, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_a_cache_with_arguments_is_bounded_and_nothing_is_known_by_its_address(path: Path) -> None:
    if "sandbox" in path.parts:
        pytest.skip("what a machine can do is asked of it once")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.args.args:
            marks = {ast.unparse(mark) for mark in node.decorator_list}
            assert not marks & {"cache", "functools.cache", "lru_cache(maxsize=None)"}, node.name
        assert not (isinstance(node, ast.Call) and ast.unparse(node.func) == "id")


CACHES = {"cache", "lru_cache"}
MOST_CACHES = 50


def _list_caches(path: Path) -> list[tuple[ast.FunctionDef, ast.expr]]:
    return [
        (node, mark)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        for mark in node.decorator_list
        if ast.unparse(mark).partition("(")[0].removeprefix("functools.") in CACHES
    ]


def test_there_are_few_caches() -> None:
    assert sum(len(_list_caches(path)) for path in SOURCES) <= MOST_CACHES


MOST_SILENT = 8
"""Caches of CausalLink, ReCITE and the readers of replies; it may only fall."""


def test_every_cache_says_why_it_is_there() -> None:
    silent = []
    for path in SOURCES:
        lines = path.read_text(encoding="utf-8").splitlines()
        for node, mark in _list_caches(path):
            said = "#" in lines[mark.lineno - 1] or lines[mark.lineno - 2].lstrip().startswith("#")
            silent += [] if said else [f"{path.relative_to(ROOT)}: {node.name}"]
    assert len(silent) <= MOST_SILENT, silent


def test_every_cache_with_arguments_is_bounded() -> None:
    unbounded = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in SOURCES
        for node, mark in _list_caches(path)
        if (node.args.args or node.args.kwonlyargs) and not isinstance(mark, ast.Call)
    ]
    assert not unbounded


def test_no_path_of_a_machine_is_in_the_repository() -> None:
    machine = re.compile(r"/(?:work|root|farm|home)/[a-z0-9.]", flags=re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in tracked()
        if path.suffix in {".py", ".md", ".toml", ".txt", ".csv", ".html"} or path.name == "run"
        for line in path.read_text(encoding="utf-8").splitlines()
        if machine.search(line) and path != Path(__file__)
    ]
    assert not found


def test_the_lock_holds_no_address() -> None:
    assert "://" not in (ROOT / "constraints.txt").read_text(encoding="utf-8")


def test_every_family_of_ours_has_an_inspect_task() -> None:
    from causarium import tasks

    for name in FAMILIES:
        assert callable(getattr(tasks, name))


@pytest.mark.xdist_group("house")
@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="the tests run in one process")
def test_tests_that_share_games_run_in_one_worker(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith("@house")
