"""Logs: their truth is even over what fits, and their bars hold."""

from random import Random

import pytest

from causarium.families.causallink.generation.draw_log import (
    HALF,
    LAWS,
    LAWS_SHOWN,
    NEEDS,
    ROWS_SHOWN,
    draw_plain,
    draw_under_laws,
)
from causarium.families.causallink.mechanics import build_machine
from causarium.families.causallink.proofs import bound_without_law, bound_without_log

PLAIN = build_machine(LAWS["log"])


@pytest.mark.parametrize("seed", range(20))
def test_a_plain_log_has_a_sure_run(seed: int) -> None:
    drawn = draw_plain(Random(seed))
    assert len(drawn.log) >= ROWS_SHOWN
    assert len(set(drawn.log)) == len(drawn.log)
    assert PLAIN.has_sure(drawn.left)
    assert drawn.truth in set(PLAIN.list_fitting(drawn.left))


@pytest.mark.parametrize("seed", range(3))
def test_a_log_for_three_laws_leaves_one_world_to_each_and_no_run_to_two(seed: int) -> None:
    logs = draw_under_laws(Random(seed))
    assert len({one.truth.needs for one in logs}) == LAWS_SHOWN == len(logs)
    assert len({one.log for one in logs}) == 1
    telling = []
    for machine, log, left, truth in logs:
        assert len({row.moved for row in log}) == 2 * HALF == 2 * sum(row.suspects for row in log)
        assert machine.fit_all(log) == left == 1 << machine.worlds.index(truth)
        assert bound_without_log(machine, left) <= 0.1 + 1e-9
        assert all(any(row.target for row in log if row.suspects == on) for on in (True, False))
        telling += [row for row in log if row.suspects and truth.decides(row.moved)]
    # Under each law another run shows the suspect at work, and all of them worked.
    assert len(set(telling)) == len(telling) == LAWS_SHOWN
    assert all(row.target for row in telling)
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
        drawn = draw_plain(Random(seed))
        fitting = list(PLAIN.list_fitting(drawn.left))
        if len(fitting) % 2 == 0:
            first_half.append(2 * fitting.index(drawn.truth) < len(fitting))
    # Four standard errors of a fair coin.
    assert abs(sum(first_half) - len(first_half) / 2) < 2 * len(first_half) ** 0.5


def test_whoever_plays_a_run_earns_its_share_of_the_truths() -> None:
    drawn = draw_plain(Random(5))
    fitting = list(PLAIN.list_fitting(drawn.left))
    for background in PLAIN.backgrounds:
        decided = sum(world.decides(background) for world in fitting)
        assert PLAIN.share(drawn.left, background) == decided / len(fitting)
