"""Answers to questions from what a player's model believes."""

import re
from math import erf, exp, sqrt

from causarium.families.causalgame.strategies.causal_player import Model

_SPREAD = 1.0
"""How large effects are where there are any, on the scale of the model."""
_CHANGE = re.compile(r"(raising|lowering|changing) (\w+) from (\w+) to (\w+)")


def believe_change(
    model: Model,
    names: tuple[tuple[str, ...], tuple[tuple[str, tuple[str, str]], ...]],
    change: str,
    conditions: tuple[int | None, ...],
) -> dict[str, float]:
    """Return the chances that a change makes survival go up, down, or neither.

    Args:
        model: What the player learned.
        names: The parts, and the slots with their options.
        change: What is changed, as it was asked.
        conditions: Under which conditions; None: as in the tests.
    """
    parts, slots = names
    read = _CHANGE.match(change)
    if read is None:
        return dict.fromkeys(("up", "down", "none"), 1 / 3)
    verb, lever, first, _ = read.groups()
    if verb == "changing":
        place = [name for name, _ in slots].index(lever)
        mean, sd = model.options[place]
        sign = 1 if slots[place][1][0] == first else -1
    else:
        mean, sd = model.effect(parts.index(lever), conditions)
        sign = 1 if verb == "raising" else -1
    return weigh(sign * mean, max(sd, 0.05))


def weigh(mean: float, sd: float) -> dict[str, float]:
    """Return the chances of an effect up, down and none, each as likely beforehand."""
    wide = sqrt(sd**2 + _SPREAD**2)
    none = exp(-((mean / sd) ** 2) / 2) / sd
    some = 2 * exp(-((mean / wide) ** 2) / 2) / wide
    up = 0.5 * (1 + erf(mean * _SPREAD / (sd * wide) / sqrt(2)))
    total = none + some
    return {"up": some * up / total, "down": some * (1 - up) / total, "none": none / total}
