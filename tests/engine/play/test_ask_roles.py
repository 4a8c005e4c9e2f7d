"""Judges and assistants: asked when the run names them, recorded, and never asked again."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, Model

from causarium.contract.texts.role_questions import (
    Ask,
    Consultation,
    Judge,
    Judgement,
    answer_questions,
)
from causarium.contract.turn import Turn
from causarium.contract.verdict import Metric, Verdict
from causarium.contract.world import Move, Unparsed
from tests.support.inspect_runs import run_task, task_of
from tests.support.lamps import FAMILY as LAMPS
from tests.support.lamps.model import Answer, LampsInstance, LampsPublic, LampsRules, LampsSecret
from tests.support.logs import find_logs, newest_rows, rescore
from tests.support.scripted import in_turn, scripted_model
from tests.support.vary_family import vary


def ask(
    instance: LampsInstance, rules: LampsRules, turns: Sequence[Turn]
) -> Consultation[dict[str, Any]]:
    for number in range(3):
        reply = yield Ask(role="judge", system="Grade from 0 to 9.", user=f"attempt {number}")
        if reply.isdigit():
            return {"grade": int(reply), "asked": number + 1}
    return {}


def judged_score(
    instance: LampsInstance,
    rules: LampsRules,
    turns: Sequence[Turn],
    judgements: Sequence[Judgement],
) -> Verdict:
    grades = [found.found["grade"] for found in judgements if found.found]
    verdict = LAMPS.score(instance, rules, turns)
    if not grades:
        return verdict.model_copy(update={"unscored": "no judge gave a grade"})
    return verdict.model_copy(
        update={"numbers": {**verdict.numbers, "grade": sum(grades) / len(grades)}}
    )


def repair(public: LampsPublic, rules: LampsRules, move: Move) -> Consultation[Move] | None:
    return _repair(public) if isinstance(move, Unparsed) else None


def _repair(public: LampsPublic) -> Consultation[Move]:
    name = yield Ask(role="repair", system="Name the switch.", user=public.switches[0])
    return Answer(wired=name)


JUDGED = vary(
    LAMPS,
    judge=Judge[LampsPublic, LampsSecret, LampsRules](ask=ask, score=judged_score),
    repair_move=repair,
    metrics={**LAMPS.metrics, "grade": Metric("What the judges gave, on average.", "higher")},
)


def run(folder: Path, roles: dict[str, Any], says: Sequence[str]) -> EvalLog:
    model = scripted_model(in_turn(list(says)))
    return run_task(task_of(JUDGED), folder, model, model_roles=roles)


def judge_that_needs_asking_again(grade: str) -> Model:
    def say(messages: list[ChatMessage]) -> str:
        return "hm" if "attempt 0" in messages[-1].text else grade

    return scripted_model(say)


def test_every_judge_is_asked_and_scoring_again_asks_nobody(tmp_path: Path) -> None:
    judges = [judge_that_needs_asking_again("4"), judge_that_needs_asking_again("8")]
    run(tmp_path, {"judge": judges}, ["nothing"] * 9)
    assert {row.numbers["grade"] for row in newest_rows([tmp_path])} == {6.0}
    taken = [row.usage for row in newest_rows([tmp_path]) if row.usage]
    assert {used.helpers["judge"].input for used in taken} == {4}
    assert all(used.agent.input >= 1 for used in taken)
    (path,) = find_logs([tmp_path])
    again = list(rescore(path, lambda name: JUDGED))
    assert again
    assert all(pair.same and pair.after.numbers["grade"] == 6.0 for pair in again)


def test_a_judge_that_never_answers_leaves_the_episode_unscored(tmp_path: Path) -> None:
    run(tmp_path, {"judge": scripted_model(in_turn(["hm"]))}, ["nothing"] * 9)
    assert {row.unscored for row in newest_rows([tmp_path])} == {"no judge gave a grade"}


def test_a_judge_that_fails_costs_what_only_a_judge_can_say(tmp_path: Path) -> None:
    def fail(messages: list[ChatMessage]) -> str:
        raise ConnectionError("the judge is out")

    log = run(tmp_path / "failing", {"judge": scripted_model(fail)}, ["nothing"] * 9)
    run(tmp_path / "none", {}, ["nothing"] * 9)
    rows, plain = newest_rows([tmp_path / "failing"]), newest_rows([tmp_path / "none"])
    assert all(sample.error is None for sample in log.samples or ())
    assert {row.labels["judge"] for row in rows} == {"failed"}
    assert all(math.isnan(row.numbers["grade"]) for row in rows)
    assert [repr(row.numbers) for row in rows] == [repr(row.numbers) for row in plain]
    assert [row.turns for row in rows] == [row.turns for row in plain]
    store = (log.samples or [])[0].store
    assert store["causarium:judge_failed"] == "ConnectionError: the judge is out"
    (path,) = find_logs([tmp_path / "failing"])
    assert all(pair.same for pair in rescore(path, lambda name: JUDGED))


def test_without_a_judge_code_decides(tmp_path: Path) -> None:
    run(tmp_path, {}, ["nothing"] * 9)
    assert all(row.unscored is None for row in newest_rows([tmp_path]))


def test_a_repaired_move_is_the_one_that_is_made(tmp_path: Path) -> None:
    repairer = scripted_model(lambda messages: messages[-1].text)
    run(tmp_path, {"repair": repairer}, ["I think it is the one made of brass"])
    assert {row.turns for row in newest_rows([tmp_path])} == {1}


def test_an_unbound_assistant_changes_nothing(tmp_path: Path) -> None:
    run(tmp_path, {}, ["I think it is the one made of brass"] * 9)
    assert all(row.turns > 1 for row in newest_rows([tmp_path]))


def test_a_consultation_can_be_answered_by_a_function() -> None:
    instance = LAMPS.generate(LAMPS.level("small"), 0, 0)
    found = answer_questions(ask(instance, LampsRules(), []), lambda question: question.user[-1])
    assert found == {"grade": 0, "asked": 1}
