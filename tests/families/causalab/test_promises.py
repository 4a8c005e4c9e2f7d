"""Promises of the contract at a few seats; `tests/contract/` tries all of them, in minutes."""

import pickle
from collections.abc import Iterator
from functools import cache

import pytest

from causarium.contract.checks import documents, replies, worlds
from causarium.contract.checks.check_family import promise_name, run_check
from causarium.contract.checks.checked_family import REFERENCE_PLAYERS, Check, Subject
from causarium.contract.family import AnyInstance
from causarium.contract.rules import Rules
from causarium.families import get


class _FewSeats(Subject):
    """The family with one instance an interface, and the three players that every family has."""

    players = REFERENCE_PLAYERS

    def seats(self) -> Iterator[tuple[AnyInstance, Rules]]:
        first = {rules: instance for instance, rules in reversed([*super().seats()])}
        for rules, instance in first.items():
            yield instance, rules


FAMILY = get("causalab")


@cache
def _subject() -> Subject:
    return _FewSeats(FAMILY, sets=("smoke",), quick=True)


@pytest.mark.parametrize(
    "promise",
    [
        pytest.param(promise, id=promise_name(promise))
        for promise in (*worlds.CHECKS, *replies.CHECKS, *documents.CHECKS)
    ],
)
def test_the_promise_is_kept_at_a_few_seats(promise: Check) -> None:
    found = run_check(promise, _subject())
    assert found.passed, found.detail


@pytest.mark.parametrize("part", ["generate", "open_world", "score"])
def test_a_part_can_be_handed_to_another_process(part: str) -> None:
    function = getattr(FAMILY, part)
    handed = pickle.dumps(function)
    assert pickle.dumps(pickle.loads(handed)) == handed
