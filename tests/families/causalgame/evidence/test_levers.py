"""Levers that work, and the published ones that do not."""

import pytest

from causarium.families.causalgame.catalogue.certified_games import certified_game
from causarium.families.causalgame.catalogue.paper_games import paper_game
from causarium.families.causalgame.evidence.levers import dead_armour, dead_options, shift, sway
from causarium.families.causalgame.mechanics.game import Design

ONE_OF_EACH_KIND = (
    "antenna_trap",
    "deployment_zone_trap_categorical",
    "deployment_zone_trap_env_shift",
    "weather_noise",
)


@pytest.mark.parametrize("name", ONE_OF_EACH_KIND)
def test_every_option_and_all_armour_of_the_certified_games_matters(name):
    game = certified_game(name)
    assert dead_options(game) == ()
    assert dead_armour(game) == ()


def test_options_that_the_release_forgot_are_found_dead():
    dead = dead_options(paper_game("antenna_trap_no_selection_bias"))
    assert {"antenna_mode=passive", "antenna_mode=burst"} <= set(dead)
    assert "coating=stealth" not in dead
    weather = paper_game("weather_noise")
    assert len(dead_options(weather)) == sum(len(slot.options) - 1 for slot in weather.slots)


def test_the_shifts_are_felt():
    assert shift(certified_game("antenna_trap")) == 0
    assert shift(certified_game("deployment_zone_trap_env_shift")) > 0.3
    assert shift(certified_game("weather_noise")) > 0.08


def test_a_storm_turns_what_lift_does():
    game = certified_game("weather_noise")
    clear, storm = (sway(game, Design(), 0, 30, "antenna_def", stage=stage) for stage in (2, 1))
    assert clear < -0.1
    assert storm > clear + 0.3
