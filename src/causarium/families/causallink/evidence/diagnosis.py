"""What an agent could have known when it answered, and which published bias a failure shows.

The evidence is judged by `version_space.py`: an answer is determined when every graph that agrees
with all the agent saw gives it.

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

from ..model.instance import LinkInstance
from ..shared.reach import Reach
from ..shared.version_space import EvidenceBook, SearchTooLong, Step
from .practice import find_twin

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
