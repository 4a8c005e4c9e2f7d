"""What is proven about one lamp."""

from causarium.contract.certificate import Findings, Proof
from tests.support.lamps.instance import LampsInstance


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
