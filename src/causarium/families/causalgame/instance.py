"""One instance, with what the agent may see and what only the scorer knows.

In the paper edition it is a session of one of the fourteen games. In the certified edition it is a
twin pair, played in two missions: two games that differ in what some names mean and in nothing
else, one of which is flown in each mission, by a coin of its own.

The same move at the same point of the same instance always meets the same flights.
"""

from typing import Final, Literal, TypeAlias, TypeGuard, cast

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Public, Secret
from causarium.families.causalgame.mechanics.archive_law import ArchiveLaw
from causarium.families.causalgame.mechanics.game import Budget, Game
from causarium.families.causalgame.mechanics.twin_law import Opening, Target, TwinDesign, TwinLaw

Reading = float | str
"""What is read of one variable on one flight."""

RETURNED: Final = "RETURNED"
DESTROYED: Final = "DESTROYED"
Status = Literal["RETURNED", "DESTROYED"]


class ComponentNote(Frozen):
    """What is told of a component: that it is there, and its armour unless one says otherwise."""

    name: str
    default: int


class OptionNote(Frozen):
    """What is told of one option of an equipment slot."""

    name: str
    blurb: str


class SlotNote(Frozen):
    """What is told of an equipment slot."""

    name: str
    options: tuple[OptionNote, ...]
    default: str


class VariableNote(Frozen):
    """What is told of a variable that is measured on every flight."""

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
    environment: dict[str, Reading]
    """What is measured on every flight, by variable."""


class GamePublic(Public):
    """What the agent may see before it acts."""

    setting: Literal["weather", "zone"]
    """Which of the stories is told: a region of changing weather, or one of several zones."""
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
    noise_announced: bool
    """Whether the story says that readings are uncertain."""
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

    Flights that are not on record are nowhere kept; `history.fly_past` flies them again.
    """

    game: Game
    """The whole description: structural equations, constants, what is hidden, the trap."""
    session_seed: int
    """All luck of the session follows from it."""
    found: tuple[dict[str, Reading], ...]
    """What the archive can tell of each flight in `GamePublic.history`, by hidden variable."""
    rows: tuple[int, ...]
    """Which flight of all that were flown each flight in `GamePublic.history` was, from 1."""


class NamedPair(Frozen):
    """A slot with its two options, or a recorded column with its two values."""

    name: str
    values: tuple[str, str]


class TwinBudget(Frozen):
    """How much an agent may do in each mission."""

    deployments: int
    drones: int
    per_deployment: int
    tables: int
    """How often the archive may be tabulated."""
    fleet: int = 1000


class Order(Frozen):
    """Flights of one design on record."""

    design: TwinDesign
    flights: tuple[tuple[int, ...], ...]
    """A row a flight: conditions, signals, and 1 if it came back."""


Mode = Literal["flights", "front_door", "instrument"]


class TwinPublic(Public):
    """What the agent may see of a twin pair before it acts; alike in both twins but for records."""

    mode: Mode
    """Whether designs are tested in flights, or an archive is all there is, and of which kind."""
    parts: tuple[str, ...]
    highest: int
    total: int
    """The most armour of a part, and in all."""
    slots: tuple[NamedPair, ...]
    conditions: tuple[NamedPair, ...]
    """What is recorded of every flight; in an archive, a column for each slot."""
    signals: tuple[str, ...]
    """What is recorded besides, on or off; the first one is set by lot when the fleet flies."""
    target: Target
    """The conditions in which the fleet will fly."""
    threshold: float
    budget: TwinBudget
    hides_losses: bool
    """Whether orders are of unknown size and lost drones leave no record."""
    archived: int
    """How many flights the archive holds."""
    opening: tuple[Order, ...]
    """The flights on record from before the first mission."""

    @property
    def standard(self) -> TwinDesign:
        """The design that everything is compared with."""
        even = self.total // len(self.parts) if self.parts else 0
        return TwinDesign(armour=(even,) * len(self.parts), options=(0,) * len(self.slots))


class TwinSecret(Secret):
    """What only the world and the scorer may know of a twin pair."""

    law: TwinLaw | ArchiveLaw
    """The first twin's law; renaming gives the other's."""
    twins: tuple[bool, bool]
    """For each mission, whether the second twin is flown."""
    past: Opening
    session_seed: int
    """All luck follows from it."""


GameInstance = Instance[GamePublic, GameSecret]
TwinInstance = Instance[TwinPublic, TwinSecret]
AnyPublic: TypeAlias = GamePublic | TwinPublic
AnySecret: TypeAlias = GameSecret | TwinSecret
AnyGame = Instance[AnyPublic, AnySecret]
"""An instance of either edition."""


def is_twin(instance: "AnyGame | TwinInstance | GameInstance") -> TypeGuard[TwinInstance]:
    """Return whether an instance is a twin pair of the certified edition."""
    return isinstance(instance.public, TwinPublic)


def as_session(instance: AnyGame) -> GameInstance:
    """Return an instance that is no twin pair as what it is: a session of a published game."""
    return cast("GameInstance", instance)
