"""`causarium recite slots`: a private file is checked, attacked and drawn from."""

import json
from contextlib import nullcontext
from pathlib import Path

import pytest
from causarium_recite_lab import ask_model
from causarium_recite_lab.commands import app
from typer.testing import CliRunner

from causarium.contract.sets.instance_sets import read_set
from causarium.contract.texts.role_questions import Ask
from causarium.errors import BadFile, RunError, UsageError
from causarium.families.recite import FAMILY
from causarium.families.recite.generation.generate import FOLDER
from causarium.families.recite.generation.slot_documents import FORMS
from causarium.families.recite.players import tone_of_passages
from causarium.families.recite.players.tone_of_passages import ToneResult

OURS = FOLDER / "embankment.slots.toml"


def run(*words: object) -> str:
    command = ["slots", *map(str, words)]
    return CliRunner().invoke(app, command, catch_exceptions=False).output


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


def test_a_dot_in_the_name_keeps_its_twins_apart(file: Path) -> None:
    dotted = file.rename(file.with_name("mine.v2.slots.toml"))
    run(dotted, "--out", file.with_name("twins"))
    written = {path.name for path in file.with_name("twins").iterdir()}
    ends = (f"{form}-{name}.{end}" for form in FORMS for name in "ab" for end in ("md", "json"))
    assert written == {f"mine.v2-{one}" for one in ends}


@pytest.mark.parametrize("contrast", [0.36, -0.36])
def test_where_tone_tells_near_versions_apart_nothing_is_written(
    file: Path, monkeypatch: pytest.MonkeyPatch, contrast: float
) -> None:
    found = ToneResult("words of doubt", "near", contrast, 9)
    monkeypatch.setattr(tone_of_passages, "attack_tone", lambda *_: [found])
    set_file, out = file.with_name("mine.jsonl"), file.with_name("twins")
    with pytest.raises(UsageError, match="an attack by tone earns more"):
        run(file, "--out", out, "--set", set_file)
    assert not set_file.exists()
    assert not out.exists()


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
    with pytest.raises(UsageError, match="one file has only one; take far"):
        run(file, "--set", file.with_name("mine.jsonl"), "--level", "dossier")


def name(file: Path, out: Path) -> None:
    words = ["names-only", str(file), str(OURS), "--model", "any", "--out", str(out)]
    CliRunner().invoke(app, words, catch_exceptions=False)


def test_answers_by_names_are_resumed_and_then_asked_anew(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = file.with_name("answers.json")
    asked: list[Ask] = []

    def reply(ask: Ask) -> str:
        asked.append(ask)
        if len(asked) == 2:
            raise RunError("no answer")
        return '{"relationships": []}'

    monkeypatch.setattr(ask_model, "open_model", lambda _model: nullcontext(reply))
    other = file.read_text("utf-8-sig").replace('title = "', 'title = "Another ', 1)
    file.write_text(other, "utf-8")
    with pytest.raises(RunError):
        name(file, out)
    name(file, out)
    assert len(asked) == 3
    assert len(json.loads(out.read_text("utf-8"))["answers"]) == 2
    name(file, out)
    assert len(asked) == 5


@pytest.mark.parametrize("content", ["{", "[]", '{"answers": [1]}'])
def test_what_is_no_file_of_answers_is_refused_and_kept(file: Path, content: str) -> None:
    out = file.with_name("answers.json")
    out.write_text(content, "utf-8")
    with pytest.raises(BadFile, match="is no file of recorded answers"):
        name(file, out)
    assert out.read_text("utf-8") == content
