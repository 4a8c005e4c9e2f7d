"""The examples run, and say what they promise to say."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def test_a_player_of_ones_own_is_compared_with_ours(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "write_a_player.py"), run_name="__main__")
    mine, optimal, lead = capsys.readouterr().out.splitlines()
    assert mine.strip().startswith("mine: 0.")
    assert optimal.strip().startswith("optimal: 1.000")
    assert lead.startswith("optimal leads by 0.")


def test_every_example_is_run_here() -> None:
    assert [path.name for path in EXAMPLES.glob("*.py")] == ["write_a_player.py"]
