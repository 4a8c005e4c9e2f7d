"""What is proven of a session: one law for both stories, opposite decisions, and who can know."""

from collections.abc import Callable

from causarium.contract.certificate import Findings, Proof
from causarium.contract.companions import Proofs
from causarium.contract.frozen import canonical_json, digest
from ..mechanics.legs import read_told
from ..model import Counts, GameInstance, GamePublic, GameSecret, HiddenLeg, Leg
from .exact_proof import prove_leg_exactly
from .leg_proof import LegFacts, prove_leg

Prover = Callable[[Leg, HiddenLeg], LegFacts]

CLAIMS = {
    "book": "the book counts the law of the true model",
    "law": "the book is the same by the story told and by its twin, or by both faces",
    "opposite": "the two call for opposite decisions, by a clear margin",
    "known": "the book tells the effect by the story told, or a trial is needed, as the kind says",
    "functional": "the effect read off the law by the ID algorithm is that of the true model",
    "trial": "a trial that the rules allow settles the leg where the book does not",
}


def certify(instance: GameInstance) -> Findings:
    """Prove the claims of a session in floating point."""
    return _gather(instance, "enumeration and the ID algorithm", prove_leg)


def recheck(instance: GameInstance) -> Findings:
    """Return the same, by enumeration in fractions, which shares no code with drawing."""
    return _gather(instance, "enumeration in fractions", prove_leg_exactly)


def _gather(instance: GameInstance, method: str, prove: Prover) -> Findings:
    legs = list(zip(instance.public.legs, instance.secret.legs, strict=True))
    facts = [prove(leg, hidden) for leg, hidden in legs]
    proofs = tuple(
        Proof(
            claim=f"on every leg, {claim}",
            method=method,
            holds=all(getattr(fact, name) for fact in facts),
        )
        for name, claim in CLAIMS.items()
    )
    needed = sum(fact.needs_trial for fact in facts)
    enough = Proof(
        claim="the trials suffice for the legs that need one",
        method="counting",
        holds=needed <= instance.public.trials,
    )
    return Findings(optimum=float(needed), proofs=(*proofs, enough), reachable=1.0)


def find_key(instance: GameInstance) -> str:
    """Return a digest shared by sessions that differ in names, labels and orders alone."""
    books = sorted(sorted(map(list, leg.book)) for leg in instance.public.legs)
    return digest(canonical_json([list(book) for book in books]))


def _spoil_book(instance: GameInstance) -> GameInstance:
    """Move flights of the first leg from lost to returned."""
    (lost, back), *rest = instance.public.legs[0].book
    book: Counts = ((lost - 40, back + 40), *rest)
    return _replace_leg(instance, instance.public.legs[0].model_copy(update={"book": book}))


def _spoil_chances(instance: GameInstance) -> GameInstance:
    """Make the first leg's drones return by other chances than the book has."""
    hidden = instance.secret.legs[0]
    table = tuple(max(1, chance - 1) if chance > 16 else chance + 1 for chance in hidden.tables[-1])
    spoiled = hidden.model_copy(update={"tables": (*hidden.tables[:-1], table)})
    return _replace_hidden(instance, spoiled)


def _spoil_twin(instance: GameInstance) -> GameInstance | None:
    """Give the first leg the told story for both."""
    leg, hidden = instance.public.legs[0], instance.secret.legs[0]
    if hidden.twin is None:
        return None
    told = read_told(leg, hidden.right).write()
    return _replace_hidden(instance, hidden.model_copy(update={"base": told, "twin": told}))


def _spoil_trials(instance: GameInstance) -> GameInstance | None:
    """Take the trials away."""
    if not instance.public.trials:
        return None
    return instance.model_copy(update={"public": instance.public.model_copy(update={"trials": 0})})


def _replace_leg(instance: GameInstance, leg: Leg) -> GameInstance:
    legs = (leg, *instance.public.legs[1:])
    return instance.model_copy(update={"public": instance.public.model_copy(update={"legs": legs})})


def _replace_hidden(instance: GameInstance, hidden: HiddenLeg) -> GameInstance:
    legs = (hidden, *instance.secret.legs[1:])
    return instance.model_copy(update={"secret": instance.secret.model_copy(update={"legs": legs})})


PROOFS: Proofs[GamePublic, GameSecret] = Proofs(
    certify=certify,
    recheck=recheck,
    faults={
        "book": _spoil_book,
        "chances": _spoil_chances,
        "twin": _spoil_twin,
        "trials": _spoil_trials,
    },
    canonical_key=find_key,
)
