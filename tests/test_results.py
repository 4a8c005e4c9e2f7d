"""Every submission that the repository holds verifies."""

from pathlib import Path

import pytest

from causarium.api.leaderboard import check_submission
from causarium.api.verify import SUBMISSION

RESULTS = Path(__file__).resolve().parents[1] / "results"
SUBMISSIONS = sorted(path.parent.name for path in RESULTS.glob(f"*/{SUBMISSION}"))


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_a_submission_verifies_whole(name: str) -> None:
    assert check_submission(RESULTS / name).faults == ()


def test_a_folder_of_logs_has_a_submission() -> None:
    assert {path.parents[1].name for path in RESULTS.rglob("*.eval")} <= set(SUBMISSIONS)
