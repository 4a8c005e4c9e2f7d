"""Logs: their truth is even over what fits, and their bars hold."""

from random import Random

import pytest

from causarium.families.causallink.evidence.log_bounds import LogBounds
from causarium.families.causallink.generation.draw_log import (
    ROWS_SHOWN,
    TWOS,
    draw_plain,
    draw_screened,
)
from causarium.families.causallink.mechanics import Law, Machine

PLAIN = Machine(Law(others=5, helpers=(1, 2), rivals=(1, 2), brakes=(1,)))
SCREENED = Machine(Law(others=6, helpers=(2,), rivals=(1, 2), brakes=(1,)))


@pytest.mark.parametrize("seed", range(20))
def test_a_plain_log_has_a_sure_run_and_shows_everything(seed: int) -> None:
    drawn = draw_plain(PLAIN, Random(seed))
    assert len(drawn.log) >= ROWS_SHOWN
    assert len(set(drawn.log)) == len(drawn.log)
    assert all(not row.unseen for row in drawn.log)
    assert PLAIN.has_sure(drawn.left)
    assert drawn.truth in set(PLAIN.list_fitting(drawn.left))


@pytest.mark.parametrize("seed", range(8))
def test_a_screened_log_leaves_half_to_those_who_do_less(seed: int) -> None:
    drawn = draw_screened(SCREENED, Random(seed))
    bounds = LogBounds(SCREENED, drawn.log, drawn.left)
    assert bounds.meet_bars
    assert len(drawn.log) == 2 * TWOS == len({row[:3] for row in drawn.log})
    assert any(row.suspects and row.target for row in drawn.log)
    assert all(1 <= row.unseen.bit_count() <= 2 for row in drawn.log)
    assert SCREENED.share(drawn.left, SCREENED.find_best(drawn.left)) == 1
    assert bounds.blind <= 0.14


def test_the_truth_is_even_over_the_worlds_that_fit() -> None:
    first_half = []
    for seed in range(1_500):
        drawn = draw_plain(PLAIN, Random(seed))
        fitting = list(PLAIN.list_fitting(drawn.left))
        if len(fitting) % 2 == 0:
            first_half.append(2 * fitting.index(drawn.truth) < len(fitting))
    # Four standard errors of a fair coin.
    assert abs(sum(first_half) - len(first_half) / 2) < 2 * len(first_half) ** 0.5


def test_whoever_plays_a_run_earns_its_share_of_the_truths() -> None:
    drawn = draw_plain(PLAIN, Random(5))
    fitting = list(PLAIN.list_fitting(drawn.left))
    for background in PLAIN.backgrounds:
        decided = sum(world.decides(background) for world in fitting)
        assert PLAIN.share(drawn.left, background) == decided / len(fitting)
