"""The examples run, and say what they promise to say."""

import json
import runpy
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalSample
from inspect_ai.util import SandboxEnvironmentSpec

from causarium import families
from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_set
from causarium.engine.task import family_task as sandbox_need
from causarium.errors import BadFile
from causarium.families.causallink import FAMILY
from causarium.families.causallink.task import causallink
from tests.engine.sandbox import needs_bubblewrap
from tests.support.scripted import Call, in_turn, scripted_model

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def test_a_player_of_ones_own_is_compared_with_ours(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "write_a_player.py"), run_name="__main__")
    mine, optimal, lead = capsys.readouterr().out.splitlines()
    assert mine.strip().startswith("mine: 0.")
    assert optimal.strip().startswith("optimal: 1.000")
    assert lead.startswith("optimal leads by 0.")


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
    assert "optimal" in run_example("learn_from_reward.py", *quick, capsys=capsys)


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
    assert "causallink: earned 0." in said
    assert said.count("(complete)") == 2
    assert "32 rows" in said
    assert (tmp_path / "reports" / "report.html").is_file()


def test_a_paper_is_studied(capsys: pytest.CaptureFixture[str]) -> None:
    said = run_example("study_one_paper.py", capsys=capsys)
    assert "always_no: 0." in said
    assert "20 of 20 certified" in said
    assert "published quirks: " in said


def test_somebody_trains_and_plays(capsys: pytest.CaptureFixture[str]) -> None:
    said = run_example("train_or_play.py", capsys=capsys)
    assert "tools: intervene, answer" in said
    accuracy = float(said.rpartition("test accuracy ")[2])
    assert 0.3 < accuracy < 0.7, "one fixed look is right half of the time"


def oracle_calls() -> list[Call]:
    """Return the oracle's moves on the first instance of the smallest set, as tool calls."""
    (instance,) = generate_set(FAMILY, "certified", "smoke", limit=1)
    rules = FAMILY.rules_for("certified", interface="tools")
    moves = [turn.action or {} for turn in play(FAMILY, instance, rules, "optimal").turns]
    return [(move["kind"], {k: v for k, v in move.items() if k != "kind"}) for move in moves]


def played(agent: str, says: list[Any], folder: Path) -> EvalSample:
    """Let an agent of an example play that instance with a model that says these things."""
    (log,) = eval(
        causallink(agent=f"{EXAMPLES / agent}", set="smoke"),
        model=scripted_model(in_turn(says)),
        limit=1,
        log_dir=str(folder),
        display="log",
    )
    assert log.status == "success", log.error
    assert log.samples
    return log.samples[0]


def accuracy(sample: EvalSample) -> object:
    assert sample.scores
    (score,) = sample.scores.values()
    assert isinstance(score.value, dict)
    return score.value["accuracy"]


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["react_agent.py@react_agent", "openai_agent.py@openai_agent"])
def test_an_agent_of_ones_own_plays_by_tools(agent: str, tmp_path: Path) -> None:
    calls = oracle_calls()
    sample = played(agent, [*calls, "That was it."], tmp_path)
    turns = [turn["action"]["kind"] for turn in sample.store["causarium:turns"]]
    assert turns == [name for name, _ in calls]
    assert accuracy(sample) == 1
    # The conversation is in the log, and the model's tokens are counted.
    assert sample.messages[-1].text == "That was it."
    assert sample.model_usage["mockllm/model"].output_tokens == len(calls) + 1


@pytest.mark.slow
def test_an_agent_behind_the_bridge_is_told_of_calls_that_cannot_be_made(tmp_path: Path) -> None:
    says = [("no_such", {}), *oracle_calls(), "That was it."]
    sample = played("openai_agent.py@openai_agent", says, tmp_path)
    assert accuracy(sample) == 1


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
    assert accuracy(sample) == 1


def test_a_transfer_matrix_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # The tests of causarium-local train a model with it.
    score = {"reward": 0.5, "low": 0.25, "high": 0.75, "n": 4}
    alone = {"reward": 1.0, "low": None, "high": None, "n": 1}
    scores = {"recite": score, "causalab": alone}
    run = {"trained on": ["causallink"], "after demonstrations": scores}
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "scores.json").write_text(json.dumps(run))
    out = run_example("train_open_weights.py", "--table", str(tmp_path), capsys=capsys)
    assert out.splitlines()[-1] == "| one | causallink |  | 1.00 |  |  | 0.50 [0.25, 0.75] |"
    scores["causalab"] = score | {"over": 3}
    scores["recite"] = score | {"reward": -0.001}
    (tmp_path / "one" / "scores.json").write_text(json.dumps(run))
    (tmp_path / "untrained").mkdir()
    told = json.dumps({"trained on": ["causallink"], "beyond": {}})
    (tmp_path / "untrained" / "scores.json").write_text(told)
    out = run_example("train_open_weights.py", "--table", str(tmp_path), capsys=capsys)
    row = "| one | causallink |  | 3 of 4 ended |  |  | 0.00 [0.25, 0.75] |"
    assert out.splitlines()[2:] == [row]


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
    with pytest.raises(BadFile, match="there is no folder"):
        run_example("train_open_weights.py", str(tmp_path / "none"), *out, capsys=capsys)
    words = ("--repeat", str(tmp_path), "--runs", "nowhere")
    with pytest.raises(BadFile, match="holds no run nowhere"):
        run_example("train_open_weights.py", *words, capsys=capsys)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["{}", "{}"]


def test_reward_is_learned_on_every_level_or_on_those_named() -> None:
    pytest.importorskip("causarium_local")
    example = runpy.run_path(str(EXAMPLES / "train_open_weights.py"))
    names = ("causallink", "causalgame")
    settings = example["Settings"](weights="", train=names, instances=8, attempts=1)
    ids = [one.instance.id for step in range(2) for one in example["open_group"](settings, step)]
    for name in names:
        ladder = families.get(name).card.ladder
        assert all(any(one.startswith(f"{name}-{level}-") for one in ids) for level in ladder)
    settings = replace(settings, train=("causallink",), reward_levels=("laws",))
    ids = [one.instance.id for one in example["open_group"](settings, 0)]
    assert all(one.startswith("causallink-laws-") for one in ids)


def test_what_is_to_be_converted_must_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The tests of causarium-local build a tokenizer with it.
    with pytest.raises(BadFile, match="there is no file"):
        run_example("convert_gguf.py", str(tmp_path / "none.gguf"), str(tmp_path), capsys=capsys)


def test_every_example_is_run_here() -> None:
    names = {path.name for path in EXAMPLES.glob("*.py")}
    here = Path(__file__).read_text(encoding="utf-8")
    assert names
    assert not [name for name in names if name not in here]
