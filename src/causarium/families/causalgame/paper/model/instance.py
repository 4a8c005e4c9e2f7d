"""One session of a game: what the agent may see, and what only the scorer knows.

The same move at the same point of the same instance always meets the same flights.
"""

from typing import Final, Literal

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Public, Secret
from .game import Budget, Game

FlightReading = float | str
"""What is read of one variable on one flight."""

RETURNED: Final = "RETURNED"
DESTROYED: Final = "DESTROYED"
Status = Literal["RETURNED", "DESTROYED"]


class ComponentNote(Frozen):
    """What the agent knows of a component: that it is there, and mostly its armour."""

    name: str
    default: int


class OptionNote(Frozen):
    """What the agent knows of one option of an equipment slot."""

    name: str
    blurb: str


class SlotNote(Frozen):
    """What the agent knows of an equipment slot."""

    name: str
    options: tuple[OptionNote, ...]
    default: str


class VariableNote(Frozen):
    """What the agent knows of a variable that is measured on every flight."""

    name: str
    about: str


class Flight(Frozen):
    """One flight as it is on record."""

    id: str
    design: dict[str, int]
    """The armour of every component."""
    equipment: dict[str, str] = Field(default_factory=dict)
    """What was chosen; empty where nothing was."""
    status: Status
    hit_count: float
    was_detected: bool
    environment: dict[str, FlightReading]
    """What is measured on every flight, by variable."""


class GamePublic(Public):
    """What the agent may see before it acts."""

    setting: Literal["weather", "zone"]
    """Which story it is: a region of changing weather, or one of several zones."""
    components: tuple[ComponentNote, ...]
    lowest: int
    highest: int
    """The range of every component's armour."""
    total: int
    """The most armour in all."""
    slots: tuple[SlotNote, ...]
    visible: tuple[VariableNote, ...]
    budget: Budget
    threshold: float
    """The share of the fleet that has to survive."""
    history: tuple[Flight, ...]
    """The flights on record from before the session."""
    shift_announced: bool
    """Whether the story says that the fleet will meet other conditions than the tests."""
    noise_announced: Literal[False] = False
    """Stands in every line of a set: no story says that readings are uncertain."""
    queries_answered: bool
    """Whether there is an archive to ask."""

    @property
    def names(self) -> tuple[str, ...]:
        """The components' names."""
        return tuple(component.name for component in self.components)

    @property
    def defaults(self) -> dict[str, int]:
        """The armour that components have unless a design says otherwise."""
        return {component.name: component.default for component in self.components}


class GameSecret(Secret):
    """What only the world and the scorer may know.

    Flights that are not on record are nowhere kept; `session_seed` flies them again.
    """

    game: Game
    """The whole description: structural equations, constants, what is hidden, the trap."""
    session_seed: int
    """All luck of the session follows from it."""
    found: tuple[dict[str, FlightReading], ...]
    """What the archive can tell of each flight in `GamePublic.history`, by hidden variable."""
    rows: tuple[int, ...]
    """Which flight of all that were flown each flight in `GamePublic.history` was, from 1."""


GameInstance = Instance[GamePublic, GameSecret]
