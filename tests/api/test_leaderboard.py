"""Submissions and the page made of them: what counts, and what is left out in words."""

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalError, EvalLog, EvalSample, EvalSampleLimit
from inspect_ai.model import ModelUsage
from typer.testing import CliRunner

import causarium as cm
from causarium import families
from causarium.api.leaderboard import check_submission, submit, write_leaderboard
from causarium.api.scale.make_parts import write_parts
from causarium.api.verify import seal_run
from causarium.cli import app
from causarium.contract.frozen import digest
from causarium.contract.sets.instance_sets import SetHeader
from causarium.engine.record.episode_record import METADATA_KEY
from causarium.engine.verify.seal import SIGNATURE_FILE
from causarium.errors import UsageError
from causarium.report.data.leaderboard import Facts, build_leaderboard, list_columns
from tests.engine.verify.test_seal import make_key
from tests.support.inspect_runs import run_task, task_of
from tests.support.scripted import scripted_model
from tests.support.tampered_logs import samples_of, tamper


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two agents on one whole set, and one of them on part of another."""
    folder = tmp_path_factory.mktemp("logs")
    given = {"set": "smoke", "log_dir": folder, "progress": False}
    cm.evaluate("causallink", model="script/silent", **given)
    cm.evaluate("causallink", model="script/echo", **given)
    cm.evaluate("replayscm", model="script/silent", limit=2, **given)
    easier = {"recheck": True}
    cm.evaluate(
        "causallink", model="script/silent", rules=easier, **given | {"log_dir": folder / "easier"}
    )
    cm.evaluate("causallink", player="oracle", **given | {"log_dir": folder / "oracle"})
    cm.evaluate("causallink", model="script/silent", **given | {"log_dir": folder / "again"})
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
    assert any("only the whole set smoke counts" in fault for fault in check.faults)
    with pytest.raises(UsageError, match="cannot be submitted yet"):
        submit(check, Facts(name="part"), tmp_path, set_name="smoke")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("place", "fault"),
    [("easier", "other rules than the edition's: recheck"), ("oracle", "player/oracle played")],
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
    assert any("as in logs/mine/*/*gpt-5*" in fault for fault in check.faults)


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


def test_the_page_shows_how_far_every_entry_comes(results: Path, tmp_path: Path) -> None:
    board = write_leaderboard(results, out=tmp_path, set_name="smoke")
    assert [column.family for column in board.columns] == list(families.FAMILIES)
    column = board.columns[0]
    assert [entry.facts.name for entry in board.entries] == ["echo <b>", "silent <b>"]
    for entry in board.entries:
        assert list(entry.reaches) == ["causallink"]
        reach = entry.reaches["causallink"]
        assert reach.value <= 0 < reach.high
        assert {one.rung for one in reach.rungs} <= {*column.rungs}
        # One family of five gives no mean and no rank.
        assert (entry.mean, entry.rank) == (None, None)
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", entry.date)
    assert [entry.folder for entry in board.entries] == ["echo--b", "silent--b"]
    (difference,) = board.differences
    gap = difference.by_family["causallink"]
    assert difference.mean is None
    assert gap.low < gap.value < gap.high
    assert column.reference is not None
    assert column.reference.name == families.card("causallink").reference
    assert column.reference.reach.low > 0.5
    page = (tmp_path / "index.html").read_text()
    assert "silent &lt;b&gt;" in page
    assert "In the logs: script/silent. Logs: results/silent--b." in page
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


def change(folder: Path, **given: Any) -> None:
    file = folder / "submission.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | given))


def rename(folder: Path, name: str) -> None:
    change(folder, facts={"name": name})


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
    """Its folder tells whose it is: no other, whatever its place in the order, takes it."""
    shutil.copytree(copy / "silent--b", copy / "again")
    rename(copy / "again", "echo <b>")
    shutil.copytree(copy / "echo--b", copy / "player-scientist")
    rename(copy / "player-scientist", "Player/scientist")
    shutil.copytree(copy / "echo--b", copy / "nameless")
    rename(copy / "nameless", "!?")
    before = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    assert [entry.facts.name for entry in before.entries] == ["echo <b>", "silent <b>"]
    assert before.left_out[:2] == (
        "again: the folder of 'echo <b>' is echo--b",
        "nameless: no submission.json of ours ('!?' gives no name for a folder; use letters and "
        "digits)",
    )
    assert before.left_out[2].startswith("player-scientist: the name 'Player/scientist' is kept")
    shutil.rmtree(copy / "echo--b")
    after = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    assert [entry.facts.name for entry in after.entries] == ["silent <b>"]
    check = check_submission(copy / "again", set_name="smoke")
    with pytest.raises(UsageError, match="is kept for players and people"):
        submit(check, Facts(name="human"), copy, set_name="smoke")
    assert len(submit(check, Facts(name="ä" * 120), copy, set_name="smoke").name) == 60


@pytest.mark.parametrize("name", ["two  gaps", " gap", "no\u200bwidth", "ﬁ", "a\nb", "ä" * 121])
def test_a_name_that_may_look_like_another_is_refused(
    results: Path, tmp_path: Path, name: str
) -> None:
    check = check_submission(results / "echo--b", set_name="smoke")
    with pytest.raises(UsageError, match="is not plain"):
        submit(check, Facts(name=name), tmp_path, set_name="smoke")


def test_names_that_look_alike_are_not_pooled(copy: Path, tmp_path: Path) -> None:
    rename((copy / "echo--b").rename(copy / "acme-m"), "acme/m")
    rename((copy / "silent--b").rename(copy / "openai-api-acme-m"), "openai-api/acme/m")
    board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    reaches = [entry.reaches["causallink"] for entry in board.entries]
    counts = [sum(one.n for one in reach.rungs) for reach in reaches]
    assert 0 < max(counts) <= board.columns[0].instances


def test_logs_beside_submissions_are_left_out_in_words(copy: Path, tmp_path: Path) -> None:
    log = next(copy.rglob("*.eval"))
    shutil.copy(log, copy / "bare.eval")
    shutil.copytree(log.parent, copy / "mine")
    board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    told = [sentence for sentence in board.left_out if "without a submission.json" in sentence]
    assert [sentence.partition(":")[0] for sentence in told] == ["bare.eval", "mine"]


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
    assert (
        "empty: no submission.json of ours (facts: Field required, agent: Field required)"
        in board.left_out
    )
    said = {sentence.partition(":")[0] for sentence in board.left_out}
    assert said == {"empty", "unknown", "nothing"}


def test_reproduced_is_another_run_with_another_key(logs: Path, copy: Path, tmp_path: Path) -> None:
    """A copy is none, whatever else was changed in it; a run that says the same again is one."""

    def marks() -> list[tuple[bool, bool]]:
        board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
        return [(bool(entry.signed), entry.reproduced) for entry in board.entries[1:]]

    keys = [make_key(tmp_path, name) for name in ("one", "two")]
    shutil.copytree(copy / "silent--b", copy / "silent--c")
    rename(copy / "silent--c", "silent <c>")
    first, second = copy / "silent--b" / "causallink", copy / "silent--c" / "causallink"
    seal_run(first, key=keys[0])
    seal_run(second)
    assert marks() == [(True, False), (False, False)]
    board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    assert board.entries[1].rules == ("shares episodes with silent <c> in causallink",)
    seal_run(second, key=keys[1])
    assert marks() == [(True, False), (True, False)]
    (log,) = second.glob("*.eval")
    tamper(log, lambda content: setattr(content.eval, "created", "2026-01-01T00:00:00+00:00"))
    broken = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    assert any("seal: " in sentence for sentence in broken.left_out)
    seal_run(second, key=keys[1])
    assert marks() == [(True, False), (True, False)]
    tamper(log, lambda content: [setattr(one, "uuid", None) for one in samples_of(content)])
    seal_run(second, key=keys[1])
    assert marks() == [(True, False), (True, False)]
    (again,) = (logs / "again").rglob("*.eval")
    shutil.copy(again, log)
    seal_run(second, key=keys[1])
    assert marks() == [(True, True), (True, True)]
    # Whoever has a log can replay it: that is no second run, and the page says whose words it has.
    for folder, key in zip((first, second), keys, strict=True):
        (log,) = folder.glob("*.eval")
        tamper(log, lambda content: setattr(content.eval, "model", "recorded/silent"))
        change(folder.parent, agent="recorded/silent")
        seal_run(folder, key=key)
    assert marks() == [(True, False), (True, False)]
    board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    assert board.entries[1].rules == ("same words as silent <c> in causallink",)


def test_what_a_folder_has_lost_or_is_of_another_set_is_left_out_in_words(
    copy: Path, tmp_path: Path
) -> None:
    told = json.loads((copy / "silent--b" / "submission.json").read_text())
    change(copy / "silent--b", logs={**told["logs"], "causalab": "sha256:0"})
    change(copy / "echo--b", set="standard")
    said: list[str] = []
    board = write_leaderboard(copy, out=tmp_path, set_name="smoke", say=said.append)
    assert [entry.agent for entry in board.entries] == ["script/silent"]
    assert board.left_out[:2] == (
        "echo--b: a submission of the set standard",
        "silent--b: causalab: submission.json names it, and there is no log of it",
    )
    assert said == ["[1/1] verifying silent--b"]


def test_a_set_that_no_family_has_is_refused(logs: Path, tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"unknown set 'smok'; did you mean 'smoke'\? sets: .*smoke"
    ):
        write_leaderboard(logs, out=tmp_path / "page", set_name="smok")
    with pytest.raises(UsageError, match="unknown set 'smok'"):
        check_submission(logs, set_name="smok")
    assert not (tmp_path / "page").exists()


def test_a_log_that_cannot_be_read_holds_up_no_other(copy: Path) -> None:
    (bad,), (good,) = ((copy / name).rglob("*.eval") for name in ("echo--b", "silent--b"))
    bad.write_bytes(bad.read_bytes()[:200])
    done = CliRunner().invoke(app, ["verify", str(copy)])
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        f"NOT VERIFIED: {bad}: no log that can be read whole",
        f"verified: {good}: causallink certified/smoke, script/silent: 6 of 6 samples verified",
    ]
    assert "cannot be read as a log" in done.stderr


def test_shards_that_contradict_hold_up_no_other(copy: Path) -> None:
    (bad,) = (copy / "echo--b").rglob("*.eval")

    def make_shard(number: int) -> Callable[[EvalLog], None]:
        def change(log: EvalLog) -> None:
            (log.eval.metadata or {})["shard"] = f"{number}/2"
            for sample in samples_of(log):
                for score in (sample.scores or {}).values():
                    score.value = {"score": float(number)}

        return change

    tamper(bad, make_shard(2), to=bad.with_name("2.eval"))
    tamper(bad, make_shard(1))
    done = CliRunner().invoke(app, ["verify", str(copy)])
    assert done.exit_code == 1
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == [
        "NOT VERIFIED",
        "verified",
    ]
    assert "which are shards of one run" in done.stderr


def test_bare_shards_that_contradict_take_no_other_run_away(logs: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    (log,) = find(logs, "causallink", "echo").glob("*.eval")
    shutil.copytree(find(logs, "causallink", "silent"), bare / "silent")

    def make_shard(number: int) -> Callable[[EvalLog], None]:
        def change(log: EvalLog) -> None:
            (log.eval.metadata or {})["shard"] = f"{number}/2"
            for sample in samples_of(log):
                for score in (sample.scores or {}).values():
                    score.value = {"score": float(number)}

        return change

    tamper(log, make_shard(1), to=bare / "1.eval")
    tamper(log, make_shard(2), to=bare / "2.eval")
    assert [proof.is_verified for proof in cm.verify_logs(bare)] == [False, True]
    board = write_leaderboard(bare, out=tmp_path / "out", set_name="smoke")
    assert [entry.agent for entry in board.entries] == ["script/silent"]
    assert "which are shards of one run" in board.left_out[0]


def test_links_with_names_too_long_hide_no_submission(copy: Path, tmp_path: Path) -> None:
    (copy / "linked").mkdir()
    for place in (copy / "a", copy / "0.eval", copy / "linked" / "submission.json"):
        place.symlink_to("x" * 300)
    board = write_leaderboard(copy, out=tmp_path, set_name="smoke")
    assert [entry.facts.name for entry in board.entries] == ["echo <b>", "silent <b>"]
    assert "is no small file" in "".join(board.left_out)
    (copy / "echo--b" / "causallink" / "seal.json").symlink_to("x" * 300)
    proofs = cm.verify_logs(copy)
    assert [proof.is_verified for proof in proofs] == [False, True, True]
    assert proofs[0].logs == (str(copy / "0.eval"),)


def test_what_is_left_out_does_not_fill_the_page(copy: Path, tmp_path: Path) -> None:
    change(copy / "echo--b", logs={"x" * 9_000: ""})
    board = write_leaderboard(copy, out=tmp_path / "one", set_name="smoke")
    assert max(map(len, board.left_out)) <= 1_000
    change(copy / "echo--b", logs={f"family {number}": "" for number in range(1_000)})
    board = write_leaderboard(copy, out=tmp_path / "two", set_name="smoke")
    assert sum("is no small file" in left for left in board.left_out) == 1
    assert not any("family 7" in left for left in board.left_out)


def test_a_signature_without_a_seal_is_not_copied(logs: Path, tmp_path: Path) -> None:
    shutil.copytree(find(logs, "causallink", "silent"), tmp_path / "run")
    (tmp_path / "run" / SIGNATURE_FILE).write_text("a secret")
    check = check_submission(tmp_path / "run", set_name="smoke")
    folder = submit(check, Facts(name="x"), tmp_path / "out", set_name="smoke")
    assert not list(folder.rglob(SIGNATURE_FILE))


def test_a_manifest_does_not_have_logs_pass_unread(copy: Path) -> None:
    (bad,) = (copy / "echo--b").rglob("*.eval")
    bad.write_bytes(bad.read_bytes()[:200])
    write_parts(cm.load("causallink"), copy, "rung-3", size=2)
    done = CliRunner().invoke(app, ["verify", str(copy)])
    assert done.exit_code == 1
    assert f"NOT VERIFIED: {bad}" in done.stdout


@pytest.fixture
def log(logs: Path, tmp_path: Path) -> Path:
    """A log of a whole set that can be submitted, to be changed."""
    (found,) = find(logs, "causallink", "silent").rglob("*.eval")
    (tmp_path / "run").mkdir()
    return Path(shutil.copy(found, tmp_path / "run" / "2026-01-02T00-00-00-00-00_log.eval"))


def keep_two(content: EvalLog) -> None:
    content.samples, content.results = samples_of(content)[:2], None
    content.eval.dataset.sample_ids = [sample.id for sample in samples_of(content)]
    content.eval.config.sample_id = [str(sample.id) for sample in samples_of(content)]


def test_samples_that_failed_do_not_fill_a_set(log: Path) -> None:
    """They go by the names of others, which count in their place."""
    for k in (2, 4):

        def fail(content: EvalLog, k: int = k) -> None:
            others = samples_of(content)[k : k + 2]
            keep_two(content)
            for mine, other in zip(samples_of(content), others, strict=True):
                mine.metadata = other.metadata
                mine.error = EvalError(message="", traceback="", traceback_ansi="")

        tamper(log, fail, log.with_name(f"2026-01-01T00-00-{k:02}-00-00_log.eval"))
    tamper(log, keep_two)
    (fault,) = check_submission(log.parent, set_name="smoke").faults
    assert "(2 of 6, " in fault
    (run,) = cm.verify_logs(log.parent)
    assert run.part.startswith("2 of 6, ")


def test_a_file_does_not_pass_for_a_set(log: Path) -> None:
    family, mine = families.get("causallink"), log.with_name("mine.jsonl")

    def name_file(content: EvalLog) -> None:
        keep_two(content)
        content.eval.task_args["file"] = str(mine)
        lines = [sample.metadata[METADATA_KEY]["instance"] for sample in samples_of(content)]
        header = SetHeader.make(family, "certified", (), digest(*lines))
        mine.write_text("\n".join([header.model_dump_json(), *lines, ""]), encoding="utf-8")

    tamper(log, name_file)
    part, file = check_submission(log, set_name="smoke").faults
    assert "(2 of 6, " in part
    assert "a file was played" in file


def test_a_newer_log_does_not_hide_the_rules_of_an_older_one(log: Path) -> None:
    def change_rules(content: EvalLog) -> None:
        (content.eval.metadata or {})["card"]["rules"]["recheck"] = True
        for sample in samples_of(content):
            sample.metadata[METADATA_KEY]["rules"]["recheck"] = True

    def keep_one(content: EvalLog) -> None:
        content.samples, content.results = samples_of(content)[:1], None

    tamper(log, change_rules, log.with_name("2026-01-01T00-00-00-00-00_log.eval"))
    tamper(log, keep_one)
    faults = " ".join(check_submission(log.parent, set_name="smoke").faults)
    assert "rules were changed that the run card does not name: recheck" in faults
    assert "other rules than the edition's: recheck" in faults
    assert cm.verify_logs(log.parent)[0].problems


def move_by_programs(content: EvalLog) -> None:
    (content.eval.metadata or {})["card"]["rules"]["interface"] = "code"


def add_a_system_message(content: EvalLog) -> None:
    content.plan.config.system_message = "The answers are these."


def end_at_a_limit(content: EvalLog) -> None:
    for sample in samples_of(content):
        sample.limit = EvalSampleLimit(type="message", limit=3)


def let_an_agent_play(content: EvalLog) -> None:
    for sample in samples_of(content):
        sample.metadata[METADATA_KEY]["agent"] = "a"


def let_an_agent_play_alone(content: EvalLog) -> None:
    let_an_agent_play(content)
    for sample in samples_of(content):
        sample.model_usage = {}


def add_a_number(content: EvalLog) -> None:
    for sample in samples_of(content):
        for score in (sample.scores or {}).values():
            score.value = {**score.as_dict(), "own": 1e200}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (add_a_number, "numbers that it does not score: own"),
        (move_by_programs, "programs moved"),
        (end_at_a_limit, "6 of 6 samples ended at a limit"),
        (let_an_agent_play, "an agent played, and the card does not say which"),
        (let_an_agent_play_alone, "in 6 of 6 samples an agent asked no model"),
        (add_a_system_message, "words of one's own change what is asked: system_message"),
    ],
)
def test_what_cannot_be_worked_out_anew_does_not_count(
    log: Path, change: Callable[[EvalLog], None], said: str
) -> None:
    tamper(log, change)
    assert any(said in fault for fault in check_submission(log, set_name="smoke").faults)


def name_agent(content: EvalLog) -> None:
    card = (content.eval.metadata or {})["card"]
    card["own_agent"], card["boundary"] = "sha256:0", "process"


def test_an_agent_is_called_one(copy: Path, tmp_path: Path) -> None:
    (log,) = (copy / "echo--b").rglob("*.eval")
    tamper(log, name_agent)
    board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    assert [entry.facts.name for entry in board.entries] == ["silent <b>"]
    assert any(said.startswith("echo--b: an agent of one's own") for said in board.left_out)
    check = check_submission(log, set_name="smoke")
    with pytest.raises(UsageError, match="calls it 'open'; its kind is agent"):
        submit(check, Facts(name="again"), copy, set_name="smoke")
    submit(check, Facts(name="again", kind="agent"), tmp_path / "agents", set_name="smoke")
    (entry,) = write_leaderboard(
        tmp_path / "agents", out=tmp_path / "page", set_name="smoke"
    ).entries
    assert entry.rules == ("agent script/echo in causallink",)


def test_an_agent_has_one_epoch(log: Path) -> None:
    def play_twice(content: EvalLog) -> None:
        name_agent(content)
        content.eval.config.epochs = 2

    tamper(log, play_twice)
    assert any("may remember" in fault for fault in check_submission(log, set_name="smoke").faults)


def test_samples_that_failed_play_no_part_in_the_marks_of_all(
    results: Path, copy: Path, tmp_path: Path
) -> None:
    (log,) = (copy / "echo--b").rglob("*.eval")

    def fail(content: EvalLog) -> None:
        first, *others = samples_of(content)
        for sample in others:
            sample.metadata[METADATA_KEY]["instance"] = first.metadata[METADATA_KEY]["instance"]
        for sample in (first, *others):
            sample.error = EvalError(message="", traceback="", traceback_ansi="")

    tamper(log, fail, log.with_name("2026-01-01T00-00-00-00-00_log.eval"))
    before = write_leaderboard(results, out=tmp_path / "before", set_name="smoke")
    after = write_leaderboard(copy, out=tmp_path / "after", set_name="smoke")
    assert after.columns == before.columns


def test_no_folder_takes_the_page_from_all(copy: Path, tmp_path: Path) -> None:
    odd = copy / os.fsdecode(b"bad\xff")
    shutil.copytree(copy / "echo--b", odd)
    (copy / "link").mkdir()
    (copy / "link" / "submission.json").symlink_to("/dev/zero")
    (copy / "pipe").mkdir()
    os.mkfifo(copy / "pipe" / "submission.json")
    shutil.copytree(copy / "echo--b", copy / "odd-log")
    rename(copy / "odd-log", "odd log")
    (log,) = (copy / "odd-log").rglob("*.eval")
    log.rename(log.with_name(os.fsdecode(b"x\xff.eval")))
    board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    assert [entry.facts.name for entry in board.entries][-2:] == ["odd log", "silent <b>"]
    assert any(sentence.startswith("link: no submission.json") for sentence in board.left_out)
    assert any(sentence.startswith("pipe: no submission.json") for sentence in board.left_out)
    assert json.loads((tmp_path / "page" / "leaderboard.json").read_text())


def test_shards_keep_a_seal_each_and_count_as_signed_together(tmp_path: Path) -> None:
    for shard in ("1/2", "2/2"):
        cm.evaluate(
            "causallink",
            model="script/silent",
            set="smoke",
            shard=shard,
            log_dir=tmp_path / "logs",
            progress=False,
        )
    first, second = sorted({log.parent for log in (tmp_path / "logs").rglob("*.eval")})
    key = make_key(tmp_path, "one")

    def find_signers() -> str:
        check = check_submission(tmp_path / "logs", set_name="smoke")
        shutil.rmtree(tmp_path / "results", ignore_errors=True)
        submit(check, Facts(name="shards"), tmp_path / "results", set_name="smoke")
        board = write_leaderboard(tmp_path / "results", out=tmp_path / "page", set_name="smoke")
        return board.entries[0].signed

    seal_run(first, key=key)
    seal_run(second)
    assert find_signers() == ""
    seal_run(second, key=key)
    assert find_signers().startswith("sealed and signed by ed25519")


def write_too_much(sample: EvalSample) -> None:
    sample.model_usage = {"m": ModelUsage(output_tokens=10**400)}


def read_too_much(sample: EvalSample) -> None:
    sample.store["causarium:tokens"] = [[10**400, 0, 0]]


def write_less_than_nothing(sample: EvalSample) -> None:
    sample.model_usage = {"m": ModelUsage(output_tokens=-5)}


def help_with_more_than_all(sample: EvalSample) -> None:
    sample.model_usage = {"m": ModelUsage(output_tokens=1)}
    sample.role_usage = {"judge": ModelUsage(output_tokens=10)}


@pytest.mark.parametrize(
    "change",
    [write_too_much, read_too_much, write_less_than_nothing, help_with_more_than_all],
)
def test_tokens_that_cannot_be_spoil_no_page(
    copy: Path, tmp_path: Path, change: Callable[[EvalSample], None]
) -> None:
    (log,) = (copy / "echo--b").rglob("*.eval")
    tamper(log, lambda content: [change(sample) for sample in samples_of(content)])
    board = write_leaderboard(copy, out=tmp_path / "page", set_name="smoke")
    # They count as unknown; only `submit` asks about them.
    assert [entry.facts.name for entry in board.entries] == ["echo <b>", "silent <b>"]


def test_no_other_model_helps_and_every_sample_has_a_score(tmp_path: Path) -> None:
    """A judge that never decides would leave bad answers out of the mean."""
    answer = json.dumps({"relationships": [{"source": "rain", "sink": "floods"}]})
    run_task(
        task_of(families.get("recite"), set="free"),
        tmp_path,
        scripted_model(lambda _: answer),
        model_roles={"judge": scripted_model(lambda _: "I cannot tell.")},
    )
    helped, unscored = check_submission(tmp_path, set_name="free").faults
    assert "other models helped, and none may: judge" in helped
    assert "24 of 24 samples have no score" in unscored


def test_epochs_are_averaged_first(results: Path, tmp_path: Path) -> None:
    board = write_leaderboard(results, out=tmp_path, set_name="smoke")
    rows = [row for row in cm.read_rows(results) if row.agent == "script/echo"]
    again = [row.model_copy(update={"epoch": 2}) for row in rows]
    entry = board.entries[0]
    twice = build_leaderboard([(entry, [*rows, *again])], set_name="smoke").entries[0]
    assert twice.reaches == entry.reaches


def test_a_folder_without_logs_has_a_page_without_entries(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "README.md").write_text("Nothing yet.")
    board = write_leaderboard(tmp_path / "results", out=tmp_path / "page")
    assert board.entries == board.differences == ()
    assert board.columns == list_columns("standard")
    page = (tmp_path / "page" / "index.html").read_text()
    assert "No model has been measured on these ladders yet." in page
    assert "causarium submit" in page
    with pytest.raises(UsageError, match="there is no file or folder"):
        write_leaderboard(tmp_path / "result", out=tmp_path / "page")


def test_facts_of_the_submitter_reach_the_page(logs: Path, tmp_path: Path) -> None:
    words = ["submit", str(find(logs, "causallink", "echo")), "--set", "smoke", "--name", "mine"]
    facts = ["--maker", "Me <i>", "--size", "1.5", "--licence", "MIT", "--trained"]
    out = ["--out", str(tmp_path / "results")]
    done = CliRunner().invoke(app, [*words, *facts, "--decoding", "x" * 61, *out])
    assert isinstance(done.exception, UsageError)
    done = CliRunner().invoke(app, [*words, *facts, "--decoding", "free", *out])
    assert done.exit_code == 0, done.stderr
    (entry,) = write_leaderboard(tmp_path / "results", out=tmp_path, set_name="smoke").entries
    assert (entry.facts.size, entry.facts.trained) == (1.5, True)
    told = "Me &lt;i&gt;, 1.5 B, MIT, free, trained on these families"
    assert told in (tmp_path / "index.html").read_text()


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
    assert "only the whole set standard counts" in done.stdout
