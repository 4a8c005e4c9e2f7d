"""Put an instance together from its mechanism and its crystals, wherever they come from.

`bases_showing` turns readings into the base values under which a mechanism shows them. They are
kept unrounded, so that a crystal with these bases reads just what was drawn: values are rounded as
they arise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from causarium.contract.rules import Edition
from causarium.families.causalab.generation.shown_readings import Shown
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
    record_frequencies: tuple[float, ...] = ()
    """The base of each record's frequency; empty where it is the same in every crystal."""


def mechanism_of(properties: Sequence[Property], edges: Sequence[LabEdge]) -> Mechanism:
    """Return the mechanism over the properties, in their order, and the frequency."""
    number = {name: i for i, name in enumerate((*(p.name for p in properties), FREQUENCY))}
    terms: list[list[Term]] = [[] for _ in number]
    for edge in edges:
        terms[number[edge.effect]].append(Term(number[edge.cause], edge.linear, edge.square))
    return Mechanism(tuple(map(tuple, terms)))


def bases_showing(mechanism: Mechanism, shown: Shown, *, shared_base: bool) -> tuple[Bases, float]:
    """Return the bases under which `mechanism` shows these readings, and the frequency's base.

    Args:
        mechanism: Any mechanism of the stated form.
        shown: What crystals read.
        shared_base: Whether the records' frequencies follow from the one base as well; otherwise
            each record shows the frequency that was drawn for it, by a base of its own.
    """
    start = shown.manipulator
    *manipulator, base = mechanism.bases_of((*start.values, start.frequency))
    records, frequencies = [], []
    for record in shown.records:
        if shared_base:
            records.append(bases_of_properties(mechanism, record.values, base))
        else:
            *own, frequency = mechanism.bases_of((*record.values, record.frequency))
            records.append(tuple(own))
            frequencies.append(frequency)
    reactor = bases_of_properties(mechanism, shown.reactor, base)
    return Bases(tuple(records), tuple(manipulator), reactor, tuple(frequencies)), base


def bases_of_properties(
    mechanism: Mechanism, values: tuple[float, ...], base_frequency: float
) -> tuple[float, ...]:
    """Return the properties' bases of a crystal that reads `values`, its frequency following."""
    added = -mechanism.bases_of((*values, 0.0))[-1]
    frequency = round(base_frequency + added, mechanism.decimals)
    return tuple(mechanism.bases_of((*values, frequency))[:-1])


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

    def read(self, bases: tuple[float, ...], base_frequency: float | None = None) -> Reading:
        """Read a crystal with these base values; by default the frequency's is the common one."""
        base = self.base_frequency if base_frequency is None else base_frequency
        # Adding zero makes a negative zero a plain one, whatever sum it came from.
        *values, frequency = (v + 0.0 for v in self.mechanism.evaluate((*bases, base)))
        return Reading(values=tuple(values), frequency=frequency)

    @property
    def records(self) -> tuple[Reading, ...]:
        """The records as they are shown."""
        frequencies = self.bases.record_frequencies or (self.base_frequency,) * len(
            self.bases.records
        )
        return tuple(map(self.read, self.bases.records, frequencies))

    def make_public(self) -> LabPublic:
        """Return what the agent may see."""
        paper = self.edition == "paper"
        return LabPublic(
            properties=self.properties,
            form=self.form,
            semantics=self.semantics,
            records=self.records,
            chain=self.chain,
            manipulator=self.read(self.bases.manipulator),
            reactor=self.read(self.bases.reactor).values,
            budget=self.budget,
            limit=PAPER_LIMIT if paper else LIMITS[self.form],
            tolerance=TOLERANCE_HZ,
            reactor_range=PAPER_RANGE_HZ if paper else CERTIFIED_RANGE_HZ,
            resets=self.resets,
            frequency_may_cause=self.frequency_may_cause,
            shared_base=not self.bases.record_frequencies,
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
            record_base_frequencies=self.bases.record_frequencies,
            target=self.read(self.bases.reactor).frequency,
            order=self.order,
            disturbance=self.disturbance,
        )
