"""The item model finds the order that outcomes were drawn from, and says when they are too few."""

import math
import sys
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from causarium.errors import UsageError
from causarium.scoring.item_model import Outcome, _find_curvature, _is_thin, fit_item_model
from causarium.seeds import stream

HARD = {"easy": -1.5, "middle": 0.0, "hard": 1.5}
ABLE = {f"agent {n}": -2 + 4 * n / 7 for n in range(8)}


def descend(measure, start, **_):
    """Find the lowest point down the slopes, each step as long as the last one says."""
    point, slopes = start, measure(start)[1]
    length = 0.01
    for _ in range(400):
        moved = -length * slopes
        point = point + moved
        turned = measure(point)[1] - slopes
        if not turned.any():
            break
        slopes = slopes + turned
        length = abs(moved @ turned) / (turned @ turned)
    return SimpleNamespace(x=point)


def search_by(monkeypatch, search):
    optimize = ModuleType("scipy.optimize")
    optimize.minimize = search
    monkeypatch.setitem(sys.modules, "scipy", ModuleType("scipy"))
    monkeypatch.setitem(sys.modules, "scipy.optimize", optimize)


@pytest.fixture(autouse=True)
def _search_without_scipy(monkeypatch):
    """Any search finds the same lowest point; where scipy is at hand, it is the one to try."""
    if find_spec("scipy") is None:
        search_by(monkeypatch, descend)


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


def test_estimates_stay_what_they_were() -> None:
    levels = fit_item_model(draw(6))
    places = {name: tuple(levels[name].difficulty) for name in HARD}
    assert places["easy"] == pytest.approx((-1.6038, -2.7649, -0.4427), abs=2e-3)
    assert places["middle"] == pytest.approx((0.0482, -0.7131, 0.8095), abs=2e-3)
    assert places["hard"] == pytest.approx((1.2996, 0.2968, 2.3024), abs=2e-3)
    assert {level.n for level in levels.values()} == {48}


def test_slopes_are_those_of_what_is_searched(monkeypatch) -> None:
    """The search needs both; differences of the one must be the other."""

    def look(measure, start, **_):
        found = descend(measure, start)
        point = np.linspace(-0.7, 0.9, len(start))
        steps = 1e-5 * np.eye(len(start))
        rises = [(measure(point + one)[0] - measure(point - one)[0]) / 2e-5 for one in steps]
        assert rises == pytest.approx(measure(point)[1].tolist(), abs=1e-6)
        return found

    search_by(monkeypatch, look)
    assert set(fit_item_model(draw(2))) == set(HARD)


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


@pytest.mark.parametrize(
    "outcomes", [[], [Outcome("a", "b", 1.5)], [Outcome("a", "b", 1.0), Outcome("a", "b", -0.5)]]
)
def test_what_is_no_outcome_is_refused(outcomes: list[Outcome]) -> None:
    with pytest.raises(UsageError):
        fit_item_model(outcomes)


def test_second_derivatives_are_exact_to_many_digits() -> None:
    def measure(point):
        return 0.0, np.exp(point) + point[::-1]

    point = np.array([-0.5, 1.0])
    expected = [[math.exp(-0.5), 1.0], [1.0, math.exp(1.0)]]
    assert _find_curvature(measure, point) == pytest.approx(np.array(expected), rel=1e-6)


def test_a_level_is_thin_below_a_tenth_between_its_agents() -> None:
    def spread(width: float, agents: int) -> list[Outcome]:
        return [Outcome(f"agent {n}", "x", 0.5 + width * (n == 0)) for n in range(agents)]

    assert _is_thin(spread(0.09, 8))
    assert not _is_thin(spread(0.11, 8))
    assert _is_thin(spread(0.4, 3))
    assert not _is_thin(spread(0.4, 4))
    twice = [Outcome(f"agent {n}", "x", score) for n in range(4) for score in (0.0, float(n == 0))]
    assert not _is_thin(twice)
    assert _is_thin([*twice, Outcome("agent 0", "x", 0.0), *twice[2:] * 3, *twice[:1] * 8])
