"""What is proven about one lamp."""

from fractions import Fraction

from causarium.contract.certificate import Findings, Proof
from causarium.contract.companions import Proofs
from tests.support.lamps.model import LampsInstance, LampsPublic, LampsSecret

ONE_SWITCH = "the lamp is wired to exactly one of the switches on the list"


def certify(instance: LampsInstance) -> Findings:
    """Each flip rules out one switch, so one fewer than there are always suffices."""
    switches = instance.public.switches
    holds = switches.count(instance.secret.wired) == 1
    return Findings(
        optimum=float(len(switches) - 1),
        proofs=(Proof(claim=ONE_SWITCH, method="count", holds=holds),),
        bounds={"never_flips": 1 / len(switches)},
        reachable=1.0,
    )


def recheck(instance: LampsInstance) -> Findings:
    """Light the lamp by every switch in turn."""
    lit = [name for name in instance.public.switches if name == instance.secret.wired]
    worst = max(range(len(instance.public.switches)))
    return Findings(
        optimum=float(worst),
        proofs=(Proof(claim=ONE_SWITCH, method="try each", holds=len(lit) == 1),),
        bounds={"never_flips": float(Fraction(1, worst + 1))},
        reachable=1.0,
    )


def wire_elsewhere(instance: LampsInstance) -> LampsInstance:
    """Wire the lamp to a switch that is not on the list."""
    secret = instance.secret.model_copy(update={"wired": "wood"})
    return instance.model_copy(update={"secret": secret})


PROOFS: Proofs[LampsPublic, LampsSecret] = Proofs(
    certify=certify, recheck=recheck, faults={"wired elsewhere": wire_elsewhere}
)
