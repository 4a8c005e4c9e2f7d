"""Drawing instances. Each depends on its level's configuration, the seed and its index alone.

Variables are listed in node order, as published.

*Core.* Three small structures and one variant, every closed start, every ordered pair. The
confounder with its extra edge has the reachability of a chain of three, so its 24 cases are the
mediation cases under other names. They carry a flag, and 60 cases are distinct.

*Released.* The released generator's mechanics, draw by draw. Edges run from
lower to higher node ids only, so the order in which shapes are listed is a causal order. A draw in
which some node is not reachable from node 0 is replaced by its complement, which is not tested
again. Questions run from the lower id to the higher, whatever the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from causarium.contract.instance import Facet, Instance
from causarium.scm.dag import bits
from causarium.seeds import stream
from .evidence import find_optimum
from .levels import QUESTIONS_PER_GRAPH, LinkConfig
from .model.instance import (
    ARROW,
    FAMILY_NAME,
    LinkInstance,
    LinkPublic,
    LinkSecret,
)
from .model.reach import Reach
from .model.theme import theme

Edges = tuple[tuple[int, int], ...]
STRUCTURES: dict[str, tuple[int, Edges]] = {
    "direct": (2, ((0, 1),)),
    "mediation": (3, ((0, 1), (1, 2))),
    "confounder": (3, ((1, 0), (1, 2))),
    "confounder_with_edge": (3, ((1, 0), (1, 2), (0, 2))),
}
"""The core structures: how many variables, and the edges."""
THEME = "shapes"
"""The published words."""
REPEATED = "confounder_with_edge"
"""The structure that acts exactly like an earlier one under other names."""
POOL_SIZE = 8
"""How many names the published pool of shapes has."""


@dataclass(frozen=True, slots=True)
class GraphCase:
    """One question about one graph. Numbers are places in the listing."""

    size: int
    edges: Edges
    start: int
    cause: int
    effect: int
    structure: str = "random"
    names: tuple[str, ...] = ()

    @property
    def truth(self) -> bool:
        """Whether the cause has a path to the effect."""
        return Reach.of_edges(self.size, self.edges).causes(self.cause, self.effect)


def core_cases(*, distinct: bool) -> list[GraphCase]:
    """Return the 84 core cases, or the 60 distinct ones, structure by structure."""
    return [
        GraphCase(size, edges, start, cause, effect, structure)
        for structure, (size, edges) in STRUCTURES.items()
        if not (distinct and structure == REPEATED)
        for start in Reach.of_edges(size, edges).closed_states()
        for pair in combinations(range(size), 2)
        for cause, effect in (pair, pair[::-1])
    ]


def draw_released(rng: Random, n: int) -> list[GraphCase]:
    """Draw one graph and its questions, in the released order of random draws."""
    slots = list(combinations(range(n), 2))
    edges = complete_edges(n, [rng.random() < 0.5 for _ in slots])
    names = tuple(rng.sample(theme(THEME).names[:POOL_SIZE], n))
    for _ in range(n):
        # A kind of change is drawn for every shape from a list of one and never used.
        rng.choice(("moving",))
    pairs = rng.sample(slots, QUESTIONS_PER_GRAPH)
    return [GraphCase(n, edges, (1 << n) - 1, *pair, names=names) for pair in pairs]


def complete_edges(n: int, present: Sequence[bool]) -> Edges:
    """Return the graph of one draw: its edges, or where node 0 does not reach all, the others."""
    slots = list(combinations(range(n), 2))
    drawn = tuple(slot for slot, is_present in zip(slots, present, strict=True) if is_present)
    if Reach.of_edges(n, drawn).below[0] == (1 << n) - 1:
        return drawn
    return tuple(slot for slot in slots if slot not in drawn)


def generate(config: LinkConfig, seed: int, index: int) -> LinkInstance:
    """Draw one instance of a level.

    Args:
        config: The level.
        seed: The seed that it is drawn from.
        index: Its place in the level.
    """
    name = f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}"
    draws = {"core": _core_case, "released": _released_case}
    case = draws[config.kind](config, seed, index)
    public = LinkPublic(
        theme=THEME,
        shapes=case.names,
        moving=tuple(case.names[x] for x in bits(case.start)),
        cause=case.names[case.cause],
        effect=case.names[case.effect],
        cap=2 * case.size,
    )
    active = len(public.moving)
    facets: dict[str, Facet] = {
        "structure": case.structure,
        "size": case.size,
        "truth": "true" if case.truth else "false",
        "start": "all" if active == case.size else "some" if active else "none",
        "theme": THEME,
        "repeat": case.structure == REPEATED,
        "optimum": find_optimum(public),
    }
    edges = (f"{case.names[a]}{ARROW}{case.names[b]}" for a, b in case.edges)
    secret = LinkSecret(edges=tuple(sorted(edges)), truth=case.truth)
    return Instance[LinkPublic, LinkSecret](id=name, public=public, secret=secret, facets=facets)


def _core_case(config: LinkConfig, seed: int, index: int) -> GraphCase:
    cases = core_cases(distinct=config.distinct)
    lap, place = divmod(index, len(cases))
    names = theme(THEME).names[:POOL_SIZE]
    case = cases[place]
    rng = stream(seed, FAMILY_NAME, config.draw, "names", lap, case.structure)
    return replace(case, names=tuple(rng.sample(names, case.size)))


def _released_case(config: LinkConfig, seed: int, index: int) -> GraphCase:
    number, question = divmod(index, QUESTIONS_PER_GRAPH)
    rng = stream(seed, FAMILY_NAME, config.draw, config.size, number)
    return draw_released(rng, config.size)[question]
