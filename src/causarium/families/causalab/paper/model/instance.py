"""One instance of the paper edition: what the agent may see and what only the scorer knows.

A hidden mechanism relates the properties of crystals to their resonance frequency. The agent is
shown records of past crystals, works on the crystal in the manipulator, and has to predict the
frequency of the crystal in the reactor. All crystals obey the same mechanism and differ in their
base values.

Values are tuples in the order of `LabPublic.properties`; the frequency comes last.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Public, Secret
from causarium.contract.row import MECHANISM
from causarium.errors import GraphError
from causarium.scm.dag import Dag
from causarium.scm.mechanism import Mechanism, Term

FAMILY_NAME = "causalab"
FREQUENCY = "resonanceFreq"
"""The name of the node that is predicted."""
FREQUENCY_DISPLAY = "Resonance Frequency (Hz)"

Form = Literal["linear", "quadratic"]
"""What a parent adds to its child: `a*x`, or `a*x*x + b*x`."""


class Property(Frozen):
    """Something that can be read on a crystal, and put to a value in the manipulator."""

    name: str
    """How actions, hypotheses and data name it, e.g. `temperatureC`."""
    display: str
    """How texts name it, e.g. `Temperature (°C)`."""


class Reading(Frozen):
    """All values of one crystal at one time."""

    values: tuple[float, ...]
    """In the order of `LabPublic.properties`."""
    frequency: float


class ChainStep(Frozen):
    """One entry of a chain of experiments that somebody else made."""

    reading: Reading
    property: str | None = None
    """The property that was intervened upon; None for a crystal that was only read."""
    value: float | None = None
    """What it was put to."""
    continues: int | None = None
    """The index, in the chain, of the entry with the crystal of this step."""


class HiddenNotice(Frozen):
    """What the agent reads of a hidden disturbance of the manipulator."""

    values: tuple[()] = ()
    """Stands in every line of a set: the published texts do not say what it may add."""
    frequency: bool
    """Whether the frequency itself may be among what it disturbs."""


class LabPublic(Public):
    """What the agent may see before it acts."""

    properties: tuple[Property, ...]
    """In listing order."""
    form: Form
    semantics: Literal["set"] = "set"
    """Stands in every line of a set: a property is put to a value, and its base follows."""
    records: tuple[Reading, ...]
    """Crystals of the past, each with base values of its own."""
    chain: tuple[ChainStep, ...] = ()
    """The Golden regime: experiments already made; empty otherwise."""
    manipulator: Reading
    """The manipulator's crystal before any intervention."""
    reactor: tuple[float, ...]
    """The properties of the crystal that the question is about."""
    budget: int = Field(ge=0)
    """How many interventions may be made."""
    limit: float = Field(gt=0)
    """Interventions must lie between -limit and +limit."""
    tolerance: float = Field(gt=0)
    """A submission counts when it is closer to the frequency than this (or as close)."""
    reactor_range: tuple[float, float]
    """What the reactor can be tuned to."""
    resets: Literal[False] = False
    """Stands in every line of a set: no crystal can be put back to how it was."""
    decimals: int = 2
    """Every value is rounded so as it arises, and what follows from it uses the rounded value."""
    frequency_may_cause: bool = False
    """FreqParent: whether the frequency may itself act on properties."""
    hidden: HiddenNotice | None = None
    """The notice of a hidden disturbance, where there may be one."""
    printed_order: tuple[str, ...] = ()
    """Paper edition only: the order in which the original prints values, frequency included.

    It is an evaluation order and so gives causal directions away; rule `order_leak` uses it.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The properties' names, in listing order."""
        return tuple(p.name for p in self.properties)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of all nodes: the properties in listing order, then the frequency."""
        return (*self.names, FREQUENCY)

    @property
    def labels(self) -> dict[str, str]:
        """What each property, and the frequency, is called on a page, without its unit."""
        return {p.name: p.display.split(" (")[0] for p in self.properties} | {
            FREQUENCY: "Frequency"
        }

    @property
    def index(self) -> dict[str, int]:
        """The place of each node among all, by its name."""
        return {name: place for place, name in enumerate(self.nodes)}

    @property
    def calibrated(self) -> tuple[Reading, ...]:
        """The readings given at the start, but for the manipulator's, that share its base."""
        return (*self.records, *(step.reading for step in self.chain))


class LabEdge(Frozen):
    """One arrow of the mechanism, with what the cause adds: `square*x*x + linear*x`."""

    cause: str
    effect: str
    linear: float
    square: float = 0.0


class Disturbance(Frozen):
    """A hidden cause that acts on the manipulator's crystal, drawn anew after each intervention.

    It is zero before the first intervention, in the records and in the reactor.
    """

    affected: tuple[str, ...]
    """The nodes it is added to, right after they are computed."""
    weight: float
    values: tuple[float, ...]
    seed: int
    """Where its draws come from."""


