"""Every family keeps every promise of the contract."""

from functools import cache

import pytest

from causarium import families
from causarium.contract.checks.check_family import CHECKS, Subject, promise_name, run_check
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
    "long replies are read in time",
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
            if name not in QUICK:
                marks.append(
                    pytest.mark.long if promise_name(promise) in LONG else pytest.mark.slow
                )
            elif promise_name(promise) == "long replies are read in time":
                marks.append(pytest.mark.slow)
            yield pytest.param(name, promise, marks=marks, id=f"{name}-{promise_name(promise)}")


def test_long_promises_are_promises():
    assert {promise_name(promise) for promise in CHECKS} >= set(LONG)


@pytest.mark.parametrize(("name", "promise"), list(cases()))
def test_the_promise_is_kept(name, promise):
    found = run_check(promise, subject(name))
    assert found.passed, found.detail
