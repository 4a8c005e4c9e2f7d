"""The Inspect task: every rule is one of its arguments, and a player can play it."""

import inspect

from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.task import causalgame


def test_every_rule_is_an_argument_of_the_task():
    arguments = set(inspect.signature(causalgame).parameters)
    assert arguments >= {"edition", "set", "file", "player", *FAMILY.rules.model_fields}


def test_a_task_holds_the_instances_of_its_set():
    made = causalgame(set="smoke", player="default")
    assert len(made.dataset) == FAMILY.card.sets["certified"]["smoke"].size
