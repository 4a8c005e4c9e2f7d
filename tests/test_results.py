"""Every submission that the repository holds verifies, and the stored leaderboard is theirs."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import causarium as cm
from causarium.api.leaderboard import Submission, check_submission, submit, write_leaderboard
from causarium.api.verify import SUBMISSION
from causarium.report.data.leaderboard import Facts, Leaderboard, list_columns

RESULTS = Path(__file__).resolve().parents[1] / "results"
STORED = RESULTS / "leaderboard.json"
SUBMISSIONS = sorted(path.parent.name for path in RESULTS.glob(f"*/{SUBMISSION}"))


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_a_submission_verifies_whole_and_says_what_its_logs_say(name: str, tmp_path: Path) -> None:
    assert_made_anew(RESULTS / name, tmp_path)


def assert_made_anew(folder: Path, out: Path) -> None:
    """Hold every file of a submission, and its name, against the one that its logs make."""
    told = Submission.model_validate(json.loads((folder / SUBMISSION).read_bytes()))
    check = check_submission(folder, set_name=told.set)
    anew = submit(check, told.facts, out, set_name=told.set)
    assert anew.name == folder.name
    assert read_files(anew) == read_files(folder)


def read_files(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def submission(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A submission of a model that says nothing."""
    logs = tmp_path_factory.mktemp("logs")
    cm.evaluate("causallink", model="script/silent", set="smoke", log_dir=logs, progress=False)
    facts = Facts(name="silent", size=0.1, licence="MIT", trained=False)
    check = check_submission(logs, set_name="smoke")
    return submit(check, facts, tmp_path_factory.mktemp("results"), set_name="smoke")


def add_a_page(folder: Path) -> None:
    (folder / "causallink" / "notes.html").write_text("<script></script>")


def add_a_copy(folder: Path) -> None:
    (log,) = (folder / "causallink").iterdir()
    shutil.copytree(log.parent, folder / "more")


def move_a_family(folder: Path) -> None:
    (folder / "causallink").rename(folder / "causalab")


def name_two_agents(folder: Path) -> None:
    file = folder / SUBMISSION
    file.write_text(file.read_text().replace('"agent":', '"agent": "openai/gpt-5", "agent":'))


@pytest.mark.parametrize("change", [add_a_page, add_a_copy, move_a_family, name_two_agents])
def test_a_submission_that_was_altered_is_not_what_its_logs_make(
    change: Callable[[Path], None], submission: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(submission, tmp_path / submission.name))
    assert_made_anew(folder, tmp_path / "whole")
    change(folder)
    with pytest.raises(AssertionError):
        assert_made_anew(folder, tmp_path / "altered")


def read_board(file: Path) -> dict[str, Any]:
    board = json.loads(
        file.read_text(encoding="utf-8"), parse_float=lambda number: round(float(number), 9)
    )
    board.pop("left_out")
    return dict(board)


@pytest.mark.slow
def test_the_leaderboard_is_what_the_logs_say(tmp_path: Path) -> None:
    write_leaderboard(RESULTS, out=tmp_path)
    assert read_board(tmp_path / STORED.name) == read_board(STORED)


def test_the_leaderboard_has_the_ladders_of_today_and_who_is_submitted() -> None:
    board = Leaderboard.model_validate_json(STORED.read_bytes())
    bare = {"reference": None, "program": None}
    stored = [column.model_copy(update=bare) for column in board.columns]
    assert stored == list(list_columns("standard"))
    assert sorted(entry.folder for entry in board.entries) == SUBMISSIONS


def test_a_folder_of_logs_has_a_submission() -> None:
    assert {path.parents[1].name for path in RESULTS.rglob("*.eval")} <= set(SUBMISSIONS)
