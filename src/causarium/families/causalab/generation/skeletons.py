"""Draw the properties and the arrows of a mechanism, before any numbers.

They live at an address that knows the size alone, so that levels which differ in form, regime or
disturbance share their graphs. The paper edition takes the first graph of the published recipe.
The certified edition goes on from the same stream until three easy answers are far from the truth:

* *Whatever moved is a child.* There are many more pairs of ancestor and descendant than arrows.
* *No arrow that is not needed.* Many arrows join what a longer path joins as well, so that only
  sizes of effects tell whether they are there.
* *One cause is all.* The frequency has two parents or more: with one, whoever moves it, or what
  acts on it alone, knows the whole equation after a single intervention.
"""

from dataclasses import dataclass

from causarium.families.causalab.config import LabConfig
from causarium.families.causalab.instance import FREQUENCY, Property
from causarium.families.causalab.mechanics.properties import FURTHER, PUBLISHED
from causarium.scm.dag import Dag, bits
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


@dataclass(frozen=True, slots=True)
class GraphRule:
    """What a certified graph of some size has to be like."""

    causes: int
    """So many parents of the frequency, which is the last node, at least."""
    pairs: float
    """So many pairs of an ancestor and a descendant for each arrow, at least."""
    arrows: float
    """So many arrows for each arrow without which something could no longer move, at least."""

    def allows(self, dag: Dag) -> bool:
        """Return whether a graph is as asked."""
        if dag.parents[-1].bit_count() < self.causes:
            return False
        arrows = len(dag.edges)
        pairs = sum(below.bit_count() for below in dag.descendants)
        return pairs >= self.pairs * arrows and arrows >= self.arrows * len(find_needed_arrows(dag))


def rule_for(nodes: int) -> GraphRule:
    """Return what is asked of certified graphs of so many nodes.

    Three nodes leave no choice, and four too little for all demands.
    """
    if nodes <= 3:
        return GraphRule(causes=1, pairs=1.0, arrows=1.0)
    if nodes == 4:
        return GraphRule(causes=2, pairs=1.25, arrows=1.0)
    return GraphRule(causes=2, pairs=1.5, arrows=4 / 3)


def find_needed_arrows(dag: Dag) -> frozenset[tuple[int, int]]:
    """Return the arrows that no longer path replaces.

    Example:
        >>> sorted(find_needed_arrows(Dag.of(3, [(0, 1), (1, 2), (0, 2)])))
        [(0, 1), (1, 2)]
    """
    return frozenset(
        (cause, effect)
        for cause, effect in dag.edges
        if not any(dag.descendants[child] >> effect & 1 for child in bits(dag.children[cause]))
    )


def draw_skeleton(config: LabConfig, seed: int, *address: Address) -> Skeleton:
    """Draw the properties and the edges; `address` is the index of an instance."""
    size = config.nodes
    kind = "frequency-parent" if config.frequency_parent else "graph"
    rng = stream(seed, FAMILY_NAME, kind, size, *address)
    count = size - 1
    pool = PUBLISHED if count <= len(PUBLISHED) else PUBLISHED + FURTHER
    properties = tuple(rng.sample(pool, count))
    rule = rule_for(size)
    while True:
        edges = draw_to_outcome(rng, size, count, outcome_may_cause=config.frequency_parent)
        if config.edition == "paper" or rule.allows(Dag.of(size, edges)):
            return Skeleton(properties, edges)
