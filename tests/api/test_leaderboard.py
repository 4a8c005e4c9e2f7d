"""Submissions and the page made of them: what counts, and what is left out in words."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import causarium as cm
from causarium.api.leaderboard import check_submission, submit, write_leaderboard
from causarium.cli import app
from causarium.errors import UsageError
from causarium.report.data.leaderboard import Facts


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two agents on one whole set, and one of them on part of another."""
    folder = tmp_path_factory.mktemp("logs")
    given = {"set": "smoke", "log_dir": folder, "progress": False}
    cm.evaluate("causallink", model="script/silent", **given)
    cm.evaluate("causallink", model="script/echo", **given)
    cm.evaluate("replayscm", model="script/silent", limit=2, **given)
    return folder


def find(logs: Path, family: str, agent: str) -> Path:
    (found,) = (logs / family).glob(f"*script-{agent}*")
    return found


@pytest.fixture(scope="module")
def results(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    for agent in ("silent", "echo"):
        facts = Facts(name=f"{agent} <b>", about="Says nothing.")
        check = check_submission(find(logs, "causallink", agent), set_name="smoke")
        submit(check, facts, folder, set_name="smoke")
    return folder


def test_logs_of_part_of_a_set_cannot_be_submitted(logs: Path, tmp_path: Path) -> None:
    part = find(logs, "replayscm", "silent")
    check = check_submission(part, set_name="smoke")
    assert any("the whole set smoke counts" in fault for fault in check.faults)
    with pytest.raises(UsageError, match="cannot be submitted yet"):
        submit(check, Facts(name="part"), tmp_path, set_name="smoke")
    assert list(tmp_path.iterdir()) == []


def test_two_agents_are_two_submissions(logs: Path) -> None:
    both = [find(logs, "causallink", agent) for agent in ("silent", "echo")]
    check = check_submission(both, set_name="smoke")
    assert any("several agents" in fault for fault in check.faults)


def test_a_submission_is_made_once_and_verifies(results: Path) -> None:
    assert sorted(path.name for path in results.iterdir()) == ["echo--b", "silent--b"]
    assert all(proof.is_verified for proof in cm.verify_logs(results))
    told = json.loads((results / "silent--b" / "submission.json").read_text())
    assert told["agent"] == "script/silent"
    assert list(told["logs"]) == ["causallink"]
    again = check_submission(results / "echo--b", set_name="smoke")
    submit(again, Facts(name="echo b"), results, set_name="smoke")
    with pytest.raises(UsageError, match="already exists"):
        submit(again, Facts(name="echo b"), results, set_name="smoke")
    shutil.rmtree(results / "echo-b")


def test_the_page_shows_every_entry_on_the_scale(results: Path, tmp_path: Path) -> None:
    board = write_leaderboard(results, out=tmp_path, set_name="smoke")
    (column,) = board.columns
    assert [entry.facts.name for entry in board.entries] == ["echo <b>", "silent <b>"]
    for entry in board.entries:
        assert entry.scores["causallink"].value <= 0
        assert set(entry.tiers["causallink"]) <= set(column.tiers)
    assert all(place.thin for place in column.difficulties.values())
    (duel,) = board.duels
    assert duel.difference.n == column.instances
    assert sum(duel.counts) == column.instances
    assert duel.difference.low < duel.difference.high
    assert column.scale.reference is not None
    page = (tmp_path / "index.html").read_text()
    assert "silent &lt;b&gt;" in page
    assert "<b>silent" not in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org", "")
    again = write_leaderboard(results, out=tmp_path / "again", set_name="smoke")
    assert again == board


def test_a_changed_log_is_left_out_in_words(results: Path, tmp_path: Path) -> None:
    copy = tmp_path / "results"
    shutil.copytree(results, copy)
    (log,) = (copy / "echo--b" / "causallink").glob("*.eval")
    log.write_bytes(log.read_bytes()[:-200])
    board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    assert [entry.facts.name for entry in board.entries] == ["silent <b>"]
    assert any(sentence.startswith("echo--b: ") for sentence in board.left_out)


def test_a_folder_without_whole_sets_has_no_page(logs: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing for a leaderboard of standard"):
        write_leaderboard(logs, out=tmp_path)


def test_the_command_says_what_is_missing(logs: Path) -> None:
    whole = str(find(logs, "causallink", "echo"))
    done = CliRunner().invoke(app, ["submit", whole, "--set", "smoke", "--check"])
    assert done.exit_code == 0
    assert "1 sets can be submitted" in done.stdout
    done = CliRunner().invoke(app, ["submit", whole, "--check"])
    assert done.exit_code == 1
    assert "the whole set standard counts" in done.stdout
