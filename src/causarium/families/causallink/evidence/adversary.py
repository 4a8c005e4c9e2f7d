"""Check that fewer interventions than W cannot do, whatever the size of the world.

`optimum.py` argues with pairs of worlds that answer alike. Here those pairs are built and played
against each other, through every state that the interventions in question can lead to.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations

from causarium.families.causallink.mechanics.dynamics import Reach

CAUSE, EFFECT = 0, 1
Allowed = Callable[[int, bool], bool]
"""Whether an intervention on a variable may be made; the flag says that it starts it."""


@lru_cache(maxsize=256)
def fewer_fail(n: int, *, cause_active: bool, effect_active: bool, others_active: int) -> bool:
    """Say whether the pairs of worlds show that W is needed in this kind of case."""
    others = range(2, 2 + others_active)
    if not effect_active:
        # With the cause active nothing is needed. With both at rest the first look says nothing:
        # a world without any edge and one with this edge alone may both be the case.
        return cause_active or _agree_at_first(n, sum(1 << x for x in others))
    if cause_active:
        return all(
            _cannot_tell(n, [CAUSE, EFFECT, *others], untried)
            for untried in combinations([CAUSE, EFFECT, *others], 2)
        )
    return all(_stays_open(n, [EFFECT, *others], root) for root in [EFFECT, *others])


def _agree_at_first(n: int, start: int) -> bool:
    return all(_world(n, edges).is_closed(start) for edges in ([], [(CAUSE, EFFECT)]))


def _cannot_tell(n: int, active: list[int], untried: tuple[int, ...]) -> bool:
    """Check that the answer stays open if two of those active at first are never stopped."""
    for_no = next(x for x in untried if x != CAUSE)
    for_yes = next(x for x in untried if x != EFFECT)
    no = _world(n, _star(for_no, active))
    yes = _world(n, [*_star(for_yes, active), (CAUSE, EFFECT)])
    return _differ_in_answer(yes, no) and _look_alike(
        yes, no, active, lambda x, starts: starts or x not in untried
    )


def _stays_open(n: int, active: list[int], root: int) -> bool:
    """Check that the answer stays open unless the cause is started and the root is tried.

    Where the effect itself is the root, trying the started cause would do as well.
    """
    no = _world(n, _star(root, active))
    yes = _world(n, [*_star(root, active), (CAUSE, EFFECT)])
    untried = {CAUSE, EFFECT} if root == EFFECT else {root}
    return (
        _differ_in_answer(yes, no)
        and _look_alike(yes, no, active, lambda x, starts: starts or x not in untried)
        and _look_alike(yes, no, active, lambda x, starts: not starts or x != CAUSE)
    )


def _star(root: int, active: Iterable[int]) -> list[tuple[int, int]]:
    return [(root, x) for x in active if x != root]


def _world(n: int, edges: Iterable[tuple[int, int]]) -> Reach:
    return Reach.of_edges(n, edges)


def _differ_in_answer(yes: Reach, no: Reach) -> bool:
    return yes.causes(CAUSE, EFFECT) and not no.causes(CAUSE, EFFECT)


def _look_alike(one: Reach, other: Reach, active: Iterable[int], allowed: Allowed) -> bool:
    """Say whether the allowed interventions never show a difference between two worlds."""
    start = sum(1 << x for x in active)
    if not (one.is_closed(start) and other.is_closed(start)):
        return False
    seen, todo = {start}, [start]
    while todo:
        state = todo.pop()
        for x in range(one.n):
            starts = not state >> x & 1
            if not allowed(x, starts):
                continue
            after = one.move(state, x) if starts else one.hold(state, x)
            if after != (other.move(state, x) if starts else other.hold(state, x)):
                return False
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return True
