"""What a session is: legs, what is told of them, what only the scorer knows, and the actions."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Public, Secret
from causarium.contract.rules import Rules
from causarium.contract.world import Action

FAMILY_NAME = "causalgame"
FLIGHTS = 100_000
"""The flights in a book."""
TRIAL_DRONES = 20_000
"""The drones of a trial."""
CHOICES = ("bare", "fit")
"""What may be decided on a leg; a choice's place is the module's value."""
Kind = Literal["plain", "lot", "hidden", "rows", "clerks"]
KINDS: tuple[Kind, ...] = ("plain", "lot", "hidden", "rows", "clerks")
Counts = tuple[tuple[int, int], ...]
"""Flights lost and returned, by the columns and the module, the last of which changes fastest."""


class Column(Frozen):
    """A recorded column with two values."""

    name: str
    values: tuple[str, str]


class Unrecorded(Frozen):
    """A cause that nobody recorded."""

    name: str
    moves: tuple[int, ...]


class Told(Frozen):
    """How a leg's columns came about, as a briefing or one clerk tells it."""

    arrows: tuple[tuple[int, int], ...]
    hidden: tuple[Unrecorded, ...] = ()


class Check(Frozen):
    """A check on the runway; only drones that passed it are in the book."""

    cause: str
    """The unrecorded cause on which it hangs."""
    by_module: bool
    """Whether it hangs on the module too."""


class Leg(Frozen):
    """One leg as a player knows it. Nodes are the columns, the module and the return."""

    module: str
    columns: tuple[Column, ...]
    told: tuple[Told, ...]
    """One briefing, or what either clerk tells."""
    held: tuple[int, int] | None = None
    """The column that the fleet's crew holds by hand, and at which value."""
    uniform: bool = False
    """Whether the module is good for every drone or bad for every drone, and lots push alike."""
    check: Check | None = None
    can_fit: bool = True
    """Whether the range has the module."""
    stake: int = 1
    voice: int = 0
    """Which of the wordings its lines have."""
    book: Counts

    @property
    def settings(self) -> dict[int, int]:
        """The columns that the fleet holds, with their values."""
        return {} if self.held is None else {self.held[0]: self.held[1]}


class GamePublic(Public):
    """What a player knows of a session."""

    legs: tuple[Leg, ...]
    trials: int


class HiddenLeg(Frozen):
    """What only the world and the scorer know of a leg."""

    kind: Kind
    base: str
    """The story of which the chances are a model; the leg's law is that of this model."""
    twin: str | None
    """The other story of that law; None where faces differ and not stories."""
    causes: tuple[tuple[int, ...], ...]
    """The causes of each node; numbers past the nodes are unrecorded causes."""
    tables: tuple[tuple[int, ...], ...]
    """The chance of 1 for each node, in parts of 32, by the values of its causes."""
    hidden: tuple[int, ...]
    """The chance of 1 for each unrecorded cause, in parts of 8."""
    right: int = 0
    """The place of what is told rightly."""
    unseen: tuple[int, int] | None = None
    """Drones without rows: those with this unrecorded cause at 1 and the module at this value."""


class GameSecret(Secret):
    """What only the world and the scorer know."""

    legs: tuple[HiddenLeg, ...]


GameInstance = Instance[GamePublic, GameSecret]


class GameRules(Rules):
    """How a session is played."""


class Fly(Action):
    """Fly a trial on one leg; half of the drones are fitted by lot."""

    kind: ClassVar[str] = "fly"
    leg: int = Field(ge=1, description="The number of the leg.")
    set: Mapping[str, str] = Field(
        default_factory=dict, description="Columns to hold by hand, each with its value."
    )
    mended: SkipJsonSchema[int] = Field(default=0, ge=0, le=1, description="Set by the reader.")


class Decide(Action):
    """Decide for every leg whether the fleet flies fitted or bare."""

    kind: ClassVar[str] = "decide"
    is_final: ClassVar[bool] = True
    choices: Mapping[str, Literal["fit", "bare"]] = Field(
        description="For each number of a leg, fit or bare."
    )
    mended: SkipJsonSchema[int] = Field(default=0, ge=0, le=1, description="Set by the reader.")


ACTIONS: tuple[type[Action], ...] = (Fly, Decide)
