"""Every family keeps every promise of the contract."""

from functools import cache

import pytest

from causarium import families
from causarium.contract.check import CHECKS, Subject, called, run
from tests.support.lamps import LAMPS


@cache
def subject(name):
    family = LAMPS if name == "lamps" else families.get(name)
    return Subject(family, sets=("smoke",), quick=True)


@pytest.mark.parametrize("promise", CHECKS, ids=called)
@pytest.mark.parametrize("name", ["lamps", *families.names()])
def test_the_promise_is_kept(name, promise):
    found = run(promise, subject(name))
    assert found.passed, found.detail
