"""Habits of the house: the changelog's form, stale names, bars, mutants, the workflow."""

import importlib.util
import re
import sys
from collections.abc import Callable, Iterator
from inspect import isclass, isfunction, signature
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

import causarium as cm

ROOT = Path(__file__).resolve().parents[1]
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Scores")
MOST_LETTERS = 160


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_the_changelog_has_its_kinds_in_order() -> None:
    for version in re.split(r"^## ", CHANGES, flags=re.MULTILINE)[1:]:
        kinds = re.findall(r"^### (.+)$", version, flags=re.MULTILINE)
        assert kinds == [kind for kind in KINDS if kind in kinds], version[:20]


def test_a_change_is_told_in_one_sentence() -> None:
    told = re.findall(r"^- (.+)$", CHANGES, flags=re.MULTILINE)
    assert told
    assert not [line for line in told if len(line) > MOST_LETTERS or not line.endswith(".")]
    assert not [line for line in told if re.search(r"[a-z`]\. [A-Z`]", line)]


def test_no_group_repeats_possessively() -> None:
    """`(?:...)*+` loses its place on Python 3.11.2 of Debian 12; `(?>(?:...)*)` does not."""
    sources = [*ROOT.glob("src/**/*.py"), *ROOT.glob("packages/*/src/**/*.py")]
    assert sources
    possessive = re.compile(r"(?<!\\)\)[*+?]\+")
    assert not [path for path in sources if possessive.search(path.read_text(encoding="utf-8"))]


def test_bars_count_what_they_say(tmp_path: Path) -> None:
    folder = tmp_path / "src" / "families" / "any" / "certified"
    folder.mkdir(parents=True)
    copied = "".join(f"    {name} = size + {name!r}\n" for name in "abcdefgh")
    body = f"def draw(family, edition, size):\n{copied}"
    for name in ("one.py", "other.py"):
        (folder / name).write_text(f"from ..paper import draw\n\n\n{body}")
    (folder / "third.py").write_text(
        "families.get(name)\nfamilies.get(name, edition)\n" + "\n" * 601
    )
    (folder / "fourth.py").write_text("if view.edition == 'paper' or by_edition(view):\n    pass\n")
    (tmp_path / "packages").mkdir()
    counted = {name: bar.count for name, bar in load("bars").make_bars(tmp_path).items()}
    assert counted["duplicates"] == 1
    assert counted["to_paper"] == counted["twins"] == counted["dispatch"] == 2
    assert counted["to_certified"] == 0
    assert counted["bridge"] == counted["large"] == counted["small"] == 1


def list_public_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    for name in cm.__all__:
        found = getattr(cm, name)
        for place, function in {name: found, **(vars(found) if isclass(found) else {})}.items():
            if isfunction(function) and not place.startswith("_"):
                yield f"{name}.{place}", function


def test_what_users_call_says_what_it_takes() -> None:
    taking = {
        name: function
        for name, function in list_public_functions()
        if len(set(signature(function).parameters) - {"self", "cls"}) > 1
    }
    assert len(taking) > 12
    assert not [name for name, one in taking.items() if "Args:" not in (one.__doc__ or "")]


def test_the_workflow_calls_check_and_test_on_every_python_and_nothing_else() -> None:
    job = read_job("check")
    assert job["strategy"]["matrix"] == {"python": ["3.11", "3.12", "3.13"]}
    assert list_commands(job) == ["./run check", "./run test --whole"]


def test_what_takes_long_is_run_each_night() -> None:
    assert list_commands(read_job("nightly")) == ["./run nightly"]
    nightly = (ROOT / "run").read_text(encoding="utf-8").split("    nightly)\n")[1].split(";;")[0]
    for words in ("./run test --long", "./run check --full", "./run mutate --seed"):
        assert words in nightly


def read_job(name: str) -> dict[str, Any]:
    file = ROOT / ".github" / "workflows" / f"{name}.yml"
    (job,) = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].values()
    return dict(job)


def list_commands(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


def test_a_name_that_leads_nowhere_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale_names = load("stale_names")
    room = tmp_path / "src" / "house" / "room"
    room.mkdir(parents=True)
    for folder in (room, room.parent):
        (folder / "__init__.py").write_text("")
    (room / "doors.py").write_text('"""`doors.open`, `doors.close`, `shut.py`, `room.doors`."""\n')
    (room / "keys.py").write_text('def turn():\n    """`keys.turn()`, `os.path`, `keys.py`."""\n')
    monkeypatch.setattr(stale_names, "ROOT", tmp_path)
    monkeypatch.setattr(stale_names, "SOURCE", tmp_path / "src")
    found = [line.split("`")[1] for line in stale_names.list_stale_names(room / "doors.py")]
    assert found == ["doors.open", "doors.close", "shut.py"]
    assert not list(stale_names.list_stale_names(room / "keys.py"))


def test_a_mutant_changes_one_thing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mutate = load("mutate")
    source = tmp_path / "src" / "causarium"
    copy = tmp_path / "copy" / "causarium"
    for folder in (source, copy):
        folder.mkdir(parents=True)
    file = source / "small.py"
    file.write_text("def f(a: int = 1) -> bool:\n    return a < 2 and not a == 0\n")
    monkeypatch.setattr(mutate, "ROOT", tmp_path)
    monkeypatch.setattr(mutate, "SOURCE", tmp_path / "src")
    mutants = list(mutate.list_mutants(file))
    assert {(mutant.before, mutant.after) for mutant in mutants} >= {
        ("a < 2", "a <= 2"),
        ("a == 0", "a != 0"),
        ("2", "3"),
        ("not a == 0", "a == 0"),
    }
    for mutant in mutants:
        written = mutate.write_mutant(mutant, tmp_path / "copy").read_text()
        assert written != file.read_text()
        compile(written, "small.py", "exec")
