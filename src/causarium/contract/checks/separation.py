"""Promises about separation: no shortcut earns much, and causal reasoning wins."""

import math
from collections.abc import Iterator
from statistics import fmean

from causarium.contract.checks.checked_family import Check, Subject
from causarium.contract.family_card import Bounds, Separation
from causarium.contract.sets.instance_sets import find_set

_QUICK_SIZE = 60
"""In a quick check, no set larger than this is played for its bounds."""


def the_card_says_who_separates(subject: Subject) -> Iterator[str]:
    """The players of the separation exist, see no secret, and have bounds on every certified set.

    A family without a separation promises nothing of the kind.
    """
    separation = subject.family.card.separation
    if separation is None:
        return
    for name in _cast(separation):
        if name not in subject.family.players:
            yield f"the separation names {name}, and there is no such player"
        elif subject.family.players[name].sees_truth:
            yield f"the separation names {name}, who is handed the secret"
    if separation.metric not in subject.family.metrics:
        yield f"the separation's metric {separation.metric} is not described"
    bounded = {(b.set, b.player) for b in separation.bounds if b.edition == "certified"}
    for set_name in subject.family.card.sets.get("certified", {}):
        for role, names in _roles(separation).items():
            if not any((set_name, name) in bounded for name in names):
                yield f"the card states no bound for a {role} player on certified/{set_name}"


def shortcuts_and_causal_players_stay_within_their_bounds(subject: Subject) -> Iterator[str]:
    """Each bound of the separation holds; a quick check plays the small sets."""
    separation = subject.family.card.separation
    for bounds in separation.bounds if separation else ():
        spec = find_set(subject.family, bounds.edition, bounds.set)
        if subject.quick and bounds.set not in subject.sets and spec.size > _QUICK_SIZE:
            continue
        if bounds.player not in subject.players:
            continue
        value = mean_of(subject, bounds)
        if not bounds.low <= value <= bounds.high:
            yield (
                f"{bounds.player}'s {bounds.metric} on {bounds.edition}/{bounds.set} is "
                f"{value:.4g}, but the card says {bounds.low:g} to {bounds.high:g}"
            )


def _cast(separation: Separation) -> tuple[str, ...]:
    causal = (*separation.also_causal, separation.causal)
    return (separation.blind, separation.passive, *separation.shortcuts, *causal)


def _roles(separation: Separation) -> dict[str, tuple[str, ...]]:
    return {
        "passive": (separation.passive,),
        "shortcut": separation.shortcuts,
        "causal": (separation.causal,),
    }


def mean_of(subject: Subject, bounds: Bounds) -> float:
    """Return the mean that a bound is about; nan where it applies to nothing."""
    rules = subject.family.rules_for(bounds.edition)
    values = [
        subject.verdict(instance, rules, bounds.player).numbers.get(bounds.metric, math.nan)
        for instance in subject.instances(bounds.edition, bounds.set)
    ]
    numbers = [value for value in values if not math.isnan(value)]
    return fmean(numbers) if numbers else math.nan


CHECKS: tuple[Check, ...] = (
    the_card_says_who_separates,
    shortcuts_and_causal_players_stay_within_their_bounds,
)
