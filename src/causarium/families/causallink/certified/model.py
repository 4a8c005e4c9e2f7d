"""What an agent may see of a table, what only the scorer knows, and what can be done."""

from typing import ClassVar, Literal, TypeAlias

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Public, Secret
from causarium.contract.world import Action

FAMILY_NAME = "causallink"


class Plan(Frozen):
    """How many objects play which part; the agent is told."""

    group: int
    """How many objects the first group has."""
    rivals: tuple[int, ...]
    """How many objects each other group has."""
    stoppers: int
    starters: int


class Watched(Frozen):
    """A trial that was made before."""

    started: tuple[str, ...]
    held: tuple[str, ...]
    moved: bool
    """Whether the target moved."""


class LinkPublic(Public):
    """What is shown of a table."""

    objects: tuple[str, ...]
    """The objects in listing order, without the target."""
    asked: str
    """The object of which the question asks whether it makes the target move."""
    target: str
    plan: Plan
    watched: tuple[Watched, ...]
    lively: tuple[str, ...]
    """The objects that move when they are left alone, in listing order."""
    hands: int
    """How many objects can be started or held in one trial."""
    trials: int
    """How many trials an agent has; 0: what was tried before decides the answer."""


class Parts(Frozen):
    """Which object plays which part."""

    partners: tuple[str, ...]
    """The first group without the object asked about or the one in its place."""
    stand_in: str
    """The object in the first group if the one asked about is not; else it has no part."""
    rivals: tuple[tuple[str, ...], ...]
    stoppers: tuple[str, ...]
    starters: tuple[str, ...]
    started: tuple[str, ...]
    """The object of another group that each starter starts."""


class LinkSecret(Secret):
    """What is hidden of a table."""

    truth: bool
    """Whether the object asked about is in the first group."""
    parts: Parts

    @property
    def answer(self) -> Literal["yes", "no"]:
        """The right answer, in a word."""
        return "yes" if self.truth else "no"


LinkInstance: TypeAlias = Instance[LinkPublic, LinkSecret]


class Trial(Action):
    """Start some objects and hold some, leave the others alone, and see if the target moves."""

    kind: ClassVar[str] = "trial"

    start: tuple[str, ...] = Field(default=(), description="The objects to start, as listed.")
    hold: tuple[str, ...] = Field(default=(), description="The objects to hold, as listed.")


class Answer(Action):
    """Give the final answer to the question; this ends the case."""

    kind: ClassVar[str] = "answer"
    is_final: ClassVar[bool] = True

    answer: str = Field(description="'yes' or 'no'.")


ACTIONS: tuple[type[Action], ...] = (Trial, Answer)
