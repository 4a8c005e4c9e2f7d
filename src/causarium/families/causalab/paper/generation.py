"""Draw instances of the paper edition. Every draw has an address; none depends on another.

Graphs live at an address that knows the size alone, so that levels which differ in form, regime or
disturbance share them. Ranges are those that the published data show, form by form; base values are
drawn as the original does, and readings follow from them.

`draw_to_outcome` follows the recipe that reproduces the published graphs: the number of edges is
drawn first, one edge into a chosen outcome comes first, and the rest are ordered pairs drawn
evenly, those that would repeat an edge or close a cycle being thrown away. No node's place in the
numbering says anything about its place in the graph.
"""

from collections.abc import Sequence
from itertools import cycle, islice
from random import Random
from typing import Any, NamedTuple

from causarium.contract.instance import Facet
from causarium.errors import GraphError
from causarium.scm.mechanism import Mechanism, Specimen
from causarium.seeds import Address, entropy, stream
from .levels import FormName, LabConfig
from .model.instance import (
    FAMILY_NAME,
    FREQUENCY,
    FURTHER,
    PUBLISHED,
    ChainStep,
    Disturbance,
    HiddenNotice,
    LabEdge,
    LabInstance,
    LabPublic,
    LabSecret,
    Property,
    Reading,
    StoredInstance,
    build_mechanism,
)

Edges = tuple[tuple[int, int], ...]
"""`(cause, effect)` pairs, in the order in which they were drawn."""


