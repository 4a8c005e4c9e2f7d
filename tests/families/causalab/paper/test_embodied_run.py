"""Runs with a body through Inspect: by text, by tools, with frames, past a broken library."""

import json
import sys

import pytest
from inspect_ai import eval as evaluate
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser, ContentImage

from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_set
from causarium.engine.inspect_private import PrerequisiteError
from causarium.families.causalab.paper import FAMILY
from tests.families.causalab.paper.test_protocol import written
from tests.support.extras import needs_discoveryworld
from tests.support.inspect_runs import run_task, task_of
from tests.support.logs import newest_rows
from tests.support.scripted import scripted_model

COUNT = 2


def as_scientist(rules):
    parts = {}
    for instance in generate_set(FAMILY, "paper", "smoke", limit=COUNT):
        turns = play(FAMILY, instance, rules, "scientist").turns
        parts[FAMILY.prompt(instance.public, rules).user] = [turn.action for turn in turns]

    def say(messages):
        opening = next(m.text for m in messages if isinstance(m, ChatMessageUser))
        done = sum(isinstance(message, ChatMessageAssistant) for message in messages)
        reply = json.loads(written(parts[opening][done]))
        if not rules.by_tools:
            return json.dumps(reply)
        for note in ("memory", "thought", "past_data", "experiment"):
            del reply[note]
        return reply.pop("action"), reply

    return say


@needs_discoveryworld
@pytest.mark.slow
@pytest.mark.parametrize(
    ("interface", "answer"), [("embodied", ChatMessageUser), ("embodied_tools", ChatMessageTool)]
)
def test_a_model_with_a_body_plays_and_sees(interface, answer, tmp_path):
    given = {"interface": interface, "frames": True}
    say = as_scientist(FAMILY.rules_for("paper", **given))
    task = task_of(FAMILY, edition="paper", **given)
    log = run_task(task, tmp_path, scripted_model(say), limit=COUNT)
    for row in newest_rows([tmp_path]):
        assert row.numbers["prediction"] == row.numbers["edge_f1"] == 1.0
        assert row.numbers["refusals"] == 0.0
        assert row.numbers["walking_steps"] == 2.0
    for sample in log.samples:
        answers = [m for m in sample.messages[2:] if isinstance(m, answer)]
        assert answers
        assert all(isinstance(m.content[-1], ContentImage) for m in answers)


@needs_discoveryworld
@pytest.mark.slow
def test_a_broken_library_ends_one_sample_and_the_run_goes_on(tmp_path, monkeypatch):
    from causarium.families.causalab.paper.play import body

    do, opened = body.Body.do, []

    def break_once(self, act, *given):
        if act == "TELEPORT_TO_OBJECT":
            opened.append(given)
            if len(opened) == 1:
                with body._library("in a test"):
                    raise SystemExit(1)
        return do(self, act, *given)

    monkeypatch.setattr(body.Body, "do", break_once)
    task = task_of(FAMILY, edition="paper", player="oracle", interface="embodied")
    (log,) = evaluate(
        task, model="none/none", limit=COUNT, max_samples=1, log_dir=str(tmp_path), display="none"
    )
    faults = [sample.error for sample in log.samples if sample.error]
    assert len(faults) == 1
    assert "DiscoveryWorld broke down" in faults[0].message
    (sound,) = [sample for sample in log.samples if not sample.error]
    (score,) = sound.scores.values()
    assert score.value["prediction"] == 1.0


def test_a_run_without_the_library_is_refused_before_it_starts(monkeypatch):
    monkeypatch.setitem(sys.modules, "discoveryworld", None)
    with pytest.raises(PrerequisiteError, match=r"causarium\\?\[discoveryworld\]"):
        task_of(FAMILY, edition="paper", player="oracle", interface="embodied")
