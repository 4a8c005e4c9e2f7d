"""Which column to hold by hand so that a trial tells two stories of one book apart."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .identify import Law, find_law
from .story import Story


class Telling(NamedTuple):
    """A column held at a value, and the total variation between what two stories then predict."""

    setting: tuple[int, int] | None
    difference: float


def find_telling_set(stories: Sequence[Story], law: Law) -> Telling:
    """Return the column that tells two stories apart best, of those with known effects."""
    best = Telling(None, 0.0)
    for column in range(stories[0].module):
        for value in (0, 1):
            laws = [predict(story, law, column, value) for story in stories]
            if laws[0] is None or laws[1] is None:
                continue
            difference = float(np.abs(laws[0] - laws[1]).sum()) / 2
            if difference > best.difference + 1e-9:
                best = Telling((column, value), difference)
    return best


def predict(story: Story, law: Law, column: int, value: int) -> Law | None:
    """Return the law of all other nodes when a column is held; None if the book does not tell."""
    others = (1 << story.nodes) - 1 & ~(1 << column)
    found = find_law(story, law, {column: value}, others)
    return None if found is None else np.squeeze(found, axis=1 + column)
