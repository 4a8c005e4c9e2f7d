"""The quick demo: players alone, or beside a recorded run; a tiny stand-in for the real one."""

import re
from pathlib import Path

import pytest
from inspect_ai import eval
from inspect_ai.log import read_eval_log

from causarium import families
from causarium.api.demo import (
    ABOUT,
    FOLDER,
    DemoLine,
    QuickDemo,
    list_recorded_logs,
    read_recorded,
)
from causarium.api.verify import verify_logs
from causarium.engine.logbook.reference_rows import list_reference_players
from causarium.engine.record.episode_record import score_record
from causarium.engine.task.family_task import build_task
from causarium.errors import BadFile
from causarium.families.causallink import FAMILY
from causarium.families.causallink.task import causallink_verdict
from tests.support.scripted import in_turn, scripted_model

DIGEST = FAMILY.card.sets["certified"]["smoke"].digest
needs_recording = pytest.mark.skipif(read_recorded() is None, reason="no recorded run ships")


def write_about(folder: Path, digest: str = DIGEST) -> None:
    about = {
        "model": "Tiny",
        "licence": "MIT",
        "weights": "one number, 0",
        "server": "a lamp on 127.0.0.1",
        "made": "2026-01-02",
        "command": "causarium run causallink --set smoke",
    }
    lines = [f'{key} = "{value}"' for key, value in about.items()]
    sets = f'[sets]\ncausallink = "{digest}"'
    (folder / ABOUT).write_text("\n".join((*lines, sets)), encoding="utf-8")


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded run of a model that says the same thing for ever."""
    folder = tmp_path_factory.mktemp("recorded")
    settings = {"edition": "certified", "set_name": "smoke", "file": None, "rules": {}}
    task = build_task(FAMILY, causallink_verdict(), player=None, **settings)
    says = ['{"shape": "heart", "action": "hold"}', '{"answer": "no"}']
    model = scripted_model(in_turn(says))
    eval(task, model=model, log_dir=str(folder), display="none", limit=3)
    write_about(folder)
    return folder


def play_family(tour: QuickDemo, monkeypatch: pytest.MonkeyPatch) -> list[DemoLine]:
    monkeypatch.setattr(families, "names", lambda: ("causallink",))
    tour.open_recording()
    return list(tour.play())


def test_without_a_recording_the_players_play_the_whole_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tour = QuickDemo(folder=tmp_path)
    lines = play_family(tour, monkeypatch)
    assert (tour.recorded, tour.notes) == (None, [])
    assert [line.agent for line in lines] == list(list_reference_players(FAMILY))
    assert {line.cases for line in lines} == {30}
    assert str(lines[-1]).split()[:4] == ["causallink", "oracle", "30", "cases"]
    report = tour.write_report(tmp_path / "out")
    assert report.files["html"].is_file()


def test_a_recording_of_some_cases_stands_beside_players_on_the_same(
    recording: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tour = QuickDemo(folder=recording)
    lines = play_family(tour, monkeypatch)
    assert tour.recorded is not None
    for word in ("Tiny", "MIT", "a lamp", "2026-01-02", "causarium run causallink", "no model is"):
        assert word in tour.recorded.sentence
    assert lines[-1].seconds is None
    assert "3 of 30 cases" in str(lines[-1])
    assert re.search(r"recorded; on the same: \w+ \d\.\d+, \w+ 1\.000$", str(lines[-1]))
    assert {line.cases for line in lines[:-1]} == {30}
    report = tour.write_report(tmp_path / "out")
    agents = {row.agent for row in report.rows}
    assert lines[-1].agent in agents
    assert "player/oracle" in agents
    assert {row.id for row in report.rows if row.agent == "player/oracle"} == {
        row.id for row in report.rows if row.agent == lines[-1].agent
    }


def test_its_scores_follow_from_its_replies(recording: Path) -> None:
    from causarium.engine.logbook.log_book import LogBook

    book = LogBook.read([recording])
    assert len(book.samples) == 3
    for sample in book.samples:
        verdict = score_record(FAMILY, sample.record, sample.turns)
        assert verdict.numbers["accuracy"] == sample.row.numbers["accuracy"]


def test_a_recording_of_another_set_is_left_out_with_words(recording: Path) -> None:
    about = (recording / ABOUT).read_text(encoding="utf-8")
    try:
        write_about(recording, "sha256:0")
        run = read_recorded(recording)
        assert run is not None
        logs, problems = list_recorded_logs(run, recording)
    finally:
        (recording / ABOUT).write_text(about, encoding="utf-8")
    assert logs == []
    assert "another version of its smoke set" in problems[0]


@pytest.mark.parametrize("text", ["this is no toml", 'model = "x"'])
def test_a_recording_that_says_too_little_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / ABOUT).write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=ABOUT):
        read_recorded(tmp_path)


@needs_recording
def test_the_recording_that_ships_is_of_the_sets_that_ship_and_verified() -> None:
    run = read_recorded()
    assert run is not None
    logs, problems = list_recorded_logs(run)
    assert problems == []
    assert len(logs) == len(run.sets)
    for proof in verify_logs(FOLDER):
        assert proof.is_verified, proof


@needs_recording
def test_the_recording_that_ships_names_no_place_of_the_machine_it_was_made_on() -> None:
    for path in FOLDER.glob("*.eval"):
        log = read_eval_log(str(path))
        assert (log.eval.revision, log.eval.model_base_url) == (None, None)
        assert log.eval.model_args == {}
        said = log.model_dump_json(exclude={"location"})
        assert re.findall(r"/(?:home|root|Users|work|tmp)/\w+|127\.0\.0\.1", said) == []
