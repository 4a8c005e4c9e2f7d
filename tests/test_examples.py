"""The examples run, and say what they promise to say."""

import importlib.util
import json
import runpy
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalSample
from inspect_ai.util import SandboxEnvironmentSpec

import causarium as cm
from causarium import families
from causarium.contract.episode import play
from causarium.contract.row import find_cluster
from causarium.contract.sets.instance_sets import generate_one
from causarium.engine.task import family_task as sandbox_need
from causarium.families.causallink.certified import FAMILY
from causarium.families.causallink.task import causallink
from tests.engine.sandbox import needs_bubblewrap
from tests.support.scripted import Call, in_turn, scripted_model

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"


def test_a_player_of_ones_own_is_compared_with_ours(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "write_a_player.py"), run_name="__main__")
    mine, exact, lead = capsys.readouterr().out.splitlines()
    assert mine.strip().startswith("mine: ")
    assert exact.strip().startswith("exact: 1.000")
    assert lead.startswith("exact leads by ")


def run_example(name: str, *words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run an example as a script; returns what it prints."""
    before, sys.argv = sys.argv, [name, *words]
    try:
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    finally:
        sys.argv = before
    return capsys.readouterr().out


@pytest.mark.long
def test_a_policy_learns_from_reward(capsys: pytest.CaptureFixture[str]) -> None:
    quick = ("--updates", "20", "--pool", "20")
    assert "exact" in run_example("learn_from_reward.py", *quick, capsys=capsys)


def test_the_trainer_is_given_rows_and_an_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `train_with_trl.py` hands to TRL; no model is trained, since TRL is not installed."""
    trained: list[dict[str, Any]] = []

    class Trainer:
        def __init__(self, **given: Any) -> None:
            trained.append(given)

        def train(self) -> None:
            row, rollout = trained[0]["train_dataset"][3], trained[0]["environment_factory"]()
            assert rollout.reset(**row)
            rollout.answer(answer="yes")
            assert rollout.is_done

        def save_model(self, out: str) -> None:
            print("saved", out)

    data = SimpleNamespace(Dataset=SimpleNamespace(from_list=list))
    trl = SimpleNamespace(GRPOConfig=SimpleNamespace, GRPOTrainer=Trainer)
    monkeypatch.setitem(sys.modules, "datasets", data)
    monkeypatch.setitem(sys.modules, "trl", trl)
    assert run_example("train_with_trl.py", "--out", "here", capsys=capsys) == "saved here\n"
    assert trained[0]["args"].max_steps == 100


@pytest.mark.long
def test_a_model_is_evaluated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said = run_example("evaluate_my_model.py", capsys=capsys)
    assert "causallink: score 0." in said
    assert said.count("(complete)") == 2
    assert "32 rows" in said
    assert (tmp_path / "reports" / "report.html").is_file()


def test_a_paper_is_studied(capsys: pytest.CaptureFixture[str]) -> None:
    said = run_example("study_one_paper.py", capsys=capsys)
    assert "always_no: 0." in said
    assert "6 of 6 certified" in said
    assert "published quirks: " in said


def test_somebody_trains_and_plays(capsys: pytest.CaptureFixture[str]) -> None:
    said = run_example("train_or_play.py", capsys=capsys)
    assert "tools: trial, answer" in said
    assert "best of 12 strategies: 1 companions, 1 times" in said
    assert float(said.rpartition("test score ")[2]) == 1


def oracle_calls() -> list[Call]:
    """Return the moves of exact inference on an instance with trials, as tool calls."""
    instance = generate_one(FAMILY, "certified", "smoke", 2)
    rules = FAMILY.rules_for("certified", interface="tools")
    moves = [turn.action or {} for turn in play(FAMILY, instance, rules, "exact").turns]
    return [(move["kind"], {k: v for k, v in move.items() if k != "kind"}) for move in moves]


def played(agent: str, says: list[Any], folder: Path) -> EvalSample:
    """Let an agent of an example play that instance with a model that says these things."""
    (log,) = eval(
        causallink(agent=f"{EXAMPLES / agent}", set="smoke"),
        model=scripted_model(in_turn(says)),
        sample_id="causallink-rung-2-0000",
        log_dir=str(folder),
        display="log",
    )
    assert log.status == "success", log.error
    assert log.samples
    return log.samples[0]


def score_of(sample: EvalSample) -> object:
    assert sample.scores
    (score,) = sample.scores.values()
    assert isinstance(score.value, dict)
    return score.value["score"]


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["react_agent.py@react_agent", "openai_agent.py@openai_agent"])
def test_an_agent_of_ones_own_plays_by_tools(agent: str, tmp_path: Path) -> None:
    calls = oracle_calls()
    sample = played(agent, [*calls, "That was it."], tmp_path)
    turns = [turn["action"]["kind"] for turn in sample.store["causarium:turns"]]
    assert turns == [name for name, _ in calls]
    assert score_of(sample) == 1
    # The conversation is in the log, and the model's tokens are counted.
    assert sample.messages[-1].text == "That was it."
    assert sample.model_usage["mockllm/model"].output_tokens == len(calls) + 1


