"""Logs that were changed are not verified, and say why."""

import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog
from typer.testing import CliRunner

from causarium import families
from causarium.api.read_run import rescore_runs
from causarium.api.rows import read_rows, rescore
from causarium.api.verify import verify_logs
from causarium.cli.commands import app
from causarium.contract.places import Place
from causarium.contract.row import UNCHECKED
from causarium.contract.sets.instance_sets import generate_set
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.record.episode_record import METADATA_KEY, TURNS_KEY, score_turns
from causarium.engine.task.family_task import as_score
from causarium.engine.verify.rescore import UNKNOWN_FILE, OpenSample
from causarium.engine.verify.verify_runs import verify_book
from tests.support.tampered_logs import (
    change_instance,
    play_log,
    raise_scores,
    samples_of,
    tamper,
    turns_of,
)

FAMILIES = ("causallink", "causalab", "replayscm")
WEAK = {"causallink": "start_alone", "causalab": "random", "replayscm": "random"}


@pytest.fixture(scope="module", params=FAMILIES)
def family_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory, family_name: str) -> Path:
    return play_log(tmp_path_factory.mktemp("honest"), family_name, WEAK[family_name])


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory, family_name: str) -> Path:
    return play_log(tmp_path_factory.mktemp("oracle"), family_name, "oracle")


@pytest.fixture
def log(honest: Path, tmp_path: Path) -> Path:
    (tmp_path / "run").mkdir()
    return Path(shutil.copy(honest, tmp_path / "run" / honest.name))


def reasons(log: Path) -> tuple[int, set[str], tuple[str, ...]]:
    """Return how many samples are verified, the kinds of reasons, and the run's problems."""
    (run,) = verify_logs(log)
    assert run.is_verified == (not run.reasons and not run.problems)
    return run.verified, {reason.partition(":")[0] for reason in run.reasons}, run.problems


def test_an_untouched_log_is_verified(log: Path) -> None:
    assert reasons(log) == (3, set(), ())
    assert verify_logs(log, draw=True)[0].is_verified
    assert {row.proof for row in rescore(log)} == {""}
    assert {row.proof for row in read_rows(log)} == {UNCHECKED}


def test_scores_that_were_raised_are_seen(log: Path) -> None:
    tamper(log, raise_scores)
    assert reasons(log) == (0, {"verdict"}, ())


@pytest.mark.parametrize("submitted", [False, True])
def test_an_honest_log_does_not_vouch_for_a_forged_one(log: Path, submitted: bool) -> None:
    """Two logs of one run, the forged one older."""
    forged = log.parents[1] / "forged" / f"2020-01-01T00-00-00_{log.name}"
    tamper(log, raise_scores, forged)
    for folder in (log.parent, forged.parent) if submitted else ():
        (folder / "submission.json").write_text("{}")
    runs = verify_logs(log.parents[1])
    assert [run.is_verified for run in runs].count(True) == submitted
    assert len(runs) == 1 + submitted


def test_labels_that_were_changed_are_seen(log: Path) -> None:
    def change(content: EvalLog) -> None:
        for sample in samples_of(content):
            for score in (sample.scores or {}).values():
                score.metadata = {"labels": {"error": "made up"}}

    tamper(log, change)
    assert reasons(log) == (0, {"verdict"}, ())


def test_false_observations_are_seen(log: Path, oracle: Path, family_name: str) -> None:
    """A forger takes the oracle's moves, makes up the answers and scores them consistently."""
    stolen = {sample.row.id: sample for sample in LogBook.read([oracle]).samples}

    def change(content: EvalLog) -> None:
        for sample in samples_of(content):
            model = stolen[str(sample.id)]
            forged = [
                {**turn.model_dump(mode="json"), "observation": "As you say."}
                for turn in model.turns
            ]
            sample.store[TURNS_KEY] = forged
            for score in (sample.scores or {}).values():
                score.value = {**model.row.numbers}
                score.metadata = {"labels": dict(model.row.labels)}

    tamper(log, change)
    assert reasons(log) == (0, {"turns"}, ())


@pytest.mark.parametrize("field", ["legal", "cost"])
def test_what_a_turn_was_and_cost_is_the_worlds(log: Path, field: str) -> None:
    def change(content: EvalLog) -> None:
        for sample in samples_of(content):
            turn = turns_of(sample)[0]
            turn[field] = turn["cost"] + 1 if field == "cost" else not turn["legal"]

    tamper(log, change)
    assert reasons(log)[:2] == (0, {"turns"})


