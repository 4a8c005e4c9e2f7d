"""Every submission that the repository holds verifies."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.event import ModelEvent
from inspect_ai.log import read_eval_log

from causarium import list_families
from causarium.api.leaderboard import check_submission, submit, write_leaderboard
from causarium.api.verify import SUBMISSION
from causarium.report.data.leaderboard import Facts

RESULTS = Path(__file__).resolve().parents[1] / "results"
SUBMISSIONS = sorted(path.parent.name for path in RESULTS.glob(f"*/{SUBMISSION}"))


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_a_submission_verifies_whole_and_says_what_its_logs_say(name: str, tmp_path: Path) -> None:
    told = json.loads((RESULTS / name / SUBMISSION).read_bytes())
    facts = Facts.model_validate(told["facts"])
    anew = submit(check_submission(RESULTS / name), facts, tmp_path)
    assert anew.name == name
    assert json.loads((anew / SUBMISSION).read_bytes()) == told


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


@pytest.mark.slow
def test_the_shares_of_cut_replies_are_those_of_the_logs() -> None:
    text = (RESULTS / "README.md").read_text(encoding="utf-8").partition("in per cent:")[2]
    rows = [line.strip("| ").split(" | ")[2:] for line in text.splitlines() if "|" in line][2:]
    names = ("smollm2", "qwen2.5-coder-1.5b-instruct", "gemma")
    folders = [
        next(RESULTS.glob(f"{one}*--{how}")) for one in names for how in ("constrained", "free")
    ]
    folders.append(next(RESULTS.glob("*--trained-on-all-five")))
    for folder, told in zip(folders, rows, strict=True):
        counted = [count_cut_replies(folder, family) for family in list_families()]
        assert [int(share) for share in told] == counted, folder.name


def count_cut_replies(folder: Path, family: str) -> int:
    (file,) = (folder / family).glob("*.eval")
    events = [event for sample in read_eval_log(str(file)).samples or () for event in sample.events]
    stops = [event.output.stop_reason for event in events if isinstance(event, ModelEvent)]
    return round(100 * stops.count("max_tokens") / len(stops))


def test_a_folder_of_logs_has_a_submission() -> None:
    assert {path.parents[1].name for path in RESULTS.rglob("*.eval")} <= set(SUBMISSIONS)
