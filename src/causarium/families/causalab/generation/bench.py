"""Draw instances of the bench.

Four streams an instance, each at an address of its own: the mechanism with what cannot be held, the
names, the readings at rest, and the questions. Readings are drawn without a mechanism, and no draw
is thrown away for what they are: bases follow from them, so that they say nothing of the mechanism.

Mechanisms are drawn again until enough questions can be asked. All conditions on a question hold or
fail alike when the signs of one property's weights, in and out, are turned (`is_sound`): that is
what the bounds on players who do not experiment rest on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import islice, product
from random import Random
from typing import cast

from causarium.errors import ContractError
from causarium.scm.dag import bits, mask_of
from causarium.seeds import stream
from ..evidence.shortcuts import LAST_HOLD, Share, list_shortcuts
from ..evidence.version_space import VersionSpace, list_real_equations, list_whole_equations
from ..model.bench import (
    BenchInstance,
    BenchPublic,
    BenchSecret,
    Inquiry,
    Question,
    QuestionKind,
    Terms,
    WholeEdge,
    WholeMechanism,
)
from ..model.config import SMALL_CHANGE, BenchConfig
from ..model.instance import FURTHER, PUBLISHED
from ..model.stored_instance import StoredInstance

_GRAPHS = 20_000
"""So many mechanisms are drawn for one instance at most; hundreds were never needed."""
_CONTROL_SETS = 4
_OFFSET_TRIES = 6
_TWO_CAUSES = 0.8
_FROM_FURTHER_UP = 2 / 3
_EXTRA = 2
"""How many questions are asked beside those that count, of each kind."""
_REST = 20
"""Readings at rest lie between -20 and 20, those of the frequency between 0 and 20."""


Triple = tuple[int, int, int]
"""(A, B, Y): A acts on Y through B and also past B."""


@dataclass(frozen=True)
class Bench:
    """A mechanism, what can be held, and what can be asked about it."""

    mechanism: WholeMechanism
    holdable: tuple[int, ...]
    plan: tuple[int, ...]
    """Pushes after which every question that counts is settled."""
    questions: tuple[Inquiry, ...]


def draw_bench_instance(config: BenchConfig, seed: int, index: int) -> BenchInstance:
    """Draw instance `index`.

    Raises:
        ContractError: No mechanism of the level leaves enough to ask.
    """
    bench = draw_bench(config, seed, index)
    size, mechanism = config.properties, bench.mechanism
    pool = PUBLISHED if size <= len(PUBLISHED) else PUBLISHED + FURTHER
    properties = tuple(_stream(config, seed, index, "names").sample(pool, size))
    readings = _stream(config, seed, index, "readings")
    manipulator, reactor = _draw_rest(readings, size), _draw_rest(readings, size)
    public = BenchPublic(
        properties=properties,
        holdable=tuple(properties[node].name for node in bench.holdable),
        manipulator=manipulator,
        largest=config.largest,
        limit=config.limit,
        budget=config.budget,
        questions=len(bench.questions),
        holds=config.holds,
    )
    nodes = public.nodes
    secret = BenchSecret(
        edges=tuple(
            WholeEdge(cause=nodes[cause], effect=nodes[node], weight=weight)
            for node, terms in enumerate(mechanism.terms)
            for cause, weight in terms
        ),
        reactor=reactor,
        questions=tuple(
            Question(
                holds={nodes[one]: reactor[one] + by for one, by in draft.offset_of.items()},
                asked=nodes[draft.asked],
                kind=draft.kind,
            )
            for draft in bench.questions
        ),
        answers=tuple(
            reactor[draft.asked] + mechanism.changes(draft.offset_of)[draft.asked]
            for draft in bench.questions
        ),
        plan=tuple(nodes[node] for node in bench.plan),
        any_weights=config.settled_by == "any weights",
    )
    stored = StoredInstance(
        id=f"causalab-{config.level}-{f's{seed}-' if seed else ''}{index:04d}",
        public=public,
        secret=secret,
        facets={
            "tier": config.level,
            "properties": config.properties,
            "fixed": config.fixed,
            "arrows": len(secret.edges),
            "experiments": config.budget,
        },
    )
    return cast("BenchInstance", stored)


def draw_bench(config: BenchConfig, seed: int, index: int) -> Bench:
    """Draw a mechanism about which enough can be asked.

    Raises:
        ContractError: No mechanism of the level leaves enough to ask.
    """
    rng = _stream(config, seed, index, "mechanism")
    asks = _stream(config, seed, index, "questions")
    for _ in range(_GRAPHS):
        mechanism = draw_mechanism(config, rng)
        triples = list(find_triples(mechanism))
        if len(triples) < config.questions:
            continue
        for _ in range(_CONTROL_SETS if config.fixed else 1):
            bench = _try_control(config, mechanism, triples, rng, asks)
            if bench is not None:
                return bench
    raise ContractError(
        f"{_GRAPHS} mechanisms of level {config.level} leave no {config.questions} questions to "
        "ask; ask fewer, or let more properties be held"
    )


def draw_mechanism(config: BenchConfig, rng: Random) -> WholeMechanism:
    """Draw the equations of all properties and of the frequency.

    A node's second cause is a cause of a cause of the first, where there is one, two times of
    three: it then acts through the first and past it.
    """
    size = config.properties
    order = rng.sample(range(size), size)
    causes: dict[int, tuple[int, ...]] = {}
    for place, node in enumerate(order):
        if not place or rng.random() < config.source_share:
            causes[node] = ()
        else:
            pool = order[max(0, place - config.window) : place]
            causes[node] = _draw_causes(rng, pool, causes, two=rng.random() < _TWO_CAUSES)
    causes[size] = _draw_causes(rng, order, causes, two=True)
    weights = [weight for weight in range(-config.largest, config.largest + 1) if weight]
    terms: list[Terms] = [
        tuple((cause, rng.choice(weights)) for cause in sorted(causes[node]))
        for node in range(size + 1)
    ]
    return WholeMechanism(tuple(terms))


def _draw_causes(
    rng: Random, pool: Sequence[int], causes: dict[int, tuple[int, ...]], *, two: bool
) -> tuple[int, ...]:
    first = rng.choice(pool)
    others = [node for node in pool if node != first]
    if not two or not others:
        return (first,)
    near = causes[first]
    further = [node for cause in near for node in causes[cause] if node not in near]
    if further and rng.random() < _FROM_FURTHER_UP:
        return (first, rng.choice(further))
    return (first, rng.choice([node for node in others if node not in near] or others))


def find_triples(mechanism: WholeMechanism) -> Iterator[Triple]:
    """Yield every (A, B, Y) in which A acts on Y through B and also past B."""
    effects, moved = mechanism.effects, mechanism.moved_by
    for first in range(len(effects) - 1):
        for second in bits(moved[first] & ~(1 << len(effects) - 1)):
            for asked in bits(moved[second]):
                through = effects[first][second] * effects[second][asked]
                if effects[first][asked] != through:
                    yield first, second, asked


def _try_control(
    config: BenchConfig,
    mechanism: WholeMechanism,
    triples: Sequence[Triple],
    rng: Random,
    asks: Random,
) -> Bench | None:
    fixed = _draw_fixed(config, mechanism, rng)
    if fixed is None:
        return None
    holdable = tuple(node for node in range(config.properties) if not fixed >> node & 1)
    plan = tuple(sorted(rng.sample(holdable, min(config.budget, len(holdable)))))
    open_triples = _keep_open(triples, config, mechanism, fixed)
    if len(open_triples) < config.questions:
        return None
    rows = mechanism.push_each(plan)
    # The whole numbers come first: they leave less, and are looked up faster.
    space = whole = list_whole_equations(rows, config.properties + 1, config.largest)
    settled = _settled(whole, open_triples)
    whole_only: list[Triple] = []
    if config.settled_by == "any weights" and len(settled) >= config.questions:
        space = list_real_equations(rows, config.properties + 1)
        by_any = set(_settled(space, settled))
        whole_only = [triple for triple in settled if triple not in by_any]
        settled = [triple for triple in settled if triple in by_any]
    drawer = _QuestionDrawer(config, mechanism, fixed, asks)
    questions = drawer.draw(settled, space, config.questions, "held")
    if len(questions) < config.questions:
        return None
    singles = [
        (first, asked)
        for first in range(config.properties)
        for asked in bits(mechanism.moved_by[first] & space.find_settled(1 << first))
    ]
    drafts = [
        *questions,
        *drawer.draw(singles, space, _EXTRA, "one hold"),
        *drawer.draw(whole_only, whole, _EXTRA, "whole"),
    ]
    asks.shuffle(drafts)
    return Bench(mechanism, holdable, plan, tuple(drafts))


def _draw_fixed(config: BenchConfig, mechanism: WholeMechanism, rng: Random) -> int | None:
    """Draw what cannot be held, as bits; None where that would never move, or too much moves."""
    size = config.properties
    caused = [node for node in range(size) if mechanism.parents[node]]
    if len(caused) < config.fixed:
        return None
    fixed = mask_of(rng.sample(caused, config.fixed))
    if any(not mechanism.dag.ancestors[node] & ~fixed for node in bits(fixed)):
        return None
    free = bits((1 << size) - 1 & ~fixed)
    reach = max(mechanism.farthest[node] for node in free)
    return None if config.small and reach * config.limit > SMALL_CHANGE else fixed


def _keep_open(
    triples: Sequence[Triple], config: BenchConfig, mechanism: WholeMechanism, fixed: int
) -> Sequence[Triple]:
    """Keep what holds something fixed, if there is any, that may be told from its cause."""
    if not fixed:
        return triples
    shut = 0
    if config.settled_by == "any weights":
        # A fixed node with one cause moves in proportion to it, always.
        shut = fixed & mask_of(n for n, terms in enumerate(mechanism.terms) if len(terms) != 2)
    return [
        (first, second, asked)
        for first, second, asked in triples
        if (held := 1 << first | 1 << second) & fixed and not held & shut
    ]


def _settled(space: VersionSpace, triples: Sequence[Triple]) -> list[Triple]:
    find_settled = cache(space.find_settled)
    return [one for one in triples if find_settled(1 << one[0] | 1 << one[1]) >> one[2] & 1]


class _QuestionDrawer:
    """Draws questions about one mechanism, none twice."""

    def __init__(
        self, config: BenchConfig, mechanism: WholeMechanism, fixed: int, rng: Random
    ) -> None:
        self.config = config
        self.mechanism = mechanism
        self.rng = rng
        self.fixed = fixed
        self._shares: dict[tuple[str, tuple[int, ...], int], Sequence[int | Fraction]] = {}
        self.asked: set[tuple[frozenset[int], int]] = set()

    @cached_property
    def shortcuts(self) -> Mapping[str, Share]:
        """The listed shortcuts; often no question is left to try them on."""
        return list_shortcuts(self.mechanism, self.fixed)

    def draw(
        self,
        candidates: Sequence[tuple[int, ...]],
        space: VersionSpace,
        count: int,
        kind: QuestionKind,
    ) -> list[Inquiry]:
        """Draw up to `count` questions, each from another candidate."""
        drafts = (
            self._draw_offsets(held, asked, space, kind)
            for *held, asked in self.rng.sample(candidates, len(candidates))
        )
        return list(islice((draft for draft in drafts if draft is not None), count))

    def _draw_offsets(
        self, held: list[int], asked: int, space: VersionSpace, kind: QuestionKind
    ) -> Inquiry | None:
        for _ in range(_OFFSET_TRIES):
            chosen = list(held)
            if len(held) == 2 and self.config.holds == 3 and self.rng.random() < 1 / 2:
                chosen += self._draw_third(held, asked, space)
            self.rng.shuffle(chosen)
            if (frozenset(chosen), asked) in self.asked:
                continue
            offsets = tuple(
                self.rng.choice((-1, 1)) * self.rng.randint(2, self.config.limit) for _ in chosen
            )
            if self._is_good(chosen, offsets, asked, kind):
                self.asked.add((frozenset(chosen), asked))
                return Inquiry(tuple(chosen), offsets, asked, kind)
        return None

    def _draw_third(self, held: Sequence[int], asked: int, space: VersionSpace) -> list[int]:
        above = [
            node
            for node in range(self.config.properties)
            if self.mechanism.effects[node][asked] and node not in (*held, asked)
        ]
        for node in self.rng.sample(above, len(above)):
            first, second = held
            together = (first, second, node)
            acts = self.mechanism.share_by_hold((first, node), second)[0]
            if acts and all(self.mechanism.share_by_hold(together, asked)):
                return [node] if space.settles(mask_of(together), asked) else []
        return []

    def _is_good(
        self, held: Sequence[int], offsets: Sequence[int], asked: int, kind: QuestionKind
    ) -> bool:
        # In one order of holds: the same are tried in several, and only one shortcut cares.
        nodes, moved = zip(*sorted(zip(held, offsets, strict=True)), strict=True)
        shares = self._share("", nodes, asked)
        terms = [share * offset for share, offset in zip(shares, moved, strict=True)]
        if self.config.small and sum(map(abs, terms)) > SMALL_CHANGE:
            return False
        if kind == "one hold":
            return any(terms)
        if not is_sound(terms):
            return False
        last = [name for name in self.shortcuts if name.startswith(LAST_HOLD)]
        written = [shares[nodes.index(one)] for one in held]
        return all(
            is_wrong(self._share(name, nodes, asked), shares, moved)
            for name in self.shortcuts
            if name not in last
        ) and all(is_wrong(self.shortcuts[name](held, asked), written, offsets) for name in last)

    def _share(self, name: str, nodes: tuple[int, ...], asked: int) -> Sequence[int | Fraction]:
        """Return what a shortcut takes one unit of each hold to add; no name: what it adds."""
        key = name, nodes, asked
        if key not in self._shares:
            way = self.shortcuts[name] if name else self.mechanism.share_by_hold
            self._shares[key] = way(nodes, asked)
        return self._shares[key]


def is_sound(terms: Sequence[int | Fraction]) -> bool:
    """Whether what the holds add never cancels, whatever their signs, and is not all of one size.

    Turning the signs of one held property's weights turns the sign of what it adds. Under these
    conditions no value is the answer for more than a quarter of all turns.

    Example:
        >>> is_sound((3, -5)), is_sound((3, -3)), is_sound((1, 2, 3)), is_sound((2, 2, 2))
        (True, False, False, False)
    """
    is_two_sizes = len(set(map(abs, terms))) > 1
    # Of two terms nothing more is asked; generation spends much of its time here.
    return is_two_sizes and (len(terms) == 2 or all(_signed_sums(terms)))


def is_wrong(
    believed: Sequence[int | Fraction], shares: Sequence[int | Fraction], offsets: Sequence[int]
) -> bool:
    """Whether a shortcut misses an answer whatever the signs of the held properties' weights.

    Args:
        believed: What it takes one unit of each hold to add.
        shares: What one unit of each hold adds.
        offsets: How far from rest.
    """
    misses = [(b - s) * o for b, s, o in zip(believed, shares, offsets, strict=True)]
    return abs(misses[0]) != abs(misses[1]) if len(misses) == 2 else all(_signed_sums(misses))


def _signed_sums(terms: Sequence[int | Fraction]) -> Iterator[int | Fraction]:
    for signs in product((1, -1), repeat=len(terms) - 1):
        yield terms[0] + sum(s * t for s, t in zip(signs, terms[1:], strict=True))


def _draw_rest(rng: Random, size: int) -> tuple[int, ...]:
    return (*(rng.randint(-_REST, _REST) for _ in range(size)), rng.randint(0, _REST))


def _stream(config: BenchConfig, seed: int, index: int, what: str) -> Random:
    return stream(seed, "causalab", f"bench {what}", config.level, index)
