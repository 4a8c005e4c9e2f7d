"""Draw instances. Every draw has an address; nothing depends on what was drawn before.

Certified: what is shown is drawn first, at addresses that contain no mechanism, and the base values
follow from it (`shown_readings`, `assemble_instance`). Every mechanism of the form shows every
table of readings under some bases, so nothing that is shown says anything of the mechanism. Nothing
is drawn again for what came out: looking at mechanism and readings together would break that.

Paper: base values are drawn as the original does, and readings follow from them.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from causarium.contract.instance import Facet
from causarium.errors import ContractError
from causarium.families.causalab.config import LabConfig
from causarium.families.causalab.evidence.experiment_plans import observation_determines
from causarium.families.causalab.generation.assemble_instance import (
    Bases,
    Blueprint,
    bases_of_properties,
    bases_showing,
    mechanism_of,
)
from causarium.families.causalab.generation.coefficients import (
    Coefficient,
    draw_certified,
    draw_published,
)
from causarium.families.causalab.generation.golden_chain import draw_chain, draw_published_start
from causarium.families.causalab.generation.published_bases import draw_published_bases
from causarium.families.causalab.generation.shown_readings import Shown, draw_shown
from causarium.families.causalab.generation.skeletons import FAMILY_NAME, Skeleton, draw_skeleton
from causarium.families.causalab.instance import (
    Disturbance,
    GroupedInstance,
    LabEdge,
    LabInstance,
    LabPublic,
    LabSecret,
)
from causarium.seeds import entropy, stream

_MAX_VALUE = 1e9


def generate(config: LabConfig, seed: int, index: int) -> LabInstance:
    """Draw instance `index`.

    Raises:
        ContractError: The instance does not keep the certified edition's promises.
    """
    skeleton = draw_skeleton(config, seed, index)
    rng = _streams(config, seed, index)
    if config.edition == "paper":
        return _generate_published(config, skeleton, rng, seed, index)
    return make_certified_instance(config, draw_edges(config, skeleton, rng), skeleton, seed, index)


def make_certified_instance(
    config: LabConfig, edges: tuple[LabEdge, ...], skeleton: Skeleton, seed: int, index: int
) -> LabInstance:
    """Make the instance that shows what is drawn for `index`, with any mechanism behind it.

    Args:
        config: What is drawn.
        edges: The mechanism.
        skeleton: The properties, and the graph from which a disturbance is drawn.
        seed: Where draws begin.
        index: Which instance.

    Raises:
        ContractError: The instance does not keep the certified edition's promises.
    """
    rng = _streams(config, seed, index)
    shown = draw_shown(config, rng)
    mechanism = mechanism_of(skeleton.properties, edges)
    bases, base = bases_showing(mechanism, shown, shared_base=config.shared_base)
    blueprint = _blueprint(config, skeleton, edges, (bases, base), seed, index)
    if shown.chain_start is not None:
        start = bases_of_properties(mechanism, shown.chain_start, base)
        chain = draw_chain(config, blueprint, [start], rng("chain"))
        blueprint = replace(blueprint, chain=chain)
    instance = _instance(config, blueprint, seed, index)
    _check_promises(instance, shown)
    return instance


def draw_edges(
    config: LabConfig, skeleton: Skeleton, rng: Callable[[str], Random]
) -> tuple[LabEdge, ...]:
    """Draw a certified mechanism over a skeleton."""
    weights = draw_certified(
        rng(f"weights-{config.form}"), config.form, skeleton.edges, skeleton.frequency
    )
    return _edges(skeleton, weights)


def _generate_published(
    config: LabConfig, skeleton: Skeleton, rng: Callable[[str], Random], seed: int, index: int
) -> LabInstance:
    weights = draw_published(
        rng(f"weights-{config.form}"), config.form, skeleton.edges, skeleton.frequency
    )
    edges, base = _edges(skeleton, weights.coefficients), weights.base_frequency
    bases = draw_published_bases(config, rng("crystals"))
    blueprint = _blueprint(config, skeleton, edges, (bases, base), seed, index)
    if config.golden:
        chain_rng = rng("chain")
        starts = [draw_published_start(config.nodes - 1, chain_rng) for _ in range(2)]
        blueprint = replace(blueprint, chain=draw_chain(config, blueprint, starts, chain_rng))
    return _instance(config, blueprint, seed, index)


def _streams(config: LabConfig, seed: int, index: int) -> Callable[[str], Random]:
    def rng(what: str) -> Random:
        return stream(seed, FAMILY_NAME, what, config.edition, config.nodes, index, 0)

    return rng


def _edges(skeleton: Skeleton, weights: tuple[Coefficient, ...]) -> tuple[LabEdge, ...]:
    nodes = skeleton.nodes
    return tuple(
        LabEdge(cause=nodes[cause], effect=nodes[effect], linear=linear, square=square)
        for (cause, effect), (linear, square) in zip(skeleton.edges, weights, strict=True)
    )


def _blueprint(
    config: LabConfig,
    skeleton: Skeleton,
    edges: tuple[LabEdge, ...],
    crystals: tuple[Bases, float],
    seed: int,
    index: int,
) -> Blueprint:
    bases, base_frequency = crystals
    return Blueprint(
        edition=config.edition,
        properties=skeleton.properties,
        form="linear" if config.form == "linear" else "quadratic",
        edges=edges,
        base_frequency=base_frequency,
        bases=bases,
        budget=config.budget,
        semantics=config.semantics,
        resets=config.reset,
        frequency_may_cause=config.frequency_parent,
        disturbance=_draw_disturbance(config, skeleton, seed, index),
    )


def _instance(config: LabConfig, blueprint: Blueprint, seed: int, index: int) -> LabInstance:
    return GroupedInstance(
        id=f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}",
        public=blueprint.make_public(),
        secret=blueprint.secret(),
        facets=_facets(config, len(blueprint.edges)),
    )


def _facets(config: LabConfig, edges: int) -> dict[str, Facet]:
    return {
        "nodes": config.nodes,
        "edges": edges,
        "form": config.form,
        "semantics": config.semantics,
        "regime": "golden" if config.golden else f"{config.records}o{config.budget}i",
        "frequency_parent": config.frequency_parent,
        "hidden": config.hidden.count if config.hidden else 0,
    }


def _draw_disturbance(
    config: LabConfig, skeleton: Skeleton, seed: int, index: int
) -> Disturbance | None:
    if config.hidden is None:
        return None
    rng = _streams(config, seed, index)("hidden")
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


def _check_promises(instance: LabInstance, shown: Shown) -> None:
    """Raise where a drawn instance is not what certificates rely on; none has been seen."""
    for problem in _find_broken_promises(instance.public, instance.secret, shown):
        raise ContractError(
            f"{instance.id} {problem}; the certified edition draws nothing again, so use fewer "
            "nodes or the linear form"
        )


def _find_broken_promises(public: LabPublic, secret: LabSecret, shown: Shown) -> list[str]:
    problems = []
    if public.manipulator != shown.manipulator or public.reactor != shown.reactor:
        problems.append("does not show the readings that were drawn for it")
    low, high = public.reactor_range
    if not low + public.tolerance <= secret.target <= high - public.tolerance:
        problems.append(f"has the target {secret.target}, which the reactor cannot be tuned to")
    readings = [*public.records, public.manipulator, *(step.reading for step in public.chain)]
    if any(abs(v) > _MAX_VALUE for r in readings for v in (*r.values, r.frequency)):
        problems.append(f"shows a value beyond {_MAX_VALUE:g}")
    squares = public.form == "quadratic"
    unknowns = 1 + (2 if squares else 1) * len(public.properties)
    only_read = not public.budget and not public.chain
    if only_read and len(readings) >= unknowns and not observation_determines(public):
        problems.append("has records of which two say the same")
    return problems
