"""What an agent may see of a crystal before it acts, what only the scorer knows, and questions."""

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Public, Secret
from .skeleton import FIXED, Skeleton

FAMILY_NAME = "causalab"

LEVELS: Mapping[str, int] = {"down": -1, "rest": 0, "up": 1}
"""The levels at which a property can be held."""
READINGS: Mapping[int, str] = {-1: "down", 0: "same", 1: "up"}
"""What the frequency is seen to do."""
NUMBERS: Mapping[str, int] = {word: number for number, word in READINGS.items()}
UNKNOWN = "unknown"
NONE_TELLS = "none"
LETTERS = ("a", "b", "c")
"""What the experiments of a `tells` question are called."""

Level = Literal["down", "rest", "up"]
Holds = dict[str, Level]
"""Properties that are held, each with its level."""

QuestionKind = Literal["happens", "had", "tells"]
"""`happens`: what if these are held; `had`: what if others had been held in the same run; `tells`:
which experiment would come out differently if two properties had changed parts."""


class Experiment(Frozen):
    """One experiment and what the frequency did."""

    hold: Holds
    reading: Literal["down", "same", "up"]


class Question(Frozen):
    """One question about the crystal in the reactor."""

    kind: QuestionKind
    hold: Holds = Field(default_factory=dict)
    """What is held; empty in a `tells` question."""
    before: Experiment | None = None
    """The run that a `had` question starts from."""
    pair: tuple[str, str] | None = None
    """The two properties of a `tells` question."""
    options: tuple[Holds, ...] = ()
    """The experiments of a `tells` question, from the smallest."""

    @property
    def names(self) -> frozenset[str]:
        """All properties that it names."""
        held = [self.hold, *self.options, *([self.before.hold] if self.before else [])]
        return frozenset(self.pair or ()).union(*held)


class LadderPublic(Public):
    """What an agent may see before it acts."""

    skeleton: Skeleton
    names: tuple[str, ...]
    """All properties, in listing order."""
    fixed: tuple[str, ...]
    """The properties that cannot be held in the manipulator; exactly one of two is idle."""
    holds: int = Field(ge=1)
    """The largest number of properties held in one experiment."""
    budget: int = Field(ge=0)
    """The number of experiments that may be made."""
    made: tuple[Experiment, ...]
    """The experiments that were made already."""
    asked: tuple[QuestionKind, ...]
    """The kinds of the questions, in order."""
    questions: tuple[Question, ...] = ()
    """The questions, where they are asked at once; otherwise they come after the experiments."""

    @cached_property
    def order(self) -> tuple[str, ...]:
        """All properties, those that can be held first."""
        return (*(name for name in self.names if name not in self.fixed), *self.fixed)

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of each property in `order`."""
        return {name: number for number, name in enumerate(self.order)}

    @property
    def holdable(self) -> tuple[str, ...]:
        """The properties that can be held in the manipulator."""
        return self.order[: len(self.names) - FIXED * self.skeleton.fixed]

    @property
    def offers_unknown(self) -> bool:
        """Whether an answer may be `unknown`."""
        return self.skeleton.fixed or "had" in self.asked

    def list_answers(self, kind: QuestionKind) -> tuple[str, ...]:
        """Return the possible answers to a question, all equally likely."""
        if kind == "tells":
            return (*LETTERS, NONE_TELLS)
        known = ("up", "down", "same")
        return (*known, UNKNOWN) if self.offers_unknown else known


class LadderSecret(Secret):
    """What only the world and the scorer may know."""

    crystal: tuple[str, ...]
    """The property that plays each part."""
    questions: tuple[Question, ...]
    answers: tuple[str, ...]


LadderInstance = Instance[LadderPublic, LadderSecret]
