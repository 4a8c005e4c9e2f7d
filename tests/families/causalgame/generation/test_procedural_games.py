"""Drawn games: new, sound, the same for everybody, and no two alike."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causalgame.catalogue.published_hardware import ORDER
from causarium.families.causalgame.certify import certify_game
from causarium.families.causalgame.evidence.best_design import is_legal
from causarium.families.causalgame.generation.airframe import words
from causarium.families.causalgame.generation.candidate_games import candidate
from causarium.families.causalgame.generation.procedural_games import (
    KEPT_GAMES,
    KINDS,
    draw_game,
    find,
    passed,
)
from causarium.families.causalgame.interface.archive_questions import interpret
from causarium.families.causalgame.mechanics.game import Design
from causarium.families.causalgame.mechanics.game_graph import Graph
from causarium.families.causalgame.mechanics.simulate import survival

KEPT = [(kind, index) for kind in KINDS for index in range(KEPT_GAMES)]


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(KINDS), st.integers(0, 50), st.integers(0, 5))
def test_candidates_are_whole_and_what_they_flew_is_legal(kind, index, attempt):
    game = candidate(kind, 3, index, attempt)
    assert game == candidate(kind, 3, index, attempt)
    flown = [recipe.design for recipe in game.past.recipes]
    assert all(is_legal(game, one) for one in (Design(), game.trap, *flown))
    assert len({one.name for one in game.variables}) == len(game.variables)
    assert ("survived", "survived") not in Graph(game).edges
    assert len({slot.name for slot in game.slots}) == len(game.slots)


@pytest.mark.parametrize(("kind", "index"), KEPT)
def test_shipped_games_can_be_won_and_their_traps_lose(kind, index):
    game = draw_game(kind, 0, index)
    assert is_legal(game, game.best)
    best = survival(game, game.best, 20_000, 9)
    assert 0.05 <= best.value - game.threshold <= 0.08
    for losing in (Design(), game.trap):
        assert survival(game, losing, 20_000, 9).value <= game.threshold - 0.10


@pytest.mark.parametrize(("kind", "index"), KEPT)
def test_plain_questions_find_the_confounder_under_its_new_name(kind, index):
    game = draw_game(kind, 0, index)
    kept = [one for one in game.variables if one.sight == "discoverable"]
    key = "mission_zone" if kind.startswith("zone") else "is_storm"
    hidden = next(one.name for one in game.variables if one.key == key)
    asked = "Which zone was it?" if kind.startswith("zone") else "How was the weather?"
    assert hidden != key
    assert hidden in interpret(asked, kept)


def test_games_are_new_and_no_two_are_alike():
    games = [draw_game(kind, 0, index) for kind, index in KEPT]
    assert len({game.model_dump_json() for game in games}) == len(games)
    assert all(not set(game.default) & set(ORDER) for game in games)
    laws = {game.law.model_dump_json() for game in games}
    assert len(laws) == len(games)
    traps = {game.tale["trap"] for game in games}
    assert len(traps) > 6


def test_what_is_kept_is_what_drawing_anew_comes_to():
    kept = draw_game("weather", 0, 0)
    found = find("weather", 0, 0)
    assert (found.best, found.threshold) == (kept.best, kept.threshold)
    assert candidate("weather", 0, 0, found.attempt).law == kept.law


def test_another_seed_draws_other_games():
    assert candidate("zone", 1, 0, 0) != candidate("zone", 2, 0, 0)


def test_a_game_without_a_trap_is_not_passed():
    game = draw_game("weather", 0, 0)
    assert passed(game.model_copy(update={"trap": game.best})) is None


def test_a_drawn_game_has_the_same_certificate():
    found = certify_game(draw_game("weather", 0, 1))
    assert [proof.claim for proof in found.proofs if not proof.holds] == []
    assert "regression" in found.extra["survival"]


def test_no_word_stands_on_two_lists():
    lists = ("heavy", "emitter", "eyes", "teeth", "shield", "filler")
    every = [word for name in lists for word in words()[name]]
    assert len(set(every)) == len(every)