def edge_range(size: int) -> range:
    """Return the numbers of edges that a graph of `size` nodes may be given.

    Example:
        >>> [len(edge_range(k)) for k in (3, 4, 7)]
        [2, 4, 9]
    """
    return range(size - 1, min(size * (size - 1) // 2, 2 * size) + 1)


def draw_to_outcome(rng: Random, size: int, outcome: int, *, outcome_may_cause: bool) -> Edges:
    """Draw the edges of a graph in which `outcome` has at least one parent.

    Args:
        rng: Where the draws come from.
        size: How many nodes the graph has.
        outcome: The node that the first edge leads to.
        outcome_may_cause: Whether edges may leave the outcome.
    """
    if size < 2:
        raise GraphError(f"a graph with an outcome and a cause has 2 nodes or more, not {size}")
    wanted = rng.choice(edge_range(size))
    first = rng.choice([node for node in range(size) if node != outcome])
    edges = [(first, outcome)]
    above = [1 << node for node in range(size)]
    above[outcome] |= 1 << first
    while len(edges) < wanted:
        cause, effect = rng.randrange(size), rng.randrange(size)
        closes = above[cause] >> effect & 1
        if closes or (cause, effect) in edges or (cause == outcome and not outcome_may_cause):
            continue
        edges.append((cause, effect))
        for node in range(size):
            if above[node] >> effect & 1:
                above[node] |= above[cause]
    return tuple(edges)


def depth_first_order(size: int, edges: Edges, start: int) -> tuple[int, ...]:
    """Return the order in which a depth-first walk from `start` finishes the nodes, causes first.

    Parents are visited in the order of `edges`, the remaining nodes by their number.
    """
    order: list[int] = []

    def visit(node: int) -> None:
        if node in order:
            return
        for cause, effect in edges:
            if effect == node:
                visit(cause)
        order.append(node)

    for node in (start, *range(size)):
        visit(node)
    return tuple(order)


def draw_graph(
    config: LabConfig, seed: int, *address: Address
) -> tuple[tuple[Property, ...], Edges]:
    """Draw the properties and the arrows, by index, the frequency last; `address` is an index."""
    size = config.nodes
    kind = "frequency-parent" if config.frequency_parent else "graph"
    rng = stream(seed, FAMILY_NAME, kind, size, *address)
    count = size - 1
    pool = PUBLISHED if count <= len(PUBLISHED) else PUBLISHED + FURTHER
    properties = tuple(rng.sample(pool, count))
    return properties, draw_to_outcome(rng, size, count, outcome_may_cause=config.frequency_parent)


LINEAR = (1, 2, 3)
SQUARES = (0.001, 0.002, 0.005)
SLOPES = (-0.5, -0.2, 0.2, 0.5)
HARD_SQUARES = (0.008, 0.012, 0.016)
HARD_AXIS = (35.0, 65.0)
"""Where the parabola of a hard-quadratic term has its lowest point."""
HARD_FREQUENCY_OFFSET = (25.0, 60.0)
BASE_FREQUENCY = (15, 25)


def draw_weights(
    rng: Random, form: FormName, edges: Edges, frequency: int
) -> tuple[Sequence[tuple[float, float]], float]:
    """Draw the numbers of a published mechanism with these edges.

    Returns:
        The linear and the square coefficient of each edge, and the base of the frequency.
    """
    if form == "linear":
        weights = [(float(rng.choice(LINEAR)), 0.0) for _ in edges]
        return weights, float(rng.randint(*BASE_FREQUENCY))
    if form == "quadratic":
        squares = [rng.choice(SQUARES) for _ in edges]
        weights = [(rng.choice(SLOPES), square) for square in squares]
        return weights, float(rng.randint(*BASE_FREQUENCY))
    squares = [rng.choice(HARD_SQUARES) for _ in edges]
    axes = [round(rng.uniform(*HARD_AXIS), 6) for _ in edges]
    terms = list(zip(squares, axes, strict=True))
    lifted = sum(
        c * a * a for (c, a), (_, effect) in zip(terms, edges, strict=True) if effect == frequency
    )
    # The base lifts the sum of parabolas above zero, by the offset.
    base = round(lifted + rng.uniform(*HARD_FREQUENCY_OFFSET), 6)
    return [(round(-2 * c * a, 6), c) for c, a in terms], base


TOLERANCE_HZ = 5.0
RANGE_HZ = (0.0, 1e4)
LIMIT = 1e9


class Bases(NamedTuple):
    """The base values of every crystal, property by property, and that of the frequency."""

    records: tuple[tuple[float, ...], ...]
    manipulator: tuple[float, ...]
    reactor: tuple[float, ...]
    frequency: float


def make_paper_instance(
    name: str,
    facets: dict[str, Facet],
    edges: tuple[LabEdge, ...],
    bases: Bases,
    disturbance: Disturbance | None = None,
    **shown: Any,  # noqa: ANN401
) -> LabInstance:
    """Make an instance of a mechanism and its crystals.

    Args:
        name: The instance's id.
        facets: What instances are grouped by.
        edges: The arrows.
        bases: The base values of every crystal.
        disturbance: A hidden disturbance.
        shown: Fields of the public part that follow from no crystal.
    """
    nodes = (*(p.name for p in shown["properties"]), FREQUENCY)
    mechanism = build_mechanism(nodes, edges)
    pairs = tuple((nodes.index(edge.cause), nodes.index(edge.effect)) for edge in edges)
    # The order in which the original evaluates and prints the nodes.
    ordered = depth_first_order(len(nodes), pairs, len(nodes) - 1)
    order = tuple(nodes[i] for i in ordered)

    def read(some: tuple[float, ...]) -> Reading:
        return read_crystal(mechanism, (*some, bases.frequency))

    reactor = read(bases.reactor)
    public = LabPublic(
        records=tuple(map(read, bases.records)),
        manipulator=read(bases.manipulator),
        reactor=reactor.values,
        limit=LIMIT,
        tolerance=TOLERANCE_HZ,
        reactor_range=RANGE_HZ,
        hidden=disturbance and HiddenNotice(frequency=FREQUENCY in disturbance.affected),
        printed_order=order,
        **shown,
    )
    secret = LabSecret(
        edges=edges,
        base_frequency=bases.frequency,
        manipulator_bases=bases.manipulator,
        reactor_bases=bases.reactor,
        record_bases=bases.records,
        target=reactor.frequency,
        order=order,
        disturbance=disturbance,
    )
    return StoredInstance(id=name, public=public, secret=secret, facets=facets)


def read_crystal(mechanism: Mechanism, bases: tuple[float, ...]) -> Reading:
    """Read a crystal with these base values, the frequency's last."""
    # Adding zero makes a negative zero a plain one, whatever sum it came from.
    *values, frequency = (value + 0.0 for value in mechanism.evaluate(bases))
    return Reading(values=tuple(values), frequency=frequency)


BASE_RANGE = (0, 100)
"""Published base values of properties are whole numbers in this range."""
RECORD_SEED = 42
"""The seed from which the original draws the base values of all records of a size."""


def draw_published_bases(config: LabConfig, rng: Random, frequency: float) -> Bases:
    """Draw the base values of every crystal; the frequency has one for all."""
    # The published records of a size share their base values, but for the hard-quadratic ones.
    source = rng if config.form == "hard-quadratic" else Random(RECORD_SEED)
    count = config.nodes - 1
    records = tuple(draw_crystal(source, count) for _ in range(config.records))
    return Bases(records, draw_crystal(rng, count), draw_crystal(rng, count), frequency)


def draw_crystal(rng: Random, count: int) -> tuple[float, ...]:
    """Draw the base values of one crystal."""
    return tuple(float(rng.randint(*BASE_RANGE)) for _ in range(count))


START = (15.0, 45.0)
"""Published base values of the chain's crystals, in two decimals."""
VALUES = range(101)
"""What properties are put to: whole numbers."""
LEAST_MOVE = 5.0
"""How far a property is moved at least."""
PUBLISHED_STEPS = 6


def draw_chain(
    mechanism: Mechanism, names: Sequence[str], base_frequency: float, rng: Random
) -> tuple[ChainStep, ...]:
    """Draw two crystals that are only read, and a chain of experiments on the first of them."""
    starts = [(*(round(rng.uniform(*START), 2) for _ in names), base_frequency) for _ in range(2)]
    chain = [ChainStep(reading=read_crystal(mechanism, bases)) for bases in starts]
    crystal = Specimen(mechanism, starts[0])
    before = 0
    by_name = sorted(range(len(names)), key=lambda node: names[node])
    for node in islice(cycle(by_name), PUBLISHED_STEPS):
        present = crystal.values[node]
        value = float(rng.choice([v for v in VALUES if abs(v - present) >= LEAST_MOVE]))
        *values, frequency = crystal.put(node, value)
        reading = Reading(values=tuple(values), frequency=frequency)
        chain.append(
            ChainStep(reading=reading, property=names[node], value=value, continues=before)
        )
        before = len(chain) - 1
    return tuple(chain)


def draw_paper_instance(config: LabConfig, seed: int, index: int) -> LabInstance:
    """Draw instance `index` of a level of the paper edition."""
    properties, pairs = draw_graph(config, seed, index)
    frequency, nodes = len(properties), (*(p.name for p in properties), FREQUENCY)

    def rng(what: str) -> Random:
        return stream(seed, FAMILY_NAME, what, config.edition, config.nodes, index, 0)

    weights, base_frequency = draw_weights(
        rng(f"weights-{config.form}"), config.form, pairs, frequency
    )
    edges = tuple(
        LabEdge(cause=nodes[cause], effect=nodes[effect], linear=linear, square=square)
        for (cause, effect), (linear, square) in zip(pairs, weights, strict=True)
    )
    disturbance = None
    if config.hidden is not None:
        hidden = rng("hidden")
        parents = [cause for cause, effect in pairs if effect == frequency]
        others = [i for i in range(frequency) if i not in parents]
        hidden.shuffle(parents)
        hidden.shuffle(others)
        first = [frequency] if config.hidden.frequency else []
        chosen, span = (first + parents + others)[: config.hidden.count], config.hidden.span
        disturbance = Disturbance(
            affected=tuple(nodes[i] for i in chosen),
            weight=1.0,
            values=(-span, 0.0, span),
            seed=entropy(seed, FAMILY_NAME, "disturbance", config.level, index) % 2**63,
        )
    chain: tuple[ChainStep, ...] = ()
    if config.golden:
        mechanism = build_mechanism(nodes, edges)
        chain = draw_chain(mechanism, nodes[:-1], base_frequency, rng("chain"))
    return make_paper_instance(
        f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}",
        {
            "nodes": config.nodes,
            "edges": len(edges),
            "form": config.form,
            "semantics": "set",
            "regime": "golden" if config.golden else f"{config.records}o{config.budget}i",
            "frequency_parent": config.frequency_parent,
            "hidden": config.hidden.count if config.hidden else 0,
        },
        edges,
        draw_published_bases(config, rng("crystals"), base_frequency),
        disturbance,
        properties=properties,
        form="linear" if config.form == "linear" else "quadratic",
        chain=chain,
        budget=config.budget,
        frequency_may_cause=config.frequency_parent,
    )