def test_a_secret_that_was_flipped_is_seen(log: Path, oracle: Path, family_name: str) -> None:
    """The instance is made to fit the answer, and the score is consistent with it."""
    family = families.get(family_name)
    others = [sample.record.instance for sample in LogBook.read([oracle]).samples]

    def change(content: EvalLog) -> None:
        for sample, other in zip(samples_of(content), [*others[1:], others[0]], strict=True):
            parts = {part: other[part] for part in ("public", "secret")}
            change_instance(sample, lambda mine, parts=parts: mine.update(parts))
            record = LogBook.read([log]).samples[0].record
            forged = record.model_copy(
                update={"instance": json.loads(sample.metadata[METADATA_KEY]["instance"])}
            )
            verdict = as_score(score_turns(family, *forged.rebuild(family), []))
            for score in (sample.scores or {}).values():
                score.value, score.metadata = verdict.value, verdict.metadata
            sample.store[TURNS_KEY] = []

    tamper(log, change)
    assert reasons(log) == (0, {"instance"}, ())


def test_facets_are_part_of_an_instance(log: Path) -> None:
    def change(content: EvalLog) -> None:
        for sample in samples_of(content):
            change_instance(sample, lambda instance: instance["facets"].update(easy="yes"))

    tamper(log, change)
    assert reasons(log) == (0, {"instance"}, ())


def test_rules_are_those_of_the_run(log: Path) -> None:
    def change(content: EvalLog) -> None:
        for sample in samples_of(content)[:1]:
            sample.metadata[METADATA_KEY]["rules"]["continuations"] = 7

    tamper(log, change)
    assert reasons(log) == (2, {"record"}, ())


def test_samples_of_another_agent_are_seen(log: Path, oracle: Path) -> None:
    better = {str(sample.id): sample for sample in samples_of(_read(oracle))}

    def change(content: EvalLog) -> None:
        content.samples = [better[str(sample.id)] for sample in samples_of(content)]

    tamper(log, change)
    assert reasons(log) == (0, {"record"}, ())


def _read(log: Path) -> EvalLog:
    from inspect_ai.log import read_eval_log

    return read_eval_log(str(log))


def test_dropped_samples_are_counted(log: Path) -> None:
    def change(content: EvalLog) -> None:
        content.samples = samples_of(content)[:1]

    tamper(log, change)
    assert reasons(log) == (1, set(), ("2 of 3 samples are missing",))


def test_dropping_them_from_the_header_too_does_not_help(log: Path) -> None:
    def change(content: EvalLog) -> None:
        content.samples = samples_of(content)[:1]
        content.eval.dataset.sample_ids = [samples_of(content)[0].id]

    tamper(log, change)
    problem = "the log names 1 instances where 3 were asked for"
    assert reasons(log) == (1, set(), (problem,))


def test_a_run_that_was_cut_off_is_incomplete(log: Path) -> None:
    def change(content: EvalLog) -> None:
        content.status = "cancelled"

    tamper(log, change)
    assert reasons(log) == (3, set(), ("incomplete (cancelled)",))


def test_a_sample_that_an_error_ended_was_not_played(log: Path) -> None:
    from inspect_ai.log import EvalError

    def change(content: EvalLog) -> None:
        samples_of(content)[0].error = EvalError(message="no", traceback="", traceback_ansi="")

    tamper(log, change)
    assert reasons(log) == (2, {"not played"}, ())


@pytest.mark.parametrize("version", ["1", "3-0"])
def test_another_version_says_which(log: Path, version: str) -> None:
    def change(content: EvalLog) -> None:
        content.eval.task_version = version
        for sample in samples_of(content):
            sample.metadata[METADATA_KEY]["version"] = version

    tamper(log, change)
    (run,) = verify_logs(log)
    assert run.reasons == {f"version: score it with version {version}": 3}


@pytest.mark.parametrize(
    "turns",
    [
        [{"action": {"kind": "no such"}, "observation": "", "legal": True, "cost": 0}],
        [{"action": None, "observation": "x", "legal": True, "cost": 0}] * 3,
        [{"action": {"kind": [1]}, "observation": "", "legal": True, "cost": 0}],
    ],
)
def test_turns_that_are_none_are_data(log: Path, turns: list[dict[str, object]]) -> None:
    def change(content: EvalLog) -> None:
        for sample in samples_of(content):
            sample.store[TURNS_KEY] = turns

    tamper(log, change)
    verified, kinds, _ = reasons(log)
    assert verified == 0
    assert kinds <= {"turns", "damaged"}


