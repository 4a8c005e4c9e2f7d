"""The search for the best design, against designs that are known and against chance."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causalgame.catalogue.certified_games import NAMES, certified_game
from causarium.families.causalgame.catalogue.paper_games import paper_game
from causarium.families.causalgame.catalogue.published_hardware import design
from causarium.families.causalgame.evidence.best_design import (
    QUICK,
    Effort,
    best_design,
    best_flown,
    is_legal,
)
from causarium.families.causalgame.evidence.search_policies import offer, scatter
from causarium.families.causalgame.mechanics.game import Design, Space
from causarium.families.causalgame.mechanics.simulate import survival
from causarium.seeds import stream

BOUNDED = frozenset({"bounds_unchecked", "booleans_stuck", "defaults_unsent"})
SWIFT = Effort(screened=40, climbs=1, glance=200, look=400, stare=800, measured=2_000)


def test_the_search_finds_the_best_published_design_within_the_published_total():
    found = best_design(paper_game("antenna_trap_no_selection_bias", BOUNDED), effort=QUICK)
    assert found.design.equipment["coating"] == "stealth"
    assert found.survival.value >= 0.95


def test_a_tiny_action_space_is_searched_to_the_bottom():
    game = certified_game("weather_noise").model_copy(update={"space": Space(high=3, total=3)})
    bare = {"sensor_mode": "standard", "data_filter": "none", "redundant_sensors": "off"}
    found = best_design(game, effort=SWIFT)
    # With three points in all, lift is the one thing that counts, and it is best left off.
    assert found.design.armour["antenna"] == 0
    rest = survival(game, Design(armour=dict.fromkeys(game.default, 0), equipment=bare), 20_000, 5)
    assert found.survival.value >= rest.value - 0.03


@pytest.mark.parametrize("name", [one for one in NAMES if one.endswith("local_optima")])
def test_nothing_within_what_was_flown_wins_where_history_sits_on_a_local_optimum(name):
    game = certified_game(name)
    found = best_flown(game)
    assert found.survival.high < game.threshold - 0.05
    for part, points in found.design.armour.items():
        flown = [game.armour(recipe.design)[part] for recipe in game.past.recipes]
        assert min(flown) <= points <= max(flown)


def test_the_same_seed_finds_the_same_design():
    game = certified_game("weather_noise")
    first = best_design(game, effort=SWIFT, seed=3)
    assert first == best_design(game, effort=SWIFT, seed=3)
    assert is_legal(game, first.design)


def test_the_winner_is_measured_on_draws_that_the_search_never_saw():
    game = certified_game("weather_noise")
    found = best_design(game, effort=SWIFT)
    again = survival(game, found.design, 40_000, 99).value
    assert found.survival.low - 0.02 <= again <= found.survival.high + 0.02


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["antenna_trap", "deployment_zone_trap_env_shift"]))
def test_random_designs_are_legal(seed, name):
    game = certified_game(name)
    assert is_legal(game, scatter(offer(game), stream(seed)))


def test_what_leaves_the_action_space_is_not_legal():
    game = certified_game("antenna_trap")
    assert is_legal(game, Design())
    assert not is_legal(game, design(51, 0, 0, 0, 0, 0, 0))
    assert not is_legal(game, design(50, 41, 0, 0, 0, 0, 0))
    assert not is_legal(game, Design(equipment={"coating": "golden"}))
    assert not is_legal(game, Design(equipment={"spoiler": "on"}))
    assert not is_legal(game, Design(armour={"beak": 3}))
