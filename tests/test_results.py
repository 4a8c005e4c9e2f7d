"""Every submission that the repository holds verifies."""

import json
import shutil
from collections.abc import Callable
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
    assert_made_anew(RESULTS / name, tmp_path)


def assert_made_anew(folder: Path, out: Path) -> None:
    """Hold every file of a submission, and its name, against the one that its logs make."""
    facts = Facts.model_validate(json.loads((folder / SUBMISSION).read_bytes())["facts"])
    anew = submit(check_submission(folder), facts, out)
    assert anew.name == folder.name
    assert read_files(anew) == read_files(folder)


def read_files(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


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
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    stored = RESULTS / SUBMISSIONS[0]
    folder = tmp_path / stored.name
    shutil.copytree(stored / "causallink", folder / "causallink")
    told = json.loads((stored / SUBMISSION).read_bytes())
    told["logs"] = {"causallink": told["logs"]["causallink"]}
    (folder / SUBMISSION).write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    assert_made_anew(folder, tmp_path / "whole")
    change(folder)
    with pytest.raises(AssertionError):
        assert_made_anew(folder, tmp_path / "altered")


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
    names = ("smollm2", "qwen2.5-coder-0.5b", "tinyllama", "qwen2.5-coder-1.5b-instruct", "gemma")
    folders = [
        next(RESULTS.glob(f"{one}*--{how}")) for one in names for how in ("constrained", "free")
    ]
    folders.append(next(RESULTS.glob("*--trained-on-all-five")))
    for folder, told in zip(folders, rows, strict=True):
        counted = [count_cut_replies(folder, family) for family in list_families()]
        assert told == counted, folder.name


def count_cut_replies(folder: Path, family: str) -> str:
    file = next((folder / family).glob("*.eval"), None)
    if file is None:
        return "–"
    events = [event for sample in read_eval_log(str(file)).samples or () for event in sample.events]
    stops = [event.output.stop_reason for event in events if isinstance(event, ModelEvent)]
    return str(round(100 * stops.count("max_tokens") / len(stops)))


def test_a_folder_of_logs_has_a_submission() -> None:
    assert {path.parents[1].name for path in RESULTS.rglob("*.eval")} <= set(SUBMISSIONS)