def test_a_players_log_under_a_models_name_is_seen(log: Path) -> None:
    """A player says nothing, and so nothing that it did follows from what a model said."""

    def change(content: EvalLog) -> None:
        content.eval.model = "openai/gpt-9"
        (content.eval.metadata or {})["player"] = None
        for sample in samples_of(content):
            sample.metadata[METADATA_KEY]["player"] = None

    tamper(log, change)
    assert reasons(log)[:2] == (0, {"turns"})


def test_a_newer_log_with_fewer_samples_does_not_win(log: Path) -> None:
    """A clock that was set forward makes no log count."""
    later = log.with_name(f"2099-01-01T00-00-00-00-00_{log.name.partition('_')[2]}")

    def change(content: EvalLog) -> None:
        content.samples = samples_of(content)[:1]
        raise_scores(content)

    tamper(log, change, later)
    verified, flaws, (problem,) = reasons(log.parent)
    assert (verified, flaws) == (3, set())
    assert problem.startswith(f"in {later.name}, beside what counts: verdict")
    (run,) = rescore_runs(log.parent)
    assert (run.repeated, run.changed) == (1, ())


def test_the_command_line_says_why_and_exits_with_1(log: Path) -> None:
    good = CliRunner().invoke(app, ["verify", str(log)])
    assert good.exit_code == 0
    assert good.stdout.startswith("verified: ")
    tamper(log, raise_scores)
    bad = CliRunner().invoke(app, ["verify", str(log)])
    assert bad.exit_code == 1
    assert bad.stdout.startswith("NOT VERIFIED: ")
    assert "x verdict: " in bad.stderr
    assert CliRunner().invoke(app, ["score", str(log)]).exit_code == 1
    as_json = json.loads(CliRunner().invoke(app, ["verify", str(log), "--json"]).stdout)
    assert (as_json["is_verified"], as_json["verified"]) == (False, 0)


@pytest.mark.parametrize("hidden", [False, True])
def test_chosen_cases_say_so(tmp_path: Path, hidden: bool) -> None:
    """Whether the log tells or was made to say that the first two were asked for."""
    family = families.get("causallink")
    ids = [instance.id for instance in generate_set(family, "certified", "smoke", limit=4)]
    log = play_log(tmp_path, "causallink", "start_alone", limit=None, sample_id=[ids[1], ids[3]])

    def change(content: EvalLog) -> None:
        content.eval.config.sample_id, content.eval.config.limit = None, 2

    if hidden:
        tamper(log, change)
    (run,) = verify_logs(log)
    size = family.card.sets["certified"]["smoke"].size
    assert run.part == f"2 of {size}, chosen by id"
    printed = CliRunner().invoke(app, ["verify", str(log)]).output
    assert "chosen by id" in printed
    book = verify_book(LogBook.read([log]), families.get).book
    assert {row.variant for row in book.rows} == {run.part}


@pytest.mark.parametrize("shard", [None, "2/6"])
def test_neither_a_space_nor_a_shard_hides_a_choice(tmp_path: Path, shard: str | None) -> None:
    family = families.get("causallink")
    chosen = generate_set(family, "certified", "smoke")[1]
    log = play_log(tmp_path, "causallink", "start_alone", limit=None, sample_id=[chosen.id])

    def change(content: EvalLog) -> None:
        if shard:
            content.eval.metadata = {**(content.eval.metadata or {}), "shard": shard}
        for sample in samples_of(content):
            sample.metadata[METADATA_KEY]["instance"] += " "

    tamper(log, change)
    (run,) = verify_logs(log)
    size = family.card.sets["certified"]["smoke"].size
    assert run.part.startswith(f"1 of {size}, ")
    if shard:
        assert run.is_verified
        assert run.part == f"1 of {size}, 1 of {size} shards, others missing"
        assert CliRunner().invoke(app, ["verify", str(log)]).exit_code == 3


