"""The item model finds the order that outcomes were drawn from, and says when they are too few."""

import math

import pytest

from causarium.errors import UsageError
from causarium.scoring.item_model import Outcome, _find_curvature, _is_thin, fit_item_model
from causarium.seeds import stream

pytest.importorskip("scipy")
HARD = {"easy": -1.5, "middle": 0.0, "hard": 1.5}
ABLE = {f"agent {n}": -2 + 4 * n / 7 for n in range(8)}


def draw(count: int, agents: dict[str, float] = ABLE) -> list[Outcome]:
    rng = stream(5, "item model")
    return [
        Outcome(agent, level, float(rng.random() < 1 / (1 + math.exp(2 * (hard - able)))))
        for agent, able in agents.items()
        for level, hard in HARD.items()
        for _ in range(count)
    ]


def in_order(levels):
    return sorted(levels, key=lambda name: levels[name].difficulty.value)


def test_levels_come_in_the_order_they_were_drawn_from() -> None:
    levels = fit_item_model(draw(60))
    assert in_order(levels) == list(HARD)
    easy, hard = (levels[name].difficulty for name in ("easy", "hard"))
    assert easy.high < hard.low
    assert not any(level.thin for level in levels.values())


def test_more_outcomes_make_narrower_intervals() -> None:
    few, many = (fit_item_model(draw(count))["middle"].difficulty for count in (5, 80))
    assert many.high - many.low < few.high - few.low


def test_a_level_that_nobody_masters_has_a_place_and_is_thin() -> None:
    outcomes = [*draw(10), *(Outcome(agent, "never", 0.0) for agent in ABLE for _ in range(10))]
    levels = fit_item_model(outcomes)
    assert in_order(levels)[-1] == "never"
    assert levels["never"].thin
    assert math.isfinite(levels["never"].difficulty.high)


def test_few_agents_are_said_to_be_few() -> None:
    levels = fit_item_model(draw(30, {"one": 0.0, "two": 1.0}))
    assert all(level.thin for level in levels.values())


@pytest.mark.parametrize("outcomes", [[], [Outcome("a", "b", 1.5)]])
def test_what_is_no_outcome_is_refused(outcomes: list[Outcome]) -> None:
    with pytest.raises(UsageError):
        fit_item_model(outcomes)


def test_second_derivatives_are_exact_to_many_digits() -> None:
    numpy = pytest.importorskip("numpy")

    def measure(point):
        return 0.0, numpy.exp(point) + point[::-1]

    point = numpy.array([-0.5, 1.0])
    expected = [[math.exp(-0.5), 1.0], [1.0, math.exp(1.0)]]
    assert _find_curvature(measure, point) == pytest.approx(numpy.array(expected), rel=1e-6)


def test_a_level_is_thin_below_a_tenth_between_its_agents() -> None:
    def spread(width: float, agents: int) -> list[Outcome]:
        return [Outcome(f"agent {n}", "x", 0.5 + width * (n == 0)) for n in range(agents)]

    assert _is_thin(spread(0.09, 8))
    assert not _is_thin(spread(0.11, 8))
    assert _is_thin(spread(0.4, 1))
