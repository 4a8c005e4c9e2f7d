"""What is proven about an instance of the paper edition: that it is what it says."""

from causarium.contract.certificate import Findings, Proof
from causarium.families.causalab.evidence.experiment_plans import least_interventions
from causarium.families.causalab.instance import LabInstance


def certify_paper(instance: LabInstance) -> Findings:
    """Prove that the crystals that are shown, and the target, follow from the mechanism."""
    public, secret = instance.public, instance.secret
    mechanism, base = secret.mechanism(public), secret.base_frequency
    start = public.manipulator
    crystals = [
        (secret.manipulator_bases, (*start.values, start.frequency)),
        (secret.reactor_bases, (*public.reactor, secret.target)),
        *(
            (bases, (*reading.values, reading.frequency))
            for bases, reading in zip(secret.record_bases, public.records, strict=True)
        ),
    ]
    return Findings(
        optimum=None,
        proofs=(
            Proof(
                claim="every crystal that is shown, and the target, follow from the one mechanism",
                method="replay",
                holds=all(
                    tuple(mechanism.evaluate((*bases, base))) == values
                    for bases, values in crystals
                ),
            ),
        ),
        extra={"fewest_at_least": least_interventions(instance) if public.budget else 0},
    )
