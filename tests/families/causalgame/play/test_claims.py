"""Claims against simulated interventions: published facts, laws of the checker, hostile claims."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from causarium.contract.turn import Turn
from causarium.families.causalgame.paper.model.actions import (
    Believe,
    Confounder,
    Deploy,
    Effect,
    Selection,
    sentence,
)
from causarium.families.causalgame.paper.model.paper_games import paper_game
from causarium.families.causalgame.paper.scoring.claims import (
    Trials,
    all_of,
    beliefs,
    claims_of,
    distance,
    ideas,
    list_sound_ideas,
    read_ideas,
    stages,
    states,
    term,
    truth,
)
from causarium.families.causalgame.paper.scoring.score import claim_numbers

ANTENNA, ZONE = "antenna_trap", "deployment_zone_trap_categorical"
EQUIPPED = "antenna_trap_no_selection_bias"


def effect(cause, relation, outcome, **under):
    return Effect(cause=cause, relation=relation, effect=outcome, under=under)


def common(confounder, first, second):
    return Confounder(claim="confounder", confounder=confounder, of=[first, second])


def selected(on):
    return Selection(claim="selection", on=on)


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        (effect("antenna_def", "raises", "detected"), "true"),
        (effect("antenna_def", "lowers", "survived"), "true"),
        (effect("antenna_def", "raises", "survived"), "false"),
        (effect("engine_def", "does not affect", "detected"), "true"),
        (effect("temperature", "does not affect", "survived"), "true"),
        (effect("temperature", "raises", "survived"), "false"),
        # Harm in clear weather too (48.9 against 72.7 %): the published third claim is false.
        (effect("antenna_def", "lowers", "survived", is_storm=0), "true"),
        (effect("antenna_def", "does not affect", "survived", is_storm=0), "false"),
        # The camera helps once the antenna is bare (74.5 to 92.1 %), hardly before.
        (effect("camera_def", "raises", "survived", antenna_def=0), "true"),
        (effect("camera_def", "raises", "survived"), "false"),
        (effect("moon_phase", "does not affect", "survived"), "true"),
        (common("is_storm", "temperature", "survived"), "true"),
        (common("temperature", "humidity", "survived"), "false"),
        # A chain is no fork: detection moves survival by way of hits alone.
        (common("detected", "hit_count", "survived"), "false"),
        (selected("survived"), "true"),
        (selected("detected"), "false"),
        (selected("nothing"), "false"),
    ],
    ids=lambda value: value if isinstance(value, str) else sentence(value),
)
def test_published_antenna_facts(claim, wanted):
    assert truth(paper_game(ANTENNA), claim) == wanted


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        (effect("emi_level", "raises", "detected"), "true"),
        (effect("shield_def", "raises", "survived"), "true"),
        (effect("enhancement_module=signal_filter", "raises", "survived"), "true"),
        (effect("enhancement_module=power_core", "does not affect", "survived"), "true"),
        (effect("engine_def", "raises", "survived", altitude_band="high"), "false"),
        # Low altitude looks deadly (43 % against 55 %) and helps a little.
        (effect("altitude_band=low", "lowers", "survived"), "false"),
        (effect("altitude_band", "lowers", "survived"), "true"),
        (effect("mission_zone=gamma", "lowers", "survived"), "true"),
        (effect("mission_zone", "does not affect", "altitude_band"), "false"),
        (common("mission_zone", "altitude_band", "survived"), "true"),
        (common("mission_zone", "engine_def", "survived"), "false"),
    ],
    ids=lambda value: value if isinstance(value, str) else sentence(value),
)
def test_published_zone_facts(claim, wanted):
    assert truth(paper_game(ZONE), claim) == wanted


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        (effect("coating=stealth", "lowers", "detected"), "true"),
        (effect("coating", "does not affect", "detected"), "false"),
        (effect("antenna_mode=passive", "does not affect", "detected"), "true"),
        (effect("antenna_mode", "does not affect", "survived"), "true"),
    ],
    ids=lambda value: value if isinstance(value, str) else sentence(value),
)
def test_published_equipment_does_what_the_sheet_says(claim, wanted):
    assert truth(paper_game(EQUIPPED), claim) == wanted


def test_a_claim_has_to_hold_in_the_tests_and_at_evaluation():
    assert stages(paper_game("weather_noise")) == (1, 2)


def test_records_without_selection_are_selected_on_nothing():
    game = paper_game(f"{ANTENNA}_no_selection_bias")
    assert truth(game, selected("nothing")) == "true"
    assert truth(game, selected("survived")) == "false"


@pytest.mark.parametrize(("kind", "name"), [("antenna", ANTENNA), ("zone", ZONE)])
def test_published_ideas_that_simulation_refutes_say_so(kind, name):
    game = paper_game(name)
    listed = read_ideas(kind)
    assert [idea.id for idea in listed] == [
        *(f"gt_00{n}" for n in (1, 2, 3, 4)),
        *(f"dist_00{n}" for n in (1, 2, 3)),
    ]
    refuted = [idea for idea in listed if is_refuted(game, idea)]
    assert refuted
    assert all(idea.doubt for idea in refuted)


def is_refuted(game, idea):
    """Whether a golden idea is not true in some form, or a distractor not false."""
    wanted = "true" if idea.golden else "false"
    return any(all_of(truth(game, claim) for claim in form) != wanted for form in idea.forms)


@pytest.mark.parametrize(
    "name", [ANTENNA, f"{ZONE}_simpsons_paradox", "deployment_zone_trap_env_shift", "weather_noise"]
)
def test_what_a_good_report_says_of_a_game_holds_in_it(name):
    game = paper_game(name)
    assert not any(is_refuted(game, idea) for idea in list_sound_ideas(game))


def test_ideas_of_an_odd_game_are_those_that_hold_in_it():
    kept = {idea.id for idea in ideas(paper_game("deployment_zone_trap_env_shift"))}
    assert "interference" in kept
    assert "shield" not in kept
    assert [idea.id for idea in ideas(paper_game(f"{ZONE}_no_selection_bias"))] == ["all_shown"]


def test_the_distance_counts_what_is_missing_and_what_is_planted():
    game = paper_game(ANTENNA)
    assert distance(game, ()) == 4
    assert distance(game, claims_of(game)) == 0
    planted = claims_of(game, golden=False)[:1]
    assert distance(game, planted) == 5
    assert distance(game, (*claims_of(game), *planted)) == 1
    everything = tuple(c for idea in ideas(game) for form in idea.forms for c in form)
    assert distance(game, everything) == 3


def test_a_claim_that_holds_in_every_game_is_counted_apart_and_weighs_nothing():
    fixed = effect("agility", "lowers", "hit_chance")
    telling = effect("antenna_def", "raises", "survived")
    numbers = claim_numbers(paper_game(ANTENNA), [(fixed,)])
    assert (numbers["claims_true"], numbers["claims_trivial"]) == (1, 1)
    assert math.isnan(numbers["claim_accuracy_weighted"])
    numbers = claim_numbers(paper_game(ANTENNA), [(fixed, fixed, telling)])
    assert (numbers["claims_trivial"], numbers["claim_accuracy_weighted"]) == (2, 0)


def test_an_idea_may_be_said_in_other_words():
    game = paper_game(ANTENNA)
    first = next(idea for idea in ideas(game) if idea.id == "gt_001")
    assert states(game, [effect("antenna", "raises", "detected")], first)
    assert states(game, [effect("Antenna_Def", "raises", "detected")], first)
    assert not states(game, [effect("antenna", "lowers", "detected")], first)


def test_beliefs_stand_until_they_are_stated_anew():
    claims = (effect("antenna_def", "raises", "detected"),)

    def turn(action, *, legal=True):
        return Turn(action=action.record(), observation="", legal=legal, cost=0)

    turns = [
        turn(Deploy(count=1)),
        turn(Believe(claims=claims)),
        turn(Deploy(count=1)),
        turn(Believe(claims=()), legal=False),
        turn(Believe(claims=())),
    ]
    assert beliefs(turns) == [(), claims, claims, claims, ()]


@pytest.mark.parametrize(
    "claim",
    [
        effect("warp_drive", "raises", "survived"),
        effect("survived", "raises", "losses"),
        effect("coating", "raises", "survived"),
        effect("antenna_def", "raises", "coating"),
        effect("coating=chrome", "raises", "survived"),
        effect("antenna_def", "raises", "survived", antenna_def=3),
        effect("antenna_def", "raises", "survived", rounds=10**6),
        effect("antenna_def", "raises", "survived", engine_def=-5),
        effect("antenna_def", "raises", "survived", engine_def=10**9),
        effect("antenna_def", "raises", "survived", wind_speed=1e300),
        effect("antenna_def", "raises", "survived", wind_speed="strong"),
        effect("antenna_def", "raises", "survived", losses=1),
        common("is_storm", "is_storm", "survived"),
        common("is_storm", "nobody", "survived"),
        selected("the weather of tomorrow"),
    ],
    ids=sentence,
)
def test_what_cannot_be_tried_is_unclear(claim):
    assert truth(paper_game(EQUIPPED), claim) == "unclear"


@pytest.mark.parametrize(
    "value",
    [
        {"cause": "a", "relation": "causes", "effect": "b"},
        {"cause": "a", "relation": "raises"},
        {"cause": "a" * 81, "relation": "raises", "effect": "b"},
        {"cause": "a", "relation": "raises", "effect": "b", "under": {str(n): n for n in range(5)}},
        {"claim": "confounder", "confounder": "c", "of": ["a"]},
        {"claim": "selection", "on": "s", "more": 1},
    ],
)
def test_claims_outside_the_schema_are_refused(value):
    with pytest.raises(ValidationError):
        Believe.model_validate({"claims": [value]})


NAMES_OR_NOISE = st.sampled_from(
    [
        *(one.name for one in paper_game(EQUIPPED).variables),
        *("coating=stealth", "losses", "antenna", "", "=", "a=b=c", "weather"),
    ]
)


@given(
    NAMES_OR_NOISE,
    st.sampled_from(["raises", "lowers", "does not affect"]),
    NAMES_OR_NOISE,
    st.dictionaries(NAMES_OR_NOISE, st.integers(-5, 90) | st.just("stealth"), max_size=2),
)
@settings(max_examples=25, deadline=None)
def test_whatever_is_claimed_is_decided_and_never_both_ways(cause, relation, outcome, under):
    game = paper_game(EQUIPPED)
    claim = Effect(cause=cause, relation=relation, effect=outcome, under=under)
    found = truth(game, claim)
    assert found in {"true", "false", "open", "unclear"}
    if found == "true":
        others = {"raises", "lowers", "does not affect"} - {relation}
        assert all(
            truth(game, claim.model_copy(update={"relation": other})) != "true" for other in others
        )


@given(st.text(max_size=40))
@settings(max_examples=60)
def test_any_word_is_a_variable_or_nothing(word):
    game = paper_game(ANTENNA)
    found = term(game, word)
    assert found is None or found.variable in game.variables


@given(st.lists(st.sampled_from(["true", "false", "open", "unclear"]), max_size=5))
def test_a_conjunction_is_true_only_if_every_part_is(parts):
    assert (all_of(parts) == "true") == all(part == "true" for part in parts)


def test_fleets_that_are_compared_fly_on_the_same_luck():
    trials = Trials(paper_game(ANTENNA), 500)
    still, moved = trials.natural(1), trials.fly(1, {"antenna_def": 0.0})
    assert (still["wind_speed"] == moved["wind_speed"]).all()
    assert (still["detected"] != moved["detected"]).any()
