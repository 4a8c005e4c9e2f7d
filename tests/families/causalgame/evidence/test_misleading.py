"""Which histories mislead a regression, and which do not."""

from functools import cache

import pytest

from causarium.families.causalgame.catalogue.certified_games import certified_game
from causarium.families.causalgame.catalogue.paper_games import paper_game
from causarium.families.causalgame.evidence.flight_records import records
from causarium.families.causalgame.evidence.misleading import Estimate, Reading, readings
from causarium.families.causalgame.evidence.regression import recommend
from causarium.families.causalgame.mechanics.simulate import survival

ZONE = "deployment_zone_trap_categorical"


@cache
def wrong(name: str) -> set[str]:
    return {reading.lever for reading in readings(certified_game(name)) if reading.misleads}


@pytest.mark.parametrize(
    ("name", "lever"),
    [
        ("antenna_trap_high_def", "antenna"),
        ("antenna_trap_local_optima", "antenna"),
        (f"{ZONE}_high_def", "enhancement_module=radar_boost"),
        (f"{ZONE}_local_optima", "shield"),
    ],
)
def test_histories_that_should_mislead_do(name, lever):
    assert lever in wrong(name)


def test_it_is_the_selection_that_misleads_about_the_antenna():
    assert "antenna" in wrong("antenna_trap")
    assert "antenna" not in wrong("antenna_trap_no_selection_bias")


@pytest.mark.parametrize(
    "name",
    ["antenna_trap", "antenna_trap_high_def", "antenna_trap_local_optima", f"{ZONE}_local_optima"],
)
def test_a_regression_on_ever_so_many_records_still_loses(name):
    game = certified_game(name)
    chosen = recommend(records(game, 8_000, 1), game.space)
    assert survival(game, chosen, 20_000, 1).high < game.threshold - 0.1


def test_published_histories_do_not_vary_and_so_mislead_nobody():
    assert readings(paper_game("antenna_trap_high_def")) == ()


def test_only_sure_and_opposite_signs_mislead():
    up, down, unsure = Estimate(1.0, 0.1), Estimate(-1.0, 0.1), Estimate(1.0, 0.6)
    assert Reading("wing", up, down).misleads
    assert not Reading("wing", up, up).misleads
    assert not Reading("wing", unsure, down).misleads
    assert not Reading("wing", down, unsure).misleads
