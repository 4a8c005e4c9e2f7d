"""The flight itself, in cases small enough to work out by hand."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causalgame.paper.mechanics import (
    Draws,
    fly,
    fly_on,
    fly_recipe,
    reduce_damage,
)
from causarium.families.causalgame.paper.model.game import (
    Design,
    Effect,
    effect_of,
    resolve_equipment,
)
from causarium.families.causalgame.paper.model.paper_games import NAMES, QUIRKS, paper_game
from causarium.seeds import stream
from tests.families.causalgame.made import design

ANTENNA = paper_game("antenna_trap")
FITTED = paper_game("antenna_trap_no_selection_bias")
ZONE = paper_game("deployment_zone_trap_categorical")
WEATHER = paper_game("weather_noise")
DRAWS = Draws(11, 3000)


@pytest.mark.parametrize(
    ("raw", "armour", "through"),
    [(0, 20, 0), (100, 20, 82), (100, 200, 35), (10, 50, 4), (1, 50, 1), (2, 0, 2)],
)
def test_armour_lets_something_through(raw, armour, through):
    assert reduce_damage(np.asarray(raw), np.asarray(armour), 0.9, 0.65) == through


def test_agility_falls_with_the_weight_of_armour():
    flown = fly_on(ANTENNA, Design(), DRAWS, 2)
    expected = 1 - 0.002 * 90 * np.exp(-90 / 200) - 0.09
    assert flown["agility"][0] == pytest.approx(expected)
    assert set(fly_on(WEATHER, Design(), DRAWS, 2)["agility"]) == {1.0}


def test_storms_and_clear_skies_are_told_apart_by_the_wind():
    flown = fly_on(ANTENNA, Design(), DRAWS, 1)
    storm, wind = flown["is_storm"], flown["wind_speed"]
    assert wind[storm].min() >= 40
    assert wind[~storm].max() < 30


def test_undetected_drones_are_not_hit_and_those_hit_were_detected():
    for game in (ANTENNA, ZONE, WEATHER):
        flown = fly_on(game, Design(), DRAWS, 1)
        assert not flown["hit_count"][~flown["detected"]].any()


def test_no_drone_is_hit_more_often_than_there_are_rounds():
    for game in (ANTENNA, ZONE, WEATHER):
        flown = fly_on(game, Design(), DRAWS, 1)
        assert (flown["hit_count"] <= flown["rounds"]).all()


def test_drones_that_are_never_hit_in_calm_air_survive():
    flown = fly_on(ZONE, Design(), DRAWS, 1, {"hit_count": 0})
    assert flown["survived"].all()


def test_a_crash_never_kills_in_the_published_zone_game():
    flown = fly_on(ZONE, Design(), DRAWS, 1, {"comm_failure": 0.95, "detected": False})
    assert flown["crash"].max() > 0.9
    assert flown["survived"].all()


def test_the_beacon_calls_the_enemy_as_soon_as_any_equipment_is_sent():
    assert effect_of(FITTED, Design()) == Effect()
    asked = Design(equipment={"antenna_mode": "passive", "emergency_beacon": "off"})
    assert effect_of(FITTED, asked).detection == 0.05


def test_equipment_that_does_not_exist_leaves_the_default():
    assert resolve_equipment(
        ZONE, Design(equipment={"enhancement_module": "laser"})
    ) == resolve_equipment(ZONE, Design())


def test_a_held_coating_does_not_switch_the_beacon_on():
    plain = fly_on(FITTED, Design(), DRAWS, 2)
    held = fly_on(FITTED, Design(), DRAWS, 2, {"coating": "standard"})
    assert np.array_equal(plain["survived"], held["survived"])


def test_instruments_of_the_forced_history_show_the_zone_that_was_not_flown():
    game = paper_game("deployment_zone_trap_categorical_simpsons_paradox")
    mended = game.model_copy(update={"quirks": ()})
    recipe = game.past.recipes[0]
    halfway = fly_recipe(game, recipe, 2000, stream(0, "past"))
    whole = fly_recipe(mended, recipe, 2000, stream(0, "past"))
    assert whole["wind_resistance"].min() >= 0.7
    assert halfway["wind_resistance"].min() < 0.3
    assert set(halfway["altitude_band"]) == {2}
    assert halfway["emi_level"].min() >= 0.7


def test_the_mix_of_zones_flips_at_submission():
    game = paper_game("deployment_zone_trap_env_shift")
    zones = [set(fly_on(game, Design(), DRAWS, stage)["mission_zone"]) for stage in (1, 2)]
    assert zones == [{0, 1, 2}, {3, 4}]


@pytest.mark.parametrize("name", NAMES)
def test_a_fleet_depends_on_its_stream_alone(name):
    game = paper_game(name)
    one = fly(game, game.trap, 500, stream(3, "fleet"), 2)
    fly(game, game.best, 77, stream(9, "else"), 1)
    again = fly(game, game.trap, 500, stream(3, "fleet"), 2)
    other = fly(game, game.trap, 500, stream(4, "fleet"), 2)
    assert all(np.array_equal(one[k], again[k]) for k in one)
    assert not np.array_equal(one["hit_count"], other["hit_count"])


@pytest.mark.parametrize("name", NAMES)
def test_holding_a_variable_for_the_fleet_is_holding_it_for_every_drone(name):
    game, draws = paper_game(name), Draws(7, 200)
    natural = fly_on(game, game.trap, draws, 2)
    for variable in natural:
        if game.variable(variable).role in {"equipment", "distractor"}:
            continue
        value = natural[variable].max()
        each = fly_on(game, game.trap, draws, 2, {variable: np.full(200, value)})
        fleet = fly_on(game, game.trap, draws, 2, {variable: value})
        differ = [k for k in natural if not np.array_equal(each[k], fleet[k])]
        assert not differ, variable


@pytest.mark.parametrize("game", [ANTENNA, ZONE, WEATHER])
def test_a_fleet_is_freed_as_soon_as_nobody_holds_it(game):
    gc.disable()
    try:
        flown = fly(game, game.trap, 10, stream(0, "freed"), 2)
        column = weakref.ref(flown["wind_resistance" if game is ZONE else "wind_speed"])
        del flown
        assert column() is None
    finally:
        gc.enable()


def test_rows_of_draws_do_not_depend_on_how_many_are_asked_for():
    few, many = Draws(1, 33), Draws(1, 33)
    few.bits("hit", 3)
    many.words("hit", 4)
    assert np.array_equal(few.bits("hit", 40), many.bits("hit", 40))
    assert np.array_equal(few.bits("hit", 3), many.bits("hit", 40)[:3])
    assert not np.array_equal(few.bits("hit", 3), few.bits("crit", 3))


@pytest.mark.parametrize("names", [("one", "other"), ("is_storm", "wind_speed")])
def test_draws_of_two_names_have_nothing_to_do_with_each_other(names):
    draws = Draws(2, 200_000)
    one, other = (draws.draw_uniform(name) for name in names)
    assert abs(np.corrcoef(one, other)[0, 1]) < 4 / np.sqrt(draws.count)
    assert one.mean() == pytest.approx(0.5, abs=4 * 0.29 / np.sqrt(draws.count))


def test_hits_find_components_by_how_exposed_they_are():
    """With one hit each that kills what it finds, the lost are those with a critical part hit."""
    calm = {f"{part.name}_hp": 1 for part in ANTENNA.components}
    draws = Draws(3, 100_000)
    flown = fly_on(ANTENNA, Design(), draws, 1, {**calm, "hit_count": 1, "damage_factor": 50})
    assert 1 - flown["survived"].mean() == pytest.approx(5.2 / 7.0, abs=0.006)
    disarmed = {**calm, "gun_hp": 0, "camera_hp": 0}
    flown = fly_on(ANTENNA, Design(), draws, 1, {**disarmed, "hit_count": 1, "damage_factor": 50})
    assert 1 - flown["survived"].mean() == pytest.approx(5.2 / 6.0, abs=0.006)


@given(st.lists(st.integers(0, 60), min_size=8, max_size=8), st.sampled_from(NAMES))
@settings(max_examples=25, deadline=None)
def test_whatever_is_built_flies(points, name):
    game = paper_game(name)
    flown = fly_on(game, design(*points[: len(game.components)]), DRAWS, 1)
    assert flown["survived"].dtype == bool
    assert all(np.isfinite(column).all() for column in flown.values())


def test_every_oddity_is_used_by_some_game_and_said_in_a_sentence():
    used = {quirk for name in NAMES for quirk in paper_game(name).quirks}
    assert used == set(QUIRKS)
    assert all(sentence.endswith(".") for sentence in QUIRKS.values())
