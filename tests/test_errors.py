"""Errors: the tree, and the message that helps."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium import errors
from causarium.errors import (
    BadFile,
    CausariumError,
    ContractError,
    GraphError,
    RunError,
    UnknownName,
    UsageError,
)

words = st.text(alphabet="abcdefg", min_size=1, max_size=8)


def test_the_tree_is_as_drawn():
    assert issubclass(UnknownName, UsageError)
    assert issubclass(BadFile, UsageError)
    assert issubclass(GraphError, ContractError)
    for kind in (UsageError, ContractError, RunError):
        assert issubclass(kind, CausariumError)
    assert not issubclass(ContractError, UsageError)
    assert not issubclass(RunError, ContractError)


def test_every_error_is_drawn_in_the_tree():
    for name, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, Exception):
            assert f" {name}" in errors.__doc__ or f"\n    {name}" in errors.__doc__


@given(words, st.lists(words, max_size=6, unique=True))
def test_an_unknown_name_says_what_was_given_and_all_that_would_work(given_name, known):
    message = str(UnknownName("family", given_name, known))
    assert repr(given_name) in message
    assert all(name in message for name in known)


@pytest.mark.parametrize(
    ("what", "given_name", "known", "message"),
    [
        ("family", "lap", ["lab"], "unknown family 'lap'; did you mean 'lab'? families: lab"),
        ("set", "SMOKE", ["smoke"], "unknown set 'SMOKE'; did you mean 'smoke'? sets: smoke"),
        ("set", "x", ["smoke", "paper"], "unknown set 'x'; sets: paper, smoke"),
        ("set", "x", [], "unknown set 'x'; sets: none"),
    ],
)
def test_the_nearest_name_is_suggested_when_there_is_one(what, given_name, known, message):
    assert str(UnknownName(what, given_name, known)) == message


def test_the_nearest_name_is_there_for_programs_too():
    wrong = UnknownName("lamps set", "smok", ["smoke"], plural="certified sets")
    assert (wrong.given, wrong.nearest) == ("smok", "smoke")
    assert str(wrong).endswith("certified sets: smoke")
    assert UnknownName("set", "zzz", ["smoke"]).nearest is None
