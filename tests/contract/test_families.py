"""Every family keeps every promise of the contract."""

from functools import cache

import pytest
from causarium_data.export_data import default_player

from causarium import families
from causarium.contract.checks.check_family import CHECKS, promise_name, run_check
from causarium.contract.checks.checked_family import Subject
from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_set
from tests.support.lamps import FAMILY as LAMPS


@cache
def subject(name):
    family = LAMPS if name == "lamps" else families.get(name)
    return Subject(family, sets=("smoke",), quick=True)


NAMES = ("lamps", *families.names())
QUICK = ("lamps", "causallink")
LONG = (
    "nothing secret is said in so many words",
    "no public field always equals a secret one",
    "the names that are mentioned do not betray the secret one",
    "pairs of the secret are not written out",
    "impossible actions are not obeyed",
    "reference players stay within the cards bounds",
    "actions out of turn are refused",
)
"""Promises that take ten seconds and more in all but the quickest families; the rest takes some."""


def cases():
    for name in NAMES:
        for promise in CHECKS:
            # All promises of a family in one worker: they look at the same games.
            marks = [pytest.mark.xdist_group(name)]
            is_long = promise_name(promise) in LONG
            if name not in QUICK:
                marks.append(pytest.mark.long if is_long else pytest.mark.slow)
            elif is_long and name != "lamps":
                marks.append(pytest.mark.slow)
            yield pytest.param(name, promise, marks=marks, id=f"{name}-{promise_name(promise)}")


def test_long_promises_are_promises():
    assert {promise_name(promise) for promise in CHECKS} >= set(LONG)


@pytest.mark.parametrize(("name", "promise"), list(cases()))
def test_the_promise_is_kept(name, promise):
    found = run_check(promise, subject(name))
    assert found.passed, found.detail


@pytest.mark.parametrize("name", NAMES)
def test_an_instance_plays_the_same_once_it_was_written_and_read(name):
    family = subject(name).family
    rules = family.rules_for("certified").model_copy(update=dict(family.rules.without_programs))
    for instance in generate_set(family, "certified", "smoke")[:3]:
        again = type(instance).model_validate_json(instance.line())
        assert family.prompt(again.public, rules) == family.prompt(instance.public, rules)
        player = default_player(family)
        before, after = (play(family, one, rules, player).turns for one in (instance, again))
        assert before == after
