"""What the practice and core cases need: how many interventions in the worst case, and twins.

The experimenter knows the rules and nothing of the graph. With k the number of active variables
other than cause A and effect B, the least number W of interventions that always suffices is

    A active, B not    0      states are closed, so A cannot cause B
    neither active     1      start A; B becomes active exactly if A causes it
    both active        k + 1  stop the k others, once each, then A
    only B active      k + 2  stop the k others and B, then start A

*It suffices.* Stopping never makes a variable active, nor gives one an active cause. So after one
try on each of the others, only A and B can be active without an active cause, and the last
interventions decide as said. If A was active at first and is now inactive while B is not, then
B had no active cause from the beginning, and even the last try is not needed.

*It is needed.* Let the world answer as dully as it can: a variable that is inactive at first
starts and stops alone, and stopping one of those active at first changes nothing.

- Both active: fewer than k + 1 tries leave two of the k + 2 untried. One of these that is not A
  may cause all others active at first, and these nothing: the answer is no. One that is not B may
  do the same, with A also causing B: the answer is yes. Nothing seen tells the two apart.
- Only B active: without starting A nothing tells whether A causes B. Starting A leaves at most
  k tries. If one of the k others is untried, let it cause all others active at first: whether
  A causes B too does not show, since B stays active. If not, neither A nor B was tried: let B
  cause all others active at first, and again it does not show whether A causes B.

*Twins* are two worlds that differ in one relation. Let the cause A and the effect B of a world be
unrelated, let everything that causes A cause B, and
let A cause everything that B causes. Then letting A cause B as well adds that one relation and no
other. Both worlds can be in the same states but for those in which A is active and B is not.

The *depth* of twins is the least number of interventions after which they can look different.
Whoever makes fewer sees the same in both, and so is right about one of them and wrong about the
other, whatever it knows and however it decides.
"""

from ..model.instance import LinkPublic
from ..shared.reach import Reach


def find_optimum(public: LinkPublic) -> int:
    """Return W, the interventions that suffice in the worst case and are needed in it."""
    cause_active = public.cause in public.moving
    if public.effect not in public.moving:
        return 0 if cause_active else 1
    # Stop all but the effect; or, with the cause inactive, stop all and start the cause.
    return len(public.moving) + (-1 if cause_active else 1)


def find_twin(reach: Reach, cause: int, effect: int) -> Reach | None:
    """Return the world that differs in nothing but whether `cause` causes `effect`.

    Returns:
        The other world, or None if no world differs in that alone.
    """
    below, above, bit = list(reach.below), reach.above, 1 << effect
    if reach.causes(cause, effect):
        others_change = above[effect] & below[cause] & ~(1 << cause)
    else:
        others_change = below[effect] & ~below[cause] & ~bit | above[cause] & ~above[effect]
    below[cause] ^= bit
    return None if others_change else Reach(tuple(below))


def find_depth(one: Reach, other: Reach, start: int) -> int | None:
    """Return after how many interventions two worlds can first look different.

    The search goes breadth first over the states that both can be in. Stopping what is inactive
    and starting what is active changes nothing in either, so these are left out.

    Args:
        one: A world.
        other: The world to tell it from.
        start: The state in which both are first seen; it must be possible in both.

    Returns:
        The number, or None if they never look different.
    """
    seen, frontier, depth = {start}, [start], 0
    while frontier:
        depth += 1
        reached = []
        for state in frontier:
            for x in range(one.n):
                after, twin_after = one.toggle(state, x), other.toggle(state, x)
                if after != twin_after:
                    return depth
                if after not in seen:
                    seen.add(after)
                    reached.append(after)
        frontier = reached
    return None
