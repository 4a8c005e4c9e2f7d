"""Simpson's reversal: in a textbook table, in certified games, and not in a published one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causalgame.catalogue.certified_games import NAMES, certified_game
from causarium.families.causalgame.catalogue.paper_games import paper_game
from causarium.families.causalgame.evidence.paradox import contrasts, recipe_rows, reverses
from causarium.families.causalgame.generation.past_flights import fly_past
from causarium.families.causalgame.mechanics.game import Paradox

STONES = {
    # Kidney stones (Charig et al. 1986): successes and cases by treatment and size of the stone.
    (1, "small"): (81, 87),
    (0, "small"): (234, 270),
    (1, "large"): (192, 263),
    (0, "large"): (55, 80),
}
PARADOXES = [name for name in NAMES if name.endswith("simpsons_paradox")]


def rows(table):
    return [
        (setting, group, number < good)
        for (setting, group), (good, count) in table.items()
        for number in range(count)
    ]


def test_the_textbook_reversal_is_found():
    whole, groups = contrasts(rows(STONES))
    assert whole.difference == pytest.approx(273 / 350 - 289 / 350)
    assert groups["small"].difference == pytest.approx(81 / 87 - 234 / 270)
    assert reverses(rows(STONES))


def test_so_few_cases_do_not_prove_the_textbook_reversal():
    assert not reverses(rows(STONES), confidence=0.99)
    many = {cell: (100 * good, 100 * count) for cell, (good, count) in STONES.items()}
    assert reverses(rows(many), confidence=0.99)


def test_agreement_is_no_reversal():
    agreed = {**STONES, (1, "large"): (10, 263)}
    assert not reverses(rows(agreed))
    assert not reverses([])
    assert not reverses([(1, "small", True), (1, "small", False)])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from([0, 1]), st.sampled_from("ab"), st.booleans()), max_size=40)
)
def test_turning_the_lever_around_turns_every_sign(drawn):
    turned = [(1 - setting, group, good) for setting, group, good in drawn]
    assert reverses(drawn) == reverses(turned)


@pytest.mark.parametrize("name", PARADOXES)
def test_the_certified_variants_hold_a_reversal_that_is_99_percent_sure(name):
    game = certified_game(name)
    assert game.past.paradox is not None
    assert reverses(recipe_rows(game, game.past.paradox), confidence=0.99)


@pytest.mark.parametrize("name", PARADOXES)
def test_every_session_of_them_shows_it(name):
    game = certified_game(name)
    lever, group = game.past.paradox.lever, game.past.paradox.group
    for seed in range(5):
        past = fly_past(game, seed)
        assert len(past) == game.past.rows
        assert all(one.on_record for one in past)
        assert reverses((one.flight.design[lever], one.found[group], one.survived) for one in past)


def test_the_published_antenna_variant_contains_no_paradox():
    game = paper_game("antenna_trap_simpsons_paradox")
    assert not reverses(
        recipe_rows(game, Paradox(lever="antenna", group="is_storm")), confidence=0.99
    )
