"""The best that anyone can do who knows the law of a case and may intervene only so often.

A belief is a mask over the worlds of a law that agree with what was seen. The value of a belief is
the probability to be in it and to end with the right answer, found by trying every intervention.
"""

from functools import lru_cache

from causarium.families.causallink.generation.twin_pairs import CAUSE, EFFECT
from causarium.families.causallink.mechanics.dynamics import Reach
from causarium.families.causallink.strategies.known_law import Law
from causarium.scm.dag import bits

_EPSILON = 1e-12


class LawSearch:
    """An exact search over what to try next."""

    def __init__(self, law: Law, start: int) -> None:
        self._worlds = list(law)
        self._chances = list(law.values())
        self._yes = sum(1 << i for i, w in enumerate(self._worlds) if w.causes(CAUSE, EFFECT))
        self.start = start
        self.everything = (1 << len(self._worlds)) - 1
        self._outcomes: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._values: dict[tuple[int, int, int], float] = {}
        self._chance = lru_cache(maxsize=1 << 20)(self._add_chances)

    def value(self, acts: int) -> float:
        """Return the probability of a right answer after so many interventions, played best."""
        return self._value(self.start, self.everything, acts)

    def answer(self, belief: int) -> bool:
        """Return the likelier answer; no where both are as likely."""
        return self._chance(belief & self._yes) > self._chance(belief & ~self._yes) + _EPSILON

    def is_certain(self, belief: int) -> bool:
        """Say whether only one answer is possible."""
        return not belief & self._yes or not belief & ~self._yes

    def best_act(self, state: int, belief: int, acts: int) -> int:
        """Return the variable to act on, of those that do best; the first of them."""
        size = self._worlds[0].n
        values = [self._value_of_act(state, belief, acts, x) for x in range(size)]
        return next(x for x in range(size) if values[x] > max(values) - _EPSILON)

    def narrow(self, belief: int, state: int, x: int, after: int) -> int:
        """Return the belief after acting on `x` led from `state` to `after`."""
        return belief & dict(self._act(state, x)).get(after, 0)

    def _value(self, state: int, belief: int, acts: int) -> float:
        yes, no = self._chance(belief & self._yes), self._chance(belief & ~self._yes)
        if acts == 0 or self.is_certain(belief):
            return max(yes, no)
        key = (state, belief, acts)
        if key not in self._values:
            best = max(yes, no)
            for x in range(self._worlds[0].n):
                best = max(best, self._value_of_act(state, belief, acts, x))
                if best > yes + no - _EPSILON:
                    break
            self._values[key] = best
        return self._values[key]

    def _value_of_act(self, state: int, belief: int, acts: int, x: int) -> float:
        return sum(
            self._value(after, belief & agreeing, acts - 1)
            for after, agreeing in self._act(state, x)
            if belief & agreeing
        )

    def _act(self, state: int, x: int) -> list[tuple[int, int]]:
        """Return the states that acting on `x` may lead to, each with the worlds that agree."""
        if (state, x) not in self._outcomes:
            agreeing: dict[int, int] = {}
            for number, world in enumerate(self._worlds):
                if world.is_closed(state):
                    after = act_on(world, state, x)
                    agreeing[after] = agreeing.get(after, 0) | 1 << number
            self._outcomes[state, x] = list(agreeing.items())
        return self._outcomes[state, x]

    def _add_chances(self, belief: int) -> float:
        return sum(self._chances[number] for number in bits(belief))


def act_on(world: Reach, state: int, x: int) -> int:
    """Return the state after the one act on `x` that can change anything."""
    return world.hold(state, x) if state >> x & 1 else world.move(state, x)
