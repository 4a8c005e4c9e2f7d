"""The Golden regime: a chain of experiments that somebody else made, handed to the agent.

Two crystals that were only read, then up to six interventions in alphabetical round-robin which go
on from the first of the two.
"""

from collections.abc import Sequence
from random import Random

from causarium.families.causalab.config import LabConfig
from causarium.families.causalab.generation.assemble_instance import Blueprint
from causarium.families.causalab.instance import ChainStep, Property, Reading
from causarium.scm.mechanism import Specimen

START = (15.0, 45.0)
"""Published base values of the chain's crystals, in two decimals."""
VALUES = range(101)
"""What properties are put to: whole numbers."""
LEAST_MOVE = 5.0
"""How far a property is moved at least."""
PUBLISHED_STEPS = 6


def draw_chain(
    config: LabConfig, blueprint: Blueprint, starts: Sequence[tuple[float, ...]], rng: Random
) -> tuple[ChainStep, ...]:
    """Draw a chain of experiments on the blueprint's mechanism.

    Args:
        config: What is drawn.
        blueprint: The mechanism.
        starts: The base values of the crystals that are only read; the chain goes on from the
            first of them.
        rng: Where targets and values come from.
    """
    properties = blueprint.properties
    chain = [ChainStep(reading=blueprint.read(bases)) for bases in starts]
    bases = (*starts[0], blueprint.base_frequency)
    crystal = Specimen(blueprint.mechanism, bases, config.semantics)
    before = 0
    for node in _targets(properties):
        value = _value(crystal.values[node], rng)
        reading = _reading(crystal.put(node, value))
        chain.append(
            ChainStep(
                reading=reading, property=properties[node].name, value=value, continues=before
            )
        )
        before = len(chain) - 1
    return tuple(chain)


def _targets(properties: Sequence[Property]) -> list[int]:
    by_name = sorted(range(len(properties)), key=lambda i: properties[i].name)
    return [by_name[i % len(by_name)] for i in range(PUBLISHED_STEPS)]


def draw_published_start(count: int, rng: Random) -> tuple[float, ...]:
    """Draw the base values of a crystal that a published chain starts from."""
    return tuple(round(rng.uniform(*START), 2) for _ in range(count))


def _value(present: float, rng: Random) -> float:
    return float(rng.choice([v for v in VALUES if abs(v - present) >= LEAST_MOVE]))


def _reading(values: Sequence[float]) -> Reading:
    return Reading(values=tuple(values[:-1]), frequency=values[-1])
