"""What a family asks of a model that is not the one under test: a judge, an interpreter, a repair.

The family writes the questions and reads the replies; who is asked, and how often a dead line is
dialled again, is the engine's business. What came of it is recorded, so that scoring again asks
nobody.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from causarium.contract.frozen import AgentInput, Frozen
from causarium.contract.instance import Instance, PublicT, SecretT
from causarium.contract.rules import RulesT
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict

FoundT = TypeVar("FoundT")


class Ask(Frozen):
    """One question to a helping model.

    What never changes (rubric, long text) belongs in front, so that providers' caches hit.
    """

    role: str
    """Who is asked: `judge`, `interpreter`, `repair`. Users name the model behind each."""
    system: str
    user: str


Consultation: TypeAlias = Generator[Ask, str, FoundT]
"""Yields questions, is sent replies, returns what it read in them."""


class Judgement(AgentInput):
    """What one judge made of one episode."""

    model: str
    found: dict[str, Any]
    """What was read in the replies, checked; the family knows its shape."""
    replies: tuple[str, ...] = ()
    """The replies as they came, for whoever doubts the reading."""


@dataclass(frozen=True)
class Judge(Generic[PublicT, SecretT, RulesT]):
    """How a family has an episode judged: by every model in the role `judge`, if there is one."""

    ask: Callable[
        [Instance[PublicT, SecretT], RulesT, Sequence[Turn]], Consultation[dict[str, Any]]
    ]
    """Puts the questions to one judge; a reply that cannot be read is asked for again in here."""
    score: Callable[
        [Instance[PublicT, SecretT], RulesT, Sequence[Turn], Sequence[Judgement]], Verdict
    ]
    """The verdict, given what the judges found; takes the place of the family's `score`."""


def answer_questions(consultation: Consultation[FoundT], reply: Callable[[Ask], str]) -> FoundT:
    """Run a consultation with a function in the place of the model."""
    try:
        ask = next(consultation)
        while True:
            ask = consultation.send(reply(ask))
    except StopIteration as end:
        found: FoundT = end.value
        return found
