"""A scripted model plays both editions through Inspect, by text and by tool calls.

Programs play both in `tests/engine/test_causalgame_programs.py`.
"""

import json

import pytest
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser

from causarium import families
from causarium.contract.episode import play
from causarium.contract.rules import EDITIONS
from causarium.contract.sets.instance_sets import generate_set
from tests.support.inspect_runs import run_task, task_of
from tests.support.logs import newest_rows
from tests.support.scripted import scripted_model

FAMILY = families.get("causalgame")

COUNT = 2
PLAYED = {"certified": "exact", "paper": "random"}
COMPARED = {
    "certified": ("score", "all_right", "trials"),
    "paper": ("win", "drones", "survival", "gain"),
}


def as_player(edition, interface, rules):
    """Return a model's part: it says what a player does in the session it is shown."""
    parts = {}
    for instance in generate_set(FAMILY, edition, "smoke", limit=COUNT):
        turns = play(FAMILY, instance, rules, PLAYED[edition]).turns
        parts[FAMILY.prompt(instance.public, rules).user] = [turn.action for turn in turns]

    def say(messages):
        opening = next(m.text for m in messages if isinstance(m, ChatMessageUser))
        done = sum(isinstance(message, ChatMessageAssistant) for message in messages)
        # What only the reader fills in is nothing that a model says.
        action = {name: value for name, value in parts[opening][done].items() if value is not None}
        kind = action.pop("kind")
        action.pop("mended", None)
        if edition == "certified" and interface == "json":
            return json.dumps({kind: action})
        return (kind, action) if interface == "tools" else json.dumps({"action": kind, **action})

    return say


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("interface", ["json", "tools"])
def test_a_model_that_does_what_a_player_does_scores_what_it_scores(interface, edition, tmp_path):
    given = {"interface": interface, **({"analysis": False} if edition == "paper" else {})}
    rules = FAMILY.rules_for(edition, **given)
    task = task_of(FAMILY, edition=edition, **given)
    model = scripted_model(as_player(edition, interface, rules))
    run_task(task, tmp_path, model, limit=COUNT)
    rows = {row.id: row.numbers for row in newest_rows([tmp_path])}
    for instance in generate_set(FAMILY, edition, "smoke", limit=COUNT):
        expected = play(FAMILY, instance, rules, PLAYED[edition]).score().numbers
        found = rows[instance.id]
        assert found["refusals"] == 0
        for name in (*COMPARED[edition], "slips"):
            assert found[name] == pytest.approx(expected[name]), name
