"""The Inspect task: every rule is one of its arguments, and a player can play it."""

import inspect

from causarium.families.causalab import FAMILY
from causarium.families.causalab.task import causalab


def test_every_rule_is_an_argument_of_the_task():
    arguments = set(inspect.signature(causalab).parameters)
    assert arguments >= {"edition", "set", "file", "player", *FAMILY.rules.model_fields}


def test_a_task_holds_the_instances_of_its_set():
    made = causalab(set="smoke", interface="dialog")
    assert len(made.dataset) == FAMILY.card.sets["certified"]["smoke"].size
