"""What is proven about one lamp."""

from causarium.contract.certificate import Findings, Proof
from causarium.contract.companions import Proofs
from tests.support.lamps.instance import LampsInstance, LampsPublic, LampsSecret


def certify(instance: LampsInstance) -> Findings:
    """Each flip rules out one switch, so one fewer than there are always suffices."""
    switches = instance.public.switches
    return Findings(
        optimum=float(len(switches) - 1),
        proofs=(
            Proof(
                claim="the lamp is wired to exactly one of the switches on the list",
                method="count",
                holds=switches.count(instance.secret.wired) == 1,
            ),
        ),
    )


PROOFS: Proofs[LampsPublic, LampsSecret] = Proofs(certify=certify)
