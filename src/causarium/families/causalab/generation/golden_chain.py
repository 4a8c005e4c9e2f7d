"""The Golden regime: a chain of experiments that somebody else made, handed to the agent.

Certified edition: the chain starts from one crystal, puts every property to new values often
enough to determine the mechanism, and says which entry each step continues from. Paper edition:
two crystals that were only read, then up to six interventions in alphabetical round-robin which go
on from the first of the two.
"""

from collections.abc import Sequence
from random import Random

from causarium.contract.rules import Edition
from causarium.families.causalab.config import LabConfig
from causarium.families.causalab.generation.assemble_instance import Blueprint
from causarium.families.causalab.instance import ChainStep, Property, Reading
from causarium.scm.mechanism import Specimen

START = (15.0, 45.0)
"""Published base values of the chain's crystals, in two decimals."""
VALUES = {"paper": range(101), "certified": range(-200, 201)}
"""What properties are put to, by edition: whole numbers."""
LEAST_MOVE = {"paper": 5.0, "certified": 50.0}
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
    for node in _targets(config, properties, rng):
        if config.semantics == "do":
            crystal.reset()
            before = 0
        value = _value(config.edition, crystal.values[node], rng)
        reading = _reading(crystal.put(node, value))
        chain.append(
            ChainStep(
                reading=reading, property=properties[node].name, value=value, continues=before
            )
        )
        before = len(chain) - 1
    return tuple(chain)


def _targets(config: LabConfig, properties: Sequence[Property], rng: Random) -> list[int]:
    by_name = sorted(range(len(properties)), key=lambda i: properties[i].name)
    if config.edition == "paper":
        return [by_name[i % len(by_name)] for i in range(PUBLISHED_STEPS)]
    targets: list[int] = []
    for _ in range(1 if config.form == "linear" else 2):
        rng.shuffle(by_name)
        targets += by_name
    return targets


def draw_published_start(count: int, rng: Random) -> tuple[float, ...]:
    """Draw the base values of a crystal that a published chain starts from."""
    return tuple(round(rng.uniform(*START), 2) for _ in range(count))


def _value(edition: Edition, present: float, rng: Random) -> float:
    far = [v for v in VALUES[edition] if abs(v - present) >= LEAST_MOVE[edition]]
    return float(rng.choice(far))


def _reading(values: Sequence[float]) -> Reading:
    return Reading(values=tuple(values[:-1]), frequency=values[-1])
