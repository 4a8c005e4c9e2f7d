"""What is proven about one instance, and how the proofs are tried."""

from collections.abc import Iterator

from causarium.contract.certificate import Findings
from causarium.contract.companions import Proofs
from ..evidence.settle import settle
from ..mechanics.experiment import read_experiment
from ..model.instance import (
    READINGS,
    Experiment,
    Holds,
    LadderInstance,
    LadderPublic,
    LadderSecret,
)
from .canonical_key import make_key
from .claims import Claim, find_claims
from .recheck import recheck


def certify(instance: LadderInstance) -> Findings:
    """Return the proofs of an instance: crystals alike by a list of all that fit."""
    public, secret = instance.public, instance.secret
    if not is_arrangement(public, secret):
        return find_claims(public, "list of all crystals that fit", dict.fromkeys(Claim, False))
    crystal = [public.index[name] for name in secret.crystal]
    holdable = {*public.holdable}
    named = [one.names & holdable for one in secret.questions]
    holds = {
        Claim.PLAYED: True,
        Claim.MADE: all(
            any(read_experiment(public, crystal, one.hold, push) == one for push in pushes)
            for one, pushes in _list_told(instance)
        ),
        Claim.RIGHT: [settle(public, crystal, one) for one in secret.questions]
        == [*secret.answers],
        Claim.ASKED: sum(map(len, named)) == len(frozenset[str]().union(*named)),
    }
    return find_claims(public, "list of all crystals that fit", holds)


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


def _play_twice(instance: LadderInstance) -> LadderInstance:
    """Return the instance with two parts played by one property."""
    first, *others = instance.secret.crystal
    secret = instance.secret.model_copy(update={"crystal": (first, first, *others[1:])})
    return instance.model_copy(update={"secret": secret})


def _change_answer(instance: LadderInstance) -> LadderInstance:
    """Return the instance with a wrong answer to its first question."""
    first, *others = instance.secret.answers
    offered = instance.public.list_answers(instance.public.asked[0])
    wrong = next(word for word in offered if word != first)
    secret = instance.secret.model_copy(update={"answers": (wrong, *others)})
    return instance.model_copy(update={"secret": secret})


def _change_reading(instance: LadderInstance) -> LadderInstance | None:
    """Return the instance with an experiment made before that read something else."""
    public = instance.public
    if not public.made:
        return None
    first, *others = public.made
    wrong = next(word for word in READINGS.values() if word != first.reading)
    made = (first.model_copy(update={"reading": wrong}), *others)
    return instance.model_copy(update={"public": public.model_copy(update={"made": made})})


def _name_twice(instance: LadderInstance) -> LadderInstance | None:
    """Return the instance with a property of the first question in the second one."""
    public, questions = instance.public, instance.secret.questions
    if len(questions) == 1:
        return None
    first, second, *others = questions
    name = min(first.names & {*public.holdable})
    options: list[Holds] = [{**one, name: "up"} for one in second.options]
    changed = second.model_copy(
        update={"options": tuple(options)} if options else {"hold": {**second.hold, name: "up"}}
    )
    secret = instance.secret.model_copy(update={"questions": (first, changed, *others)})
    return instance.model_copy(update={"secret": secret})


PROOFS: Proofs[LadderPublic, LadderSecret] = Proofs(
    certify=certify,
    recheck=recheck,
    faults={
        "one property plays two parts": _play_twice,
        "an answer is wrong": _change_answer,
        "an experiment read something else": _change_reading,
        "a property is named in two questions": _name_twice,
    },
    canonical_key=make_key,
    # The last experiment opens the questions.
    revealed_fields=frozenset({"questions"}),
)
