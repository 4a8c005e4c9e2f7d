"""Shortcuts: they work where they should, and the sets hold nothing that they solve."""

from random import Random
from statistics import fmean

import pytest

from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_set
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.evidence.ask_by_gain import unit_law, unit_worlds
from causarium.families.replayscm.evidence.fill_tables import (
    Tables,
    alternate,
    count_mistakes,
    fill_by_rows,
    fill_by_worlds,
)
from causarium.families.replayscm.evidence.row_guesses import flip_downstream, list_outcomes
from causarium.families.replayscm.generation.unit_problems import draw_quad
from causarium.families.replayscm.mechanics import true_unit_model

STANDARD = list(generate_set(FAMILY, "certified", "standard"))
RULES = FAMILY.rules_for("certified")


def choose(level: str) -> list:
    return [one for one in STANDARD if one.public.setting == level]


@pytest.mark.parametrize("player", ["local", "downstream", "difference", "traitless"])
def test_a_guess_is_right_for_at_most_one_unit_of_a_quad(player: str) -> None:
    scores = [play(FAMILY, one, RULES, player).score().numbers["exact"] for one in choose("whatif")]
    assert max(fmean(scores[at : at + 4]) for at in range(0, len(scores), 4)) <= 0.25


@pytest.mark.parametrize("player", ["nearest", "snapped", "voter"])
def test_a_guess_that_is_moved_earns_no_more(player: str) -> None:
    seeds = range(5)
    scores = [
        play(FAMILY, one, RULES, player, seed=seed).score().numbers["exact"]
        for one in choose("whatif")
        for seed in seeds
    ]
    assert fmean(scores) < 0.45


def test_flips_with_the_true_traits_are_the_answer() -> None:
    quad = draw_quad(8, Random(3))
    bit = 1 << quad.target
    for row, answer in zip(quad.shown, quad.asked, strict=True):
        assert flip_downstream(quad.scm, [row], bit, quad.value * bit) == [answer]
        assert answer & 0xFF in list_outcomes(quad.scm, row, bit, quad.value * bit)


def test_told_trait_and_hands_filling_by_rows_leaves_no_mistake() -> None:
    for one in choose("both")[::4]:
        _, starts = true_unit_model(one)
        law, worlds = unit_law(one.public), unit_worlds(one.public)
        traits = sum((start >> law.n & 1) << u for u, start in enumerate(starts))
        hands = [0] + [
            sum(1 << one.public.variables.index(name) for name in names)
            for names in one.secret.touched or ()
        ]
        tables = Tables(law, worlds, traits)
        assert count_mistakes(tables, fill_by_rows(tables, hands, trait=True), hands) == 0


def test_filling_by_worlds_misses_an_arrow_of_every_kept_problem() -> None:
    for one in (*choose("touched"), *choose("both")):
        law, worlds = unit_law(one.public), unit_worlds(one.public)
        fit = fill_by_worlds(law, worlds)
        true = true_unit_model(one)[0].parents[: law.n]
        assert fit is None or fit.parents != true


def test_alternating_finds_the_trait_of_a_clan() -> None:
    one = choose("trait")[0]
    law, worlds = unit_law(one.public), unit_worlds(one.public)
    fit = alternate(law, worlds, Random(0), starts=40)
    assert fit is not None
    assert fit.parents == true_unit_model(one)[0].parents[: law.n]
