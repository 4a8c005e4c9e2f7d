"""The law of certified mechanisms, for certificates and for players that have read it."""

from functools import lru_cache

from causarium.families.causalab.config import FormName, LabConfig
from causarium.families.causalab.generation.coefficients import draw_certified
from causarium.families.causalab.generation.skeletons import draw_skeleton
from causarium.scm.mechanism import Mechanism, Term
from causarium.scm.random_graphs import Edges
from causarium.seeds import Address, stream


def draw_mechanism(config: LabConfig, *address: Address) -> Mechanism:
    """Draw a mechanism of a level's law, at an address at which no instance is drawn."""
    edges = _draw_graph(config.nodes, config.frequency_parent, *address)
    weights = draw_certified(
        stream(0, "causalab", "another mechanism", *address), config.form, edges, config.nodes - 1
    )
    terms: list[list[Term]] = [[] for _ in range(config.nodes)]
    for (cause, effect), (linear, square) in zip(edges, weights, strict=True):
        terms[effect].append(Term(cause, linear, square))
    return Mechanism(tuple(map(tuple, terms)))


@lru_cache(maxsize=8)
def sample_mechanisms(
    nodes: int, form: FormName, *, frequency_parent: bool, count: int
) -> tuple[Mechanism, ...]:
    """Return mechanisms of the law, always the same ones; the frequency is the last node."""
    config = LabConfig(nodes=nodes, form=form, frequency_parent=frequency_parent)
    return tuple(draw_mechanism(config, "sample", index) for index in range(count))


def _draw_graph(nodes: int, frequency_parent: bool, *address: Address) -> Edges:  # noqa: FBT001
    config = LabConfig(nodes=nodes, frequency_parent=frequency_parent)
    return draw_skeleton(config, 0, "another mechanism", *address).edges
