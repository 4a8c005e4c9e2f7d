"""The opening histories: who flew what, where."""

from statistics import fmean

import pytest

from causarium.families.causalgame.catalogue.certified_games import NAMES, certified_game
from causarium.families.causalgame.catalogue.opening_histories import antenna_pasts, zone_pasts
from causarium.families.causalgame.evidence.flight_records import fly_recipes, records
from causarium.families.causalgame.generation.airframe import words
from causarium.families.causalgame.generation.outfits import slots
from causarium.families.causalgame.generation.past_flights import fly_past
from causarium.families.causalgame.generation.procedural_games import KINDS
from causarium.seeds import stream

ZONE = "deployment_zone_trap_categorical"


def test_crews_armoured_the_antenna_for_storms():
    for ending in ("", "_high_def", "_local_optima"):
        recipes = antenna_pasts()[ending].recipes
        storm, clear = (
            fmean(one.design.armour["antenna"] for one in recipes if one.force["is_storm"] is so)
            for so in (True, False)
        )
        assert storm > clear + 3


def test_crews_took_radar_boost_and_no_shield_to_loud_zones():
    for recipe in zone_pasts()[""].recipes:
        loud = recipe.force["mission_zone"] in {"gamma", "epsilon"}
        assert loud == (recipe.design.equipment["enhancement_module"] == "radar_boost")
        assert loud == (recipe.design.armour["shield"] == 0)


def test_no_history_is_the_usual_past_that_nobody_wrote_down():
    for pasts in (antenna_pasts(), zone_pasts()):
        assert pasts["_no_history"].rows == 0
        assert pasts["_no_history"].recipes == pasts[""].recipes


def test_wise_designs_of_the_paradox_were_mostly_flown_where_drones_are_lost():
    for pasts, lever, wise in ((antenna_pasts(), "antenna", 0), (zone_pasts(), "shield", 14)):
        hard = [r for r in pasts["_simpsons_paradox"].recipes if r.weight > 1]
        assert {r.design.armour[lever] for r in hard} > {wise}
        assert len({str(r.force) for r in hard}) == 2


@pytest.mark.parametrize("name", [one for one in NAMES if certified_game(one).past.rows])
def test_every_recipe_is_flown_as_often_as_it_weighs(name):
    game = certified_game(name)
    past = fly_past(game, 3)
    assert len(past) == game.past.rows
    flown = {id(one.recipe): one.flights.count for one in fly_recipes(game, game.past.rows, 3)}
    assert sum(flown.values()) == game.past.rows
    designs = [tuple(one.flight.design.items()) for one in past]
    # In no order: the first half of the rows is no repetition of the second.
    assert designs[: len(designs) // 2] != designs[len(designs) // 2 :]


def test_records_hold_survivors_alone_where_losses_are_hidden():
    assert all(one.survived for one in records(certified_game("antenna_trap"), 500, 1))
    shown = records(certified_game("antenna_trap_no_selection_bias"), 500, 1)
    assert len(shown) == 500
    assert {one.survived for one in shown} == {True, False}


def test_drawn_equipment_offers_choices_with_a_default_and_a_blurb_each():
    for kind in KINDS:
        for seed in range(5):
            for slot in slots(stream(seed), kind, words()["slots"]):
                assert len(slot.options) > 1
                assert slot.default in {option.name for option in slot.options}
                assert all(option.blurb for option in slot.options)
