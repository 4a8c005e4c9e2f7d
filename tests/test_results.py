"""Every submission that the repository holds verifies."""

import json
from pathlib import Path
from typing import Any

import pytest

from causarium.api.leaderboard import check_submission, write_leaderboard
from causarium.api.verify import SUBMISSION

RESULTS = Path(__file__).resolve().parents[1] / "results"
SUBMISSIONS = sorted(path.parent.name for path in RESULTS.glob(f"*/{SUBMISSION}"))


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_a_submission_verifies_whole(name: str) -> None:
    assert check_submission(RESULTS / name).faults == ()


@pytest.mark.slow
def test_the_leaderboard_is_what_the_logs_say(tmp_path: Path) -> None:
    """Every number of the stored file, but for difficulties, which need scipy."""

    def read(file: Path) -> dict[str, Any]:
        text = file.read_text(encoding="utf-8")
        board = json.loads(text, parse_float=lambda number: round(float(number), 9))
        board.pop("left_out")
        for column in board["columns"]:
            column.pop("difficulties")
        return dict(board)

    assert write_leaderboard(RESULTS, out=tmp_path).entries
    assert read(tmp_path / "leaderboard.json") == read(RESULTS / "leaderboard.json")


def test_a_folder_of_logs_has_a_submission() -> None:
    assert {path.parents[1].name for path in RESULTS.rglob("*.eval")} <= set(SUBMISSIONS)
