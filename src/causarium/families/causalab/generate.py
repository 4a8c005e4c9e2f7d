"""Draw instances. Every draw has an address; nothing depends on what was drawn before.

The graph and its properties live at an address that knows the size alone, so that levels which
differ in form, regime or disturbance share their topologies. The certified edition draws numbers
and crystals again, at the next address, until the instance keeps its promises (`_keeps_promises`);
the paper edition takes the first draw, whatever it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from causarium.contract.instance import Facet
from causarium.errors import ContractError
from causarium.families.causalab.config import LabConfig
from causarium.families.causalab.evidence.determination import frequency_freedom, residue
from causarium.families.causalab.generation.assemble_instance import Bases, Blueprint
from causarium.families.causalab.generation.coefficients import draw_weights
from causarium.families.causalab.generation.golden_chain import draw_chain, published_start
from causarium.families.causalab.instance import (
    FREQUENCY,
    Disturbance,
    LabEdge,
    LabInstance,
    LabPublic,
    Property,
)
from causarium.families.causalab.mechanics.properties import FURTHER, PUBLISHED
from causarium.scm.random_graphs import Edges, draw_to_outcome
from causarium.seeds import entropy, stream

FAMILY_NAME = "causalab"
BASE_RANGE = (0, 100)
"""Published base values of properties are whole numbers in this range."""
CENTRE = 100.0
"""Certified: the base values of a property lie around a centre of its own, this far from zero at
most, so that effects are not simply larger than their causes; those of squares lie around 50."""
SPREAD = 50.0
"""Certified: how far from its centre a base value lies at most, in two decimals."""
RECORD_SEED = 42
"""The seed from which the original draws the base values of all records of a size."""
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
        blueprint = _draw(config, skeleton, seed, index, attempt)
        public, secret = blueprint.public(), blueprint.secret()
        if config.edition == "paper" or _keeps_promises(public, secret.target):
            return LabInstance(
                id=f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}",
                public=public,
                secret=secret,
                facets=facets_of(config, len(skeleton.edges)),
            )
    raise ContractError(
        f"no draw of {config.level} number {index} under seed {seed} keeps the promises of the "
        f"certified edition in {TRIES} tries; use fewer nodes or the linear form"
    )


def _draw(config: LabConfig, skeleton: Skeleton, seed: int, index: int, attempt: int) -> Blueprint:
    def rng(what: str, number: int) -> Random:
        return stream(seed, FAMILY_NAME, what, config.edition, config.nodes, index, number)

    weights = draw_weights(
        rng(f"weights-{config.form}", attempt // _TRIES_PER_WEIGHTS),
        config.form,
        skeleton.edges,
        skeleton.frequency,
    )
    nodes = skeleton.nodes
    edges = tuple(
        LabEdge(cause=nodes[cause], effect=nodes[effect], linear=a, square=b)
        for (cause, effect), a, b in zip(
            skeleton.edges, weights.linear, weights.square, strict=True
        )
    )
    blueprint = Blueprint(
        edition=config.edition,
        properties=skeleton.properties,
        form="linear" if config.form == "linear" else "quadratic",
        edges=edges,
        base_frequency=weights.base_frequency,
        bases=_published_bases(config, rng("crystals", attempt))
        if config.edition == "paper"
        else _certified_bases(config, lambda what: rng(what, attempt)),
        budget=config.budget,
        semantics=config.semantics,
        resets=config.reset,
        frequency_may_cause=config.frequency_parent,
        disturbance=_draw_disturbance(config, skeleton, rng("hidden", 0), seed, index),
    )
    if not config.golden:
        return blueprint
    chain_rng = rng("chain", attempt)
    if config.edition == "paper":
        starts = [published_start(config.nodes - 1, chain_rng) for _ in range(2)]
    else:
        centres = _centres(config, rng("centres", attempt))
        starts = [_around(centres, rng("chain-start", attempt))]
    return replace(blueprint, chain=draw_chain(config, blueprint, starts, chain_rng))


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


def _certified_bases(config: LabConfig, rng: Callable[[str], Random]) -> Bases:
    """Draw every crystal at an address of its own, so that no instance shows another's."""
    centres = _centres(config, rng("centres"))
    records = tuple(_around(centres, rng(f"record-{n}")) for n in range(config.records))
    return Bases(records, _around(centres, rng("manipulator")), _around(centres, rng("reactor")))


def _centres(config: LabConfig, rng: Random) -> list[float]:
    if config.form != "linear":
        return [SPREAD] * (config.nodes - 1)
    return [rng.uniform(-CENTRE, CENTRE) for _ in range(config.nodes - 1)]


def _around(centres: Sequence[float], rng: Random) -> tuple[float, ...]:
    return tuple(round(centre + rng.uniform(-SPREAD, SPREAD), 2) for centre in centres)


def _published_bases(config: LabConfig, rng: Random) -> Bases:
    # The published records of a size share their base values, but for the hard-quadratic ones.
    source = rng if config.form == "hard-quadratic" else Random(RECORD_SEED)
    count = config.nodes - 1
    records = tuple(draw_crystal(source, count) for _ in range(config.records))
    return Bases(records, draw_crystal(rng, count), draw_crystal(rng, count))


def draw_crystal(rng: Random, count: int) -> tuple[float, ...]:
    """Draw the base values of one crystal."""
    return tuple(float(rng.randint(*BASE_RANGE)) for _ in range(count))


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


def _keeps_promises(public: LabPublic, target: float) -> bool:
    low, high = public.reactor_range
    if not low + public.tolerance <= target <= high - public.tolerance:
        return False
    readings = [*public.records, public.manipulator, *(step.reading for step in public.chain)]
    if any(abs(v) > _MAX_VALUE for r in readings for v in (*r.values, r.frequency)):
        return False
    squares = public.form == "quadratic"
    unknowns = 1 + (2 if squares else 1) * len(public.properties)
    if public.budget or public.chain or len(readings) < unknowns:
        return True
    # Without experiments the records must do: enough of them, and no two that say the same.
    rows = [[residue(v) for v in r.values] for r in readings]
    return frequency_freedom(rows, squares=squares) == 0
