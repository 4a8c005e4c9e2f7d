"""`causarium recite slots`: a private file is checked, attacked and drawn from."""

import json
from pathlib import Path

import pytest
import typer
from causarium_recite_lab.commands.slots import add_to
from typer.testing import CliRunner

from causarium.contract.sets.instance_sets import read_set
from causarium.errors import BadFile, UsageError
from causarium.families.recite import FAMILY
from causarium.families.recite.generation.generate import FOLDER

APP = typer.Typer()
add_to(APP)
OURS = FOLDER / "embankment.slots.toml"


def run(*words: object) -> str:
    command = ["slots", *map(str, words)]
    return CliRunner().invoke(APP, command, catch_exceptions=False).output


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A copy under another name, of which nobody has learned the tone."""
    path = tmp_path / "mine.slots.toml"
    path.write_text(OURS.read_text("utf-8"), encoding="utf-8-sig")
    return path


def test_a_file_is_checked_and_attacked_and_gives_twins_and_a_set(file: Path) -> None:
    set_file, out = file.with_name("mine.jsonl"), file.with_name("twins")
    said = run(file, "--out", out, "--set", set_file, "--size", 3)
    assert "attack   near, learned tone" in said
    texts = [(out / f"mine-near-{name}.md").read_text("utf-8") for name in "ab"]
    graphs = [json.loads((out / f"mine-near-{name}.json").read_text("utf-8")) for name in "ab"]
    assert texts[0] != texts[1]
    assert graphs[0] != graphs[1]
    _, drawn = read_set(set_file, FAMILY)
    assert len(drawn) == 4
    assert all(one.public.has_twin for one in drawn)


def test_a_damaged_file_is_refused_in_a_sentence_with_slot_and_reason(file: Path) -> None:
    damaged = file.read_text("utf-8-sig").replace("{s03}", "")
    file.write_text(damaged, "utf-8")
    assert run(file) == "refused  s03: {s03} stands in the text 0 times, not 1\n"


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", "title: Field required"), (b"\xff\xfe\x00", "cannot read"), (b"<html>", "as TOML")],
)
def test_what_is_no_slot_file_is_refused(file: Path, content: bytes, why: str) -> None:
    file.write_bytes(content)
    with pytest.raises(BadFile, match=why):
        run(file)
    with pytest.raises(BadFile, match="cannot read"):
        run(file.parent)


def test_what_cannot_be_written_or_drawn_is_refused(file: Path) -> None:
    with pytest.raises(UsageError, match="is a file; --out names a folder"):
        run(file, "--out", file)
    with pytest.raises(UsageError, match="paper-mini are not drawn from slot files"):
        run(file, "--set", file.with_name("mine.jsonl"), "--level", "paper-mini")
