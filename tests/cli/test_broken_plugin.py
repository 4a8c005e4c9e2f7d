"""A package that cannot be imported costs its own family, and one line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from causarium.cli.commands import _PASSES_ON, _stand_in
from causarium.engine.run.models import find_served_model
from causarium.errors import UsageError
from causarium.families import COMMAND_PACKAGES


@pytest.fixture
def broken(tmp_path: Path) -> dict[str, str]:
    """An environment in which a package of another family, and its commands, is broken."""
    folder = tmp_path / "broken_lamps-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-lamps\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(
        "[causarium.families]\nlamps = broken_lamps:FAMILY\n"
        "[causarium.commands]\nlamps = broken_lamps:app\n"
    )
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def causarium(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "causarium", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_list_shows_the_others_and_says_in_one_line_what_is_wrong(broken: dict[str, str]) -> None:
    said = "lamps cannot be loaded (ModuleNotFoundError: No module named 'broken_lamps')"
    done = causarium(broken, "list")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == said
    assert done.stdout.startswith("causallink")
    assert done.stderr == (
        "the commands of lamps cannot be loaded "
        "(ModuleNotFoundError: No module named 'broken_lamps')\n"
    )
    listed = json.loads(causarium(broken, "list", "--json").stdout)
    assert [len(listed["families"]), listed["problems"]] == [5, [said]]


def test_whoever_asks_for_it_is_told_why_not(broken: dict[str, str]) -> None:
    done = causarium(broken, "show", "lamps")
    assert done.returncode == 2
    assert "lamps cannot be loaded (ModuleNotFoundError" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_in_a_package_of_its_own_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("causarium.engine.run.models.entry_points", lambda **_: ())
    with pytest.raises(UsageError, match="pip install causarium-local"):
        find_served_model("local", {}, {})
    for name, package in COMMAND_PACKAGES.items():
        alone = typer.Typer()
        alone.command(context_settings=_PASSES_ON)(_stand_in(name, package))
        done = CliRunner().invoke(alone, ["slots", "FILE", "--out", "here"])
        assert f"pip install {package}" in str(done.exception)
    assert find_served_model("openai/gpt-5", {}, {}) is None
