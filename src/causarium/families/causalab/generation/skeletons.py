"""Draw the properties and the arrows of a mechanism, before any numbers.

They live at an address that knows the size alone, so that levels which differ in form, regime or
disturbance share their graphs: the first of the published recipe.
"""

from dataclasses import dataclass

from causarium.families.causalab.config import LabConfig
from causarium.families.causalab.instance import FREQUENCY, Property
from causarium.families.causalab.mechanics.properties import FURTHER, PUBLISHED
from causarium.scm.random_graphs import Edges, draw_to_outcome
from causarium.seeds import Address, stream

FAMILY_NAME = "causalab"


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A graph over named properties, before any numbers: index `len(properties)` is frequency."""

    properties: tuple[Property, ...]
    edges: Edges

    @property
    def frequency(self) -> int:
        """The index of the frequency."""
        return len(self.properties)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of all nodes."""
        return (*(p.name for p in self.properties), FREQUENCY)


def draw_skeleton(config: LabConfig, seed: int, *address: Address) -> Skeleton:
    """Draw the properties and the edges; `address` is the index of an instance."""
    size = config.nodes
    kind = "frequency-parent" if config.frequency_parent else "graph"
    rng = stream(seed, FAMILY_NAME, kind, size, *address)
    count = size - 1
    pool = PUBLISHED if count <= len(PUBLISHED) else PUBLISHED + FURTHER
    properties = tuple(rng.sample(pool, count))
    edges = draw_to_outcome(rng, size, count, outcome_may_cause=config.frequency_parent)
    return Skeleton(properties, edges)
