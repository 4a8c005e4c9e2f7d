"""Put an instance together from its mechanism and its crystals, wherever they come from."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from causarium.contract.rules import Edition
from causarium.families.causalab.instance import (
    FREQUENCY,
    ChainStep,
    Disturbance,
    Form,
    HiddenNotice,
    LabEdge,
    LabPublic,
    LabSecret,
    Property,
    Reading,
)
from causarium.scm.dag import Dag
from causarium.scm.mechanism import Mechanism, Semantics, Term
from causarium.scm.random_graphs import depth_first_order

TOLERANCE_HZ = 5.0
CERTIFIED_RANGE_HZ = (-1e6, 1e6)
PAPER_RANGE_HZ = (0.0, 1e4)
PAPER_LIMIT = 1e9
LIMITS: dict[Form, float] = {"linear": 10_000.0, "quadratic": 1_000.0}
"""How far from zero an intervention may go in the certified edition."""


@dataclass(frozen=True, slots=True)
class Bases:
    """The base values of every crystal, property by property."""

    records: tuple[tuple[float, ...], ...]
    manipulator: tuple[float, ...]
    reactor: tuple[float, ...]


def mechanism_of(properties: Sequence[Property], edges: Sequence[LabEdge]) -> Mechanism:
    """Return the mechanism over the properties, in their order, and the frequency."""
    number = {name: i for i, name in enumerate((*(p.name for p in properties), FREQUENCY))}
    terms: list[list[Term]] = [[] for _ in number]
    for edge in edges:
        terms[number[edge.effect]].append(Term(number[edge.cause], edge.linear, edge.square))
    return Mechanism(tuple(map(tuple, terms)))


@dataclass(frozen=True)
class Blueprint:
    """Everything that an instance is made of."""

    edition: Edition
    properties: tuple[Property, ...]
    form: Form
    edges: tuple[LabEdge, ...]
    base_frequency: float
    bases: Bases
    budget: int
    semantics: Semantics = "set"
    resets: bool = False
    frequency_may_cause: bool = False
    chain: tuple[ChainStep, ...] = ()
    disturbance: Disturbance | None = None
    mechanism: Mechanism = field(init=False)
    order: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        nodes = (*(p.name for p in self.properties), FREQUENCY)
        number = {name: i for i, name in enumerate(nodes)}
        pairs = tuple((number[e.cause], number[e.effect]) for e in self.edges)
        dag = Dag.of(len(nodes), pairs)
        order = depth_first_order(dag, pairs, number[FREQUENCY])
        object.__setattr__(self, "mechanism", mechanism_of(self.properties, self.edges))
        object.__setattr__(self, "order", tuple(nodes[i] for i in order))

    def read(self, bases: tuple[float, ...]) -> Reading:
        """Read a crystal with these base values."""
        # Adding zero makes a negative zero a plain one, whatever sum it came from.
        read = self.mechanism.evaluate((*bases, self.base_frequency))
        *values, frequency = (value + 0.0 for value in read)
        return Reading(values=tuple(values), frequency=frequency)

    def make_public(self) -> LabPublic:
        """Return what the agent may see."""
        paper = self.edition == "paper"
        return LabPublic(
            properties=self.properties,
            form=self.form,
            semantics=self.semantics,
            records=tuple(map(self.read, self.bases.records)),
            chain=self.chain,
            manipulator=self.read(self.bases.manipulator),
            reactor=self.read(self.bases.reactor).values,
            budget=self.budget,
            limit=PAPER_LIMIT if paper else LIMITS[self.form],
            tolerance=TOLERANCE_HZ,
            reactor_range=PAPER_RANGE_HZ if paper else CERTIFIED_RANGE_HZ,
            resets=self.resets,
            frequency_may_cause=self.frequency_may_cause,
            hidden=self._notice(),
            printed_order=self.order if paper else (),
        )

    def _notice(self) -> HiddenNotice | None:
        if self.disturbance is None:
            return None
        # The published texts do not say how large the disturbance is.
        told = self.disturbance.values if self.edition == "certified" else ()
        return HiddenNotice(values=told, frequency=FREQUENCY in self.disturbance.affected)

    def secret(self) -> LabSecret:
        """Return what only the scorer may know."""
        return LabSecret(
            edges=self.edges,
            base_frequency=self.base_frequency,
            manipulator_bases=self.bases.manipulator,
            reactor_bases=self.bases.reactor,
            record_bases=self.bases.records,
            target=self.read(self.bases.reactor).frequency,
            order=self.order,
            disturbance=self.disturbance,
        )
