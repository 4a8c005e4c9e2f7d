"""How crystals respond to holds: many crystals and many experiments at once.

A crystal is a row: the property that plays each part. Experiments are rows of settings, one a
property: -1, 0 or 1 where it is held down, at rest or up, and `LOOSE` where it is not held. A
reading is -1, 0 or 1: the frequency goes down, stays the same or goes up.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..model.skeleton import Skeleton

Array: TypeAlias = NDArray[np.int8]

LOOSE = 2
"""The setting of a property that is not held."""


def respond(skeleton: Skeleton, crystals: Array, settings: Array, push: int = 0) -> Array:
    """Return the reading of each experiment (rows) on each crystal (columns).

    Args:
        skeleton: The parts of the crystals.
        crystals: For each crystal the property that plays each part.
        settings: For each experiment the setting of each property.
        push: How the head of the stem is moved from outside while it is not held.
    """
    levels: list[Array] = []
    for number, part in enumerate(skeleton.parts):
        own = settings[:, crystals[:, number]]
        if part.cause is not None:
            moved = levels[part.cause]
        else:
            moved = np.full_like(own, push if number == skeleton.head else 0)
        levels.append(np.where(own == LOOSE, moved, own))
    rising, falling = (levels[end] for end in skeleton.ends)
    if skeleton.gates > 0:
        rising = rising * (levels[0] == 1)
    if skeleton.gates > 1:
        falling = falling * (levels[1] != 1)
    seen: Array = np.sign(rising - falling)
    return seen
