"""Survival in the published games, against an independent simulation of the same equations.

Values in percent, measured with 400,000 drones each by another implementation; both of us have a
standard error of up to 0.08 points, so 0.3 points between us is the mark.
"""

import numpy as np
import pytest

from causarium.families.causalgame.paper.mechanics import Draws, fly, fly_on, fly_recipe
from causarium.families.causalgame.paper.model.game import Design
from causarium.families.causalgame.paper.model.paper_games import paper_game
from causarium.seeds import stream
from tests.families.causalgame.made import design

pytestmark = pytest.mark.slow

DRONES = 400_000
MARK = 0.3
ZONE = "deployment_zone_trap_categorical"
SHIFT = "deployment_zone_trap_env_shift"
FREE = f"{ZONE}_no_selection_bias"
FILTER = {"enhancement_module": "signal_filter"}


def percent(name, tried, *, stage=2, do=None, without=()):
    game = paper_game(name)
    game = game.model_copy(update={"quirks": tuple(q for q in game.quirks if q not in without)})
    parts = [fly_on(game, tried, Draws(part, DRONES // 20), stage, do) for part in range(20)]
    return 100 * float(np.mean([part["survived"].mean() for part in parts]))


def only(**points):
    return Design(armour=points)


@pytest.mark.parametrize(
    ("tried", "value"),
    [
        (design(), 54.2),
        (only(antenna=30), 34.5),
        (only(antenna=20), 34.6),
        (only(antenna=15), 36.5),
        (only(antenna=10, camera=10, gun=10), 55.1),
        (only(antenna=0), 82.8),
        (only(antenna=0, camera=0, gun=0), 73.5),
        (design(30, 30, 15, 15, 0, 5, 5), 83.1),
        (design(18, 18, 15, 15, 0, 10, 10), 92.6),
        (design(19, 16, 20, 10, 0, 12, 12), 92.9),
        (design(50, 50, 50, 50, 0, 50, 50), 95.6),
        (design(200, 200, 200, 200, 0, 12, 12), 99.4),
    ],
)
def test_designs_of_the_antenna_game_survive_as_measured(tried, value):
    assert percent("antenna_trap", tried) == pytest.approx(value, abs=MARK)


def test_a_stealth_coating_helps_where_it_is_offered():
    tried = design(19, 16, 20, 10, 0, 12, 12, coating="stealth")
    found = percent("antenna_trap_no_selection_bias", tried)
    assert found == pytest.approx(95.0, abs=MARK)


@pytest.mark.parametrize(
    ("points", "value"),
    [(2, 81.5), (4, 78.3), (5, 76.1), (6, 72.2), (8, 63.4), (10, 54.3), (12, 45.5), (15, 36.4)],
)
def test_the_sweep_of_antenna_armour_is_as_measured(points, value):
    assert percent("antenna_trap", only(antenna=points)) == pytest.approx(value, abs=MARK)


@pytest.mark.parametrize(
    ("points", "value"),
    [(0, 74.5), (3, 77.1), (5, 82.7), (6, 86.2), (7, 88.5), (8, 91.9), (10, 92.1)],
)
def test_the_sweep_of_camera_armour_is_as_measured(points, value):
    found = percent("antenna_trap", only(antenna=0, camera=points))
    assert found == pytest.approx(value, abs=MARK)


@pytest.mark.parametrize(
    ("points", "value"), [(0, 34.0), (5, 54.1), (8, 71.6), (10, 86.1), (12, 92.5)]
)
def test_the_sweep_of_wing_armour_is_as_measured(points, value):
    tried = only(antenna=0, camera=10, gun=10, wing=points)
    assert percent("antenna_trap", tried) == pytest.approx(value, abs=MARK)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("antenna_trap_local_optima", 80.4),
        ("antenna_trap_simpsons_paradox", 34.6),
        (f"{ZONE}_high_def", 50.5),
    ],
)
def test_designs_of_the_opening_history_survive_as_measured(name, value):
    for recipe in paper_game(name).past.recipes:
        assert percent(name, recipe.design) == pytest.approx(value, abs=MARK)


def test_weather_makes_no_difference_to_which_antenna_armour_is_better():
    """High antenna armour hurts in clear weather too, against the published golden claim."""
    for points, value in ((0, 72.7), (30, 48.9)):
        tried = only(antenna=points)
        clear = percent("antenna_trap", tried, do={"is_storm": False})
        assert clear == pytest.approx(value, abs=MARK)


@pytest.mark.parametrize(
    ("tried", "value"),
    [
        (Design(), 50.3),
        (Design(equipment={"enhancement_module": "power_core"}), 50.3),
        (only(engine=35, wing=30), 50.4),
        (only(shield=25), 61.1),
        (Design(equipment=FILTER), 68.9),
        (Design(armour={"shield": 5}, equipment=FILTER), 72.1),
        (Design(armour={"shield": 10}, equipment=FILTER), 75.0),
        (Design(armour={"shield": 15}, equipment=FILTER), 77.7),
        (Design(armour={"shield": 20}, equipment=FILTER), 80.0),
        (Design(armour={"shield": 25}, equipment=FILTER), 80.3),
        (only(shield=50), 76.4),
        (paper_game(ZONE).best, 80.1),
        (design(300, 300, 300, 300, 0, 0, 0, 25, **FILTER), 91.9),
    ],
)
def test_designs_of_the_zone_game_survive_as_measured(tried, value):
    assert percent(ZONE, tried) == pytest.approx(value, abs=MARK)


def test_a_low_profile_helps_a_little_though_the_game_does_not_offer_it():
    for equipment, value in ((FILTER, 80.3), ({**FILTER, "flight_profile": "low"}, 80.9)):
        tried = Design(armour={"shield": 25}, equipment=equipment)
        assert percent(ZONE, tried) == pytest.approx(value, abs=MARK)


@pytest.mark.parametrize(
    ("zone", "value"),
    [("alpha", 76.6), ("beta", 58.6), ("gamma", 32.5), ("delta", 80.3), ("epsilon", 32.5)],
)
def test_each_zone_has_its_own_survival(zone, value):
    found = percent(ZONE, Design(), do={"mission_zone": zone})
    assert found == pytest.approx(value, abs=MARK)


def test_medium_altitude_looks_safest_in_the_zone_game():
    game, alive, flown = paper_game(ZONE), np.zeros(3), np.zeros(3)
    for part in range(20):
        flights = fly(game, Design(), DRONES // 20, stream(5, "altitude", part), 1)
        band = flights["altitude_band"]
        alive += np.bincount(band, weights=flights["survived"], minlength=3)
        flown += np.bincount(band, minlength=3)
    assert 100 * alive / flown == pytest.approx([43.1, 58.6, 54.5], abs=MARK)


@pytest.mark.parametrize(
    ("tried", "value"),
    [
        (Design(), 15.9),
        (only(antenna=30, engine=20), 19.5),
        (only(antenna=0, engine=30), 30.2),
        (design(30, 4, 13, 13, 30, 0, 0), 33.7),
        (design(3000, 3000, 3000, 3000, 3000, 0, 0), 51.0),
        (only(engine=10), 1.7),
        (only(engine=15), 8.8),
        (only(engine=25), 23.0),
        (only(engine=30), 30.3),
    ],
)
def test_designs_of_the_weather_game_survive_as_measured(tried, value):
    assert percent("weather_noise", tried) == pytest.approx(value, abs=MARK)


@pytest.mark.parametrize(
    ("tried", "stage", "value"),
    [
        (Design(), 1, 71.7),
        (Design(), 2, 32.5),
        (only(shield=32), 2, 32.5),
        (design(300, 300, 300, 300), 2, 33.1),
    ],
)
def test_no_design_matters_after_the_published_shift(tried, stage, value):
    assert percent(SHIFT, tried, stage=stage) == pytest.approx(value, abs=MARK)


@pytest.mark.parametrize(
    ("points", "stage", "value"), [(30, 2, 71.5), (32, 2, 75.3), (30, 1, 79.8)]
)
def test_a_shield_that_is_found_would_have_helped_after_the_shift(points, stage, value):
    found = percent(SHIFT, only(shield=points), stage=stage, without=("shield_misfiled",))
    assert found == pytest.approx(value, abs=MARK)


@pytest.mark.parametrize(
    ("tried", "value"),
    [
        (Design(), 71.4),
        (design(20, 20, 15, 15, 0, 0, 0, 0), 71.7),
        (design(*[50] * 8), 73.1),
        (design(*[100] * 8), 78.2),
    ],
)
def test_the_game_whose_law_is_missing_has_no_trap(tried, value):
    assert percent(FREE, tried) == pytest.approx(value, abs=MARK)


def test_with_its_law_found_the_same_game_is_the_zone_game():
    found = percent(FREE, Design(), without=("law_missing",))
    assert found == pytest.approx(50.3, abs=MARK)


@pytest.mark.parametrize(("number", "value"), [(0, 32.3), (1, 80.8)])
def test_forced_zones_of_the_published_paradox_survive_as_measured(number, value):
    game = paper_game(f"{ZONE}_simpsons_paradox")
    recipe = game.past.recipes[number]
    flown = [
        fly_recipe(game, recipe, 20_000, stream(3, "recipe", number, part)) for part in range(20)
    ]
    found = 100 * sum(float(flights["survived"].mean()) for flights in flown) / len(flown)
    assert found == pytest.approx(value, abs=MARK)
