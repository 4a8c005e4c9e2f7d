"""What an agent of ReplaySCM may see, what only the scorer knows, and what can be done."""

from typing import Any, ClassVar, TypeAlias

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Public, Secret
from causarium.contract.world import Action

FAMILY_NAME = "replayscm"
LETTERS = "ABCD"
"""The names of the questions that an item on planning offers."""
TRAIT = "H"
"""The name of the hidden trait in formulas."""
OUTSIDE = "outside"
"""The answer that a variable has no rule."""


class ShownWorld(Frozen):
    """One world with its rows."""

    id: str
    hand: tuple[str, ...] | None
    """The variables that were set by hand; None: one with a rule was, and it is not told which."""
    rows: tuple[str, ...]
    """Each row as a string of 0 and 1, in listing order; row i is of unit i + 1."""


class WhatIf(Frozen):
    """A question on what would have been."""

    id: str
    row: str
    """A unit that is in no world, seen with nothing set by hand."""
    set: dict[str, int]
    """The setting that is supposed."""
    variable: str
    """The variable whose value is asked for."""


class Question(Frozen):
    """A world of one's own, and the variable that is read in it."""

    set: dict[str, int]
    read: str


class PlanItem(Frozen):
    """An item on which of some questions would settle a rule."""

    id: str
    variable: str
    options: tuple[Question, ...]
    """The questions to choose from, lettered from A on."""


class Asking(Frozen):
    """The bench for worlds of one's own."""

    budget: int
    gauges: tuple[str, ...]
    """The variables of which one can be read in such a world."""
    outside: dict[str, int]
    """The test unit's values of the variables without a rule, where they are not set."""


class ReplayPublic(Public):
    """One system as it is first seen."""

    rung: int
    names: tuple[str, ...]
    outside: tuple[str, ...] | None
    """The variables without a rule; None: there is one, and it is not told which."""
    causes: int
    trait_rules: int
    worlds: tuple[ShownWorld, ...]
    asking: Asking | None
    rules_asked: tuple[str, ...]
    hands_asked: tuple[str, ...]
    """The worlds of which the hand is asked for."""
    whatifs: tuple[WhatIf, ...]
    plans: tuple[PlanItem, ...]

    @property
    def items(self) -> tuple[str, ...]:
        """The names of all items, in the order in which they are asked."""
        others = (*(one.id for one in self.whatifs), *(one.id for one in self.plans))
        return (*self.rules_asked, *self.hands_asked, *others)

    @property
    def with_rules(self) -> tuple[str, ...]:
        """The variables that have a rule, or may have one."""
        return tuple(name for name in self.names if name not in (self.outside or ()))


class TrueRule(Frozen):
    """The true rule of a variable."""

    causes: tuple[str, ...]
    table: int
    """Bit p is the value at pattern p; bit j of p is the value of the j-th cause."""


class ReplaySecret(Secret):
    """The true system, and the answers that follow from it."""

    rules: dict[str, TrueRule]
    """The rule of each variable that has one."""
    traits: str
    """The trait of each unit, as digits, and of the test unit at the end; empty without traits."""
    hands: dict[str, str]
    """The variable that was set by hand in each world with an unnamed hand."""
    answers: dict[str, str]
    """The right answer to each item."""


ReplayInstance: TypeAlias = Instance[ReplayPublic, ReplaySecret]


class Ask(Action):
    """Ask for a world: one or two variables are set in the test unit, and one other is read."""

    kind: ClassVar[str] = "ask"
    comment_fields: ClassVar[frozenset[str]] = frozenset({"slips"})

    set: dict[str, Any] = Field(description="One or two variables, each with the value 0 or 1.")
    read: str = Field(default="", description="The variable that is read.")
    slips: int = Field(default=0, description="Further answers in the same reply, not read.")


class Answer(Action):
    """Hand in the answers to all items; this ends the game."""

    kind: ClassVar[str] = "answer"
    is_final: ClassVar[bool] = True
    comment_fields: ClassVar[frozenset[str]] = frozenset({"slips"})

    answers: dict[str, str] = Field(description="For each item its answer.")
    slips: int = Field(default=0, description="Further answers in the same reply, not read.")


ACTIONS: tuple[type[Action], ...] = (Ask, Answer)
