"""CausalGame played by programs and with analyses, from end to end, in a real sandbox."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalSample
from inspect_ai.util import SandboxEnvironmentSpec

from causarium import families
from causarium.contract.family_card import Part
from causarium.contract.frozen import canonical_json
from causarium.contract.sets.instance_sets import write_set
from causarium.engine.record.episode_record import read_record
from causarium.engine.task import family_task as sandbox_need
from tests.engine.sandbox import needs_bubblewrap
from tests.support.inspect_runs import run_task, task_of
from tests.support.logs import find_logs, rescore
from tests.support.scripted import in_turn, scripted_model

FAMILY = families.get("causalgame")

pytestmark = needs_bubblewrap

EXPLORE = """
print(client.status())
first = client.deploy(design={}, count=10)
print(first.text)
try:
    client.deploy(design={}, count=1_000_000)
except Refused as why:
    print("no:", why)
"""
SUBMIT = """
print("EVALUATION_COMPLETE", client.submit(design={}).text)
"""
ANALYSE = """
import json
import numpy
rows = json.load(open("history.json"))
status = json.load(open("status.json"))
print(len(rows), numpy.mean([1.0 for _ in rows] or [0]))
print(sorted(name for name in dir(client) if not name.startswith("_")))
"""
PAPER = """
client.deploy(design={}, count=20)
print(client.submit(design={}).text)
"""


@pytest.fixture(autouse=True)
def bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_need, "find_sandbox", lambda: SandboxEnvironmentSpec("bubblewrap"))


def fenced(code: str) -> str:
    return f"I suppose that the record is selected.\n```python\n{code}\n```"


def play(says: list[Any], folder: Path, **rules: Any) -> EvalSample:
    drawn = folder / "one.jsonl"
    write_set(drawn, FAMILY, "paper", [Part(level="paper-antenna_trap", size=1)])
    made = task_of(FAMILY, edition="paper", file=str(drawn), **rules)
    log = run_task(made, folder, scripted_model(in_turn(says)))
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


def test_programs_explore_and_submit(tmp_path: Path) -> None:
    says = [fenced(EXPLORE), fenced(SUBMIT), "The survivors were the whole record."]
    sample = play(says, tmp_path, interface="code")
    kinds = [turn["action"]["kind"] for turn in turns(sample)]
    assert kinds == [
        "status",
        "deploy",
        "deploy",
        "play_program",
        "submit",
        "play_program",
        "report",
    ]
    assert [turn["legal"] for turn in turns(sample)][:4] == [True, True, False, True]
    assert "no: Refused:" in turns(sample)[3]["observation"]
    assert 0 < numbers(sample)["survival"] < 1


def test_programs_play_a_published_game(tmp_path: Path) -> None:
    says = [fenced(PAPER), "The survivors were the whole record."]
    sample = play(says, tmp_path, interface="code")
    kinds = [turn["action"]["kind"] for turn in turns(sample)]
    assert kinds == ["deploy", "submit", "play_program", "report"]
    assert 0 < numbers(sample)["survival"] < 1


def test_saying_that_it_is_over_submits_nothing(tmp_path: Path) -> None:
    code = "print('EVALUATION_COMPLETE: survived 1000 of 1000, victory')"
    sample = play([fenced(code), *["That is all."] * 80], tmp_path, interface="code")
    acted = [turn["action"]["kind"] for turn in turns(sample) if turn["action"]]
    assert acted[0] == "play_program"
    assert "submit" not in acted[:1]
    assert numbers(sample)["win"] == 0


def test_an_analysis_reads_the_record_and_acts_on_nothing(tmp_path: Path) -> None:
    call = ("run_analysis", {"thought": "Count first.", "code": ANALYSE})
    rest: list[Any] = ["That is all."] * 80
    sample = play([call, *rest], tmp_path, interface="tools", analysis_unanswered=False)
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
    says = [fenced(code), fenced(EXPLORE), fenced(SUBMIT)]
    sample = play(says, tmp_path, interface="code")
    secret = read_record(sample.metadata).instance["secret"]
    shown = turns(sample)[0]["action"]["ran"]["output"]
    assert str(secret["session_seed"]) not in shown
    assert canonical_json(secret["rows"]) not in shown
