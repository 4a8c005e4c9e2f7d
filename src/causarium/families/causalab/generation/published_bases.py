"""Draw base values as the original does: whole numbers, the records of a size all the same."""

from random import Random

from causarium.families.causalab.config import LabConfig
from causarium.families.causalab.generation.assemble_instance import Bases

BASE_RANGE = (0, 100)
"""Published base values of properties are whole numbers in this range."""
RECORD_SEED = 42
"""The seed from which the original draws the base values of all records of a size."""


def draw_published_bases(config: LabConfig, rng: Random) -> Bases:
    """Draw the base values of every crystal."""
    # The published records of a size share their base values, but for the hard-quadratic ones.
    source = rng if config.form == "hard-quadratic" else Random(RECORD_SEED)
    count = config.nodes - 1
    records = tuple(draw_crystal(source, count) for _ in range(config.records))
    return Bases(records, draw_crystal(rng, count), draw_crystal(rng, count))


def draw_crystal(rng: Random, count: int) -> tuple[float, ...]:
    """Draw the base values of one crystal."""
    return tuple(float(rng.randint(*BASE_RANGE)) for _ in range(count))
