"""Draw instances. Every draw has an address; nothing depends on what was drawn before.

The graph and its properties live at an address that knows the size alone, so that levels which
differ in form, regime or disturbance share their topologies. The certified edition draws numbers
and crystals again, at the next address, until the instance keeps its promises (`_keeps_promises`);
the paper edition takes the first draw, whatever it is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from causarium.contract.instance import Facet
from causarium.errors import ContractError
from causarium.families.causalab.chain import draw_chain
from causarium.families.causalab.config import LabConfig
from causarium.families.causalab.instance import (
    FREQUENCY,
    ChainStep,
    Disturbance,
    Form,
    HiddenNotice,
    LabEdge,
    LabInstance,
    LabPublic,
    LabSecret,
    Property,
    Reading,
)
from causarium.families.causalab.vocabulary import FURTHER, PUBLISHED
from causarium.families.causalab.weights import Weights, draw_weights
from causarium.scm.determine import frequency_determined
from causarium.scm.graph import Dag
from causarium.scm.mechanism import Mechanism, Term
from causarium.scm.random_graphs import Edges, depth_first_order, draw_to_outcome
from causarium.seeds import entropy, stream

FAMILY_NAME = "causalab"
TOLERANCE_HZ = 5.0
BASES = (0, 100)
"""Base values of properties are whole numbers in this range."""
CERTIFIED_RANGE_HZ = (-1e6, 1e6)
PAPER_RANGE_HZ = (0.0, 1e4)
PAPER_LIMIT = 1e9
LIMITS = {"linear": 10_000.0, "quadratic": 1_000.0}
"""How far from zero an intervention may go in the certified edition."""
TRIES = 400
_TRIES_PER_WEIGHTS = 20
_MAX_VALUE = 1e9


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

    def mechanism(self, weights: Weights, decimals: int) -> Mechanism:
        """Return the mechanism with these numbers."""
        terms: list[list[Term]] = [[] for _ in self.nodes]
        for (cause, effect), a, b in zip(self.edges, weights.linear, weights.square, strict=True):
            terms[effect].append(Term(cause, a, b))
        return Mechanism(tuple(map(tuple, terms)), decimals)


@dataclass(frozen=True, slots=True)
class Bases:
    """The base values of every crystal, property by property."""

    records: tuple[tuple[float, ...], ...]
    manipulator: tuple[float, ...]
    reactor: tuple[float, ...]


def draw_skeleton(config: LabConfig, seed: int, index: int) -> Skeleton:
    """Draw the properties and the edges."""
    size = config.nodes
    kind = "frequency-parent" if config.frequency_parent else "graph"
    rng = stream(seed, FAMILY_NAME, kind, size, index)
    count = size - 1
    pool = PUBLISHED if count <= len(PUBLISHED) else PUBLISHED + FURTHER
    properties = tuple(rng.sample(pool, count))
    edges = draw_to_outcome(rng, size, count, outcome_may_cause=config.frequency_parent)
    return Skeleton(properties, edges)


def generate(config: LabConfig, seed: int, index: int) -> LabInstance:
    """Draw instance `index`.

    Raises:
        ContractError: No draw keeps the certified edition's promises.
    """
    skeleton = draw_skeleton(config, seed, index)
    for attempt in range(TRIES):
        drawn = _assemble(config, skeleton, seed, index, attempt)
        if config.edition == "paper" or _keeps_promises(drawn):
            return drawn
    raise ContractError(
        f"no draw of {config.level} number {index} under seed {seed} keeps the promises of the "
        f"certified edition in {TRIES} tries; use fewer nodes or the linear form"
    )


def _assemble(
    config: LabConfig, skeleton: Skeleton, seed: int, index: int, attempt: int
) -> LabInstance:
    def rng(what: str, number: int) -> Random:
        return stream(seed, FAMILY_NAME, what, config.edition, config.nodes, index, number)

    form: Form = "linear" if config.form == "linear" else "quadratic"
    weights = draw_weights(
        rng(f"weights-{config.form}", attempt // _TRIES_PER_WEIGHTS),
        config.form,
        skeleton.edges,
        skeleton.frequency,
    )
    mechanism = skeleton.mechanism(weights, decimals=2)
    bases = _draw_bases(config, rng("crystals", attempt))
    chain: tuple[ChainStep, ...] = ()
    if config.golden:
        chain = draw_chain(
            config, skeleton.properties, mechanism, weights.base_frequency, rng("chain", attempt)
        )
    disturbance = _draw_disturbance(config, skeleton, rng("hidden", 0), seed, index)
    read = _reader(mechanism, weights.base_frequency)
    target = read(bases.reactor)
    order = depth_first_order(
        Dag.of(len(skeleton.nodes), skeleton.edges), skeleton.edges, skeleton.frequency
    )
    paper = config.edition == "paper"
    public = LabPublic(
        properties=skeleton.properties,
        form=form,
        semantics=config.semantics,
        records=tuple(read(b) for b in bases.records),
        chain=chain,
        manipulator=read(bases.manipulator),
        reactor=target.values,
        budget=config.budget,
        limit=PAPER_LIMIT if paper else LIMITS[form],
        tolerance=TOLERANCE_HZ,
        reactor_range=PAPER_RANGE_HZ if paper else CERTIFIED_RANGE_HZ,
        resets=config.reset,
        frequency_may_cause=config.frequency_parent,
        hidden=_notice(config),
        printed_order=tuple(skeleton.nodes[i] for i in order) if paper else (),
    )
    secret = LabSecret(
        edges=tuple(
            LabEdge(cause=skeleton.nodes[cause], effect=skeleton.nodes[effect], linear=a, square=b)
            for (cause, effect), a, b in zip(
                skeleton.edges, weights.linear, weights.square, strict=True
            )
        ),
        base_frequency=weights.base_frequency,
        manipulator_bases=bases.manipulator,
        reactor_bases=bases.reactor,
        record_bases=bases.records,
        target=target.frequency,
        order=tuple(skeleton.nodes[i] for i in order),
        disturbance=disturbance,
    )
    return LabInstance(
        id=f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}",
        public=public,
        secret=secret,
        facets=facets_of(config, len(skeleton.edges)),
    )


def facets_of(config: LabConfig, edges: int) -> dict[str, Facet]:
    """Return what rows of such instances may be grouped by."""
    return {
        "nodes": config.nodes,
        "edges": edges,
        "form": config.form,
        "semantics": config.semantics,
        "regime": "golden" if config.golden else f"{config.records}o{config.budget}i",
        "frequency_parent": config.frequency_parent,
        "hidden": config.hidden.count if config.hidden else 0,
    }


def _reader(mechanism: Mechanism, base_frequency: float) -> Callable[[tuple[float, ...]], Reading]:
    def read(bases: tuple[float, ...]) -> Reading:
        values = mechanism.evaluate((*bases, base_frequency))
        return Reading(values=tuple(values[:-1]), frequency=values[-1])

    return read


def _draw_bases(config: LabConfig, rng: Random) -> Bases:
    def crystal(source: Random) -> tuple[float, ...]:
        return tuple(float(source.randint(*BASES)) for _ in range(config.nodes - 1))

    # The published records of a size share their base values: one fixed generator made them all.
    shared = config.edition == "paper" and config.form != "hard-quadratic"
    source = Random(42) if shared else rng
    records = tuple(crystal(source) for _ in range(config.records))
    return Bases(records, crystal(rng), crystal(rng))


def _draw_disturbance(
    config: LabConfig, skeleton: Skeleton, rng: Random, seed: int, index: int
) -> Disturbance | None:
    if config.hidden is None:
        return None
    parents = [cause for cause, effect in skeleton.edges if effect == skeleton.frequency]
    others = [i for i in range(skeleton.frequency) if i not in parents]
    rng.shuffle(parents)
    rng.shuffle(others)
    first = [skeleton.frequency] if config.hidden.frequency else []
    chosen = (first + parents + others)[: config.hidden.count]
    span = config.hidden.span
    return Disturbance(
        affected=tuple(skeleton.nodes[i] for i in chosen),
        weight=1.0,
        values=(-span, 0.0, span),
        seed=entropy(seed, FAMILY_NAME, "disturbance", config.level, index) % 2**63,
    )


def _notice(config: LabConfig) -> HiddenNotice | None:
    if config.hidden is None:
        return None
    span = config.hidden.span
    # The published texts do not say how large the disturbance is.
    told = (-span, 0.0, span) if config.edition == "certified" else ()
    return HiddenNotice(values=told, frequency=config.hidden.frequency)


def _keeps_promises(drawn: LabInstance) -> bool:
    public, secret = drawn.public, drawn.secret
    low, high = public.reactor_range
    if not low + public.tolerance <= secret.target <= high - public.tolerance:
        return False
    readings = [*public.records, public.manipulator, *(step.reading for step in public.chain)]
    if any(abs(v) > _MAX_VALUE for r in readings for v in (*r.values, r.frequency)):
        return False
    return (
        public.budget > 0
        or bool(public.chain)
        or frequency_determined([r.values for r in readings], squares=public.form == "quadratic")
        or len(readings) < _unknowns(public)
    )


def _unknowns(public: LabPublic) -> int:
    per_property = 2 if public.form == "quadratic" else 1
    return 1 + per_property * len(public.properties)
