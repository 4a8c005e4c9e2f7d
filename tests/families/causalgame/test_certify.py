"""Certificates: all proofs of sound games hold, and each is refused where its subject is spoilt."""

import json

import pytest

from causarium.families.causalgame.catalogue.certified_games import NAMES, certified_game
from causarium.families.causalgame.catalogue.paper_games import paper_game
from causarium.families.causalgame.catalogue.published_hardware import design
from causarium.families.causalgame.certify import certify, certify_game
from causarium.families.causalgame.generate import session_of
from causarium.families.causalgame.mechanics.game import Game, Recipe

GAME = certified_game("weather_noise")


def refused(game: Game) -> list[str]:
    return [proof.claim for proof in certify_game(game).proofs if not proof.holds]


def some(part: str, claims: list[str]) -> bool:
    return any(part in claim for claim in claims)


def test_a_sound_game_is_certified_with_everything_measured():
    found = certify(session_of(GAME, 1, "made"))
    assert all(proof.holds for proof in found.proofs)
    assert set(found.extra["survival"]) == {
        "optimum",
        "default",
        "trap",
        "random_search",
        "one_factor",
        "regression",
    }
    for share in found.extra["survival"].values():
        assert share["low"] <= share["value"] <= share["high"]
    assert 0.05 <= found.optimum - found.extra["threshold"] <= 0.08
    assert found.extra["survival"]["regression"]["high"] < found.extra["threshold"]
    json.dumps(found.extra)


def test_a_paradox_is_proved_of_the_game_and_of_the_session():
    found = certify(session_of(certified_game("antenna_trap_simpsons_paradox"), 4, "made"))
    assert all(proof.holds for proof in found.proofs)
    assert some("the history of this session", [proof.claim for proof in found.proofs])


def test_a_threshold_too_low_and_an_optimum_that_is_none_are_refused():
    claims = refused(GAME.model_copy(update={"threshold": 0.5, "best": GAME.trap}))
    assert some("below the optimum", claims)
    assert some("second search", claims)


def test_a_trap_that_wins_noise_that_spares_a_channel_and_past_designs_out_of_bounds_are_refused():
    sensor = GAME.sensor.model_copy(update={"channels": ("rows", "counts")})
    past = GAME.past.model_copy(update={"recipes": (Recipe(design=design(31)),)})
    spoilt = {"sensor": sensor, "past": past, "trap": GAME.best, "threshold": 0.69}
    claims = refused(GAME.model_copy(update=spoilt))
    assert some("trap design", claims)
    assert some("every channel", claims)
    assert some("action space", claims)
    assert some("below the optimum", claims)


def test_a_variant_that_differs_in_more_than_its_selection_is_refused():
    from causarium.families.causalgame.certify import _only_unbiased

    game = certified_game("antenna_trap_no_selection_bias")
    assert _only_unbiased(game)
    assert not _only_unbiased(game.model_copy(update={"threshold": 0.1}))
    assert not _only_unbiased(paper_game("deployment_zone_trap_categorical_no_selection_bias"))


@pytest.mark.parametrize("name", ["weather_noise", "deployment_zone_trap_env_shift"])
def test_published_games_that_cannot_be_won_are_not_certified(name):
    found = certify_game(paper_game(name))
    claims = [proof.claim for proof in found.proofs if not proof.holds]
    assert some("below the optimum", claims)
    assert found.extra["survival"]["optimum"]["high"] < found.extra["threshold"]


def test_all_fourteen_have_names_that_the_certificate_understands():
    assert {name.endswith(("high_def", "local_optima")) for name in NAMES} == {True, False}
