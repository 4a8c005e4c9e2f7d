"""A scripted model plays through Inspect, by text, through dialogs and by tool calls."""

import json

import pytest
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser

from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_set
from causarium.families.causalab.paper import FAMILY
from tests.support.inspect_runs import run_task, task_of
from tests.support.logs import newest_rows
from tests.support.scripted import scripted_model

COUNT = 4


def as_scientist(interface, rules):
    """Return a model's part: it says what the scientist does on the instance it is shown."""
    parts = {}
    for instance in generate_set(FAMILY, "paper", "smoke", limit=COUNT):
        turns = play(FAMILY, instance, rules, "scientist").turns
        parts[FAMILY.prompt(instance.public, rules).user] = [turn.action for turn in turns]

    def say(messages):
        opening = next(m.text for m in messages if isinstance(m, ChatMessageUser))
        done = sum(isinstance(message, ChatMessageAssistant) for message in messages)
        action = dict(parts[opening][done])
        kind = action.pop("kind")
        if belief := action.pop("hypothesis", None):
            edges = [{"from": edge["cause"], "to": edge["effect"]} for edge in belief["edges"]]
            action["hypothesis"] = {**belief, "edges": edges}
            del action["hypothesis"]["malformed"]
        return (kind, action) if interface == "tools" else json.dumps({"action": kind, **action})

    return say


@pytest.mark.slow
@pytest.mark.parametrize("interface", ["json", "tools", "dialog"])
def test_a_model_that_does_what_the_scientist_does_scores_what_it_scores(interface, tmp_path):
    rules = FAMILY.rules_for("paper", interface=interface)
    model = scripted_model(as_scientist(interface, rules))
    run_task(task_of(FAMILY, interface=interface, edition="paper"), tmp_path, model, limit=COUNT)
    rows = newest_rows([tmp_path])
    assert len(rows) == COUNT
    for row in rows:
        assert row.numbers["edge_f1"] == 1
        assert row.numbers["refusals"] == 0
