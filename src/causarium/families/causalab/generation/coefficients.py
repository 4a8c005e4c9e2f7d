"""Draw the numbers of a mechanism: what each parent adds, and the frequency's base.

The ranges are those that the published data show, form by form.
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


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers of a mechanism, edge by edge."""

    linear: tuple[float, ...]
    square: tuple[float, ...]
    base_frequency: float


def draw_weights(rng: Random, form: FormName, edges: Edges, frequency: int) -> Weights:
    """Draw the numbers of a mechanism with these edges."""
    if form == "hard-quadratic":
        return _hard(rng, edges, frequency)
    square: tuple[float, ...] = (0.0,) * len(edges)
    if form == "linear":
        linear = tuple(float(rng.choice(LINEAR)) for _ in edges)
    else:
        square = tuple(rng.choice(SQUARES) for _ in edges)
        linear = tuple(rng.choice(SLOPES) for _ in edges)
    return Weights(linear, square, float(rng.randint(*BASE_FREQUENCY)))


def _hard(rng: Random, edges: Edges, frequency: int) -> Weights:
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
    return Weights(linear, square, base)
