"""Draw the numbers of a mechanism: what each parent adds.

The published ranges are those that the published data show, form by form. The certified ones are
real numbers of either sign with more decimals than any reading can resolve, so that no digit of a
reading says anything, and larger into the frequency, so that a guess seldom hits.
"""

from dataclasses import dataclass
from random import Random

from causarium.families.causalab.config import FormName
from causarium.scm.random_graphs import Edges

LINEAR = (1, 2, 3)
SQUARES = (0.001, 0.002, 0.005)
SLOPES = (-0.5, -0.2, 0.2, 0.5)
HARD_SQUARES = (0.008, 0.012, 0.016)
HARD_AXIS = (35.0, 65.0)
"""Where the parabola of a hard-quadratic term has its lowest point."""
HARD_FREQUENCY_OFFSET = (25.0, 60.0)
BASE_FREQUENCY = (15, 25)

CERTIFIED_LINEAR = (0.5, 2.0)
CERTIFIED_LINEAR_INTO_FREQUENCY = (2.0, 8.0)
CERTIFIED_SQUARES = (0.001, 0.005)
CERTIFIED_SLOPES = (0.2, 0.8)
CERTIFIED_HARD_SQUARES = (0.008, 0.016)
INTO_FREQUENCY = 4.0
"""How many times as large a quadratic term is into the frequency."""
HARD_INTO_FREQUENCY = 10.0
_DECIMALS, _SQUARE_DECIMALS = 9, 12

Coefficient = tuple[float, float]
"""What a cause adds: its linear and its square coefficient."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The published numbers of a mechanism, edge by edge."""

    coefficients: tuple[Coefficient, ...]
    base_frequency: float


def draw_certified(
    rng: Random, form: FormName, edges: Edges, frequency: int
) -> tuple[Coefficient, ...]:
    """Draw what each cause adds, independently.

    Args:
        rng: Where the draws come from.
        form: The functional form.
        edges: The arrows.
        frequency: The index of the frequency.
    """
    return tuple(_draw_certified(rng, form, into=effect == frequency) for _, effect in edges)


def _draw_certified(rng: Random, form: FormName, *, into: bool) -> Coefficient:
    if form == "linear":
        size = rng.uniform(*(CERTIFIED_LINEAR_INTO_FREQUENCY if into else CERTIFIED_LINEAR))
        return round(_sign_at_random(rng, size), _DECIMALS), 0.0
    if form == "quadratic":
        times = INTO_FREQUENCY if into else 1.0
        square = _sign_at_random(rng, times * rng.uniform(*CERTIFIED_SQUARES))
        slope = _sign_at_random(rng, times * rng.uniform(*CERTIFIED_SLOPES))
    else:
        square = (HARD_INTO_FREQUENCY if into else 1.0) * rng.uniform(*CERTIFIED_HARD_SQUARES)
        slope = -2 * square * rng.uniform(*HARD_AXIS)
    return round(slope, _DECIMALS), round(square, _SQUARE_DECIMALS)


def _sign_at_random(rng: Random, size: float) -> float:
    return size if rng.random() < 0.5 else -size


def draw_published(rng: Random, form: FormName, edges: Edges, frequency: int) -> Weights:
    """Draw the numbers of a published mechanism with these edges.

    Args:
        rng: Where the draws come from.
        form: The functional form.
        edges: The arrows.
        frequency: The index of the frequency.
    """
    if form == "hard-quadratic":
        return _draw_hard_weights(rng, edges, frequency)
    square: tuple[float, ...] = (0.0,) * len(edges)
    if form == "linear":
        linear = tuple(float(rng.choice(LINEAR)) for _ in edges)
    else:
        square = tuple(rng.choice(SQUARES) for _ in edges)
        linear = tuple(rng.choice(SLOPES) for _ in edges)
    base = float(rng.randint(*BASE_FREQUENCY))
    return Weights(tuple(zip(linear, square, strict=True)), base)


def _draw_hard_weights(rng: Random, edges: Edges, frequency: int) -> Weights:
    square = tuple(rng.choice(HARD_SQUARES) for _ in edges)
    axis = tuple(round(rng.uniform(*HARD_AXIS), 6) for _ in edges)
    linear = tuple(round(-2 * c * a, 6) for c, a in zip(square, axis, strict=True))
    lifted = sum(
        c * a * a
        for c, a, (_, effect) in zip(square, axis, edges, strict=True)
        if effect == frequency
    )
    # The base lifts the sum of parabolas above zero, by the offset.
    base = round(lifted + rng.uniform(*HARD_FREQUENCY_OFFSET), 6)
    return Weights(tuple(zip(linear, square, strict=True)), base)