def test_a_false_instance_is_not_scored(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(content: EvalLog) -> None:
        for sample in samples_of(content):
            sample.metadata[METADATA_KEY]["instance"] = sample.metadata[METADATA_KEY][
                "instance"
            ].replace('"facets":{', '"facets":{"more":1,', 1)

    tamper(log, change)
    monkeypatch.setattr(OpenSample, "score", lambda _: pytest.fail("it was scored"))
    assert {row.proof.partition(":")[0] for row in rescore(log)} == {"instance"}


@pytest.mark.parametrize("file", ["/proc/self/pagemap", "file:///proc/self/pagemap"])
def test_what_the_kernel_writes_without_an_end_is_not_read_as_a_set(log: Path, file: str) -> None:
    def change(content: EvalLog) -> None:
        content.eval.task_args["file"] = file

    tamper(log, change)
    assert reasons(log)[1] == {"instance"}


def test_a_file_is_not_passed_off_as_a_named_set(log: Path, family_name: str) -> None:
    """The secrets are made to fit, and the log is made to name a file that holds them."""
    mine = log.with_name("mine.jsonl")
    lines: list[str] = []

    def change(content: EvalLog) -> None:
        content.eval.task_args["file"] = str(mine)
        for sample in samples_of(content):
            change_instance(sample, lambda instance: instance["facets"].update(easy="yes"))
            lines.append(sample.metadata[METADATA_KEY]["instance"])

    tamper(log, change)
    mine.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert "the instances are of a file and not of the set smoke" in reasons(log)[2]


def test_a_log_does_not_have_any_address_called(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(self: Place) -> Iterator[bytes]:
        raise AssertionError(self.url)

    monkeypatch.setattr(Place, "read_lines", fetch)
    monkeypatch.setattr(Place, "read_bytes", fetch)
    monkeypatch.setattr(Place, "exists", fetch)
    for url in ("http://127.0.0.1:9/x.jsonl", "ftp://127.0.0.1/x.jsonl", "sftp://host/x.jsonl"):
        tamper(log, lambda content, url=url: content.eval.task_args.update(file=url))
        assert set(verify_logs(log)[0].reasons) == {UNKNOWN_FILE}


def test_more_epochs_than_can_be_counted_are_damage(log: Path) -> None:
    def count_epochs(content: EvalLog) -> None:
        content.eval.config.epochs = int("9" * 4300)

    tamper(log, count_epochs)
    assert "epochs: Input should be less than" in " ".join(reasons(log)[2])


def test_a_log_without_samples_proves_nothing(log: Path) -> None:
    def change(content: EvalLog) -> None:
        content.samples, content.eval.dataset.sample_ids = [], []

    tamper(log, change)
    (run,) = verify_logs(log)
    assert not run.is_verified
    assert CliRunner().invoke(app, ["score", str(log)]).exit_code == 1


def test_a_card_that_names_no_rules_does_not_free_the_samples(log: Path) -> None:
    def change(content: EvalLog) -> None:
        card = (content.eval.metadata or {})["card"]
        card["rules"] = {}

    tamper(log, change)
    assert reasons(log)[1] == {"record"}


def test_a_summary_that_says_two_things_is_seen(log: Path) -> None:
    def forge(content: EvalLog) -> None:
        assert content.results
        false = content.results.scores[0].model_copy(deep=True)
        for metric in false.metrics.values():
            metric.value = 0.99
        content.results.scores.insert(0, false)

    tamper(log, forge)
    assert reasons(log)[2][0].startswith("its summary says that")


def test_an_answer_that_a_log_hides_is_seen(oracle: Path, tmp_path: Path) -> None:
    log = Path(shutil.copy(oracle, tmp_path / oracle.name))

    def hide(content: EvalLog) -> None:
        for score in (samples_of(content)[0].scores or {}).values():
            score.answer = None

    tamper(log, hide)
    (run,) = verify_logs(log)
    assert list(run.reasons) == [
        "verdict: scoring again does not agree on whether there is an answer"
    ]


def test_an_episode_that_stands_there_twice_is_seen(log: Path) -> None:
    def copy(content: EvalLog) -> None:
        first, second = samples_of(content)[:2]
        second.uuid = first.uuid

    tamper(log, copy)
    assert "1 samples are in one log twice" in reasons(log)[2]


def test_no_log_of_a_run_hides_what_another_leaves_unchecked(log: Path) -> None:
    later = log.with_name(f"2099{log.name[4:]}")
    shutil.copy(log, later)

    def claim(content: EvalLog) -> None:
        assert content.eval.metadata
        card = content.eval.metadata["card"]
        card["rules"]["prompts"], card["changed"] = "/nowhere", ["prompts"]
        for sample in samples_of(content):
            sample.metadata[METADATA_KEY]["rules"]["prompts"] = "/nowhere"

    tamper(log, claim)
    (run,) = verify_logs(log.parent)
    assert any(note.startswith("words other than the family's") for note in run.notes)


@pytest.mark.parametrize("name", ["", "other"])
def test_a_summary_under_another_key_is_seen(log: Path, name: str) -> None:
    def change(content: EvalLog) -> None:
        assert content.results
        metrics = content.results.scores[0].metrics
        one = next(iter(metrics.values())).model_copy(update={"value": 0.731})
        metrics["hidden"] = one.model_copy(update={"name": name or one.name})

    tamper(log, change)
    assert any(one.startswith("its summary has what no") for one in reasons(log)[2])


def test_a_summary_that_its_samples_do_not_have_is_seen(log: Path) -> None:
    def change(content: EvalLog) -> None:
        assert content.results
        for metric in content.results.scores[0].metrics.values():
            metric.value = 0.731

    tamper(log, change)
    assert reasons(log)[2][0].startswith("its summary says that")


def test_errors_that_a_summary_makes_up_are_seen(log: Path) -> None:
    def change(content: EvalLog) -> None:
        assert content.results
        metrics = content.results.scores[0].metrics
        metrics["stderr"].value = 0.731

    tamper(log, change)
    assert "stderr is 0.731, not" in reasons(log)[2][0]


@pytest.mark.parametrize("number", [1e308, -math.inf])
def test_a_number_too_large_for_a_mean_is_damage_of_its_log_alone(
    oracle: Path, tmp_path: Path, number: float
) -> None:
    def change(content: EvalLog) -> None:
        content.eval.model = "other/model"
        for sample in samples_of(content):
            for score in (sample.scores or {}).values():
                score.value = {**score.as_dict(), "accuracy": 1.0, "more": number}

    shutil.copy(oracle, tmp_path / oracle.name)
    tamper(oracle, change, to=tmp_path / "other.eval")
    proofs = verify_logs(tmp_path)
    assert "too large for a mean" in proofs[0].problems[0]
    assert proofs[-1].is_verified
    assert LogBook.read([tmp_path]).rows


def test_the_first_of_a_set_are_no_choice(log: Path) -> None:
    (run,) = verify_logs(log)
    assert run.part.startswith("3 of ")
    assert run.part.endswith("the first of them")


def test_a_score_without_turns_is_no_score(log: Path) -> None:
    """A full disk leaves such samples; they are played again."""
    from causarium.engine.run.run_folder import set_aside_damaged_logs

    def change(content: EvalLog) -> None:
        del samples_of(content)[0].store[TURNS_KEY]

    tamper(log, change)
    rows = LogBook.read([log]).rows
    assert [row.unscored for row in rows].count(None) == 2
    (damaged,) = set_aside_damaged_logs(log.parent)
    assert damaged.kept == 2
    assert "1 samples lack their turns" in damaged.problem
    assert len(LogBook.read([log]).samples) == 2


def take_number_out(content: EvalLog, name: str, count: int) -> None:
    """Take a number out of the first samples of a log."""
    for sample in samples_of(content)[:count]:
        for score in (sample.scores or {}).values():
            assert isinstance(score.value, dict)
            del score.value[name]


def test_a_number_that_a_family_got_later_is_no_flaw_and_is_said(
    log: Path, family_name: str
) -> None:
    family = families.get(family_name)
    late = next(name for name in family.metrics if name != family.card.headline["certified"])

    def change(content: EvalLog) -> None:
        take_number_out(content, late, 3)
        for sample in samples_of(content):
            for score in (sample.scores or {}).values():
                assert isinstance(score.value, dict)
                score.value["once_scored"] = 1.0

    tamper(log, change)
    (run,) = verify_logs(log)
    assert run.is_verified
    assert any("not in the log" in note and late in note for note in run.notes)
    assert any("no longer scored" in note and "once_scored" in note for note in run.notes)
    (scored,) = rescore_runs(log)
    assert scored.changed == ()


def test_a_number_taken_out_of_one_sample_is_seen(log: Path, family_name: str) -> None:
    family = families.get(family_name)
    late = next(name for name in family.metrics if name != family.card.headline["certified"])
    tamper(log, lambda content: take_number_out(content, late, 1))
    assert reasons(log) == (3, set(), ("its samples do not have the same numbers",))


def test_the_headline_cannot_be_taken_out(log: Path, family_name: str) -> None:
    headline = families.get(family_name).card.headline["certified"]
    tamper(log, lambda content: take_number_out(content, headline, 3))
    assert reasons(log)[:2] == (0, {"verdict"})
