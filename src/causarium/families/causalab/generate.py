"""Draw instances. Every draw has an address; nothing depends on what was drawn before.

Paper: base values are drawn as the original does, and readings follow from them. What the bench
draws is in `generation.draw_bench`.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import cast

from causarium.contract.instance import Facet
from causarium.families.causalab.config import LabConfig
from causarium.families.causalab.generation.assemble_instance import Blueprint
from causarium.families.causalab.generation.coefficients import Coefficient, draw_published
from causarium.families.causalab.generation.draw_bench import draw_bench_instance
from causarium.families.causalab.generation.golden_chain import draw_chain, draw_published_start
from causarium.families.causalab.generation.published_bases import draw_published_bases
from causarium.families.causalab.generation.skeletons import FAMILY_NAME, Skeleton, draw_skeleton
from causarium.families.causalab.instance import Disturbance, LabEdge, LabInstance
from causarium.families.causalab.model.bench_config import BenchConfig
from causarium.families.causalab.model.stored_instance import (
    EitherInstance,
    store_bench,
    store_paper,
)
from causarium.seeds import entropy, stream


def generate(config: LabConfig | BenchConfig, seed: int, index: int) -> EitherInstance:
    """Draw instance `index` of a level."""
    if isinstance(config, BenchConfig):
        drawn = store_bench(draw_bench_instance(config, seed, index))
        return cast("EitherInstance", drawn)
    return cast("EitherInstance", draw_paper_instance(config, seed, index))


def draw_paper_instance(config: LabConfig, seed: int, index: int) -> LabInstance:
    """Draw instance `index` of a level of the paper edition.

    Args:
        config: The level.
        seed: Where draws begin.
        index: Which instance.
    """
    skeleton = draw_skeleton(config, seed, index)
    rng = _streams(config, seed, index)
    weights = draw_published(
        rng(f"weights-{config.form}"), config.form, skeleton.edges, skeleton.frequency
    )
    edges = _edges(skeleton, weights.coefficients)
    blueprint = Blueprint(
        edition=config.edition,
        properties=skeleton.properties,
        form="linear" if config.form == "linear" else "quadratic",
        edges=edges,
        base_frequency=weights.base_frequency,
        bases=draw_published_bases(config, rng("crystals")),
        budget=config.budget,
        semantics=config.semantics,
        resets=config.reset,
        frequency_may_cause=config.frequency_parent,
        disturbance=_draw_disturbance(config, skeleton, seed, index),
    )
    if config.golden:
        chain_rng = rng("chain")
        starts = [draw_published_start(config.nodes - 1, chain_rng) for _ in range(2)]
        blueprint = replace(blueprint, chain=draw_chain(config, blueprint, starts, chain_rng))
    return store_paper(
        name=f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}",
        public=blueprint.make_public(),
        secret=blueprint.secret(),
        facets=_facets(config, len(edges)),
    )


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
