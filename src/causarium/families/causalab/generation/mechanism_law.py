"""The law of certified mechanisms, for certificates and for players that have read it."""

from functools import lru_cache

from causarium.families.causalab.config import FormName, LabConfig
from causarium.families.causalab.generation.coefficients import draw_certified
from causarium.families.causalab.generation.skeletons import draw_skeleton
from causarium.scm.mechanism import Mechanism, Term
from causarium.scm.random_graphs import Edges
from causarium.seeds import Address, stream


@lru_cache(maxsize=12)
def sample_mechanisms(
    nodes: int, form: FormName, *, frequency_parent: bool, count: int
) -> tuple[Mechanism, ...]:
    """Return mechanisms of the law, always the same ones; the frequency is the last node."""
    graphs = _sample_graphs(nodes, frequency_parent=frequency_parent, count=count)
    return tuple(
        _give_numbers(edges, nodes, form, "sample", index) for index, edges in enumerate(graphs)
    )


@lru_cache(maxsize=12)
def _sample_graphs(nodes: int, *, frequency_parent: bool, count: int) -> tuple[Edges, ...]:
    return tuple(_draw_graph(nodes, frequency_parent, "sample", i) for i in range(count))


def _draw_graph(nodes: int, frequency_parent: bool, *address: Address) -> Edges:  # noqa: FBT001
    config = LabConfig(nodes=nodes, frequency_parent=frequency_parent)
    return draw_skeleton(config, 0, "another mechanism", *address).edges


def _give_numbers(edges: Edges, nodes: int, form: FormName, *address: Address) -> Mechanism:
    rng = stream(0, "causalab", "another mechanism", *address)
    terms: list[list[Term]] = [[] for _ in range(nodes)]
    for (cause, effect), numbers in zip(
        edges, draw_certified(rng, form, edges, nodes - 1), strict=True
    ):
        terms[effect].append(Term(cause, *numbers))
    return Mechanism(tuple(map(tuple, terms)))
