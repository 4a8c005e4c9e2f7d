"""Every family keeps every promise of the contract."""

from functools import cache

import pytest

from causarium import families
from causarium.contract.checks.check_family import CHECKS, Subject, promise_name, run_check
from tests.support.lamps import LAMPS


@cache
def subject(name):
    family = LAMPS if name == "lamps" else families.get(name)
    return Subject(family, sets=("smoke",), quick=True)


NAMES = ("lamps", *families.names())


@pytest.mark.parametrize("promise", CHECKS, ids=promise_name)
# All promises of a family in one worker: they look at the same games, which take a while.
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in NAMES]
)
def test_the_promise_is_kept(name, promise):
    found = run_check(promise, subject(name))
    assert found.passed, found.detail
