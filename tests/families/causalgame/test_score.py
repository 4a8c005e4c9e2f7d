"""Verdicts: the scale of regret, silence, claims, and what the record alone gives."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causalgame.paper.model.actions import Effect
from causarium.families.causalgame.paper.model.game import Design
from causarium.families.causalgame.paper.model.paper_games import NAMES, paper_game
from causarium.families.causalgame.paper.model.rules import GameRules
from causarium.families.causalgame.paper.scoring.claims import claims_of, ideas
from causarium.families.causalgame.paper.scoring.judge import pattern
from causarium.families.causalgame.paper.scoring.score import (
    METRICS,
    Landmarks,
    compute_survival,
    describe_design,
    landmarks,
    score_session,
)
from causarium.families.causalgame.paper.training import TRAINING
from tests.families.causalgame.made import session
from tests.families.causalgame.sessions import played

GAMES = ("antenna_trap", "deployment_zone_trap_categorical", "weather_noise")


@pytest.mark.parametrize("name", GAMES)
def test_the_best_design_has_gain_one_and_the_standard_design_zero(name):
    game = paper_game(name)
    best = score_session(*played(game.best, game=game)).numbers
    standard = score_session(*played(Design(), game=game)).numbers
    assert best["gain"] == 1
    assert best["win"] == (best["survival"] >= game.threshold)
    assert standard["gain"] == 0
    assert standard["win"] == 0
    assert best["survival_low"] < best["survival"] < best["survival_high"]
    assert abs(best["survival"] - best["expected"]) < 0.06


def test_what_is_worse_than_the_standard_design_is_below_zero():
    game = paper_game("antenna_trap")
    assert score_session(*played(game.trap, game=game)).numbers["gain"] < 0


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_the_scale_keeps_order_and_never_passes_one(default, best, low, high):
    marks = Landmarks(default=default, trap=0.0, best=best)
    low, high = sorted((low, high))
    if best - default < 0.01:
        assert math.isnan(marks.scale_survival(low))
    else:
        assert marks.scale_survival(low) <= marks.scale_survival(high) <= 1


def test_where_no_design_matters_gain_does_not_apply():
    flat = paper_game("deployment_zone_trap_env_shift")
    assert compute_survival(flat, Design()) == pytest.approx(0.325, abs=0.012)
    assert math.isnan(score_session(*played(Design(), game=flat)).numbers["gain"])


@pytest.mark.parametrize("name", GAMES)
def test_silence_earns_nothing(name):
    game = paper_game(name)
    verdict = score_session(session(game), GameRules(), [])
    assert verdict.numbers["survival"] == verdict.numbers["win"] == 0
    assert verdict.numbers["gain"] < 0
    assert verdict.numbers["claim_distance"] == sum(idea.golden for idea in ideas(game))
    assert verdict.labels["outcome"] == "nothing submitted"
    assert verdict.answer is None


def test_exploring_without_a_submission_is_a_loss_with_its_effort_counted():
    numbers = score_session(*played(submits=False)).numbers
    assert numbers["survival"] == numbers["win"] == 0
    assert numbers["drones"] == 20
    assert numbers["effort"] == 0.1
    assert numbers["deployments"] == numbers["designs"] == 1


def test_claims_are_counted_by_what_simulation_says():
    claims = (
        Effect(cause="antenna_def", relation="lowers", effect="survived"),
        Effect(cause="antenna_def", relation="raises", effect="survived"),
        Effect(cause="luck", relation="raises", effect="survived"),
    )
    numbers = score_session(*played(claims=claims)).numbers
    assert numbers["claims"] == 3
    assert numbers["claims_true"] == numbers["claims_false"] == numbers["claims_undecided"] == 1
    assert numbers["claim_accuracy"] == 0.5


def test_somebody_who_knows_is_at_no_distance_in_the_end():
    game = paper_game("antenna_trap")
    instance, rules, turns = played(game=game, claims=claims_of(game))
    numbers = score_session(instance, rules, turns).numbers
    golden = sum(idea.golden for idea in ideas(game))
    assert numbers["claim_distance"] == 0
    assert numbers["golden_found"] == 1
    assert numbers["distractors_held"] == 0
    # One of the published ideas is false, and simulation says so.
    assert numbers["claims_true"] == numbers["claims"] - 1
    assert numbers["claim_distance_mean"] == pytest.approx(golden * 2 / 5)
    course = [point["claim_distance"] for point in TRAINING.turn_numbers(instance, rules, turns)]
    assert course == [golden, golden, 0, 0, 0]


def test_the_trace_knows_the_best_design_tried_so_far():
    game = paper_game("antenna_trap")
    before, after, *_ = TRAINING.turn_numbers(*played(game=game))
    assert math.isnan(before["best_tried"])
    assert after["best_tried"] == compute_survival(game, Design())
    assert after["drones"] == 20


def test_where_no_claims_are_asked_for_their_numbers_do_not_apply():
    quiet = score_session(session(paper_game("antenna_trap")), GameRules(claims=False), []).numbers
    assert math.isnan(quiet["claim_distance"])
    assert math.isnan(quiet["golden_found"])


@pytest.mark.parametrize("name", NAMES)
def test_every_number_is_described(name):
    verdict = score_session(session(paper_game(name)), GameRules(), [])
    assert verdict.numbers.keys() == METRICS.keys()


def test_a_verdict_says_what_was_submitted_and_where_it_stands():
    game = paper_game("antenna_trap")
    verdict = score_session(*played(Design(armour={"antenna": 0}), game=game))
    assert verdict.answer == "antenna 0"
    assert "of 1000 drones survived" in verdict.explanation
    assert f"the best one {landmarks(game).best:.1%}" in verdict.explanation
    assert describe_design(game, Design()) == "the standard design"


@given(survival=st.floats(0, 1))
@settings(max_examples=20)
def test_a_session_without_words_that_lost_has_collapsed(survival):
    zeros = dict.fromkeys(METRICS, 0.0)
    assert pattern(zeros, survival=survival, won=False) == "A"
