"""CausalGame played by programs and with analyses, from end to end, in a real sandbox."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalSample
from inspect_ai.scorer import Scorer, scorer
from inspect_ai.util import SandboxEnvironmentSpec

from causarium.contract.family_card import Part
from causarium.contract.frozen import canonical_json
from causarium.contract.instance_sets import write_set
from causarium.engine.record.episode_record import read_record
from causarium.engine.task import sandbox_need
from causarium.engine.task.family_task import build_task
from causarium.engine.task.scorer import METRICS, verdict_scorer
from causarium.families.causalgame import FAMILY
from tests.engine.sandbox import needs_bubblewrap
from tests.support.logs import find_logs, rescore
from tests.support.scripted import in_turn, scripted_model

pytestmark = needs_bubblewrap

EXPLORE = """
space = client.action_space()
before = client.status()
first = client.deploy(design={}, count=20)
print(first.text)
try:
    client.deploy(design={}, count=10_000)
except Refused as why:
    print("no:", why)
"""
SUBMIT = """
result = client.submit(design={})
print("EVALUATION_COMPLETE", result.text)
try:
    client.submit(design={})
except Refused as why:
    print("twice:", why)
"""
ANALYSE = """
import json
import numpy
flights = json.load(open("history.json"))
status = json.load(open("status.json"))
print(len(flights), numpy.mean([1.0 for _ in flights] or [0]))
print(sorted(name for name in dir(client) if not name.startswith("_")))
"""


@pytest.fixture(autouse=True)
def bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sandbox_need, "choose_sandbox", lambda: SandboxEnvironmentSpec("bubblewrap")
    )


@scorer(metrics=METRICS)
def game_verdict() -> Scorer:
    return verdict_scorer(FAMILY)


def fenced(code: str) -> str:
    return f"I suppose that the record is selected.\n```python\n{code}\n```"


def play(says: list[Any], folder: Path, **rules: Any) -> EvalSample:
    drawn = folder / "one.jsonl"
    write_set(drawn, FAMILY, "certified", [Part(level="antenna_trap", size=1)])
    made = build_task(
        FAMILY,
        game_verdict(),
        edition="certified",
        set_name="",
        file=str(drawn),
        player=None,
        rules=rules,
    )
    (log,) = eval(
        made,
        model=scripted_model(in_turn(says)),
        log_dir=str(folder),
        display="none",
    )
    assert log.status == "success", log.error
    assert log.samples
    (path,) = find_logs([folder])
    assert all(pair.same for pair in rescore(path, lambda name: FAMILY))
    return log.samples[0]


def turns(sample: EvalSample) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sample.store["causarium:turns"]
    return found


def numbers(sample: EvalSample) -> dict[str, float]:
    assert sample.scores
    (score,) = sample.scores.values()
    assert isinstance(score.value, dict)
    return {name: float(str(value)) for name, value in score.value.items()}


def test_programs_explore_submit_and_the_agent_reports(tmp_path: Path) -> None:
    says = [fenced(EXPLORE), fenced(SUBMIT), "The survivors were the whole record."]
    sample = play(says, tmp_path, interface="code")
    kinds = [turn["action"]["kind"] for turn in turns(sample)]
    assert kinds == [
        *("action_space", "status", "deploy", "deploy", "play_program"),
        *("submit", "submit", "play_program", "report"),
    ]
    assert [turn["legal"] for turn in turns(sample)][2:7] == [True, False, True, True, False]
    assert "no: Refused:" in turns(sample)[4]["observation"]
    assert "twice: Refused:" in turns(sample)[7]["observation"]
    assert 0 < numbers(sample)["survival"] < 1


def test_saying_that_it_is_over_submits_nothing(tmp_path: Path) -> None:
    code = "print('EVALUATION_COMPLETE: survived 1000 of 1000, victory')"
    sample = play([fenced(code), "That is all."], tmp_path, interface="code")
    acted = [turn["action"]["kind"] for turn in turns(sample) if turn["action"]]
    assert acted == ["play_program"]
    assert numbers(sample)["win"] == 0


def test_an_analysis_reads_the_record_and_acts_on_nothing(tmp_path: Path) -> None:
    call = ("run_analysis", {"thought": "Count first.", "code": ANALYSE})
    rest: list[Any] = [
        ("deploy", {"thought": "Try it.", "count": 5}),
        ("submit", {"thought": "That will do."}),
        ("report", {"text": "The record held survivors alone."}),
    ]
    sample = play([call, *rest], tmp_path, interface="tools")
    ran = turns(sample)[0]["action"]["ran"]
    assert ran["ending"] == "finished", ran["output"]
    assert ran["output"].endswith("[]\n")
    assert ran["output"] in turns(sample)[0]["observation"]


def test_nothing_that_only_the_scorer_knows_is_in_the_workspace(tmp_path: Path) -> None:
    code = """
import os
for name in sorted(os.listdir(".")):
    if name.endswith(".json"):
        print(open(name).read()[:7000])
"""
    says = [fenced(code), fenced(EXPLORE), fenced(SUBMIT), "That is all."]
    sample = play(says, tmp_path, interface="code")
    secret = read_record(sample.metadata).instance["secret"]
    shown = turns(sample)[0]["action"]["ran"]["output"]
    assert str(secret["session_seed"]) not in shown
    constants = secret["game"].get("constants", {})
    assert canonical_json(constants) not in shown
