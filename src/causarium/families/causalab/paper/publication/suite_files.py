"""Read the released suites as they are, and write suites in the same format.

A line holds a mechanism and a budget, and no crystals. The record crystals follow from the one
fixed generator that the original uses; the manipulator's and the reactor's base values come from
named streams (the original draws them from Python's salted string hash, so that no two processes
agree). Hard-quadratic lines bring their own base values, and are written with them.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from causarium.contract.instance import Instance
from causarium.contract.places import write_atomically
from causarium.errors import BadFile, UsageError
from causarium.scm.polynomials import BadExpression, Polynomial, parse
from causarium.seeds import entropy, stream
from ..generation import (
    BASE_RANGE,
    RECORD_SEED,
    Bases,
    draw_crystal,
    make_paper_instance,
)
from ..mechanics.lab import MAX_VALUE
from ..model.instance import (
    FAMILY_NAME,
    FREQUENCY,
    FREQUENCY_DISPLAY,
    ChainStep,
    Disturbance,
    LabEdge,
    LabInstance,
    LabPublic,
    Property,
    Reading,
    fold_name,
    join_named,
)

MAX_BUDGET = 10_000
"""A line with a larger budget is refused: an episode would not end."""
_RECORDS = 2
"""How many prior records are shown."""


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
        for field, wrong in (*self._list_odd_nodes(), *self._list_odd_names()):
            raise ValueError(f"{field}: {wrong}")
        mechanism_of(self)
        return self

    def _list_odd_nodes(self) -> Iterator[tuple[str, str]]:
        """Yield every field of nodes with what is wrong in it."""
        if FREQUENCY not in self.nodes:
            yield "nodes", f"expected one called {FREQUENCY}"
        for name, node in self.nodes.items():
            if node.is_controllable != (name != FREQUENCY):
                right = f"expected true for every property and false for {FREQUENCY}"
                yield f"nodes.{name}.is_controllable", right
        names: dict[str, str] = {}
        for name, node in self.nodes.items():
            field, shown = f"nodes.{name}.display_name", fold_name(node.display_name)
            if not shown:
                yield field, f"expected a name, found {node.display_name[:80]!r}"
            if names.setdefault(shown, name) != name:
                yield field, f"expected another name than that of {names[shown]}"

    def _list_odd_names(self) -> Iterator[tuple[str, str]]:
        """Yield every other field with what is wrong in it; the first that is found counts."""
        known = ", ".join(self.names)
        for number, entry in enumerate(self.bootstrap_past_data):
            field, done = f"bootstrap_past_data.{number}", entry.intervention
            if entry.props.keys() != set(self.names):
                yield f"{field}.props", f"expected a value for each of {known}"
            if done and not number:
                yield f"{field}.intervention", "expected none: the first crystal is only read"
            if done and done.target_prop not in self.names:
                found = f"expected one of {known}, found {done.target_prop[:80]!r}"
                yield f"{field}.intervention.target_prop", found
        if presets := self.quadratic_metadata:
            given = (presets.property_manipulator, presets.reactor, *presets.observation_presets)
            if any(bases.keys() != set(self.names) for bases in given):
                yield "quadratic_metadata", "expected a base value for every property"
        hidden = self.hidden_variable.affected_nodes if self.hidden_variable else ()
        ends = [("edges", end) for edge in self.edges for end in (edge.cause, edge.effect)]
        for field, name in (*ends, *(("hidden_variable.affected_nodes", n) for n in hidden)):
            if name not in self.nodes:
                yield field, f"{name!r} is not one of nodes"
                return
        if not join_named((*self.nodes,), ((edge.cause, edge.effect) for edge in self.edges)):
            yield "edges", "expected no cycle"


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


def read_suite(path: Path) -> list[LabInstance]:
    """Read a released suite as paper-edition instances.

    Raises:
        BadFile: The file cannot be read, or a line is not one of a suite; says which line,
            which field, and what was expected.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadFile(f"cannot read the suite {path}: {wrong}") from wrong
    found = [(n, _line(path, n, text)) for n, text in enumerate(lines, 1) if text.strip()]
    if not found:
        raise BadFile(f"{path} holds no line; a suite is JSON lines, one graph each")
    made = [(number, instance_of(line, path.stem, number - 1)) for number, line in found]
    for number, one in made:
        read = (*one.public.records, one.public.manipulator)
        values = [x for reading in read for x in (*reading.values, reading.frequency)]
        if not all(abs(x) < MAX_VALUE for x in (*values, *one.public.reactor, one.secret.target)):
            raise BadFile(
                f"line {number} of {path} has a crystal with values beyond every scale; expected "
                "smaller params"
            )
    return [one for _, one in made]


