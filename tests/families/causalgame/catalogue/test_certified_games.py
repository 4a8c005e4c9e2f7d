"""The certified edition of the fourteen games, clause by clause."""

import pytest

from causarium.errors import UnknownName
from causarium.families.causalgame.catalogue.certified_games import (
    NAMES,
    calibration,
    certified_game,
    uncalibrated,
)
from causarium.families.causalgame.catalogue.paper_games import NAMES as PAPER_NAMES
from causarium.families.causalgame.catalogue.published_hardware import design
from causarium.families.causalgame.evidence.best_design import QUICK, is_legal
from causarium.families.causalgame.generation.calibrate_games import calibrate
from causarium.families.causalgame.interface.archive_questions import interpret
from causarium.families.causalgame.mechanics.game import Design
from causarium.families.causalgame.mechanics.simulate import survival

ONE_OF_EACH_KIND = (
    "antenna_trap",
    "deployment_zone_trap_categorical",
    "deployment_zone_trap_env_shift",
    "weather_noise",
)
DRONES = 60_000


def test_there_are_the_same_fourteen_names_as_published():
    assert NAMES == PAPER_NAMES
    assert len(NAMES) == 14


def test_an_unknown_game_is_named_with_the_nearest_known_one():
    with pytest.raises(UnknownName, match="did you mean 'weather_noise'"):
        certified_game("wether_noise")


@pytest.mark.parametrize("name", NAMES)
def test_no_oddity_is_on_and_everything_that_was_or_may_be_flown_is_legal(name):
    game = certified_game(name)
    assert game.quirks == ()
    assert game.edition == "certified"
    flown = [recipe.design for recipe in game.past.recipes]
    assert all(is_legal(game, one) for one in (Design(), game.best, game.trap, *flown))


@pytest.mark.parametrize("name", ONE_OF_EACH_KIND)
def test_the_threshold_lies_5_to_8_points_below_the_optimum(name):
    game = certified_game(name)
    best = survival(game, game.best, DRONES, 7)
    assert best.low - game.threshold >= 0.05
    assert best.high - game.threshold <= 0.08


@pytest.mark.parametrize("name", ONE_OF_EACH_KIND)
def test_default_and_trap_lose_by_10_points(name):
    game = certified_game(name)
    for losing in (Design(), game.trap):
        assert survival(game, losing, DRONES, 7).high <= game.threshold - 0.10


@pytest.mark.parametrize("name", ONE_OF_EACH_KIND)
def test_another_search_agrees_with_the_calibration_that_is_kept(name):
    kept = calibration()[certified_game(name).kind]
    again = calibrate(uncalibrated(name), effort=QUICK, seed=5)
    assert again.survival == pytest.approx(kept.survival, abs=0.012)
    assert again.threshold == pytest.approx(kept.threshold, abs=0.0101)


def test_the_calibration_that_is_kept_is_what_the_command_writes():
    assert calibrate(uncalibrated("weather_noise")) == calibration()["weather"]


@pytest.mark.parametrize(
    "name", ["antenna_trap", "deployment_zone_trap_categorical"], ids=["antenna", "zone"]
)
def test_selection_bias_is_what_no_selection_bias_removes_and_nothing_else(name):
    biased = certified_game(name).model_dump()
    unbiased = certified_game(f"{name}_no_selection_bias").model_dump()
    assert biased["past"].pop("hide_failed") is True
    assert unbiased["past"].pop("hide_failed") is False
    assert biased.pop("name") != unbiased.pop("name")
    assert biased == unbiased


@pytest.mark.parametrize("name", NAMES)
def test_games_of_one_kind_differ_in_their_past_alone(name):
    game = certified_game(name)
    first = certified_game(next(one for one in NAMES if certified_game(one).kind == game.kind))
    assert game.model_copy(update={"name": first.name, "past": first.past}) == first


@pytest.mark.parametrize("name", NAMES)
def test_the_hidden_confounder_can_be_discovered(name):
    game = certified_game(name)
    hidden = "mission_zone" if game.kind.startswith("zone") else "is_storm"
    assert game.variable(hidden).sight == "discoverable"
    kept = [one for one in game.variables if one.sight == "discoverable"]
    asked = "Which zone was it?" if game.kind.startswith("zone") else "How was the weather?"
    assert hidden in interpret(asked, kept)
    assert interpret("Does the colour matter?", kept) == ()
    assert any(one.role == "distractor" for one in game.variables)


def test_noise_reaches_every_channel_and_equipment_quiets_it():
    game = certified_game("weather_noise")
    assert set(game.sensor.channels) == {"rows", "counts", "environment", "history"}
    assert all(spread > 0 for spread in (*game.sensor.spread, *game.sensor.flip))
    quiet = {slot.name for slot in game.slots for o in slot.options if o.effect.noise_factor < 1}
    assert quiet == {"sensor_mode", "data_filter", "redundant_sensors"}


def test_neither_the_filter_nor_the_shield_alone_wins_the_zone_game():
    game = certified_game("deployment_zone_trap_categorical")
    rest = (14, 14, 12, 12, 0, 0, 0)
    for losing in (
        design(*rest, 0, enhancement_module="signal_filter", turbo_climb="on"),
        design(10, 10, 0, 0, 0, 0, 0, 50, enhancement_module="stealth_coating"),
    ):
        assert survival(game, losing, 20_000, 3).high < game.threshold - 0.05
    both = design(10, 12, 10, 8, 0, 0, 0, 30, enhancement_module="signal_filter")
    assert survival(game, both, 20_000, 3).low > game.threshold


def test_equipment_alone_does_not_make_up_for_the_antenna():
    game = certified_game("antenna_trap")
    fitted = Design(equipment=game.best.equipment)
    assert survival(game, fitted, 20_000, 3).high < game.threshold - 0.1
    assert (
        survival(game, design(20, 20, 15, 15, 0, 10, 10, emergency_beacon="off"), 20_000, 3).low
        > game.threshold
    )


def test_what_is_best_in_exploration_loses_once_conditions_shift():
    shifting = certified_game("deployment_zone_trap_env_shift")
    assert survival(shifting, Design(), 20_000, 3, 1).value > shifting.threshold - 0.1
    assert survival(shifting, Design(), 20_000, 3, 2).value < shifting.threshold - 0.4
    noisy = certified_game("weather_noise")
    explored, evaluated = (survival(noisy, noisy.trap, 20_000, 3, stage).value for stage in (1, 2))
    assert explored > evaluated + 0.25
