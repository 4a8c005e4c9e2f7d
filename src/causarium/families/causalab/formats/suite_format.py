"""The format of the released suites: one JSON object a line, and what a line must hold.

Fields that the released environment never reads are read past. What cannot be played is refused
with the field's name and what was expected there.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from causarium.families.causalab.instance import FREQUENCY, LabEdge
from causarium.families.causalab.mechanics.properties import fold_name
from causarium.scm.dag import is_acyclic
from causarium.scm.polynomials import BadExpression, Polynomial, parse

MAX_BUDGET = 10_000
"""A line with a larger budget is refused: an episode would not end."""


class _Line(BaseModel):
    """A part of a released line; what is not named here is read past."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class ReleasedNode(_Line):
    """One node."""

    is_controllable: bool
    observable: Literal[True] = True
    display_name: str
    computation: str | None = None


class ReleasedEdge(_Line):
    """One arrow."""

    cause: str = Field(alias="from")
    effect: str = Field(alias="to")


class ReleasedHidden(_Line):
    """A hidden disturbance."""

    enabled: bool = True
    value_space: tuple[float, ...] = Field(min_length=1)
    edge_weight: float
    affected_nodes: tuple[str, ...]


class ReleasedIntervention(_Line):
    """What was done before an entry of a chain was read."""

    target_prop: str
    target_value: float


class ReleasedEntry(_Line):
    """One entry of a chain of experiments."""

    props: dict[str, float]
    freq: float
    intervention: ReleasedIntervention | None = None


class ReleasedPresets(_Line):
    """Base values that a hard-quadratic line brings along."""

    observation_presets: tuple[dict[str, float], ...]
    property_manipulator: dict[str, float]
    reactor: dict[str, float]


class ReleasedLine(_Line):
    """One line of a released suite."""

    graph_id: str
    description: str = ""
    nodes: dict[str, ReleasedNode]
    edges: tuple[ReleasedEdge, ...] = Field(min_length=1)
    params: dict[str, float]
    budget: int = Field(ge=0, le=MAX_BUDGET)
    equation_family: Literal["linear", "quadratic"] = "linear"
    quadratic_mode: str | None = None
    quadratic_metadata: ReleasedPresets | None = None
    hidden_variable: ReleasedHidden | None = None
    frequency_can_be_parent: bool = False
    bootstrap_past_data: tuple[ReleasedEntry, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The properties, in the order of the line."""
        return tuple(name for name in self.nodes if name != FREQUENCY)

    @model_validator(mode="after")
    def _can_be_played(self) -> "ReleasedLine":
        if FREQUENCY not in self.nodes:
            raise ValueError(f"nodes: expected one called {FREQUENCY}")
        for name, node in self.nodes.items():
            if node.is_controllable != (name != FREQUENCY):
                raise ValueError(
                    f"nodes.{name}.is_controllable: expected true for every property and false "
                    f"for {FREQUENCY}"
                )
        self._check_displays()
        self._check_names()
        self._check_acyclic()
        mechanism_of(self)
        return self

    def _check_displays(self) -> None:
        names: dict[str, str] = {}
        for name, node in self.nodes.items():
            field, shown = f"nodes.{name}.display_name", fold_name(node.display_name)
            if not shown:
                raise ValueError(f"{field}: expected a name, found {node.display_name[:80]!r}")
            if shown in names:
                raise ValueError(f"{field}: expected another name than that of {names[shown]}")
            names[shown] = name

    def _check_names(self) -> None:
        named = [("edges", end) for edge in self.edges for end in (edge.cause, edge.effect)]
        if self.hidden_variable:
            named += [
                ("hidden_variable.affected_nodes", n) for n in self.hidden_variable.affected_nodes
            ]
        for number, entry in enumerate(self.bootstrap_past_data):
            field = f"bootstrap_past_data.{number}.props"
            if entry.props.keys() != set(self.names):
                raise ValueError(f"{field}: expected a value for each of {', '.join(self.names)}")
            done = entry.intervention
            if done and done.target_prop not in self.names:
                raise ValueError(
                    f"bootstrap_past_data.{number}.intervention.target_prop: expected one of "
                    f"{', '.join(self.names)}, found {done.target_prop[:80]!r}"
                )
        if presets := self.quadratic_metadata:
            for bases in (
                *presets.observation_presets,
                presets.property_manipulator,
                presets.reactor,
            ):
                if bases.keys() != set(self.names):
                    raise ValueError("quadratic_metadata: expected a base value for every property")
        for field, name in named:
            if name not in self.nodes:
                raise ValueError(f"{field}: {name!r} is not one of nodes")

    def _check_acyclic(self) -> None:
        index = {name: i for i, name in enumerate(self.nodes)}
        masks = [0] * len(index)
        for edge in self.edges:
            masks[index[edge.effect]] |= 1 << index[edge.cause]
        if not is_acyclic(tuple(masks)):
            raise ValueError("edges: expected no cycle")


def mechanism_of(line: ReleasedLine) -> tuple[tuple[LabEdge, ...], float]:
    """Return the edges with their coefficients, and the frequency's base.

    Raises:
        ValueError: A computation is not arithmetic, or not a sum of terms of the node's parents.
    """
    equations = {name: _equation(line, name) for name in line.nodes}
    edges = []
    for edge in line.edges:
        found = equations[edge.effect]
        linear = found.pop(((edge.cause, 1),), None)
        square = found.pop(((edge.cause, 2),), None)
        if linear is None and square is None:
            raise ValueError(
                f"nodes.{edge.effect}.computation: expected a term of {edge.cause}, from which an "
                "edge leads here"
            )
        edges.append(
            LabEdge(
                cause=edge.cause, effect=edge.effect, linear=linear or 0.0, square=square or 0.0
            )
        )
    base_frequency = equations[FREQUENCY].pop((), 0.0)
    for name, left in equations.items():
        own = left.pop(((_BASE, 1),), 1.0)
        if own != 1.0 or any(left.values()):
            raise ValueError(
                f"nodes.{name}.computation: expected the base and linear or square terms of "
                f"parents, found also {left or own}"
            )
    return tuple(edges), base_frequency


_BASE = " base"
"""Stands for a property's own base; no node can be called so."""


def _equation(line: ReleasedLine, name: str) -> Polynomial:
    text = line.nodes[name].computation
    if text is None:
        if name == FREQUENCY:
            raise ValueError(f"nodes.{name}.computation: expected one")
        return {}
    symbols = set() if name == FREQUENCY else {"base", f"base_{name}", f"{name}_base"}
    numbers: dict[str, Any] = {k: v for k, v in line.params.items() if k not in symbols}
    try:
        found = parse(text, numbers)
    except BadExpression as wrong:
        raise ValueError(f"nodes.{name}.computation: {wrong}") from wrong
    renamed: Polynomial = {}
    for monomial, factor in found.items():
        own = len(monomial) == 1 and monomial[0][0] in symbols and monomial[0][1] == 1
        renamed[((_BASE, 1),) if own else monomial] = factor
    return renamed
