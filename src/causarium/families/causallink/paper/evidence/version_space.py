"""What the interventions seen so far say about the graph: a version space without listing it.

A world is a strict partial order `<` (cause before effect), and a step from state S to T says:

- S and T are closed: x in S and y not in S forbids x < y; likewise for T.
- x was started: x < y for every y that became active.
- x was stopped and stayed active: some z in S has z < x.
- x was stopped and became inactive: no z in S has z < x; x < y for every other y that became
  inactive; and every y in T with x < y has another cause z < y in T without x < z.
- x was stopped while inactive, or started while active: nothing.

These are all the conditions there are, so a partial order that meets them agrees with all that was
seen. `EvidenceBook.find` looks for one in which the answer is as wanted. It keeps the pairs known
to be related and known not to be, closes them under transitivity, and branches only over *which*
variable meets a condition of the form "some z": what is left open at the end can be taken as
unrelated. That decides exactly; a search that grows beyond its limit says so.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from causarium.scm.dag import bits
from ..model.reach import Reach

Conditions = frozenset[tuple[int, int]]
SEARCH_LIMIT = 20_000
"""How many branches are tried before a search is given up."""


class Step(NamedTuple):
    """One intervention that was carried out, and the states around it."""

    x: int
    starts: bool
    before: int
    after: int

    def agrees(self, reach: Reach) -> bool:
        """Say whether this step would have looked the same in another world."""
        if not (reach.is_closed(self.before) and reach.is_closed(self.after)):
            return False
        act = reach.move if self.starts else reach.hold
        return act(self.before, self.x) == self.after


class SearchTooLong(Exception):
    """A search grew beyond its limit, so nothing is decided."""


@dataclass(frozen=True, slots=True)
class EvidenceBook:
    """The conditions that a world has to meet, as masks over variables."""

    related: tuple[int, ...]
    """For each x, those y with x < y for certain."""
    unrelated: tuple[int, ...]
    """For each x, those y for which x < y is ruled out."""
    caused: Conditions = frozenset()
    """(x, Z): some z in Z has z < x."""
    kept: Conditions = frozenset()
    """(x, T): each y in T with x < y has a z in T with z < y and not x < z."""

    @classmethod
    def at_start(cls, n: int, state: int) -> "EvidenceBook":
        """Return what the first look says: the state is closed, and nothing causes itself."""
        outside = ~state & ((1 << n) - 1)
        return cls(
            related=(0,) * n,
            unrelated=tuple(1 << x | (outside if state >> x & 1 else 0) for x in range(n)),
        )

    def add_step(self, step: Step) -> "EvidenceBook":
        """Return what is known after one more step."""
        n = len(self.related)
        related, unrelated = list(self.related), list(self.unrelated)
        caused, kept = self.caused, self.kept
        outside = ~step.after & ((1 << n) - 1)
        for y in bits(step.after):
            unrelated[y] |= outside
        x, bit = step.x, 1 << step.x
        related[x] |= (step.before ^ step.after) & ~bit
        if not step.starts and step.before & bit:
            if step.after & bit:
                caused |= {(x, step.before & ~bit)}
            else:
                for z in bits(step.before):
                    unrelated[z] |= bit
                kept |= {(x, step.after)}
                caused |= _keep_inherited(caused, step)
        return EvidenceBook(tuple(related), tuple(unrelated), caused, kept)

    def find(self, cause: int, effect: int, *, causes: bool) -> Reach | None:
        """Return a world that agrees with all this and in which the answer is as wanted.

        Returns:
            The world, or None if there is none.

        Raises:
            SearchTooLong: The search grew beyond its limit.
        """
        related, unrelated = list(self.related), list(self.unrelated)
        (related if causes else unrelated)[cause] |= 1 << effect
        return _Search(self.caused, self.kept).solve(related, unrelated)


class _Search:
    """A depth-first search over which variable meets each condition of the form "some z"."""

    def __init__(self, caused: Conditions, kept: Conditions) -> None:
        self._caused = sorted((x, _tops(among | 1 << x, caused) & ~(1 << x)) for x, among in caused)
        self._kept = sorted((x, among, _tops(among, caused)) for x, among in kept)
        self._tried = 0

    def solve(self, related: list[int], unrelated: list[int]) -> Reach | None:
        """Return a world that extends what is given, or None."""
        self._tried += 1
        if self._tried > SEARCH_LIMIT:
            raise SearchTooLong
        if not _close(related, unrelated):
            return None
        # The condition with the fewest ways to meet it comes first.
        ways = min(self._find_unmet_conditions(related, unrelated), key=len, default=None)
        if ways is None:
            return Reach(tuple(mask | 1 << x for x, mask in enumerate(related)))
        for z, y, apart_from in ways:
            more, less = list(related), list(unrelated)
            more[z] |= 1 << y
            if apart_from is not None:
                less[apart_from] |= 1 << z
            if (world := self.solve(more, less)) is not None:
                return world
        return None

    def _find_unmet_conditions(
        self, related: list[int], unrelated: list[int]
    ) -> Iterator[list[tuple[int, int, int | None]]]:
        """Yield the ways to meet each condition that is not met."""
        for x, among in self._caused:
            if not any(related[z] >> x & 1 for z in bits(among)):
                yield [(z, x, None) for z in bits(among) if not unrelated[z] >> x & 1]
        for x, among, tops in self._kept:
            elsewhere = tops & ~related[x]
            for y in bits(among & related[x]):
                if not any(related[z] >> y & 1 for z in bits(elsewhere)):
                    yield [(z, y, x) for z in bits(elsewhere) if not unrelated[z] >> y & 1]


def _keep_inherited(caused: Conditions, step: Step) -> Conditions:
    """Return which of those with an active cause before a stop have one after it: all that stay.

    It follows from the other conditions, but a search finds it only after much branching.
    """
    return frozenset(
        (y, step.after & ~(1 << y))
        for y, causes in caused
        if step.after >> y & 1 and not causes & ~step.before
    )


def _tops(among: int, caused: Conditions) -> int:
    """Return those in a set that may have no cause in it.

    Whatever has a cause in the set has one of these as a cause, so only they need be tried.
    """
    tops = among
    for x, causes in caused:
        if not causes & ~among:
            tops &= ~(1 << x)
    return tops


def _close(related: list[int], unrelated: list[int]) -> bool:
    """Draw all conclusions from pairs, in place; False if they contradict each other."""
    variables = range(len(related))
    for y in variables:
        for x in variables:
            if related[x] >> y & 1:
                related[x] |= related[y]
    before: list[int] = []
    while before != unrelated:
        if any(related[x] & unrelated[x] for x in variables):
            return False
        before = list(unrelated)
        for x in variables:
            # If y < z and not x < z, then not x < y.
            unrelated[x] |= sum(1 << y for y in variables if related[y] & unrelated[x])
            # If x < y and not x < z, then not y < z; nor y < x.
            for y in bits(related[x]):
                unrelated[y] |= unrelated[x] | 1 << x
    return True
