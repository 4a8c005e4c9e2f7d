"""Play the released suites, read as they are; `write_suite` writes the same format.

A line holds a mechanism and a budget, and no crystals. The record crystals follow from the one
fixed generator that the original uses; the manipulator's and the reactor's base values come from
named streams (the original draws them from Python's salted string hash, so that no two processes
agree). Hard-quadratic lines bring their own base values.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from causarium.errors import BadFile
from causarium.families.causalab.generation.published import (
    BASE_RANGE,
    FAMILY_NAME,
    RECORD_SEED,
    Bases,
    Blueprint,
    draw_crystal,
)
from causarium.families.causalab.model.instance import (
    FREQUENCY,
    ChainStep,
    Disturbance,
    LabEdge,
    LabInstance,
    Property,
    Reading,
    fold_name,
)
from causarium.families.causalab.model.stored_instance import store_paper
from causarium.scm.dag import is_acyclic
from causarium.scm.polynomials import BadExpression, Polynomial, parse
from causarium.seeds import entropy, stream

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


_WORD = (1 << 64) - 1
_REACTOR_OFFSET = 50_000
_BASES = (0, 100)


@dataclass(frozen=True, slots=True)
class Salt:
    """The two numbers that fix a released episode's crystals.

    The released environment seeds each property's base value with `hash(name)`, which Python salts
    anew in every process unless PYTHONHASHSEED is set. Given that seed the hash is a fixed function
    (SipHash-1-3, Python 3.11 and later).
    """

    env_seed: int
    hash_seed: int
    """PYTHONHASHSEED; 0 means that the hash is not salted."""

    def bases(self, names: tuple[str, ...], *, reactor: bool) -> tuple[float, ...]:
        """Return the base values of the manipulator's or the reactor's crystal."""
        start = self.env_seed * 1000 + (_REACTOR_OFFSET if reactor else 0)
        return tuple(
            float(Random(start + string_hash(name, self.hash_seed) % 1000).randint(*_BASES))
            for name in names
        )


def string_hash(text: str, hash_seed: int) -> int:
    """Return `hash(text)` as Python computes it under PYTHONHASHSEED=`hash_seed`, ASCII only."""
    value = _siphash13(text.encode("ascii"), *_keys(hash_seed))
    signed = value - (1 << 64) if value >> 63 else value
    return -2 if signed == -1 else signed


def _keys(hash_seed: int) -> tuple[int, int]:
    if hash_seed == 0:
        return 0, 0
    state, octets = hash_seed, bytearray()
    for _ in range(16):
        state = (state * 214013 + 2531011) & 0xFFFFFFFF
        octets.append(state >> 16 & 0xFF)
    return int.from_bytes(octets[:8], "little"), int.from_bytes(octets[8:], "little")


def _turn(word: int, places: int) -> int:
    return (word << places | word >> (64 - places)) & _WORD


def _round(v: list[int]) -> None:
    v[0] = (v[0] + v[1]) & _WORD
    v[2] = (v[2] + v[3]) & _WORD
    v[1] = _turn(v[1], 13) ^ v[0]
    v[3] = _turn(v[3], 16) ^ v[2]
    v[0] = _turn(v[0], 32)
    v[2] = (v[2] + v[1]) & _WORD
    v[0] = (v[0] + v[3]) & _WORD
    v[1] = _turn(v[1], 17) ^ v[2]
    v[3] = _turn(v[3], 21) ^ v[0]
    v[2] = _turn(v[2], 32)


def _siphash13(octets: bytes, key0: int, key1: int) -> int:
    v = [
        key0 ^ 0x736F6D6570736575,
        key1 ^ 0x646F72616E646F6D,
        key0 ^ 0x6C7967656E657261,
        key1 ^ 0x7465646279746573,
    ]
    whole = len(octets) - len(octets) % 8
    last = (len(octets) & 0xFF) << 56 | int.from_bytes(octets[whole:], "little")
    words = [int.from_bytes(octets[at : at + 8], "little") for at in range(0, whole, 8)]
    for word in (*words, last):
        v[3] ^= word
        _round(v)
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(3):
        _round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def read_suite(
    path: Path,
    *,
    seed: int = 0,
    records: int = 2,
    budget: int | None = None,
    salt: Salt | None = None,
) -> list[LabInstance]:
    """Read a released suite as paper-edition instances.

    Args:
        path: A file of JSON lines, as released.
        seed: Where the manipulator's and the reactor's crystals come from.
        records: How many prior records are shown.
        budget: How many interventions; None takes the line's own, or none with a chain.
        salt: Take the manipulator's and the reactor's crystals as the original has them under
            this environment and hash seed, in place of `seed`.

    Raises:
        BadFile: The file cannot be read, or a line is not one of a suite; says which line,
            which field, and what was expected.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadFile(f"cannot read the suite {path}: {wrong}") from wrong
    found = [(n, _line(path, n, text)) for n, text in enumerate(lines, 1) if text.strip()]
    if not found:
        raise BadFile(f"{path} holds no line; a suite is JSON lines, one graph each")
    return [
        instance_of(
            line, path.stem, number - 1, seed=seed, records=records, budget=budget, salt=salt
        )
        for number, line in found
    ]


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


