"""Exact search: the least worst-case number of interventions, and the shortest proof.

Both take the experimenter's side: the rules are known, every state is seen, and every graph that
agrees with what was seen is possible.
"""

from collections.abc import Iterator
from functools import lru_cache

from causarium.families.causallink.evidence.version_space import EvidenceBook, SearchTooLong, Step
from causarium.families.causallink.mechanics.dynamics import Reach

EXACT_SIZE = 5
"""Up to how many variables the worst case is searched exactly."""
PROOF_LIMIT = 4_000
"""How many bodies of evidence are looked at before the search for a shortest proof is given up."""


@lru_cache(maxsize=8)
def all_worlds(n: int) -> tuple[Reach, ...]:
    """Return every reachability relation on n variables: 1, 3, 19, 219 and 4,231 of them."""
    if n == 0:
        return (Reach(()),)
    found = []
    for small in all_worlds(n - 1):
        closed = small.closed_states()
        everything = (1 << (n - 1)) - 1
        for effects in closed:
            for others in closed:
                # What causes the new variable is the complement of a closed set, and has all of
                # the new variable's effects among its own.
                causes = everything & ~others
                if not causes & effects and all(
                    not effects & ~small.below[x] for x in range(n - 1) if causes >> x & 1
                ):
                    found.append(_extend_reach(small, causes, effects))
    return tuple(found)


def _extend_reach(small: Reach, causes: int, effects: int) -> Reach:
    new = 1 << small.n
    below = [mask | (new if causes >> x & 1 else 0) for x, mask in enumerate(small.below)]
    return Reach((*below, new | effects))


@lru_cache(maxsize=128)
def search_optimum(n: int, *, cause_active: bool, effect_active: bool, others_active: int) -> int:
    """Return the least number of interventions that suffices in the worst case, by search.

    By symmetry only the kind of case matters, so the cause is variable 0 and the effect 1.
    """
    start = cause_active | effect_active << 1 | ((1 << others_active) - 1) << 2
    duel = _Duel(n, start)
    depth = 0
    while not duel.wins(start, duel.everyone, depth):
        depth += 1
    return depth


class _Duel:
    """An experimenter against a world that is as unhelpful as it can be.

    A belief is a mask over all the worlds that still agree with what was seen.
    """

    def __init__(self, n: int, start: int) -> None:
        self._n = n
        self._worlds = [world for world in all_worlds(n) if world.is_closed(start)]
        self.everyone = (1 << len(self._worlds)) - 1
        self._yes = sum(1 << i for i, world in enumerate(self._worlds) if world.causes(0, 1))
        self._outcomes: dict[tuple[int, int, bool], list[tuple[int, int]]] = {}
        self._known: dict[tuple[int, int, int], bool] = {}

    def wins(self, state: int, belief: int, depth: int) -> bool:
        """Say whether the experimenter can be certain after `depth` more interventions."""
        agreeing = belief & self._yes
        if not agreeing or agreeing == belief:
            return True
        if depth == 0:
            return False
        key = (state, belief, depth)
        if key not in self._known:
            # Stopping what is inactive, or starting what is active, shows nothing.
            self._known[key] = any(
                self._wins_by(state, belief, depth, x, starts=not state >> x & 1)
                for x in range(self._n)
            )
        return self._known[key]

    def _wins_by(self, state: int, belief: int, depth: int, x: int, *, starts: bool) -> bool:
        parts = (
            (after, belief & mask) for after, mask in self._list_outcomes(state, x, starts=starts)
        )
        # What leaves most worlds possible is most likely to refute, so it goes first.
        ordered = sorted((p for p in parts if p[1]), key=lambda p: -p[1].bit_count())
        return all(self.wins(after, part, depth - 1) for after, part in ordered)

    def _list_outcomes(self, state: int, x: int, *, starts: bool) -> list[tuple[int, int]]:
        key = (state, x, starts)
        if key not in self._outcomes:
            parts: dict[int, int] = {}
            for i, world in enumerate(self._worlds):
                if world.is_closed(state):
                    after = world.move(state, x) if starts else world.hold(state, x)
                    parts[after] = parts.get(after, 0) | 1 << i
            self._outcomes[key] = list(parts.items())
        return self._outcomes[key]


def find_shortest_proof(reach: Reach, start: int, cause: int, effect: int) -> int | None:
    """Return how many interventions the shortest proof of the true answer has.

    It is what an expert who guesses the graph needs to convince one who does not.

    Returns:
        The length, or None if the search grew beyond its limit.
    """
    first = EvidenceBook.at_start(reach.n, start)
    quest = _Quest(reach, cause, effect)
    try:
        doubt = first.find(cause, effect, causes=not quest.truth)
        frontier = {(start, first): doubt}
        length = 0
        while None not in frontier.values():
            frontier = quest.grow(frontier)
            length += 1
    except SearchTooLong:
        return None
    return length


_Frontier = dict[tuple[int, EvidenceBook], Reach | None]
"""States and the evidence gathered on the way, each with a world that gives reason to doubt."""


class _Quest:
    """A breadth-first search for evidence that leaves no doubt about the true answer."""

    def __init__(self, reach: Reach, cause: int, effect: int) -> None:
        self._reach = reach
        self._question = (cause, effect)
        self.truth = reach.causes(cause, effect)
        self._looked_at = 0

    def grow(self, frontier: _Frontier) -> _Frontier:
        """Return what one more intervention leads to, stopping where no doubt is left."""
        grown: _Frontier = {}
        for (state, book), doubt in frontier.items():
            for step in self._steps(state):
                key = (step.after, book.add_step(step))
                if key not in grown:
                    grown[key] = self._doubt(key[1], step, doubt)
                    if grown[key] is None:
                        return grown
        return grown

    def _steps(self, state: int) -> Iterator[Step]:
        for x in range(self._reach.n):
            # Stopping what is inactive, or starting what is active, shows nothing.
            if state >> x & 1:
                yield Step(x, starts=False, before=state, after=self._reach.hold(state, x))
            else:
                yield Step(x, starts=True, before=state, after=self._reach.move(state, x))

    def _doubt(self, book: EvidenceBook, step: Step, doubt: Reach | None) -> Reach | None:
        self._looked_at += 1
        if self._looked_at > PROOF_LIMIT:
            raise SearchTooLong
        if doubt is not None and step.agrees(doubt):
            return doubt
        return book.find(*self._question, causes=not self.truth)
