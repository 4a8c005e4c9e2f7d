"""What adding up says: the answer of somebody who knows only what each property does alone."""

import numpy as np

from ..mechanics.respond import LOOSE, Array, respond
from ..model.instance import LETTERS, NONE_TELLS, READINGS, Question
from ..model.skeleton import Skeleton
from .settle import Places, write_settings


def add_effects(
    skeleton: Skeleton, crystal: Array, question: Question, places: Places
) -> list[str]:
    """Return for each way to place the names of a question what single effects add up to.

    Args:
        skeleton: The parts of the crystal.
        crystal: One crystal, as a table of one row.
        question: The question.
        places: The property that stands for each of its names.
    """
    alone = np.full((skeleton.holdable, skeleton.size + 1), LOOSE, dtype=np.int8)
    np.fill_diagonal(alone, 1)
    effects = np.zeros(skeleton.size + 1, dtype=np.int64)
    effects[: skeleton.holdable] = respond(skeleton, crystal, alone)[:, 0]

    def add(settings: Array) -> np.ndarray:
        return np.sign(np.where(settings == LOOSE, 0, settings) @ effects)

    if question.pair is None:
        return [
            READINGS[one] for one in add(write_settings(skeleton, question.hold, places)).tolist()
        ]
    one, other = question.pair
    exchanged = {**places, one: places[other], other: places[one]}
    code = np.full(len(places[one]), len(LETTERS))
    for number in reversed(range(len(LETTERS))):
        hold = question.options[number]
        here = add(write_settings(skeleton, hold, places))
        there = add(write_settings(skeleton, hold, exchanged))
        code[here != there] = number
    return [(*LETTERS, NONE_TELLS)[number] for number in code.tolist()]
