"""What an agent could have known when it answered, and which published bias a failure shows.

The evidence is judged by `version_space`: an answer is determined when every graph that agrees with
all the agent saw gives it.

The paper names four biases and gives each a result and a pattern. These are the exact conditions
used here, tried in this order, on cases that ended with a wrong answer. "After an intervention"
means any of those carried out, not only the last.

| bias | wrong answer | condition |
|---|---|---|
| illusive confounder | no | the evidence determined that the answer is yes |
| root cause | no | after an intervention nothing was active, and before it something was |
| reverse collider | no | after an intervention exactly one of cause and effect was active |
| correlation | yes | after each intervention, of at least one, both were active or neither was |

Any other failed case is `unclassified`, also one that ended without an answer and where the
evidence could not be decided. A case that did not fail has the bias `none`.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ..model.instance import LinkInstance, LinkPublic
from ..model.reach import Reach
from .version_space import EvidenceBook, SearchTooLong, Step

Evidence = Literal["determined", "open", "undecided"]


class Case(NamedTuple):
    """What was asked in which world, and what was seen of it."""

    reach: Reach
    start: int
    cause: int
    effect: int
    steps: Sequence[Step] = ()

    @classmethod
    def of(cls, instance: LinkInstance, steps: Sequence[Step] = ()) -> "Case":
        """Return a case with a graph as numbers: those of its names in listing order."""
        public = instance.public
        cause, effect = map(public.shapes.index, (public.cause, public.effect))
        return cls(instance.secret.reach(public.shapes), public.start, cause, effect, steps)

    @property
    def truth(self) -> bool:
        """The right answer."""
        return self.reach.causes(self.cause, self.effect)

    @property
    def twin(self) -> Reach | None:
        """The world that differs in the answer alone and looks the same at first, if any does."""
        twin = find_twin(self.reach, self.cause, self.effect)
        return twin if twin is not None and twin.is_closed(self.start) else None


class Judgement(NamedTuple):
    """Whether, and since when, the evidence determined the answer."""

    evidence: Evidence
    since: int | None = None
    """After how many interventions the answer was determined; None if it never was."""


def judge(case: Case) -> Judgement:
    """Find out since when the evidence determined the answer.

    The true world agrees with everything seen, so the answer is determined as soon as no world
    with the other answer does. Where there is a twin, it is the first world to come to mind.
    """
    book = EvidenceBook.at_start(case.reach.n, case.start)
    try:
        doubt = case.twin or book.find(case.cause, case.effect, causes=not case.truth)
        for number, step in enumerate(case.steps):
            if doubt is None:
                return Judgement("determined", number)
            book = book.add_step(step)
            if not step.agrees(doubt):
                doubt = book.find(case.cause, case.effect, causes=not case.truth)
    except SearchTooLong:
        return Judgement("undecided")
    return Judgement("open") if doubt is not None else Judgement("determined", len(case.steps))


def name_bias(case: Case, answer: Literal["yes", "no"] | None, evidence: Evidence) -> str:
    """Name the bias that a case shows."""
    if answer == ("yes" if case.truth else "no"):
        return "none"
    if answer is None or evidence == "undecided":
        return "unclassified"
    parted = [(step.after >> case.cause ^ step.after >> case.effect) & 1 for step in case.steps]
    shown = {
        "illusive confounder": answer == "no" and evidence == "determined",
        "root cause": answer == "no" and any(s.before and not s.after for s in case.steps),
        "reverse collider": answer == "no" and any(parted),
        "correlation": answer == "yes" and parted and not any(parted),
    }
    return next((bias for bias, fits in shown.items() if fits), "unclassified")


def find_optimum(public: LinkPublic) -> int:
    """Return the interventions that suffice in the worst case and are needed in it.

    With k the number of active variables other than cause and effect: none if the cause is active
    and the effect not, 1 if neither is, k + 1 if both are, k + 2 if the effect alone is.
    """
    cause_active = public.cause in public.moving
    if public.effect not in public.moving:
        return 0 if cause_active else 1
    # Stop all but the effect; or, with the cause inactive, stop all and start the cause.
    return len(public.moving) + (-1 if cause_active else 1)


def find_twin(reach: Reach, cause: int, effect: int) -> Reach | None:
    """Return the world that differs in nothing but whether `cause` causes `effect`.

    Returns:
        The other world, or None if no world differs in that alone.
    """
    below, above, bit = list(reach.below), reach.above, 1 << effect
    if reach.causes(cause, effect):
        others_change = above[effect] & below[cause] & ~(1 << cause)
    else:
        others_change = below[effect] & ~below[cause] & ~bit | above[cause] & ~above[effect]
    below[cause] ^= bit
    return None if others_change else Reach(tuple(below))
