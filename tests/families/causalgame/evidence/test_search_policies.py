"""Policies: what they are offered, and how one is run."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causalgame.catalogue.certified_games import NAMES, certified_game
from causarium.families.causalgame.evidence.best_design import is_legal
from causarium.families.causalgame.evidence.exploration import one_factor, random_search
from causarium.families.causalgame.evidence.search_policies import Trial, offer, settle
from causarium.families.causalgame.evidence.standings import (
    design_standing,
    policy_standing,
    win_chance,
)
from causarium.families.causalgame.mechanics.game import Design
from causarium.seeds import stream

GAME = certified_game("antenna_trap")


def test_an_offer_names_what_may_be_chosen_with_the_default_first():
    given_ = offer(GAME)
    assert given_.options["antenna_mode"][0] == "active"
    assert set(given_.options["coating"]) == {"standard", "stealth", "reflective"}
    assert given_.default == GAME.default


def test_a_policy_is_told_how_many_came_back():
    told = []

    def curious(_offer, _rng):
        told.append((yield Trial(GAME.best, 50)))
        told.append((yield Trial(GAME.trap, 50)))
        return GAME.best

    assert settle(curious, GAME, stream(1)) == GAME.best
    assert 0 <= told[1] < told[0] <= 1


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(NAMES), st.sampled_from([random_search, one_factor]))
def test_what_a_policy_submits_is_legal(seed, name, policy):
    game = certified_game(name)
    assert is_legal(game, settle(policy, game, stream(seed)))


def test_a_standing_says_how_often_one_wins():
    found = policy_standing(GAME, lambda _: GAME.best, sessions=8)
    assert found.win.value > 0.999
    assert found.survival.low <= found.survival.value <= found.survival.high
    assert policy_standing(GAME, lambda _: Design(), sessions=8).win.value < 0.001


def test_a_design_at_the_threshold_wins_every_other_time():
    assert win_chance(GAME, GAME.threshold) == pytest.approx(0.5, abs=0.03)
    assert win_chance(GAME, 1.0) == 1
    assert win_chance(GAME, 0.0) == 0
    found = design_standing(GAME, GAME.best, n=5_000)
    assert found.win.low <= found.win.value <= found.win.high
