"""Certified edition: an expedition of four legs, each with a coin that decides the best design.

What an agent may see of a leg (`Leg`) is drawn before the coin is tossed, so it tells nothing of
the face; only a depot's book of past flights depends on it.
"""

from math import nan
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, SerializerFunctionWrapHandler, model_serializer
from pydantic.json_schema import SkipJsonSchema

from causarium.contract.frozen import AgentInput, Frozen
from causarium.contract.instance import Instance, Public, Secret
from causarium.contract.rules import Edition
from causarium.contract.world import Action

LegKind = Literal["dial", "line", "roster", "depot"]
"""Dial and line: seeing is not setting. Roster: lost drones leave no row. Depot: somebody who knew
more chose the records."""
Fitted = tuple[bool, ...]
"""For each part of a leg, in the order of the leg, whether it is fitted."""

MOST_LEGS = 4
MOST_DRONES_AN_ORDER = 20
MOST_ORDERS_A_CALL = 10
LOG_PRICE = 2
"""With the tower's log a drone costs so many."""


class Reading(Frozen):
    """Something that is read on every flight, or a column of a book, with its two values."""

    name: str
    target: str
    """The value under which the fleet flies; of a book's column, one of the two."""
    other: str
    by_lot: bool = False
    """Of a book's column: whether drones came to its values by lot."""


class Leg(Frozen):
    """What an agent may see of one leg."""

    kind: LegKind
    name: str
    parts: tuple[str, ...]
    """One part, or two rivals that undo each other."""
    readings: tuple[Reading, ...]
    drones: int = 0
    """How many test drones this leg has; 0 at a depot."""
    fleet_reading: str = ""
    """Line: the named gauge, from which places are counted to the fleet's gauge."""
    ahead: int = 0
    """Line: how many places after the named gauge the fleet's stands; below 0, before it."""
    may_stay: bool = False
    """Roster: whether drones that no log shows may have been lost before take-off."""
    book: tuple[tuple[int, ...], ...] = ()
    """Depot: for each column eight counts, by (column at its target, issued, returned), with the
    first as the highest bit."""

    @model_serializer(mode="wrap")
    def _leave_out(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write no places where there is no line, so that other legs keep their bytes."""
        written: dict[str, Any] = write(self)
        if self.kind != "line":
            del written["ahead"]
        return written

    @property
    def designs(self) -> tuple[Fitted, ...]:
        """Every design of this leg."""
        return ((False,), (True,)) if len(self.parts) == 1 else _OF_RIVALS

    def find_reading(self, name: str) -> int | None:
        """Return the place of a reading; None if there is none of this name."""
        names = [reading.name for reading in self.readings]
        return names.index(name) if name in names else None


_OF_RIVALS: tuple[Fitted, ...] = ((False, False), (True, False), (False, True), (True, True))


class HiddenLeg(Frozen):
    """What only the world and the scorer know of a leg."""

    face: bool
    """The coin. It is true on a dial and a line if the reading is a cause of the air and not only a
    sign of it, on a roster if the returns tell the truth, at a depot if the modules were issued by
    lot."""
    sign: Literal[-1, 1]
    """Which way the effect goes: plus or minus. It has nothing to do with the face called sign."""
    active: int = 0
    """Dial and roster: the reading that matters. Depot: the column that moved the issue."""
    early: bool = False
    """Roster with three faces: if the face is true as well, drones that are in no log were lost
    before take-off. If the face is false, this counts for nothing."""
    line: tuple[int, ...] = ()
    """Line: the readings in order, from the source on."""
    decoy: int | None = None
    """Depot: the column that officers chose and that goes with issue and returns."""
    strong: bool = False
    """Depot: whether the decoy goes with the issue more than the active column does."""


class ExpeditionPublic(Public):
    """What the agent may see before it acts."""

    edition: ClassVar[Edition] = "certified"
    tier: int
    legs: tuple[Leg, ...]
    orders: int
    """How many orders may be flown in all."""
    programs_fly: bool = False
    """Whether programs of the agent may fly."""


class ExpeditionSecret(Secret):
    """What only the world and the scorer may know."""

    legs: tuple[HiddenLeg, ...]
    session_seed: int = Field(ge=0)
    """All luck follows from it."""


Expedition = Instance[ExpeditionPublic, ExpeditionSecret]


_THOUGHT = "Why you do this, in a sentence."
_MENDED = "How much of the reply's form was forgiven; the reader alone says so."
_MOST_NAMES = 64

Names = Annotated[list[str], Field(max_length=_MOST_NAMES)]


class Order(AgentInput):
    """Test drones of one leg that fly alike."""

    leg: str = Field(description="The leg's name.")
    fitted: Names = Field(default_factory=list, description="The parts that every drone gets.")
    vary: Names = Field(
        default_factory=list, description="Parts that each drone gets or not, by a fair coin."
    )
    set: str | None = Field(
        default=None, description="A reading that is set, where the range can set it."
    )
    log: bool = Field(
        default=False,
        description="Show lost drones of a roster as well; each drone then costs two.",
    )
    hangar: bool = Field(
        default=False,
        description="Count how many drones of a roster's order stand in the hangar afterwards.",
    )
    count: int = Field(default=1, description="How many drones, at most 20.")


class Fly(Action):
    """Fly up to ten orders of test drones, and read counts of what became of them."""

    kind: ClassVar[str] = "fly"
    thought: str = Field(default="", description=_THOUGHT)
    orders: Annotated[list[Order], Field(max_length=_MOST_NAMES)] = Field(
        description='Such as [{"leg": "north", "fitted": ["fin"], "set": "humidity", "count": 8}].'
    )
    mended: SkipJsonSchema[int | None] = Field(default=None, description=_MENDED)


class Commit(Action):
    """Commit to the fleet's design on every leg, once; it cannot be taken back."""

    kind: ClassVar[str] = "commit"
    is_final: ClassVar[bool] = True
    comment_fields: ClassVar[frozenset[str]] = frozenset({"thought", "mended"})
    thought: str = Field(default="", description=_THOUGHT)
    fitted: Annotated[dict[str, Names], Field(max_length=_MOST_NAMES)] = Field(
        description='The fitted parts by leg, such as {"north": ["fin"], "east": []}.'
    )
    mended: SkipJsonSchema[int | None] = Field(default=None, description=_MENDED)


ANSWERS = ("up", "down", "none")
"""What fitting a part may do to the fleet's returns."""


def _read_answer(value: Any) -> Any:  # noqa: ANN401
    """Let through a word, or numbers by word; whatever else was sent answers nothing."""
    if isinstance(value, str):
        return value[:20]
    if not isinstance(value, dict) or len(value) > len(ANSWERS):
        return ""
    numeric = all(isinstance(n, int | float) and not isinstance(n, bool) for n in value.values())
    return {str(word)[:20]: _as_float(n) for word, n in value.items()} if numeric else ""


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return nan


OneAnswer = Annotated[str | dict[str, float], BeforeValidator(_read_answer)]


class AnswerQuestions(Action):
    """Answer the questions, once the designs are in."""

    kind: ClassVar[str] = "answer"
    thought: str = Field(default="", description=_THOUGHT)
    answers: Annotated[dict[str, OneAnswer], Field(max_length=_MOST_NAMES)] = Field(
        description='By question: "up", "down" or "none", or the chance of each, such as '
        '{"q1": {"up": 0.8, "down": 0.2, "none": 0}, "q2": "up"}.'
    )
    mended: SkipJsonSchema[int | None] = Field(default=None, description=_MENDED)