def _line(path: Path, number: int, text: str) -> ReleasedLine:
    try:
        return ReleasedLine.model_validate(json.loads(text))
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(step) for step in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        raise BadFile(
            f"line {number} of {path} is not a graph of a suite: "
            f"{f'{field}: ' if field else ''}{said}"
        ) from wrong
    except (ValueError, RecursionError) as wrong:
        raise BadFile(
            f"line {number} of {path} is not JSON ({wrong}); expected one object a line"
        ) from wrong


def instance_of(line: ReleasedLine, suite: str, index: int) -> LabInstance:
    """Make a paper-edition instance of a released line."""
    edges, base_frequency = mechanism_of(line)
    chain = _chain(line)
    hidden = line.hidden_variable if line.hidden_variable and line.hidden_variable.enabled else None
    budget = 0 if chain else line.budget
    return make_paper_instance(
        f"{FAMILY_NAME}-{suite}-{index:04d}",
        {
            "suite": suite,
            "nodes": len(line.nodes),
            "edges": len(edges),
            "form": "hard-quadratic" if line.quadratic_mode == "hard" else line.equation_family,
            "semantics": "set",
            "regime": "golden" if chain else f"{_RECORDS}o{budget}i",
            "frequency_parent": line.frequency_can_be_parent,
            "hidden": len(hidden.affected_nodes) if hidden else 0,
        },
        edges,
        _bases(line, suite, base_frequency),
        Disturbance(
            affected=hidden.affected_nodes,
            weight=hidden.edge_weight,
            values=hidden.value_space,
            seed=entropy(0, FAMILY_NAME, "suite", suite, line.graph_id) % 2**63,
        )
        if hidden
        else None,
        properties=tuple(Property(name=n, display=line.nodes[n].display_name) for n in line.names),
        form=line.equation_family,
        chain=chain,
        budget=budget,
        frequency_may_cause=line.frequency_can_be_parent,
    )


def _bases(line: ReleasedLine, suite: str, frequency: float) -> Bases:
    names, presets = line.names, line.quadratic_metadata

    def preset(bases: Mapping[str, float]) -> tuple[float, ...]:
        return tuple(bases[name] for name in names)

    def draw_bases(role: str) -> tuple[float, ...]:
        at = (FAMILY_NAME, role, suite, line.graph_id)
        return tuple(float(stream(0, *at, name).randint(*BASE_RANGE)) for name in names)

    rng = Random(RECORD_SEED)
    first = [preset(bases) for bases in presets.observation_presets[:_RECORDS]] if presets else []
    more = [draw_crystal(rng, len(names)) for _ in range(_RECORDS - len(first))]
    return Bases(
        records=(*first, *more),
        manipulator=preset(presets.property_manipulator) if presets else draw_bases("manipulator"),
        reactor=preset(presets.reactor) if presets else draw_bases("reactor"),
        frequency=frequency,
    )


def _chain(line: ReleasedLine) -> tuple[ChainStep, ...]:
    chain: list[ChainStep] = []
    for entry in line.bootstrap_past_data:
        reading = Reading(values=tuple(entry.props[n] for n in line.names), frequency=entry.freq)
        step = ChainStep(reading=reading)
        if done := entry.intervention:
            # The first intervention goes on from the first entry, whatever was read in between.
            before = len(chain) - 1 if chain and chain[-1].property else 0
            made = {"property": done.target_prop, "value": done.target_value, "continues": before}
            step = step.model_copy(update=made)
        chain.append(step)
    return tuple(chain)


_SHORT = {"temperatureC": "temp", FREQUENCY: "freq"}
_UNUSED_BASE = 20.0
"""The format has a base per property that nothing ever reads."""


def write_suite(path: Path, instances: Sequence[Instance[Any, Any]]) -> int:
    """Write instances as a released suite; returns how many were written.

    Raises:
        UsageError: An instance has something that the format cannot hold.
    """
    lines = []
    for number, instance in enumerate(instances):
        if not isinstance(instance.public, LabPublic):
            raise UsageError(
                f"{instance.id} is of the certified edition, but released suites hold only the "
                "paper edition; generate a level that begins with paper-"
            )
        line = make_released_line(instance, f"{path.stem}_{number}")
        lines.append(json.dumps(line, ensure_ascii=False))
    write_atomically(path, "".join(f"{line}\n" for line in lines))
    return len(lines)


