"""Logs: their truth is even over what fits, and their bars hold."""

from random import Random

import pytest

from causarium.families.causallink.evidence.log_bounds import LogBounds, bound_without_law
from causarium.families.causallink.generation.draw_log import (
    LAWS,
    LAWS_SHOWN,
    NEEDS,
    ROWS_SHOWN,
    TWOS,
    draw_plain,
    draw_screened,
    draw_under_laws,
)
from causarium.families.causallink.mechanics import Law, Machine, build_machine

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
    assert bounds.ignores_log <= 0.14


@pytest.mark.parametrize("seed", range(3))
def test_a_log_for_three_laws_leaves_one_world_to_each_and_no_run_to_two(seed: int) -> None:
    logs = draw_under_laws(Random(seed))
    assert len({one.truth.needs for one in logs}) == LAWS_SHOWN == len(logs)
    assert len({one.log for one in logs}) == 1
    for machine, log, left, truth in logs:
        assert machine.fit_all(log) == left == 1 << machine.worlds.index(truth)
        bounds = LogBounds(machine, log, left)
        assert bounds.copiers == bounds.columns == 0
        assert bounds.ignores_log <= 0.1 + 1e-9
        assert all(any(row.target for row in log if row.suspects == on) for on in (True, False))
    for background in range(64):
        assert sum(truth.decides(background) for *_, truth in logs) <= 1
    assert bound_without_law([one.machine for one in logs], logs[0].log) == pytest.approx(1 / 3)


def test_no_fixed_run_is_decisive_in_more_than_a_tenth_of_the_worlds_of_a_law() -> None:
    assert len(set(NEEDS)) == 24
    for needs in NEEDS:
        machine = build_machine(LAWS["laws"]._replace(needs=needs))
        assert all(machine.share(machine.every, c) <= 0.1 + 1e-9 for c in machine.backgrounds)


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
