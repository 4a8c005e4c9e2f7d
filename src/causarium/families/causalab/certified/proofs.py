"""What is proven about one instance, and how the proofs are tried."""

from collections.abc import Iterator
from enum import StrEnum

from causarium.contract.certificate import Findings, Proof
from causarium.contract.companions import Proofs
from .evidence.settle import settle
from .mechanics.experiment import read_experiment
from .model.instance import Experiment, LadderInstance, LadderPublic, LadderSecret


class Claim(StrEnum):
    """What is claimed of an instance."""

    PLAYED = "every part is played by a property of its own, one that cannot be held among them"
    MADE = "every experiment made before, and every run told in a question, reads as it is told"
    RIGHT = (
        "each answer is what all crystals say that no experiment tells apart, or unknown where "
        "they differ"
    )
    ASKED = "no property that can be held is named in two questions"


def certify(instance: LadderInstance) -> Findings:
    """Return the proofs of an instance: crystals alike by a list of all that fit."""
    public, secret = instance.public, instance.secret
    crystal = [public.index[name] for name in secret.crystal]
    holdable = {*public.holdable}
    named = [one.names & holdable for one in secret.questions]
    holds = {
        Claim.PLAYED: is_arrangement(public, secret),
        Claim.MADE: all(
            any(read_experiment(public, crystal, one.hold, push) == one for push in pushes)
            for one, pushes in _list_told(instance)
        ),
        Claim.RIGHT: [settle(public, crystal, one) for one in secret.questions]
        == [*secret.answers],
        Claim.ASKED: sum(map(len, named)) == len(frozenset[str]().union(*named)),
    }
    return Findings(
        optimum=float(public.budget),
        proofs=tuple(
            Proof(claim=one, method="list of all crystals that fit", holds=held)
            for one, held in holds.items()
        ),
        extra={"arrangements": public.skeleton.arrangements},
    )


def _list_told(instance: LadderInstance) -> Iterator[tuple[Experiment, tuple[int, ...]]]:
    """Yield what is told of experiments and runs, with the pushes that there may have been."""
    for one in instance.public.made:
        yield one, (0,)
    for question in instance.secret.questions:
        if question.before is not None:
            yield question.before, (-1, 0, 1)


def is_arrangement(public: LadderPublic, secret: LadderSecret) -> bool:
    """Tell whether a crystal is one of those that the prompt allows."""
    skeleton, crystal = public.skeleton, secret.crystal
    unheld = sum(name in public.fixed for name in crystal)
    return (
        len(crystal) == len({*crystal}) == len(skeleton.parts)
        and {*crystal} <= {*public.names}
        and len(public.names) == skeleton.size
        and unheld == skeleton.fixed
    )


PROOFS: Proofs[LadderPublic, LadderSecret] = Proofs(
    certify=certify, revealed_fields=frozenset({"questions"})
)