class LabSecret(Secret):
    """What only the world and the scorer may know."""

    edges: tuple[LabEdge, ...]
    """The mechanism; terms are added up in this order."""
    base_frequency: float
    """The frequency's base value in every crystal."""
    manipulator_bases: tuple[float, ...]
    """In the order of `LabPublic.properties`."""
    reactor_bases: tuple[float, ...]
    record_bases: tuple[tuple[float, ...], ...]
    target: float
    """The frequency of the reactor's crystal."""
    order: tuple[str, ...]
    """An evaluation order of all nodes, causes first."""
    disturbance: Disturbance | None = None

    def mechanism(self, public: LabPublic) -> Mechanism:
        """Return the mechanism over the nodes of `public`, frequency last."""
        return build_mechanism(public.nodes, self.edges, public.decimals)

    @property
    def edge_pairs(self) -> frozenset[tuple[str, str]]:
        """The arrows as `(cause, effect)` names."""
        return frozenset((edge.cause, edge.effect) for edge in self.edges)


def build_mechanism(nodes: Sequence[str], edges: Iterable[LabEdge], decimals: int = 2) -> Mechanism:
    """Return the mechanism over named nodes; terms are added up in the order of `edges`."""
    number = {name: i for i, name in enumerate(nodes)}
    terms: list[list[Term]] = [[] for _ in nodes]
    for edge in edges:
        terms[number[edge.effect]].append(Term(number[edge.cause], edge.linear, edge.square))
    return Mechanism(tuple(map(tuple, terms)), decimals)


def join_named(nodes: Sequence[str], edges: Iterable[tuple[str, str]]) -> Dag | None:
    """Return the graph of arrows between named nodes; None where they run in a circle."""
    number = {name: i for i, name in enumerate(nodes)}
    try:
        return Dag.of(len(nodes), [(number[cause], number[effect]) for cause, effect in edges])
    except GraphError:
        return None


_ADDRESS = re.compile(r"-(?:s(\d+)-)?(\d+)$")


LabInstance = Instance[LabPublic, LabSecret]
"""One instance of the paper edition."""


class StoredInstance(LabInstance):
    """An instance that knows which others have its mechanism.

    Which mechanism it has follows from its size, seed and index. Its lines leave that facet out, so
    that they stay what they were; it is there again when they are read.
    """

    @model_validator(mode="before")
    @classmethod
    def _name_mechanism(cls, value: Any) -> Any:  # noqa: ANN401
        facets = value.get("facets") if isinstance(value, dict) else None
        if not isinstance(facets, dict) or MECHANISM in facets or "nodes" not in facets:
            return value
        address = _ADDRESS.search(str(value.get("id", "")))
        if address is None:
            return value
        kind = facets.get("suite") or ("freqparent" if facets.get("frequency_parent") else "graph")
        shared = f"{kind}-{facets['nodes']}-s{int(address[1] or 0)}-{int(address[2])}"
        return {**value, "facets": {**facets, MECHANISM: shared}}

    @model_serializer(mode="wrap")
    def _leave_facet_out(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = write(self)
        if self.public.printed_order:
            facets = {k: v for k, v in fields["facets"].items() if k != MECHANISM}
            fields = {**fields, "facets": facets}
        return fields


PUBLISHED = (
    Property(name="temperatureC", display="Temperature (°C)"),
    Property(name="moisture", display="Moisture"),
    Property(name="density", display="Density"),
    Property(name="quantumSize", display="Quantum Size"),
    Property(name="radiation", display="Radiation"),
    Property(name="pressure", display="Pressure"),
    Property(name="ph", display="pH"),
    Property(name="conductivity", display="Conductivity"),
)
"""The published properties; graphs of up to nine nodes use no others."""
FURTHER = tuple(
    Property(name=name, display=name.capitalize())
    for name in (
        *("viscosity", "opacity", "elasticity", "salinity", "porosity", "hardness"),
        *("luminosity", "magnetism", "permeability", "ductility", "turbidity", "roughness"),
    )
)
"""More of them, for larger graphs."""
MAX_NODES = len(PUBLISHED) + len(FURTHER) + 1
FREQUENCY_ALIASES = ("freq", "frequency", "resonancefreq", "resonancefrequency")
_SHORT = {"temperature": "temperatureC", "temp": "temperatureC"}
_APART = re.compile(r"[\W_]+")


def fold_name(text: str) -> str:
    """Return `text` in the form in which names are compared: letters and digits, lower case.

    Example:
        >>> fold_name("Temperature (°C)"), fold_name("quantum_size")
        ('temperaturec', 'quantumsize')
    """
    return _APART.sub("", text.casefold())


def name_index(properties: Iterable[Property]) -> dict[str, str]:
    """Map every plain form in which a node may be named to its name.

    Case, spaces and punctuation do not matter, display names are as good as names, and
    `Temperature` is as good as `temperatureC`. The frequency answers to its usual names.
    """
    index: dict[str, str] = {}
    for prop in properties:
        index[fold_name(prop.name)] = index[fold_name(prop.display)] = prop.name
        bare = fold_name(prop.display.split("(")[0])
        index.setdefault(bare, prop.name)
    for short, name in _SHORT.items():
        if name in index.values():
            index.setdefault(short, name)
    for alias in (*FREQUENCY_ALIASES, fold_name(FREQUENCY_DISPLAY)):
        index[alias] = FREQUENCY
    return index
