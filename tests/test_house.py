"""Rules of the house that no linter knows."""

import ast
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
MAX_LINES = 400
MAX_INIT_LINES = 60
MAX_FUNCTION_LINES = 50


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.splitlines()]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_a_module_is_short_enough_to_have_one_subject(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= (MAX_INIT_LINES if path.name == "__init__.py" else MAX_LINES)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_a_function_fits_on_a_screen(path: Path) -> None:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    long = [
        node.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, functions)
        and (node.end_lineno or 0) - node.lineno >= MAX_FUNCTION_LINES
    ]
    assert not long


def test_no_module_is_called_after_having_no_subject() -> None:
    vague = {"utils", "helpers", "common", "misc", "manager", "base"}
    assert not [path for path in SOURCES if path.stem.strip("_") in vague]


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
    from inspect_ai._util.registry import registry_lookup

    from causarium.families import FAMILIES

    for name in FAMILIES:
        assert registry_lookup("task", f"causarium/{name}") is not None


@pytest.mark.xdist_group("house")
@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="the tests run in one process")
def test_tests_that_share_games_run_in_one_worker(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith("@house")
