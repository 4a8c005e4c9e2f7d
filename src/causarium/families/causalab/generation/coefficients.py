"""Draw the numbers of a mechanism: what each parent adds.

The published ranges are those that the published data show, form by form.
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

Coefficient = tuple[float, float]
"""What a cause adds: its linear and its square coefficient."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The published numbers of a mechanism, edge by edge."""

    coefficients: tuple[Coefficient, ...]
    base_frequency: float


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
