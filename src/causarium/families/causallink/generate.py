"""Drawing instances. Each depends on its level's configuration, the seed and its index alone.

The certified edition draws graphs that are weakly connected (every two variables are joined when
the directions of edges are ignored), asks as many questions with the answer yes as with the answer
no of each random graph, and lists the variables in an order that has nothing to do with the
causal one: half of the questions with either answer name the variable that is listed first as the
cause, and which half is drawn. The paper edition lists them in node order, as published.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations
from random import Random

from causarium.contract.instance import Facet, Instance
from causarium.families.causallink.config import QUESTIONS_PER_GRAPH, LinkConfig
from causarium.families.causallink.evidence.optimum import optimum
from causarium.families.causallink.generation.core_cases import Edges, core_cases
from causarium.families.causallink.generation.released_generator import POOL_SIZE, released_draw
from causarium.families.causallink.instance import ARROW, LinkInstance, LinkPublic, LinkSecret
from causarium.families.causallink.mechanics.dynamics import Reach
from causarium.families.causallink.mechanics.theme import Theme, theme
from causarium.seeds import stream

FAMILY_NAME = "causallink"
_THEME_OF = {"shapes": "shapes", "nonsense": "nonsense", "aligned": "storm", "opposed": "storm"}


@dataclass(frozen=True, slots=True)
class Case:
    """One question about one graph, before it is worded. Numbers are listing positions."""

    names: tuple[str, ...]
    edges: Edges
    start: int
    cause: int
    effect: int
    structure: str = "random"
    repeat: bool = False

    def listed(self, *, cause_first: bool) -> "Case":
        """Return the same case, with its listing turned round if need be."""
        if (self.cause < self.effect) == cause_first:
            return self
        last = len(self.names) - 1
        return replace(
            self,
            names=self.names[::-1],
            edges=tuple((last - a, last - b) for a, b in self.edges),
            start=sum(1 << last - x for x in range(last + 1) if self.start >> x & 1),
            cause=last - self.cause,
            effect=last - self.effect,
        )


@dataclass(frozen=True, slots=True)
class Graph:
    """A random graph, its words, and the questions asked of it."""

    names: tuple[str, ...]
    edges: Edges
    questions: tuple[tuple[int, int], ...]


def generate(config: LinkConfig, seed: int, index: int) -> LinkInstance:
    """Draw instance `index` of a level."""
    draws = {"core": _core_case, "random": _random_case, "released": _released_case}
    return _instance(config, seed, index, draws[config.kind](config, seed, index))


def _instance(config: LinkConfig, seed: int, index: int, case: Case) -> LinkInstance:
    names, n = case.names, len(case.names)
    truth = Reach.of_edges(n, case.edges).causes(case.cause, case.effect)
    moving = tuple(name for x, name in enumerate(names) if case.start >> x & 1)
    public = LinkPublic(
        theme=_THEME_OF[config.words],
        shapes=names,
        moving=moving,
        cause=names[case.cause],
        effect=names[case.effect],
        cap=2 * n,
    )
    facets: dict[str, Facet] = {
        "structure": case.structure,
        "size": n,
        "truth": "true" if truth else "false",
        "start": "all" if len(moving) == n else "some" if moving else "none",
        "theme": config.words,
        "repeat": case.repeat,
        "optimum": optimum(public),
    }
    return Instance[LinkPublic, LinkSecret](
        id=f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}",
        public=public,
        secret=LinkSecret(
            edges=tuple(sorted(f"{names[a]}{ARROW}{names[b]}" for a, b in case.edges)),
            truth=truth,
        ),
        facets=facets,
    )


def _core_case(config: LinkConfig, seed: int, index: int) -> Case:
    cases = core_cases(distinct=config.distinct)
    lap, place = divmod(index, len(cases))
    names = theme(_THEME_OF[config.words]).names[:POOL_SIZE]
    if config.edition == "paper":
        case = cases[place]
        rng = stream(seed, FAMILY_NAME, config.draw, "names", lap, case.structure.name)
        listing = list(range(case.structure.size))
    else:
        order = stream(seed, FAMILY_NAME, config.draw, "order", len(cases), lap)
        shuffled = order.sample(cases, len(cases))
        case = shuffled[place]
        rng = stream(seed, FAMILY_NAME, config.draw, "case", len(cases), index)
        listing = rng.sample(range(case.structure.size), case.structure.size)
    structure = case.structure
    drawn = Case(
        names=tuple(rng.sample(names, structure.size)),
        edges=tuple((listing[a], listing[b]) for a, b in structure.edges),
        start=sum(1 << listing[x] for x in range(structure.size) if case.start >> x & 1),
        cause=listing[case.cause],
        effect=listing[case.effect],
        structure=structure.name,
        repeat=structure.repeat,
    )
    if config.edition == "paper":
        return drawn
    alike = [number for number, other in enumerate(shuffled) if other.truth == case.truth]
    flags = _even_flags(order, len(alike), more=order.random() < 0.5)
    return drawn.listed(cause_first=flags[alike.index(place)])


def _random_case(config: LinkConfig, seed: int, index: int) -> Case:
    number, question = divmod(index, QUESTIONS_PER_GRAPH)
    graph = _random_graph(config, seed, number)
    cause, effect = graph.questions[question]
    start = (1 << config.size) - 1
    if config.start == "random":
        rng = stream(seed, FAMILY_NAME, config.draw, "start", config.size, index)
        start = rng.choice(Reach.of_edges(config.size, graph.edges).closed_states())
    case = Case(graph.names, graph.edges, start, cause, effect)
    reach = Reach.of_edges(config.size, graph.edges)
    truths = [reach.causes(*asked) for asked in graph.questions]
    rng = stream(seed, FAMILY_NAME, config.draw, "listing", config.size, number)
    # Of two graphs that follow each other one has the odd question more, which one is drawn.
    pair = stream(seed, FAMILY_NAME, config.draw, "listing", config.size, "pair", number // 2)
    more = (pair.random() < 0.5) == (number % 2 == 0)
    flags = {
        truth: _even_flags(rng, truths.count(truth), more=more == truth) for truth in (True, False)
    }
    rank = truths[:question].count(truths[question])
    return case.listed(cause_first=flags[truths[question]][rank])


def _even_flags(rng: Random, count: int, *, more: bool) -> list[bool]:
    """Return as many true as false flags, in random order; an odd one is true if `more`."""
    flags = [True] * ((count + more) // 2)
    flags += [False] * (count - len(flags))
    rng.shuffle(flags)
    return flags


@lru_cache(maxsize=256)
def _random_graph(config: LinkConfig, seed: int, number: int) -> Graph:
    address = (FAMILY_NAME, config.draw, config.size, number)
    order, edges = _connected_dag(stream(seed, *address, "graph"), config.size, config.density)
    reach = Reach.of_edges(config.size, edges)
    return Graph(
        names=_names(stream(seed, *address, "names"), config, order),
        edges=edges,
        questions=_balanced(stream(seed, *address, "questions"), config, reach),
    )


def _connected_dag(rng: Random, n: int, density: float) -> tuple[list[int], Edges]:
    """Draw a causal order and edges along it, until the graph is weakly connected."""
    while True:
        order = rng.sample(range(n), n)
        edges = tuple(
            (order[i], order[j])
            for i in range(n)
            for j in range(i + 1, n)
            if rng.random() < density
        )
        if _weakly_connected(n, edges):
            return order, edges


def _weakly_connected(n: int, edges: Edges) -> bool:
    joined = 1
    for _ in range(n):
        for a, b in edges:
            if joined >> a & 1 or joined >> b & 1:
                joined |= 1 << a | 1 << b
    return joined == (1 << n) - 1


def _names(rng: Random, config: LinkConfig, order: Sequence[int]) -> tuple[str, ...]:
    """Name the variables; ordered words follow the causal order or run against it."""
    words: Theme = theme(_THEME_OF[config.words])
    if not words.ordered:
        return tuple(rng.sample(words.names, config.size))
    picked = sorted(rng.sample(range(len(words.names)), config.size))
    if config.words == "opposed":
        picked.reverse()
    named = {node: words.names[rank] for node, rank in zip(order, picked, strict=True)}
    return tuple(named[node] for node in range(config.size))


def _balanced(rng: Random, config: LinkConfig, reach: Reach) -> tuple[tuple[int, int], ...]:
    """Pick as many questions with the answer yes as with the answer no, in random order."""
    pairs = list(permutations(range(reach.n), 2))
    yes = [pair for pair in pairs if reach.causes(*pair)]
    no = [pair for pair in pairs if not reach.causes(*pair)]
    if config.false_questions == "reversed":
        no = [(effect, cause) for cause, effect in yes]
    half = QUESTIONS_PER_GRAPH // 2
    picked = rng.sample(yes, half) + rng.sample(no, half)
    rng.shuffle(picked)
    return tuple(picked)


def _released_case(config: LinkConfig, seed: int, index: int) -> Case:
    number, question = divmod(index, QUESTIONS_PER_GRAPH)
    rng = stream(seed, FAMILY_NAME, config.draw, config.size, number)
    drawn = released_draw(rng, config.size, QUESTIONS_PER_GRAPH)
    cause, effect = drawn.pairs[question]
    return Case(drawn.shapes, drawn.edges, (1 << config.size) - 1, cause, effect)