def instance_of(
    line: ReleasedLine,
    suite: str,
    index: int,
    *,
    seed: int = 0,
    records: int = 2,
    budget: int | None = None,
    salt: Salt | None = None,
) -> LabInstance:
    """Make a paper-edition instance of a released line."""
    edges, base_frequency = mechanism_of(line)
    chain = _chain(line)
    hidden = line.hidden_variable if line.hidden_variable and line.hidden_variable.enabled else None
    blueprint = Blueprint(
        properties=tuple(Property(name=n, display=line.nodes[n].display_name) for n in line.names),
        form=line.equation_family,
        edges=edges,
        base_frequency=base_frequency,
        bases=_bases(line, suite, seed, records, salt),
        budget=(0 if chain else line.budget) if budget is None else budget,
        frequency_may_cause=line.frequency_can_be_parent,
        chain=chain,
        disturbance=Disturbance(
            affected=hidden.affected_nodes,
            weight=hidden.edge_weight,
            values=hidden.value_space,
            seed=entropy(seed, FAMILY_NAME, "suite", suite, line.graph_id) % 2**63,
        )
        if hidden
        else None,
    )
    return store_paper(
        name=f"{FAMILY_NAME}-{suite}-{f's{seed}-' if seed else ''}{index:04d}",
        public=blueprint.make_public(),
        secret=blueprint.secret(),
        facets={
            "suite": suite,
            "nodes": len(line.nodes),
            "edges": len(edges),
            "form": "hard-quadratic" if line.quadratic_mode == "hard" else line.equation_family,
            "semantics": "set",
            "regime": "golden" if chain else f"{records}o{blueprint.budget}i",
            "frequency_parent": line.frequency_can_be_parent,
            "hidden": len(hidden.affected_nodes) if hidden else 0,
        },
    )


def _bases(line: ReleasedLine, suite: str, seed: int, records: int, salt: Salt | None) -> Bases:
    names, presets = line.names, line.quadratic_metadata

    def preset(bases: Mapping[str, float]) -> tuple[float, ...]:
        return tuple(bases[name] for name in names)

    def draw_bases(role: str) -> tuple[float, ...]:
        if salt is not None:
            return salt.bases(names, reactor=role == "reactor")
        at = (FAMILY_NAME, role, suite, line.graph_id)
        return tuple(float(stream(seed, *at, name).randint(*BASE_RANGE)) for name in names)

    rng = Random(RECORD_SEED)
    first = [preset(bases) for bases in presets.observation_presets[:records]] if presets else []
    more = [draw_crystal(rng, len(names)) for _ in range(records - len(first))]
    return Bases(
        records=(*first, *more),
        manipulator=preset(presets.property_manipulator) if presets else draw_bases("manipulator"),
        reactor=preset(presets.reactor) if presets else draw_bases("reactor"),
    )


def _chain(line: ReleasedLine) -> tuple[ChainStep, ...]:
    chain: list[ChainStep] = []
    for entry in line.bootstrap_past_data:
        reading = Reading(values=tuple(entry.props[n] for n in line.names), frequency=entry.freq)
        done = entry.intervention
        if done is None:
            chain.append(ChainStep(reading=reading))
            continue
        # The first intervention goes on from the first entry, whatever was read in between.
        before = len(chain) - 1 if chain and chain[-1].property else 0
        chain.append(
            ChainStep(
                reading=reading,
                property=done.target_prop,
                value=done.target_value,
                continues=before,
            )
        )
    return tuple(chain)
