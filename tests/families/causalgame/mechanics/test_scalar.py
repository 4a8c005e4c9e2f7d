"""Fleets as arrays against the same equations one drone at a time, variable by variable."""

import math
from random import Random

import numpy as np
import pytest

from bench.causalgame_scalar import fly_scalar
from causarium.families.causalgame.paper.mechanics import fly
from causarium.families.causalgame.paper.model.game import Design
from causarium.families.causalgame.paper.model.paper_games import NAMES, paper_game
from causarium.seeds import stream

SCALAR, ARRAY = 1_500, 40_000
FAR = 4.8
"""So many standard errors between two means of the same thing would be seen once in a million."""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("which", ["default", "best"])
def test_every_variable_has_the_same_mean_and_spread_as_one_drone_at_a_time(name, which):
    game = paper_game(name)
    design = Design() if which == "default" else game.best
    rows = fly_scalar(game, design, SCALAR, Random(1), 2)
    fleet = fly(game, design, ARRAY, stream(2, name), 2)
    assert set(rows[0]) == set(fleet)
    for variable, column in fleet.items():
        ours = column.astype(float)
        theirs = np.array([float(row[variable]) for row in rows])
        for power in (1, 2):
            difference = abs((ours**power).mean() - (theirs**power).mean())
            error = math.hypot(
                (ours**power).std() / math.sqrt(ARRAY), (theirs**power).std() / math.sqrt(SCALAR)
            )
            # A rare value may be missing from the smaller fleet altogether.
            assert difference <= FAR * error + 1e-9 or rare(ours, theirs), (variable, power)


def rare(ours, theirs):
    common = np.median(ours)
    return theirs.std() == 0 and (ours != common).mean() < 10 / SCALAR
