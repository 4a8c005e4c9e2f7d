"""One experiment on one crystal."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..model.instance import LEVELS, READINGS, Experiment, LadderPublic
from .respond import LOOSE, respond


def read_experiment(
    public: LadderPublic, crystal: Sequence[int], hold: Mapping[str, str], push: int = 0
) -> Experiment:
    """Make one experiment on a crystal; `push` is how the head of the stem is moved meanwhile."""
    row = np.array([crystal], dtype=np.int8)
    settings = np.full((1, len(public.names)), LOOSE, dtype=np.int8)
    for name, level in hold.items():
        settings[0, public.index[name]] = LEVELS[level]
    reading = respond(public.skeleton, row, settings, push)[0, 0]
    return Experiment.model_validate({"hold": hold, "reading": READINGS[int(reading)]})