def make_released_line(instance: LabInstance, graph_id: str) -> dict[str, Any]:
    """Return an instance as a line of a suite; crystals stay behind, as the format has none."""
    public, secret = instance.public, instance.secret
    params: dict[str, float] = {"base_freq": secret.base_frequency}
    written = {FREQUENCY: ["base_freq"]}
    for name in public.names:
        params[f"base_{name}"] = _UNUSED_BASE
        written[name] = [f"base_{name}"]
    for edge in secret.edges:
        short = f"{_SHORT.get(edge.cause, edge.cause)}_{_SHORT.get(edge.effect, edge.effect)}"
        if public.form == "linear":
            params[f"coeff_{short}"] = make_whole(edge.linear)
            written[edge.effect].append(f"coeff_{short} * {edge.cause}")
        else:
            params[f"coeff2_{short}"] = edge.square
            params[f"coeff1_{short}"] = edge.linear
            written[edge.effect].append(
                f"coeff2_{short} * ({edge.cause} ^ 2) + coeff1_{short} * {edge.cause}"
            )
    line = make_public_line(public, graph_id)
    line |= {
        "description": _description(instance),
        "nodes": {n: _node(n, one["display_name"], written[n]) for n, one in line["nodes"].items()},
        "edges": [{"from": e.cause, "to": e.effect} for e in secret.edges],
        "params": params,
        # With a chain the original grants nothing more, and the line holds the usual budget.
        "budget": 4 * len(public.names) if public.chain else public.budget,
    }
    if instance.facets.get("form") == "hard-quadratic":
        line |= {"quadratic_mode": "hard", "quadratic_metadata": _presets(instance)}
    if secret.disturbance:
        line["hidden_variable"] = _write_disturbance(secret.disturbance)
    return line


def make_public_line(public: LabPublic, graph_id: str) -> dict[str, Any]:
    """Return what an agent may know of an instance as a line of a suite, without any arrow."""
    displays = {FREQUENCY: FREQUENCY_DISPLAY, **{p.name: p.display for p in public.properties}}
    line: dict[str, Any] = {
        "graph_id": graph_id,
        "description": "",
        "nodes": {n: _node(n, d, ["base_freq"]) for n, d in displays.items()},
        "edges": [],
        "params": {"base_freq": public.manipulator.frequency},
        "budget": public.budget,
        "equation_family": public.form,
    }
    if public.frequency_may_cause:
        line["frequency_can_be_parent"] = True
    if public.chain:
        line["bootstrap_past_data"] = [_entry(public, i, s) for i, s in enumerate(public.chain)]
    return line


def make_whole(value: float) -> float:
    """Return a whole number as one, without a decimal point."""
    return int(value) if value == int(value) else value


def _description(instance: LabInstance) -> str:
    nodes, edges = len(instance.public.nodes), len(instance.secret.edges)
    text = f"Causal graph with {nodes} nodes and {edges} edges"
    if instance.secret.disturbance:
        text += " with hidden variable"
    if instance.public.form == "quadratic":
        hard = "hard " if instance.facets.get("form") == "hard-quadratic" else ""
        text += f" with {hard}quadratic parent-child mechanisms"
    return text


def _node(name: str, display: str, written: Sequence[str]) -> dict[str, Any]:
    node: dict[str, Any] = {
        "is_controllable": name != FREQUENCY,
        "observable": True,
        "property_name": name,
        "display_name": display,
        "base_value": {"type": "uniform", "min": 15.0, "max": 45.0},
    }
    if len(written) > 1 or name == FREQUENCY:
        node["computation"] = " + ".join(written)
    return node


def _presets(instance: LabInstance) -> dict[str, Any]:
    public, secret = instance.public, instance.secret

    def by_name(bases: tuple[float, ...]) -> dict[str, float]:
        return dict(zip(public.names, bases, strict=True))

    return {
        "controllable_node_order": list(public.names),
        "edge_axis_by_name": {
            f"{e.cause}->{e.effect}": round(-e.linear / (2 * e.square), 6)
            for e in secret.edges
            if e.square
        },
        "observation_presets": [by_name(bases) for bases in secret.record_bases],
        "property_manipulator": by_name(secret.manipulator_bases),
        "reactor": by_name(secret.reactor_bases),
    }


def _write_disturbance(hidden: Disturbance) -> dict[str, Any]:
    return {
        "enabled": True,
        "name": "h",
        "observable": False,
        "is_controllable": False,
        "initial_value": 0,
        "value_space": list(hidden.values),
        "edge_weight": make_whole(hidden.weight),
        "affected_nodes": list(hidden.affected),
        "edges": [
            {"from": "h", "to": name, "weight": make_whole(hidden.weight)}
            for name in hidden.affected
        ],
    }


def _entry(public: LabPublic, number: int, step: ChainStep) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": f"{number}/bootstrap",
        "props": dict(sorted(zip(public.names, step.reading.values, strict=True))),
        "freq": step.reading.frequency,
    }
    if step.property is not None:
        entry["intervention"] = {"target_prop": step.property, "target_value": step.value}
    return entry
