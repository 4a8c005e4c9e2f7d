"""Paper edition: what lies behind a made document: the graph, the names, who says what.

It depends on the pool, the seed and the index alone. Each edge is stated once, by a source that is
right or by one that has cause and effect swapped; a third kind of source is wrong throughout. What
is false, denied or taken back has the same forms as what is true.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from random import Random
from typing import Literal

from causarium.errors import UsageError
from causarium.seeds import stream
from ..levels import FAMILY_NAME, ReciteConfig
from ..model.wordings import Area, Term, Wording, area_terms, lexicon, wordings

ACYCLIC_SHARE = 0.1
"""About as many of the published graphs have no cycle at all."""

EDGES_PER_NODE = (1.25, 1.75)
"""Published graphs have 1.5 edges a node on average."""

LOOP_SIZES = (3, 6)


@dataclass(frozen=True, slots=True)
class Loops:
    """A graph over nodes 0, 1, … with the sign of each edge."""

    size: int
    edges: tuple[tuple[int, int], ...]
    rises: tuple[bool, ...]
    """For each edge whether more of the cause means more of the effect."""


def draw_loops(rng: Random, size: int) -> Loops:
    """Draw a connected graph: feedback loops that share a node with what is there, then chords.

    No two nodes act on each other directly, so that an arrow turned round is always wrong. A tenth
    of the graphs have no cycle; their edges all point the same way along an order.
    """
    acyclic = rng.random() < ACYCLIC_SHARE
    wanted = round(size * rng.uniform(*EDGES_PER_NODE))
    edges: dict[tuple[int, int], None] = {}
    reached = [0]
    while len(reached) < size:
        length = min(rng.randint(*LOOP_SIZES) - 1, size - len(reached))
        fresh = list(range(len(reached), len(reached) + length))
        ring = [rng.choice(reached), *fresh]
        back = ring[0] if rng.random() < 0.6 else rng.choice(reached)
        for edge in zip(ring, [*fresh, back], strict=True):
            if edge[::-1] not in edges:
                edges[edge] = None
        reached += fresh
    while len(edges) < wanted:
        cause, effect = rng.sample(range(size), 2)
        if (effect, cause) not in edges:
            edges[cause, effect] = None
    pairs = [(min(e), max(e)) if acyclic else e for e in edges]
    places = rng.sample(range(size), size)
    placed = list(dict.fromkeys((places[cause], places[effect]) for cause, effect in pairs))
    rng.shuffle(placed)
    return Loops(size, tuple(placed), tuple(rng.random() < 0.6 for _ in placed))


MEAN_NODES, SPREAD_NODES = 25.0, 15.8
"""The published mean and standard deviation; sizes are drawn lognormal."""
UNLINKED_SHARE, LEAST_UNLINKED = 0.2, 2
TURNED_SHARE, FALSE_SHARE, DENIED_SHARE, RETRACTED_SHARE, DECOY_SHARE = 0.35, 0.5, 0.2, 0.15, 0.3
"""All of the edges: told swapped, told falsely, denied, taken back, put side by side."""
_UNLINKED_WEIGHT = 3.0
"""How much likelier a name on no edge is to be spoken of where nothing is true."""

Role = Literal["true", "turned", "false"]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Source:
    """A bundle of papers."""

    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Spoken:
    """One statement: what a source calls the cause and what it calls the effect."""

    number: int
    source: int
    cause: int
    effect: int
    rises: tuple[bool, bool]
    """Whether cause and effect are said to go up."""
    kind: Literal["edge", "false", "denied", "retracted"]


@dataclass(frozen=True)
class Latent:
    """What documents of one pool, seed and index share."""

    config: ReciteConfig
    seed: int
    index: int

    def rng(self, *address: str | int) -> Random:
        """Return the random stream at an address of this latent."""
        return stream(self.seed, FAMILY_NAME, self.config.pool, self.index, *address)

    @cached_property
    def wording(self) -> Wording:
        """The family of wordings."""
        return self.rng("wording").choice(wordings())

    @cached_property
    def area_number(self) -> int:
        """Which area of the lexicon it is about."""
        return self.rng("area").choice(range(len(lexicon().areas)))

    @property
    def area(self) -> Area:
        """The area itself."""
        return lexicon().areas[self.area_number]

    @cached_property
    def loops(self) -> Loops:
        """The graph."""
        rng = self.rng("size")
        sigma = math.sqrt(math.log(1 + (SPREAD_NODES / MEAN_NODES) ** 2))
        mu = math.log(MEAN_NODES) - sigma**2 / 2
        size = 0
        while not self.config.smallest <= size <= self.config.largest:
            size = round(rng.lognormvariate(mu, sigma))
        return draw_loops(self.rng("graph"), size)

    @cached_property
    def linked(self) -> int:
        """How many names are on an edge; those come first."""
        return self.loops.size

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The names: the nodes of the graph, then those that are on no edge."""
        unlinked = max(LEAST_UNLINKED, round(UNLINKED_SHARE * self.linked))
        every = area_terms(self.area_number)
        return tuple(self.rng("terms").sample(every, self.linked + unlinked))

    @cached_property
    def nicknames(self) -> tuple[str, ...]:
        """The nickname of each name."""
        every = lexicon().nicknames()
        return tuple(self.rng("nicknames").sample(every, len(self.terms)))

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The four sources, in no order."""
        rng, words = self.rng("sources"), lexicon().words
        roles: list[Role] = ["true", "true", "turned", "false"]
        rng.shuffle(roles)
        names, kinds = rng.sample(words.surnames, 4), rng.sample(words.kinds, 4)
        return tuple(
            Source(f"the {name} {kind}", role)
            for name, kind, role in zip(names, kinds, roles, strict=True)
        )

    @cached_property
    def idle_pairs(self) -> dict[str, list[Pair]]:
        """Pairs of names that are not linked in either direction, by what is said of them."""
        linked = {frozenset(edge) for edge in self.loops.edges}
        free = [p for p in combinations(range(len(self.terms)), 2) if frozenset(p) not in linked]
        rng = self.rng("idle")
        keys = {pair: rng.random() ** (1 / self._weight(pair)) for pair in free}
        left = sorted(free, key=keys.__getitem__)
        pairs: dict[str, list[Pair]] = {}
        for kind, share in {
            "false": FALSE_SHARE,
            "denied": DENIED_SHARE,
            "retracted": RETRACTED_SHARE,
            "decoy": DECOY_SHARE,
        }.items():
            wanted = math.ceil(share * len(self.loops.edges))
            if len(left) < wanted and kind != "decoy":
                raise UsageError(
                    f"a graph of {self.linked} nodes and {len(self.loops.edges)} edges leaves too "
                    "few pairs to say false things of; draw larger graphs"
                )
            taken = [left.pop() for _ in range(min(wanted, len(left)))]
            pairs[kind] = [p if rng.random() < 0.5 else (p[1], p[0]) for p in taken]
        return pairs

    def _weight(self, pair: Pair) -> float:
        return _UNLINKED_WEIGHT ** sum(name >= self.linked for name in pair)

    @cached_property
    def statements(self) -> tuple[Spoken, ...]:
        """Everything that the sources say, edges first."""
        rng = self.rng("statements")
        by_role: dict[Role, list[int]] = {
            role: [n for n, source in enumerate(self.sources) if source.role == role]
            for role in ("true", "turned", "false")
        }
        turned = self._choose_swapped_edges(rng)
        spoken: list[Spoken] = []
        for number, edge in enumerate(self.loops.edges):
            up = rng.random() < 0.5
            rises = (up, up == self.loops.rises[number])
            source = rng.choice(by_role["turned" if number in turned else "true"])
            if number in turned:
                edge, rises = edge[::-1], rises[::-1]  # noqa: PLW2901
            spoken.append(Spoken(len(spoken), source, *edge, rises, "edge"))
        for kind in ("false", "denied", "retracted"):
            for cause, effect in self.idle_pairs[kind]:
                rises = rng.random() < 0.5, rng.random() < 0.5
                role = _role_of(kind, rng)
                source = rng.choice(by_role[role] if role else range(len(self.sources)))
                spoken.append(Spoken(len(spoken), source, cause, effect, rises, kind))
        return tuple(spoken)

    def _choose_swapped_edges(self, rng: Random) -> set[int]:
        """Choose the edges to state swapped: first those without a reverse edge."""
        edges = set(self.loops.edges)
        order = rng.sample(range(len(self.loops.edges)), len(self.loops.edges))
        order.sort(key=lambda n: self.loops.edges[n][::-1] in edges)
        return set(order[: math.ceil(TURNED_SHARE * len(order))])

    @cached_property
    def mediators(self) -> Sequence[str]:
        """Who stands between cause and effect in each statement, nobody twice."""
        every = lexicon().mediators()
        if len(self.statements) > len(every):
            raise UsageError(
                f"{len(self.statements)} statements need as many people between cause and effect, "
                f"and the lexicon has {len(every)}; draw smaller graphs"
            )
        return self.rng("mediators").sample(every, len(self.statements))


def _role_of(kind: str, rng: Random) -> Role | None:
    """Return who says a thing of some kind; None for anybody."""
    if kind == "false":
        return "false"
    if kind == "denied":
        return None
    return "turned" if rng.random() < TURNED_SHARE else "true"
