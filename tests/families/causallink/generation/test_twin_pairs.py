"""How pairs are drawn: their depth, their shapes, and their kinds of start."""

from collections import Counter
from random import Random

import pytest

from causarium.families.causallink.evidence.optimum import least_interventions
from causarium.families.causallink.evidence.twins import find_depth, find_twin
from causarium.families.causallink.generation.twin_pairs import (
    Pair,
    draw_all_active,
    draw_some_active,
)
from causarium.families.causallink.mechanics.dynamics import Reach


def searched_depth(pair: Pair) -> int | None:
    no = Reach.of_edges(pair.size, pair.edges_of(truth=False))
    yes = Reach.of_edges(pair.size, pair.edges_of(truth=True))
    assert find_twin(no, 0, 1) == yes
    assert no.is_closed(pair.start)
    assert yes.is_closed(pair.start)
    return find_depth(no, yes, pair.start)


@pytest.mark.parametrize("size", range(3, 10))
def test_all_active_pairs_have_the_depth_they_claim(size):
    rng = Random(size)
    for _ in range(25):
        pair = draw_all_active(rng, size)
        assert pair.start == (1 << size) - 1
        assert searched_depth(pair) == pair.depth
        assert pair.depth in {size - 1, size - 2}


def test_one_all_active_pair_in_five_is_soft():
    rng = Random(5)
    soft = sum(draw_all_active(rng, 6).depth == 4 for _ in range(1000))
    assert abs(soft - 200) < 4 * 13
    assert {draw_all_active(rng, 3).depth for _ in range(50)} == {2}


@pytest.mark.parametrize("size", range(3, 8))
def test_pairs_with_some_active_need_all_of_w(size):
    rng, kinds = Random(size), Counter()
    for number in range(40):
        pair = draw_some_active(rng, size, number)
        cause, effect = bool(pair.start & 1), bool(pair.start & 2)
        others = pair.start.bit_count() - cause - effect
        least = least_interventions(cause_active=cause, effect_active=effect, others_active=others)
        assert searched_depth(pair) == pair.depth == least
        kinds[cause, effect] += 1
    assert kinds == {(False, False): 8, (False, True): 8, (True, True): 24}


def test_hard_pairs_of_four_variables_are_of_all_the_shapes_there_are():
    rng = Random(4)
    pairs = [pair for pair in (draw_all_active(rng, 4) for _ in range(200)) if pair.depth == 3]
    causes_of_both = {frozenset(a for a, b in pair.edges if b == 0) for pair in pairs}
    assert causes_of_both == {frozenset({2}), frozenset({3}), frozenset({2, 3})}
