"""What is proven about one case: that it is solvable, at what cost, and that no less will do.

- The stored answer follows from the stored edges, and the start is a state that can be.
- The constructive plan finds the answer within W interventions, and W is within the cap.
- W is right: by exact search up to five variables, and beyond by playing the pairs of worlds that
  fewer interventions cannot tell apart.
- C, the shortest proof of the true answer, is searched for; where the search is given up, the
  plan's own length bounds it.
"""

from causarium.contract.certificate import Findings, Proof
from causarium.families.causallink.evidence.adversary import fewer_fail
from causarium.families.causallink.evidence.exact_search import (
    EXACT_SIZE,
    searched_optimum,
    shortest_proof,
)
from causarium.families.causallink.evidence.optimum import optimum
from causarium.families.causallink.instance import LinkInstance, LinkPublic
from causarium.families.causallink.mechanics.dynamics import Reach
from causarium.families.causallink.players import Inquiry, Start, optimal_inquiry
from causarium.seeds import stream


def certify(instance: LinkInstance) -> Findings:
    """Prove that a case is solvable within its cap, and find its optimum."""
    public, truth = instance.public, instance.secret.truth
    reach = instance.secret.reach(public.shapes)
    cause, effect = public.shapes.index(public.cause), public.shapes.index(public.effect)
    least = optimum(public)
    inquiry = optimal_inquiry(public, stream(0, "certify", instance.id))
    answer, length = carry_out(inquiry, public, reach)
    proofs = (
        Proof(
            claim="the stored answer is the reachability of the stored edges",
            method="transitive closure",
            holds=reach.causes(cause, effect) == truth,
        ),
        Proof(
            claim="every effect of what is active at the start is active",
            method="transitive closure",
            holds=reach.closed(public.start),
        ),
        Proof(
            claim=f"the plan finds the answer within {least} interventions, "
            f"and the cap is {public.cap}",
            method="constructive plan",
            holds=answer == truth and length <= least <= public.cap,
        ),
        _necessity(public, least),
    )
    proof_length = shortest_proof(reach, public.start, cause, effect)
    return Findings(
        optimum=least,
        proofs=proofs,
        extra={"shortest_proof": proof_length, "shortest_proof_at_most": length},
    )


def carry_out(inquiry: Inquiry, public: LinkPublic, reach: Reach) -> tuple[bool, int]:
    """Let an inquiry run in a world; returns its answer and its number of interventions."""
    state, length = public.start, 0
    try:
        wish = next(inquiry)
        while True:
            x = public.shapes.index(wish.name)
            state = reach.move(state, x) if isinstance(wish, Start) else reach.hold(state, x)
            length += 1
            active = (name for y, name in enumerate(public.shapes) if state >> y & 1)
            wish = inquiry.send(frozenset(active))
    except StopIteration as end:
        return bool(end.value), length


def _necessity(public: LinkPublic, least: int) -> Proof:
    n = len(public.shapes)
    cause_active, effect_active = public.cause in public.moving, public.effect in public.moving
    others_active = len(public.moving) - cause_active - effect_active
    claim = f"no fewer than {least} interventions suffice in the worst case"
    if n <= EXACT_SIZE:
        found = searched_optimum(
            n,
            cause_active=cause_active,
            effect_active=effect_active,
            others_active=others_active,
        )
        return Proof(claim=claim, method="exact search", holds=found == least)
    holds = fewer_fail(
        n, cause_active=cause_active, effect_active=effect_active, others_active=others_active
    )
    return Proof(claim=claim, method="worlds that cannot be told apart", holds=holds)
