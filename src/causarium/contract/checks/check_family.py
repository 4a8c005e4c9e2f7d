"""The contract checker: every promise a family makes, tried out without a model.

`causarium check` prints what `run_checks` yields, and `tests/contract/` runs the same over every
family. Each promise is a function in `contract/checks/`; its name is the promise.
"""

from collections.abc import Iterator

from causarium.contract.checks import (
    documents,
    generation,
    replies,
    scores,
    secrecy,
    theorems,
    worlds,
)
from causarium.contract.checks.checked_family import Check, Subject
from causarium.contract.family import AnyFamily
from causarium.contract.frozen import Frozen
from causarium.errors import MissingExtra

CHECKS: tuple[Check, ...] = (
    *generation.CHECKS,
    *secrecy.CHECKS,
    *scores.CHECKS,
    *theorems.CHECKS,
    *replies.CHECKS,
    *worlds.CHECKS,
    *documents.CHECKS,
)
"""Every promise, in the order in which they are reported."""

_SHOWN = 3


class Finding(Frozen):
    """Whether one promise is kept."""

    name: str
    """The promise, as a sentence."""
    passed: bool
    """Also where it was skipped: nothing speaks against it."""
    detail: str = ""
    """What is wrong, when it is not kept."""
    skipped: str = ""
    """The extra that has to be installed before it can be tried."""


def open_subject(family: AnyFamily, *, quick: bool = True) -> Subject:
    """Return what the checks look at.

    Args:
        family: The family to check.
        quick: Play a few instances of `smoke` in every edition that has it, and a few of each other
            level of `standard`; otherwise many of every set, and prove all digests of the card.
    """
    sets = ("smoke",) if quick else sorted({n for s in family.card.sets.values() for n in s})
    return Subject(family, sets=sets, quick=quick)


def run_checks(subject: Subject) -> Iterator[Finding]:
    """Yield the finding of every promise, as it is made."""
    for promise in CHECKS:
        yield run_check(promise, subject)


def run_check(promise: Check, subject: Subject) -> Finding:
    """Try one promise; an exception from the family's code breaks it."""
    try:
        complaints = list(promise(subject))
    except MissingExtra as missing:
        return Finding(name=promise_name(promise), passed=True, skipped=missing.extra)
    except Exception as wrong:  # noqa: BLE001 — whatever a family raises is a finding about it
        complaints = [f"{type(wrong).__name__}: {wrong}"]
    shown = "; ".join(complaints[:_SHOWN])
    if len(complaints) > _SHOWN:
        shown = f"{shown}; and {len(complaints) - _SHOWN} more"
    return Finding(name=promise_name(promise), passed=not complaints, detail=shown)


def promise_name(promise: Check) -> str:
    """Return the sentence that a promise is called by."""
    return promise.__name__.replace("_", " ")
