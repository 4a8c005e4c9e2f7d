"""The one estimator: which causes a table shows to change its outcome, whatever its design.

Least squares of `log outcome = place + time + everything set + effect x cause`. Where two figures
are of one time, each time has a level of its own; in a single place time is a straight line, and
the cause must have come and gone more than once. What is not identified, chosen by those concerned,
or without a sound figure is not told. An effect between the bounds, sound figures that disagree, or
a bad fit refuse the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp

import numpy as np
from numpy.typing import NDArray

from .table import Row, Table

LEAST, MOST_NOTHING, MOST_MISFIT = 0.25, 0.03, 0.12
"""At least so much is an effect; at most so much is none; at most so much may a fit be off."""
_LEAST_CHANGES = 3
_EXACT = 1e-6


class RefusedError(Exception):
    """A table that shows neither an effect nor its absence."""


@dataclass(frozen=True)
class Estimate:
    """The effect of a cause on the outcome."""

    effect: float | None
    """The relative change that its highest level makes; None if the table cannot tell."""

    @property
    def told(self) -> bool:
        """Whether the table shows an effect."""
        return self.effect is not None and abs(self.effect) > MOST_NOTHING


@dataclass(frozen=True)
class Plan:
    """How a table's figures make the estimate of a cause, whatever they are."""

    cause: str
    rows: tuple[Row, ...]
    weights: NDArray[np.float64]
    """What the logarithm of each figure adds to that of the effect."""
    misfits: NDArray[np.float64]
    """Turns logarithms of figures into what the fit leaves over."""

    def judge(self, figures: Sequence[int]) -> Estimate:
        """Return the effect that figures show, one for each row.

        Raises:
            RefusedError: It is in between, or the figures contradict each other.
        """
        logs = np.log(figures)
        misfit = float(np.abs(self.misfits @ logs).max())
        if misfit > MOST_MISFIT:
            raise RefusedError(f"figures for {self.cause!r} contradict each other by {misfit:.2f}")
        return Estimate(_judge(self.cause, exp(float(self.weights @ logs)) - 1))


def estimate(table: Table, cause: str) -> Estimate:
    """Return the effect of a cause in a table.

    Raises:
        RefusedError: It is in between, or the figures contradict each other.
    """
    plan = plan_estimate(table, cause)
    return plan.judge([row.value for row in plan.rows]) if plan else Estimate(None)


def plan_estimate(table: Table, cause: str) -> Plan | None:
    """Return the plan by which a cause is estimated; None if the table cannot tell its effect."""
    rows = table.rows
    levels = [row.level(cause) for row in rows]
    if cause in table.chosen or len(set(levels)) < 2 or not _came_and_went(rows, cause):
        return None
    others = [name for name in table.variables if name != cause]
    design = np.column_stack(
        [*_list_places(rows), *_list_times(rows), *([row.level(x) for row in rows] for x in others)]
    ).astype(float)
    column = np.array(levels, float)
    if _distance(design, column) < _EXACT:
        return None
    full = np.column_stack([design, column])
    solve = np.linalg.pinv(full)
    span = max(levels) - min(levels)
    return Plan(cause, rows, solve[-1] * span, np.eye(len(rows)) - full @ solve)


def _judge(cause: str, effect: float) -> float:
    size = abs(effect)
    if MOST_NOTHING + _EXACT < size < LEAST - _EXACT:
        raise RefusedError(
            f"{cause!r} changes the outcome by {effect:+.0%}: neither much nor nothing"
        )
    return effect


def _came_and_went(rows: Sequence[Row], cause: str) -> bool:
    """Whether some time has two figures, or some place saw the cause come and go again."""
    times = [row.time for row in rows]
    if len(set(times)) < len(times):
        return True
    for place in {row.place for row in rows}:
        seen = [
            row.level(cause) for row in sorted(rows, key=lambda r: r.time) if row.place == place
        ]
        if sum(a != b for a, b in pairwise(seen)) >= _LEAST_CHANGES:
            return True
    return False


def _list_places(rows: Sequence[Row]) -> list[list[int]]:
    places = sorted({row.place for row in rows})
    return [[int(row.place == place) for row in rows] for place in places]


def _list_times(rows: Sequence[Row]) -> list[list[int]]:
    times = sorted({row.time for row in rows})
    if len(times) == len(rows):
        return [[times.index(row.time) for row in rows]]
    return [[int(row.time == time) for row in rows] for time in times[1:]]


def _distance(design: NDArray[np.float64], column: NDArray[np.float64]) -> float:
    """Return the distance of a column from everything that the others can make."""
    near = design @ np.linalg.lstsq(design, column, rcond=None)[0]
    return float(np.abs(near - column).max())
