"""Where an agent stands between guess and oracle, in a few words that hold with 95 % certainty."""

import math

from causarium.report.data.causal_profile import Scale
from causarium.scoring.intervals import Interval

FEWEST_INSTANCES = 20
WIDEST = 0.5
"""An interval wider than this places nobody."""
MOST_LETTERS = 21


def is_too_few(place: Interval) -> bool:
    """Say whether a place rests on too little to be put in words."""
    return place.n < FEWEST_INSTANCES or not place.high - place.low <= WIDEST


def name_place(place: Interval, scale: Scale, size: int) -> str:
    """Return what an interval on the scale shows: the first of these sentences that holds.

    Args:
        place: The agent's place on the scale, with its interval.
        scale: Where the marks are.
        size: How many instances the set has.
    """
    shortcut = scale.shortcut.place if scale.shortcut else math.nan
    causal = scale.causal.place if scale.causal else math.nan
    if is_too_few(place):
        return f"too few: {place.n} of {size}" if place.n < size else f"too few: {place.n} cases"
    if place.low <= 0:
        return "below guessing" if place.high < 0 else "like guessing"
    if not math.isnan(shortcut) and place.low <= shortcut:
        return "below the shortcut" if place.high < shortcut else "at the shortcut"
    if place.high >= causal:
        return "at the causal mark"
    return "below causal mark" if math.isnan(shortcut) else "beyond the shortcut"
