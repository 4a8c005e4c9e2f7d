"""How many interventions a case needs in the worst case, for worlds of any size.

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

Tests play these worlds against each other, and find the same numbers by exact search for up to five
variables.
"""

from causarium.families.causallink.instance import LinkPublic


def least_interventions(*, cause_active: bool, effect_active: bool, others_active: int) -> int:
    """Return W, the interventions that suffice in the worst case and are needed in it."""
    if not effect_active:
        return 0 if cause_active else 1
    return others_active + (1 if cause_active else 2)


def find_optimum(public: LinkPublic) -> int:
    """Return W for one case."""
    cause_active, effect_active = public.cause in public.moving, public.effect in public.moving
    return least_interventions(
        cause_active=cause_active,
        effect_active=effect_active,
        others_active=len(public.moving) - cause_active - effect_active,
    )
