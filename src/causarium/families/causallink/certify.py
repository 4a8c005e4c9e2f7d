"""What is proven about one case: that it is solvable, at what cost, and that no less will do.

- The stored answer follows from the stored edges, and the start is a state that can be.
- The constructive plan finds the answer within W interventions, and W is within the cap.
- W is right: by exact search up to five variables, and beyond by playing the pairs of worlds that
  fewer interventions cannot tell apart.
- A case of a pair has a twin, the stored edges with the one from cause to effect added or left
  out: it may show the same at first, differs in the answer and in no other relation, and cannot
  look different before D interventions.
- C, the shortest proof of the true answer, is searched for unless D says it; where the search is
  given up, the plan's own length bounds it.
"""

from causarium.contract.certificate import Findings, Proof
from causarium.families.causallink.evidence.adversary import fewer_fail
from causarium.families.causallink.evidence.exact_search import (
    EXACT_SIZE,
    find_shortest_proof,
    search_optimum,
)
from causarium.families.causallink.evidence.optimum import find_optimum
from causarium.families.causallink.evidence.twins import find_depth
from causarium.families.causallink.instance import ARROW, LinkInstance, LinkPublic, LinkSecret
from causarium.families.causallink.mechanics.dynamics import Reach
from causarium.families.causallink.strategies.inquiry import carry_out, inquire_optimally
from causarium.seeds import stream


def certify(instance: LinkInstance) -> Findings:
    """Prove that a case is solvable within its cap, and find its optimum."""
    public, truth = instance.public, instance.secret.truth
    reach = instance.secret.reach(public.shapes)
    cause, effect = public.shapes.index(public.cause), public.shapes.index(public.effect)
    least = find_optimum(public)
    inquiry = inquire_optimally(public, stream(0, "certify", instance.id))
    answer, length = carry_out(inquiry, public, reach)
    depth = instance.facets.get("depth")
    proofs = (
        Proof(
            claim="the stored answer is the reachability of the stored edges",
            method="transitive closure",
            holds=reach.causes(cause, effect) == truth,
        ),
        Proof(
            claim="every effect of what is active at the start is active",
            method="transitive closure",
            holds=reach.is_closed(public.start),
        ),
        Proof(
            claim=f"the plan finds the answer within {least} interventions, "
            f"and the cap is {public.cap}",
            method="constructive plan",
            holds=answer == truth and length <= least <= public.cap,
        ),
        _prove_necessity(public, least),
        *(_prove_twin(instance, int(depth)) if depth is not None else ()),
    )
    # A proof of the answer rules the twin out, which takes D interventions.
    proof_length = (
        length if length == depth else find_shortest_proof(reach, public.start, cause, effect)
    )
    return Findings(
        optimum=least,
        proofs=proofs,
        extra={
            "shortest_proof": proof_length,
            "shortest_proof_at_most": length,
            **({} if depth is None else {"depth": depth}),
        },
    )


def _prove_twin(instance: LinkInstance, depth: int) -> tuple[Proof, ...]:
    public = instance.public
    world, twin = instance.secret.reach(public.shapes), _close_twin_edges(instance)
    cause, effect = public.shapes.index(public.cause), public.shapes.index(public.effect)
    differences = [a ^ b for a, b in zip(world.below, twin.below, strict=True)]
    only_that = [1 << effect if x == cause else 0 for x in range(world.n)]
    both_closed = world.is_closed(public.start) and twin.is_closed(public.start)
    return (
        Proof(
            claim="the twin, with the edge from cause to effect added or left out, "
            "can look the same at first",
            method="transitive closure",
            holds=both_closed,
        ),
        Proof(
            claim="the twin has the other answer and differs in no other relation",
            method="transitive closure",
            holds=differences == only_that,
        ),
        Proof(
            claim=f"fewer than {depth} interventions leave it a coin toss which of the two it is",
            method="breadth-first search",
            holds=both_closed and find_depth(world, twin, public.start) == depth,
        ),
    )


def _close_twin_edges(instance: LinkInstance) -> Reach:
    edge = f"{instance.public.cause}{ARROW}{instance.public.effect}"
    edges = tuple(other for other in instance.secret.edges if other != edge)
    if not instance.secret.truth:
        edges = (*edges, edge)
    return LinkSecret(edges=edges, truth=not instance.secret.truth).reach(instance.public.shapes)


def _prove_necessity(public: LinkPublic, least: int) -> Proof:
    n = len(public.shapes)
    cause_active, effect_active = public.cause in public.moving, public.effect in public.moving
    others_active = len(public.moving) - cause_active - effect_active
    claim = f"no fewer than {least} interventions suffice in the worst case"
    if n <= EXACT_SIZE:
        searched = search_optimum(
            n,
            cause_active=cause_active,
            effect_active=effect_active,
            others_active=others_active,
        )
        return Proof(claim=claim, method="exact search", holds=searched == least)
    holds = fewer_fail(
        n, cause_active=cause_active, effect_active=effect_active, others_active=others_active
    )
    return Proof(claim=claim, method="worlds that cannot be told apart", holds=holds)
