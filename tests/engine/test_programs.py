"""Programs that a model writes, run in a sandbox while it plays."""

from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.scorer import Scorer, scorer

from causarium.engine.logs import find_logs, rescore
from causarium.engine.scorer import METRICS, verdict_scorer
from causarium.engine.task import build_task
from tests.engine.sandbox import needs_bubblewrap
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


@scorer(metrics=METRICS)
def wired_verdict() -> Scorer:
    return verdict_scorer(WIRED)


def wired_task(**rules: Any) -> Task:
    return build_task(
        WIRED,
        wired_verdict(),
        edition="certified",
        set_name="smoke",
        file=None,
        player=None,
        rules={"interface": "code", **rules},
    )


def fenced(code: str) -> str:
    return f"Let us see.\n```python\n{code}\n```\n"


def play(says: list[Any], folder: Path, *, limit: int = 1, **rules: Any) -> EvalLog:
    model = scripted_model(in_turn(says))
    (log,) = eval(
        wired_task(**rules), model=model, limit=limit, log_dir=str(folder), display="none"
    )
    assert log.status == "success", log.error
    return log


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
    scores = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert scores["accuracy"] == 1
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
