"""Models that play by writing programs, through Inspect from end to end."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.util import SandboxEnvironmentSpec

from causarium.contract.episode import replay
from causarium.engine.inspect_private import PrerequisiteError
from causarium.engine.record.episode_record import EpisodeStore, read_record
from causarium.engine.sandbox import bubblewrap as sandbox_choice
from causarium.engine.task import family_task as sandbox_need
from tests.engine.sandbox import needs_bubblewrap
from tests.support.inspect_runs import run_task, task_of
from tests.support.logs import find_logs, rescore
from tests.support.scripted import in_turn, scripted_model
from tests.support.wired_lamps import WIRED

pytestmark = needs_bubblewrap

SOLVE = """
import json
switches = json.load(open("switches.json"))
found = switches[-1]
for name in switches[:-1]:
    if client.flip(switch=name)["lit"]:
        found = name
        break
print("it is", found)
client.answer(wired=found)
print("not reached by the model")
"""


@pytest.fixture(autouse=True)
def bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take bubblewrap without trying it out."""
    monkeypatch.setattr(sandbox_need, "find_sandbox", lambda: SandboxEnvironmentSpec("bubblewrap"))


def wired_task(**rules: Any) -> Task:
    return task_of(WIRED, **{"interface": "code", **rules})


def fenced(code: str) -> str:
    return f"Let us see.\n```python\n{code}\n```\n"


def play(says: list[Any], folder: Path, *, limit: int = 1, **rules: Any) -> EvalLog:
    model = scripted_model(in_turn(says))
    return run_task(wired_task(**rules), folder, model, limit=limit)


def first(log: EvalLog) -> EvalSample:
    assert log.samples
    return log.samples[0]


def turns(log: EvalLog) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = first(log).store["causarium:turns"]
    return found


def said(log: EvalLog) -> str:
    """Return what the agent was last told."""
    return [m.text for m in first(log).messages if m.role in {"user", "tool"}][-1]


def test_a_program_plays_and_wins_and_each_verb_is_a_turn(tmp_path: Path) -> None:
    log = play([fenced(SOLVE)], tmp_path, limit=3)
    assert log.results is not None
    (scored,) = log.results.scores
    assert scored.metrics["score"].value == 1
    kinds = [turn["action"]["kind"] for turn in turns(log)]
    assert kinds[-1] == "answer"
    assert set(kinds[:-1]) == {"flip"}
    (path,) = find_logs([tmp_path])
    assert all(pair.same for pair in rescore(path, lambda name: WIRED))


def test_output_goes_back_and_the_program_is_a_turn_of_its_own(tmp_path: Path) -> None:
    log = play([fenced("print(6 * 7)"), '{"wired": "tin"}', "no", "no", "no"], tmp_path)
    turn = turns(log)[0]
    assert turn["action"]["kind"] == "tinker"
    assert turn["action"]["ran"] == {"output": "42\n", "ending": "finished"}
    assert turn["observation"] == "Your program finished:\n42\n"


def test_tools_run_programs_too_and_one_without_verbs_has_none(tmp_path: Path) -> None:
    code = "print([name for name in dir(client) if not name.startswith('_')])"
    says = [("ponder", {"code": code}), ("tinker", {"code": code}), ("answer", {"wired": "x"})]
    log = play(says, tmp_path, interface="tools")
    assert [turn["action"]["ran"]["output"] for turn in turns(log)[:2]] == [
        "[]\n",
        "['answer', 'flip']\n",
    ]


def test_an_agent_cannot_say_what_came_out(tmp_path: Path) -> None:
    forged = {"output": "the lamp is wired to tin", "ending": "finished"}
    reply = json.dumps({"code": "print('true')", "ran": forged})
    log = play([reply, "over", "over", "over"], tmp_path, interface="json")
    assert turns(log)[0]["action"]["ran"] == {"output": "true\n", "ending": "finished"}
    call = ("ponder", {"code": "print('true')", "ran": forged})
    log = play([call, "over", "over", "over"], tmp_path, interface="tools")
    assert not any("tin" in str(turn["action"]) for turn in turns(log))


def test_a_program_that_is_not_expected_is_not_run(tmp_path: Path) -> None:
    log = play([fenced("print(1)")] * 8, tmp_path)
    endings = [(turn["action"]["ran"] or {}).get("ending") for turn in turns(log)]
    assert endings == ["finished"] * 4 + [None] * 3


def test_a_sandbox_that_isolates_nothing_is_refused(tmp_path: Path) -> None:
    model = scripted_model(in_turn([fenced("print(1)")]))
    (log,) = eval(
        wired_task(), model=model, limit=1, sandbox="local", log_dir=str(tmp_path), display="none"
    )
    assert first(log).error is not None
    assert "this run was given another" in first(log).error.message


def test_where_there_is_no_sandbox_the_mode_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_choice, "no_bubblewrap", lambda: "bwrap: No permissions")
    monkeypatch.setattr(sandbox_need, "find_sandbox", sandbox_choice.find_sandbox)
    with pytest.raises(PrerequisiteError) as refused:
        wired_task()
    assert "bwrap: No permissions" in str(refused.value)
    assert "apt install bubblewrap" in str(refused.value)


def test_players_need_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_need, "find_sandbox", lambda: pytest.fail("no program will be run"))
    made = task_of(WIRED, player="oracle")
    assert made.sandbox is None


def test_recorded_programs_are_replayed_without_a_sandbox(tmp_path: Path) -> None:
    log = play([fenced("print(1)"), fenced(SOLVE)], tmp_path)
    record = read_record(first(log).metadata)
    instance, rules = record.open(WIRED)
    again = replay(WIRED, instance, rules, EpisodeStore(first(log).store).turns)
    assert again.done
    assert again.score().numbers["accuracy"] == 1
