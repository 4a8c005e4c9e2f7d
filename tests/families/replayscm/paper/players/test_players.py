"""Players: what each promises, in every setting, on problems made here and drawn by the family."""

from itertools import pairwise

import pytest

from causarium.contract.episode import play
from causarium.families.replayscm.paper import FAMILY
from causarium.families.replayscm.paper.mechanics import admissible, evidence
from causarium.families.replayscm.paper.model.actions import Submit
from causarium.families.replayscm.paper.players.choose import (
    STAGES,
    Budget,
    Choice,
    acyclic_choice,
    parent_sets,
    pool,
    search_stages,
    write_answer,
)
from causarium.scm.boolean.row_evidence import ModelFacts
from tests.families.replayscm.paper.problems import FORMULAS, problem

RULES = FAMILY.rules_for("certified")
SETTINGS = ("ordered", "block", "hidden", "roots")
FITTING = ("simplest", "oracle")


def numbers(instance, player, seed=0):
    return play(FAMILY, instance, RULES, player, seed=seed).score().numbers


def known_of(instance):
    public = instance.public
    found = evidence(public.train, public.variables)
    return found, ModelFacts.of(found, admissible(public))


@pytest.fixture(scope="module")
def drawn():
    return {
        (edition, setting): [
            FAMILY.generate(FAMILY.level(f"{edition}{setting}"), 7, index) for index in range(3)
        ]
        for edition in ("paper-",)
        for setting in SETTINGS
    }


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("player", FITTING)
def test_a_chooser_of_fitting_models_replays_all_training_worlds(drawn, setting, player):
    for instance in drawn["paper-", setting]:
        found = numbers(instance, player)
        assert found["valid"] == found["train_exact"] == found["within_parent_limit"] == 1


def test_random_formulas_are_valid_and_fit_nothing(drawn):
    for setting in SETTINGS:
        found = [numbers(instance, "random") for instance in drawn["paper-", setting]]
        assert {one["valid"] for one in found} == {1.0}
        assert sum(one["train_exact"] for one in found) == 0


@pytest.mark.parametrize("level", ["paper-alt-ordered", "paper-alt-hidden"])
@pytest.mark.parametrize("player", ["oracle", "simplest"])
def test_a_second_model_is_found_and_shown(level, player):
    for index in range(3):
        found = numbers(FAMILY.generate(FAMILY.level(level), 7, index), player)
        assert found["alternative_joint"] == found["separation_optimality"] == 1


@pytest.mark.parametrize("player", ["constant", "observer"])
def test_who_looks_at_nothing_or_at_what_nobody_set_fits_nothing(drawn, player):
    for setting in SETTINGS:
        for instance in drawn["paper-", setting]:
            found = numbers(instance, player)
            assert found["valid"] == 1
            assert found["train_exact"] == 0
    second = FAMILY.generate(FAMILY.level("paper-alt-hidden"), 7, 0)
    assert numbers(second, player)["alternative_joint"] == 0


def test_a_search_without_room_finds_nothing_and_says_so_in_the_right_shape():
    instance = problem()
    _, known = known_of(instance)
    assert search_stages(known, [Budget(longest=1, slack=0, candidates=4, steps=10)]) is None
    empty = write_answer(instance.public, None)
    assert empty == Submit(mechanisms=dict.fromkeys(FORMULAS, ""))


def test_stages_widen():
    for narrow, wide in pairwise(STAGES):
        assert narrow.longest < wide.longest
        assert narrow.steps < wide.steps
        assert narrow.candidates <= wide.candidates


def test_candidates_are_short_few_and_fit():
    _, known = known_of(problem())
    budget = Budget(longest=6, slack=1, candidates=5, steps=10)
    for variable in (3, 4, 5):
        found = pool(known, variable, parent_sets(known, variable), budget)
        assert 0 < len(found) <= 5
        assert [one.size for one in found] == sorted(one.size for one in found)
        assert found[-1].size <= min(found[0].size + 1, 6)


def test_a_choice_goes_back_where_the_first_choices_close_a_cycle():
    # 0 would rather read 1, and 1 can only read 0.
    pools = {0: [Choice(0b010, 1, 1), Choice(0b100, 1, 2)], 1: [Choice(0b001, 1, 1)]}
    found = acyclic_choice(pools, 100)
    assert (found[0].parents, found[1].parents) == (0b100, 0b001)
    assert acyclic_choice(pools, 1) is None
    assert acyclic_choice({0: [Choice(2, 1, 1)], 1: [Choice(1, 1, 1)]}, 100) is None
    assert acyclic_choice({0: []}, 100) is None
