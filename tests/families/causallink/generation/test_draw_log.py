"""Logs: their truth is even over what fits, and their bars hold."""

from collections import Counter
from itertools import chain
from random import Random

import pytest

from causarium.families.causallink.generation.draw_log import (
    BEST_GUESS,
    LAWS,
    MOST_BLIND,
    ROWS_SHOWN,
    draw_logs,
    mirror,
)
from causarium.families.causallink.proofs import (
    bound_repeating,
    bound_without_law,
    bound_without_log,
)


@pytest.mark.parametrize("seed", range(3))
def test_each_law_has_a_sure_run_that_no_other_law_and_no_row_gives_away(seed: int) -> None:
    logs = draw_logs(Random(seed))
    assert len({one.truth.needs for one in logs}) == len(logs) == 3
    (log,) = {one.log for one in logs}
    assert len(set(log)) == len(log) == ROWS_SHOWN
    fits = [(one.machine, one.machine.fit_all(log)) for one in logs]
    for (machine, left), (*_, truth) in zip(fits, logs, strict=True):
        assert machine.has_sure(left)
        assert truth in machine.list_fitting(left)
        assert bound_repeating(machine, left, log) == 0
        assert bound_without_log(machine, left) <= 2 * MOST_BLIND
        guessed = machine.weigh_new_runs(log, machine.fit_without_helpers(log))
        assert guessed.max() <= BEST_GUESS
    assert bound_without_law(fits) == pytest.approx(1 / 3)


def test_laws_are_told_about_equally_often() -> None:
    told = Counter(min(needs, mirror(needs)) for needs in chain.from_iterable(LAWS))
    assert len(told) == 9
    assert max(told.values()) <= 1.3 * told.total() / len(told)


def test_the_truth_is_even_over_the_worlds_that_fit() -> None:
    first_half = []
    for seed in range(12):
        for machine, log, truth in draw_logs(Random(seed)):
            fitting = machine.list_fitting(machine.fit_all(log))
            if len(fitting) % 2 == 0:
                first_half.append(2 * fitting.index(truth) < len(fitting))
    # Four standard errors of a fair coin.
    assert abs(sum(first_half) - len(first_half) / 2) < 2 * len(first_half) ** 0.5


def test_whoever_plays_a_run_earns_its_share_of_the_truths() -> None:
    machine, log, _ = draw_logs(Random(5))[0]
    left = machine.fit_all(log)
    fitting = machine.list_fitting(left)
    for background in machine.backgrounds:
        decided = sum(world.decides(background) for world in fitting)
        assert machine.weigh_runs(left)[background] == decided / len(fitting)
