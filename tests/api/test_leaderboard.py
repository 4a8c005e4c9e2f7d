"""Submissions and the page made of them: what counts, and what is left out in words."""

import json
import shutil
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog
from typer.testing import CliRunner

import causarium as cm
from causarium.api.leaderboard import check_submission, submit, write_leaderboard
from causarium.api.verify import seal_run
from causarium.cli import app
from causarium.errors import MissingExtra, UsageError
from causarium.report.data.leaderboard import Facts, build_leaderboard
from causarium.scoring.item_model import Outcome
from tests.engine.verify.test_seal import make_key
from tests.support.tampered_logs import tamper


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two agents on one whole set, and one of them on part of another."""
    folder = tmp_path_factory.mktemp("logs")
    given = {"set": "smoke", "log_dir": folder, "progress": False}
    cm.evaluate("causallink", model="script/silent", **given)
    cm.evaluate("causallink", model="script/echo", **given)
    cm.evaluate("replayscm", model="script/silent", limit=2, **given)
    easier = {"uncounted_choice_actions": True}
    cm.evaluate(
        "causallink", model="script/silent", rules=easier, **given | {"log_dir": folder / "easier"}
    )
    cm.evaluate("causallink", player="oracle", **given | {"log_dir": folder / "oracle"})
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


@pytest.mark.parametrize(
    ("place", "fault"),
    [("easier", "other rules than the edition's: uncounted"), ("oracle", "player/oracle played")],
)
def test_only_models_by_the_editions_rules_can_be_submitted(
    logs: Path, place: str, fault: str
) -> None:
    (found,) = check_submission(logs / place, set_name="smoke").faults
    assert fault in found


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


@pytest.fixture
def copy(results: Path, tmp_path: Path) -> Path:
    """The submissions, to be changed."""
    return Path(shutil.copytree(results, tmp_path / "results"))


def rename(folder: Path, name: str) -> None:
    file = folder / "submission.json"
    told = json.loads(file.read_text())
    told["facts"]["name"] = name
    file.write_text(json.dumps(told))


def test_what_does_not_count_adds_nothing_to_what_does(
    logs: Path, results: Path, copy: Path, tmp_path: Path
) -> None:
    """Runs count one by one: a second one of the family, better or not, changes no score."""
    before = write_leaderboard(results, out=tmp_path / "before", set_name="smoke")
    for log in (logs / "oracle").rglob("*.eval"):
        shutil.copy(log, copy / "silent--b" / "causallink")
    after = write_leaderboard(copy, out=tmp_path / "after", set_name="smoke")
    assert (after.entries, after.columns) == (before.entries, before.columns)
    assert any("player/oracle played" in sentence for sentence in after.left_out)
    (echo,) = find(logs, "causallink", "echo").rglob("*.eval")
    shutil.copy(echo, copy / "silent--b" / "causallink")
    after = write_leaderboard(copy, out=tmp_path / "after", set_name="smoke")
    assert after.entries == before.entries
    assert "silent--b: causallink: submission.json names another agent or set" in after.left_out


def test_a_name_belongs_to_one_model(copy: Path, tmp_path: Path) -> None:
    shutil.copytree(copy / "echo--b", copy / "again")
    shutil.copytree(copy / "echo--b", copy / "player")
    rename(copy / "player", "Player/scientist")
    board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    assert [entry.facts.name for entry in board.entries] == ["echo <b>", "silent <b>"]
    assert board.left_out[0] == "echo--b: another submission goes by the name 'echo <b>'"
    assert board.left_out[1].startswith("player: the name 'Player/scientist' is kept")
    check = check_submission(copy / "again", set_name="smoke")
    with pytest.raises(UsageError, match="is kept for players and people"):
        submit(check, Facts(name="human"), copy, set_name="smoke")
    assert len(submit(check, Facts(name="ä" * 300), copy, set_name="smoke").name) == 60


def test_names_that_look_alike_are_not_pooled(copy: Path, tmp_path: Path) -> None:
    rename(copy / "echo--b", "acme/m")
    rename(copy / "silent--b", "openai-api/acme/m")
    board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    assert [entry.scores["causallink"].n for entry in board.entries] == [
        board.columns[0].instances
    ] * 2


def test_one_bad_folder_is_left_out_alone(copy: Path, tmp_path: Path) -> None:
    for name in ("empty", "unknown", "nothing"):
        shutil.copytree(copy / "echo--b", copy / name)
        rename(copy / name, name)
    (copy / "empty" / "submission.json").write_text("{}")
    (unknown,) = (copy / "unknown").rglob("*.eval")
    (nothing,) = (copy / "nothing").rglob("*.eval")

    def change_family(log: EvalLog) -> None:
        (log.eval.metadata or {})["family"] = log.eval.task = "nope"

    def take_samples(log: EvalLog) -> None:
        log.samples = []

    tamper(unknown, change_family)
    tamper(nothing, take_samples)
    board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    assert len(board.entries) == 2
    said = {sentence.partition(":")[0] for sentence in board.left_out}
    assert said - {"how hard tiers are"} == {"empty", "unknown", "nothing"}


def test_reproduced_is_another_log_with_another_key(copy: Path, tmp_path: Path) -> None:
    def marks() -> list[tuple[bool, bool]]:
        board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
        return [(bool(entry.signed), entry.reproduced) for entry in board.entries[1:]]

    keys = [make_key(tmp_path, name) for name in ("one", "two")]
    shutil.copytree(copy / "silent--b", copy / "silent-c")
    rename(copy / "silent-c", "silent <c>")
    first, second = copy / "silent--b" / "causallink", copy / "silent-c" / "causallink"
    seal_run(first, key=keys[0])
    seal_run(second)
    assert marks() == [(True, False), (False, False)]
    seal_run(second, key=keys[1])
    assert marks() == [(True, False), (True, False)]
    (log,) = second.glob("*.eval")
    tamper(log, lambda content: setattr(content.eval, "created", "2026-01-01T00:00:00+00:00"))
    broken = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    assert any("seal: " in sentence for sentence in broken.left_out)
    seal_run(second, key=keys[1])
    assert marks() == [(True, True), (True, True)]


def test_without_scipy_the_page_says_what_it_lacks(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes: list[Outcome] = []

    def lack(given: list[Outcome]) -> None:
        outcomes.extend(given)
        raise MissingExtra("an item model", "difficulty")

    monkeypatch.setattr("causarium.report.data.leaderboard.fit_item_model", lack)
    board = write_leaderboard(results, out=tmp_path, set_name="smoke")
    assert any("causarium[difficulty]" in sentence for sentence in board.left_out)
    once = len(outcomes)
    rows = [row for row in cm.read_rows(results) if row.agent == "script/echo"]
    again = [row.model_copy(update={"epoch": 2}) for row in rows]
    build_leaderboard([(board.entries[0], [*rows, *again])], [], set_name="smoke")
    assert len(outcomes) - once == len(rows)


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
