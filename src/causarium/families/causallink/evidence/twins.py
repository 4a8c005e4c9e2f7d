"""Twins: two worlds that differ in one relation, and how soon anyone can tell them apart.

Let the cause A and the effect B of a world be unrelated, let everything that causes A cause B, and
let A cause everything that B causes. Then letting A cause B as well adds that one relation and no
other. Both worlds can be in the same states but for those in which A is active and B is not.

The *depth* of twins is the least number of interventions after which they can look different.
Whoever makes fewer sees the same in both, and so is right about one of them and wrong about the
other, whatever it knows and however it decides.
"""

from causarium.families.causallink.mechanics.dynamics import Reach


def find_twin(reach: Reach, cause: int, effect: int) -> Reach | None:
    """Return the world that differs in nothing but whether `cause` causes `effect`.

    Returns:
        The other world, or None if no world differs in that alone.
    """
    below, bit = list(reach.below), 1 << effect
    if reach.causes(cause, effect):
        if reach.above[effect] & below[cause] & ~(1 << cause):
            return None
        below[cause] &= ~bit
        return Reach(tuple(below))
    if below[effect] & ~below[cause] & ~bit or reach.above[cause] & ~reach.above[effect]:
        return None
    below[cause] |= bit
    return Reach(tuple(below))


def find_depth(one: Reach, other: Reach, start: int) -> int | None:
    """Return after how many interventions two worlds can first look different.

    The search goes breadth first over the states that both can be in. Stopping what is inactive or
    kept going, and starting what is active, changes nothing in either, so these are left out.

    Args:
        one: A world.
        other: The world to tell it from.
        start: The state in which both are first seen; it must be possible in both.

    Returns:
        The number, or None if they never look different.
    """
    kept_by = list(enumerate(zip(one.above, other.above, strict=True)))
    seen, frontier, depth = {start}, [start], 0
    while frontier:
        depth += 1
        reached = []
        for state in frontier:
            for x, (kept_in_one, kept_in_other) in kept_by:
                if state >> x & 1:
                    if state & kept_in_one and state & kept_in_other:
                        continue
                    after, twin_after = one.hold(state, x), other.hold(state, x)
                else:
                    after, twin_after = one.move(state, x), other.move(state, x)
                if after != twin_after:
                    return depth
                if after not in seen:
                    seen.add(after)
                    reached.append(after)
        frontier = reached
    return None
