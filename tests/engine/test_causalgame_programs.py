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
from causarium.contract.sets.instance_sets import write_set
from causarium.engine.record.episode_record import read_record
from causarium.engine.task import family_task as sandbox_need
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
first = client.fly(design={}, count=20)
print(first.text)
try:
    client.fly(design={}, count=10_000)
except Refused as why:
    print("no:", why)
"""
SUBMIT = """
second = client.commit(design={})
print("EVALUATION_COMPLETE", second.text)
client.fly(count=5)
asked = client.commit(design={})
for mission in (1, 2):
    client.answer(answers={"q1": "up", "q2": {"up": 0.5, "down": 0.5}})
try:
    client.commit(design={})
except Refused as why:
    print("twice:", why)
"""
ANALYSE = """
import json
import numpy
flights = json.load(open("history.json"))
status = json.load(open("status.json"))
print(len(flights["rows"]), numpy.mean([1.0 for _ in flights["rows"]] or [0]))
print(sorted(name for name in dir(client) if not name.startswith("_")))
"""
PAPER = """
client.deploy(design={}, count=20)
print(client.submit(design={}).text)
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


def play(says: list[Any], folder: Path, level: str = "twin-weather", **rules: Any) -> EvalSample:
    drawn = folder / "one.jsonl"
    edition = FAMILY.level(level).edition
    write_set(drawn, FAMILY, edition, [Part(level=level, size=1)])
    made = build_task(
        FAMILY,
        game_verdict(),
        edition=edition,
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


def test_programs_explore_commit_answer_and_the_agent_reports(tmp_path: Path) -> None:
    says = [fenced(EXPLORE), fenced(SUBMIT), "The two missions were not alike."]
    sample = play(says, tmp_path, interface="code")
    kinds = [turn["action"]["kind"] for turn in turns(sample)]
    assert kinds == [
        *("action_space", "status", "fly", "fly", "play_mission"),
        *("commit", "fly", "commit", "answer", "answer", "commit", "play_mission", "explain"),
    ]
    legal = [turn["legal"] for turn in turns(sample)]
    assert legal[2:5] == [True, False, True]
    assert legal[10] is False
    assert "no: Refused:" in turns(sample)[4]["observation"]
    assert "twice: Refused:" in turns(sample)[11]["observation"]
    assert 0 < numbers(sample)["survival"] < 1


def test_programs_play_a_published_game(tmp_path: Path) -> None:
    says = [fenced(PAPER), "The survivors were the whole record."]
    sample = play(says, tmp_path, level="paper-antenna_trap", interface="code")
    kinds = [turn["action"]["kind"] for turn in turns(sample)]
    assert kinds == ["deploy", "submit", "play_program", "report"]
    assert 0 < numbers(sample)["survival"] < 1


def test_programs_read_an_archive(tmp_path: Path) -> None:
    code = """
names = list(client.action_space()["equipment"])
for mission in (1, 2):
    table = client.tabulate(columns=[names[0], "returned"])
    print(table["rows"])
    client.commit(equipment={})
"""
    sample = play(
        [fenced(code), "It was by lot."], tmp_path, level="archive-instrument", interface="code"
    )
    kinds = [turn["action"]["kind"] for turn in turns(sample)]
    assert kinds.count("tabulate") == kinds.count("commit") == 2
    assert kinds[-1] == "explain"


def test_saying_that_it_is_over_submits_nothing(tmp_path: Path) -> None:
    code = "print('EVALUATION_COMPLETE: survived 1000 of 1000, victory')"
    sample = play([fenced(code), "That is all."], tmp_path, interface="code")
    acted = [turn["action"]["kind"] for turn in turns(sample) if turn["action"]]
    assert acted[0] == "play_mission"
    assert numbers(sample)["win"] == 0


def test_an_analysis_reads_the_record_and_acts_on_nothing(tmp_path: Path) -> None:
    call = ("run_analysis", {"thought": "Count first.", "code": ANALYSE})
    rest: list[Any] = [
        ("fly", {"thought": "Try it.", "count": 5}),
        ("commit", {"thought": "That will do."}),
        ("fly", {"thought": "Again.", "count": 5}),
        ("commit", {"thought": "That will do."}),
        ("answer", {"answers": {"q1": "up"}}),
        ("answer", {"answers": {}}),
        ("explain", {"text": "The record told little."}),
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
    assert canonical_json(secret["law"]["traps"]) not in shown
    assert "twins" not in shown