@pytest.mark.slow
def test_an_agent_behind_the_bridge_is_told_of_calls_that_cannot_be_made(tmp_path: Path) -> None:
    says = [("no_such", {}), *oracle_calls(), "That was it."]
    sample = played("openai_agent.py@openai_agent", says, tmp_path)
    assert score_of(sample) == 1


@pytest.mark.slow
@needs_bubblewrap
def test_a_coding_agent_plays_over_a_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_need, "find_sandbox", lambda: SandboxEnvironmentSpec("bubblewrap"))
    calls = oracle_calls()
    commands = [f"world {name} '{json.dumps(arguments)}'" for name, arguments in calls]
    says = [*(("bash", {"cmd": command}) for command in commands), "That was it."]
    sample = played("coding_agent.py@coding_agent", says, tmp_path)
    turns = [turn["action"]["kind"] for turn in sample.store["causarium:turns"]]
    assert turns == [name for name, _ in calls]
    assert score_of(sample) == 1


def test_a_run_that_cannot_begin_leaves_an_earlier_one_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("causarium_local")
    for name in ("settings.json", "scores.json"):
        (tmp_path / name).write_text("{}")
    out = ("--out", str(tmp_path))
    with pytest.raises(SystemExit):
        run_example("train_open_weights.py", *out, capsys=capsys)
    pytest.importorskip("torch")
    with pytest.raises(SystemExit, match="there is no folder"):
        run_example("train_open_weights.py", str(tmp_path / "none"), *out, capsys=capsys)
    words = ("--repeat", str(tmp_path), "--runs", "nowhere")
    with pytest.raises(SystemExit, match="holds no run"):
        run_example("train_open_weights.py", *words, capsys=capsys)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["{}", "{}"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("foo=1", "unknown setting 'foo'"),
        ("passess=1", "did you mean 'passes'"),
        ("rate=abc", "rate: Input should be a valid number"),
    ],
)
def test_a_change_that_cannot_be_made_is_refused(
    change: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("causarium_local")
    with pytest.raises(SystemExit, match=says):
        run_example("train_open_weights.py", str(tmp_path), "--change", change, capsys=capsys)


@pytest.mark.parametrize(
    ("held", "says"), [(None, "cannot read .*No such file"), ("[1]", "is no settings.json")]
)
def test_settings_that_cannot_be_read_are_refused(
    held: str | None, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("causarium_local")
    file = tmp_path / "settings.json"
    if held is not None:
        file.write_text(held)
    with pytest.raises(SystemExit, match=says):
        run_example("train_open_weights.py", "--settings", str(file), capsys=capsys)


def test_a_change_without_a_value_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("causarium_local")
    with pytest.raises(SystemExit):
        run_example("train_open_weights.py", "weights", "--change", "rate", capsys=capsys)
    assert "rate has no value: write it as rate=VALUE" in capsys.readouterr().err


def test_listed_demonstrations_are_made_where_they_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("causarium_local")
    export = pytest.importorskip("causarium_data.export_data").export_data
    monkeypatch.chdir(tmp_path)
    listed = (
        "least_reward = 0.8\n[talks.causallink]\nrung-3 = 2\nrung-2 = 3\n[talks.recite]\nrung-2=1"
    )
    (tmp_path / "stored" / "one").mkdir(parents=True)
    (tmp_path / "stored" / "talks.toml").write_text(listed)
    told = {"weights": "none", "train": ["causallink"], "talks": "talks"}
    (tmp_path / "stored" / "one" / "settings.json").write_text(json.dumps(told))
    words = ("--repeat", "stored", "--part", "talks")
    said = run_example("train_open_weights.py", *words, capsys=capsys)
    assert [line.rpartition("/")[2] for line in said.splitlines()] == [
        "causallink-rung-3.jsonl",
        "causallink-rung-2.jsonl",
    ]
    how: dict[str, Any] = {"form": "sft", "level": "rung-2", "size": 3, "least_reward": 0.8}
    export(cm.load("causallink"), tmp_path / "same.jsonl", **how)
    made = tmp_path / "talks" / "causallink-rung-2.jsonl"
    assert made.read_bytes() == (tmp_path / "same.jsonl").read_bytes()
    assert not run_example("train_open_weights.py", *words, capsys=capsys)


def test_reward_is_learned_on_every_level_or_on_those_named() -> None:
    pytest.importorskip("causarium_local")
    example = runpy.run_path(str(EXAMPLES / "train_open_weights.py"))
    names = ("causallink", "causalgame")
    settings = example["Settings"](weights="", train=names, instances=8, attempts=1)
    instances = example["Instances"](settings)
    ids = [one.instance.id for _ in range(2) for one in instances.open_step()]
    for name in names:
        ladder = families.get(name).card.ladder
        assert all(any(one.startswith(f"{name}-{level}-") for one in ids) for level in ladder)
    settings = replace(settings, train=("causallink",), reward_levels=("rung-3",))
    ids = [one.instance.id for one in example["Instances"](settings).open_step()]
    assert all(one.startswith("causallink-rung-3-") for one in ids)


@pytest.mark.parametrize(
    ("family", "level", "kin"),
    [
        ("causallink", "rung-2", 2),
        ("causalab", "rung-2", 1),
        ("causalgame", "rung-2", 1),
        ("replayscm", "rung-3", 1),
        ("recite", "rung-2", 0),
    ],
)
def test_instances_of_one_step_share_as_little_as_can_be(family: str, level: str, kin: int) -> None:
    pytest.importorskip("causarium_local")
    example = runpy.run_path(str(EXAMPLES / "train_open_weights.py"))
    settings = example["Settings"](
        weights="", train=(family,), reward_levels=(level,), instances=6, attempts=2
    )
    instances = example["Instances"](settings)
    steps = [list(instances.open_step()) for _ in range(5)]
    for sessions in steps:
        assert [one.instance for one in sessions[::2]] == [one.instance for one in sessions[1::2]]
        shared = Counter(find_cluster(one.instance) for one in sessions[::2])
        # ReCITE has twelve texts of a rung, and no more than chance brings is asked for.
        assert max(shared.values()) <= (1 if kin else 2)
    ids = [one.instance.id for sessions in steps for one in sessions[::2]]
    assert len(set(ids)) == len(ids)
    # Hardly more are drawn than are played.
    assert sum(instances._drawn.values()) <= len(ids) + 4 * settings.instances


def test_what_is_to_be_converted_must_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The tests of causarium-local build a tokenizer with it.
    with pytest.raises(SystemExit, match="there is no file"):
        run_example("convert_gguf.py", str(tmp_path / "none.gguf"), str(tmp_path), capsys=capsys)


def test_what_a_conversion_needs_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("causarium_local")
    file = tmp_path / "one.gguf"
    file.touch()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(SystemExit, match="needs torch and transformers and accelerate and gguf:"):
        run_example("convert_gguf.py", str(file), str(tmp_path / "out"), capsys=capsys)


def test_every_example_is_run_here() -> None:
    names = {path.name for path in EXAMPLES.glob("*.py")}
    here = Path(__file__).read_text(encoding="utf-8")
    assert names
    assert not [name for name in names if name not in here]
