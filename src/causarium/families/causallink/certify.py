"""What is proven about one case."""

from causarium.contract.certificate import Findings, Proof
from causarium.families.causallink.instance import LinkInstance


def certify(instance: LinkInstance) -> Findings:
    """Prove that a case is solvable within its cap."""
    public = instance.public
    reach = instance.secret.reach(public.shapes)
    truth = reach.causes(public.shapes.index(public.cause), public.shapes.index(public.effect))
    return Findings(
        optimum=None,
        proofs=(
            Proof(
                claim="the stored answer is the reachability of the stored edges",
                method="transitive closure",
                holds=truth == instance.secret.truth,
            ),
        ),
    )
