"""Documents in wordings of one's own, as a set file that can be played."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from causarium.contract.sets.instance_sets import read_set
from causarium.errors import BadFile, UsageError
from causarium.families.recite import FAMILY
from causarium.families.recite.catalogue import wordings as catalogue
from causarium.family_commands.recite import app


def run(*words: object):
    return CliRunner().invoke(app, ["wordings", *map(str, words)], catch_exceptions=False)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    source = Path(catalogue.__file__).parent / "wordings" / "alder.toml"
    path = tmp_path / "mine.toml"
    path.write_text(source.read_text("utf-8").replace("rose|fell", "came|went"), "utf-8")
    return path


def test_a_file_of_wordings_becomes_a_set(mine: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.jsonl"
    done = run(mine, "--size", 1, "--seed", 5, "--out", out)
    assert done.exit_code == 0, done.output
    header, (only,) = read_set(out, FAMILY)
    assert header.edition == "certified"
    assert "-w" in only.id
    assert only.secret.wording is not None


def test_wordings_that_cannot_be_used_are_refused(mine: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="mini is not a level of synthetic documents"):
        run(mine, "--level", "mini", "--out", tmp_path / "x.jsonl")
    broken = tmp_path / "broken.toml"
    broken.write_text(mine.read_text("utf-8").replace("{c} pushed {e}", "{c} pushed"), "utf-8")
    with pytest.raises(BadFile, match="must have just the slots"):
        run(broken, "--out", tmp_path / "x.jsonl")
