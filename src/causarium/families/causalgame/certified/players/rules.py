"""Rules that look at one leg and say what the module seems to add; None leaves it to a coin."""

from collections.abc import Callable, Iterable
from itertools import chain, combinations
from typing import TypeAlias

import numpy as np

from ..mechanics.adjust import adjust
from ..mechanics.identify import Law, find_share
from ..mechanics.legs import read_law, read_told
from ..mechanics.story import Story, list_nodes, spread
from ..model import Leg

Rule: TypeAlias = Callable[[Leg], float | None]


def see_crude(leg: Leg) -> float | None:
    """Return the difference of shares between fitted and bare drones."""
    return _adjust(leg, (), stratum=False)


def see_crude_in_stratum(leg: Leg) -> float | None:
    """Return the same difference where the held column has its value."""
    return _adjust(leg, (), stratum=True)


def adjust_for_all(leg: Leg) -> float | None:
    """Return the difference with all columns adjusted for."""
    return _adjust(leg, range(len(leg.columns)), stratum=False)


def adjust_for_all_in_stratum(leg: Leg) -> float | None:
    """Return the difference with all columns adjusted for, where the held one has its value."""
    return _adjust(leg, range(len(leg.columns)), stratum=True)


def regress(leg: Leg) -> float | None:
    """Return the module's coefficient in a linear regression on all columns."""
    law = read_law(leg)[0]
    cells = np.indices(law.shape).reshape(law.ndim, -1).T.astype(float)
    design = np.column_stack([np.ones(len(cells)), cells[:, :-1]]) * np.sqrt(law.ravel())[:, None]
    found = np.linalg.lstsq(design, cells[:, -1] * np.sqrt(law.ravel()), rcond=None)[0]
    return float(found[-1])


def find_best_cell(leg: Leg) -> float | None:
    """Return which way the module is in the row with the largest share of returns."""
    shares = [back / max(1, lost + back) for lost, back in leg.book]
    return 1.0 if int(np.argmax(shares)) % 2 else -1.0


def follow_most(leg: Leg) -> float | None:
    """Return which way the module was in most flights."""
    flights = [lost + back for lost, back in leg.book]
    return float(sum(flights[1::2]) - sum(flights[::2]))


def vote(leg: Leg) -> float | None:
    """Return the vote of all sets of columns, each adjusted for."""
    return float(sum(np.sign(effect) for effect in _adjust_each(leg)))


def take_largest(leg: Leg) -> float | None:
    """Return the largest difference over all sets of columns adjusted for."""
    return max(_adjust_each(leg), key=abs)


def adjust_for_unmoved(leg: Leg) -> float | None:
    """Adjust for all columns that the module does not move, where the held one has its value."""
    story = read_told(leg)
    moved = spread(1 << story.module, story.children, (1 << story.nodes) - 1)
    return _adjust(leg, (c for c in range(story.module) if not moved >> c & 1), stratum=True)


def adjust_for_module_causes(leg: Leg) -> float | None:
    """Adjust for the told causes of the module."""
    return _adjust(leg, list_nodes(read_told(leg).parents[len(leg.columns)]), stratum=True)


def adjust_for_causes(leg: Leg) -> float | None:
    """Adjust for the told causes of module or return that the module does not move."""
    story = read_told(leg)
    moved = spread(1 << story.module, story.children, (1 << story.nodes) - 1)
    causes = (story.parents[story.module] | story.parents[story.result]) & ~moved
    return _adjust(leg, list_nodes(causes), stratum=True)


def find_adjustment(leg: Leg) -> float | None:
    """Return the effect where some set of columns, adjusted for, gives what the story implies."""
    story, law = read_told(leg), read_law(leg)
    shares = [find_share(story, law, {**leg.settings, story.module: value}) for value in (0, 1)]
    if shares[0] is None or shares[1] is None:
        return None
    effect = float(shares[1][0] - shares[0][0])
    fits = (abs(one - effect) < 0.004 for one in _adjust_each(leg))
    return effect if any(fits) else None


def ignore_held(leg: Leg) -> float | None:
    """Return the effect that the story implies when no column is held."""
    story, law = read_told(leg), read_law(leg)
    return _find_effect(story, law)


def _find_effect(story: Story, law: Law) -> float | None:
    shares = [find_share(story, law, {story.module: value}) for value in (0, 1)]
    if shares[0] is None or shares[1] is None:
        return None
    return float(shares[1][0] - shares[0][0])


def _adjust_each(leg: Leg) -> list[float]:
    columns = range(len(leg.columns))
    sets = chain.from_iterable(combinations(columns, size) for size in range(len(columns) + 1))
    return [
        effect
        for chosen in sets
        for stratum in {False, leg.held is not None}
        if (effect := _adjust(leg, chosen, stratum=stratum)) is not None
    ]


def _adjust(leg: Leg, chosen: Iterable[int], *, stratum: bool) -> float | None:
    held = leg.held if stratum else None
    columns = tuple(column for column in chosen if held is None or column != held[0])
    return float(adjust(read_law(leg), columns, held)[0])


NUMBERS: dict[str, tuple[Rule, str]] = {
    "crude": (see_crude, "Compares fitted with bare drones."),
    "crude_stratum": (see_crude_in_stratum, "Compares them where the held column has its value."),
    "adjust_all": (adjust_for_all, "Adjusts for all columns."),
    "adjust_all_stratum": (adjust_for_all_in_stratum, "Adjusts for all, in the held stratum."),
    "regression": (regress, "Takes the sign of a linear regression on all columns."),
    "best_cell": (find_best_cell, "Copies the row with the largest share of returns."),
    "most_common": (follow_most, "Does what was done most in the book."),
    "vote": (vote, "Lets all sets of columns vote, each adjusted for."),
    "largest": (take_largest, "Takes the largest difference over all sets adjusted for."),
}
"""Rules that do not read the briefing: theorem T1 holds for them."""
READERS: dict[str, tuple[Rule, str]] = {
    "unmoved": (adjust_for_unmoved, "Adjusts for the columns that the module does not move."),
    "module_causes": (adjust_for_module_causes, "Adjusts for the told causes of the module."),
    "told_causes": (adjust_for_causes, "Adjusts for told causes of module and return."),
    "adjustment_sets": (find_adjustment, "Is right where an adjustment set is; else a coin."),
    "held_ignored": (ignore_held, "Knows the ID algorithm, and takes no column for held."),
}
"""Rules of thumb that read the briefing."""
