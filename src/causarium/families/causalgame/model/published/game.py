"""What a game is, completely: a `Game` alone determines how drones fly and what is known of it.

Published games and repaired ones are values of this one type. Nothing here draws a number, so
describing and listing games needs no array library.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.contract.rules import Edition
from causarium.families.causalgame.model.published.laws import Altitude, CalmLaw, Law, Span

Kind = Literal["antenna", "zone", "zone_shift", "weather"]
Stage = Literal[1, 2]
"""1 is exploration, 2 is evaluation."""
Value: TypeAlias = float | int | bool | str
"""What a structural variable can be set to; a categorical one by the name of its value."""


class Component(Frozen):
    """A part of a drone."""

    name: str
    hp: int
    armour: int
    """What it has when a design says nothing."""
    critical: bool = False
    """Whether the drone is lost with it."""
    vital: bool = False
    """Whether a drone without it never reaches the enemy."""
    exposure: float = 1.0
    """How often hits find it, relative to the others."""


class Effect(Frozen):
    """What a piece of equipment really does. Hidden from the agent."""

    detection: float = 0.0
    """Added to the chance of being detected."""
    armour_factor: float = 1.0
    """Every component's armour is multiplied by it and cut to a whole number."""
    emi_resistance: float = 0.0
    """Added to the share of interference that is kept out."""
    emission_factor: float = 1.0
    """Multiplies how loudly a live emitter is heard."""
    accuracy_factor: float = 1.0
    """Multiplies how well the enemy aims."""
    damage_factor: float = 1.0
    """Multiplies how hard hits are."""
    wear_factor: float = 1.0
    """Multiplies what the weather or the altitude does to components."""
    noise_factor: float = 1.0
    """Multiplies the noise of what the agent reads."""
    lift: float = 0.0
    """Added to the log odds of living, where the law has such."""
    altitude: Altitude | None = None
    """Where the drone flies, whatever the zone."""


class Option(Frozen):
    """One choice in an equipment slot."""

    name: str
    blurb: str = ""
    """What the agent is told of it."""
    effect: Effect = Effect()


class Slot(Frozen):
    """A place for equipment."""

    name: str
    options: tuple[Option, ...]
    default: str
    boolean: bool = False
    """Whether it was published as an on-off switch beside the slots."""
    declared: bool = True
    """Whether the agent is told of it."""

    def option(self, name: str | None) -> Option:
        """Return the option called `name`, or the default where there is none of that name."""
        known = {option.name: option for option in self.options}
        return known.get(name or self.default, known[self.default])


class Design(Frozen):
    """What an agent decides about its drones."""

    armour: dict[str, int] = Field(default_factory=dict)
    """By component; one that is left out keeps its default."""
    equipment: dict[str, str] = Field(default_factory=dict)
    """Option by slot."""

    def __hash__(self) -> int:
        return hash((frozenset(self.armour.items()), frozenset(self.equipment.items())))


Role = Literal["lever", "equipment", "environment", "mediator", "outcome", "distractor"]
Sight = Literal["visible", "discoverable", "hidden"]
"""Delivered from the start; delivered once a question finds it; never delivered."""


class Variable(Frozen):
    """One variable of the structural model."""

    key: str
    """What the equations call it."""
    name: str
    """What it is called everywhere else: in data, in interventions, in claims."""
    parents: tuple[str, ...] = ()
    """Keys of its direct causes."""
    role: Role
    sight: Sight = "hidden"
    values: tuple[str, ...] = ()
    """The values of a categorical variable, in the order of their codes."""
    span: Span | None = None
    """Where a distractor is drawn, uniformly."""
    about: str = ""
    """What an archivist would say of it."""


class Space(Frozen):
    """Which designs are allowed."""

    low: int = 0
    high: int = 50
    total: int = 90


class Budget(Frozen):
    """How much an agent may do."""

    drones: int = 200
    deployments: int = 10
    per_deployment: int = 50
    queries: int = 10
    fleet: int = 1000


class Recipe(Frozen):
    """How some rows of the opening history were flown."""

    design: Design = Design()
    force: dict[str, Value] = Field(default_factory=dict)
    """Structural variables that were held at a value."""
    spread: dict[str, Span] = Field(default_factory=dict)
    """Structural variables that were drawn uniformly between these ends instead."""
    weight: int = 1
    """How many rows of each round through the recipes are flown so."""


class Paradox(Frozen):
    """A reversal that the opening history holds, in every session."""

    lever: str
    """The component whose armour looks worse over all flights and is better in each group."""
    group: str
    """The variable whose values are the groups."""


class Past(Frozen):
    """The flights that came before the agent."""

    rows: int = 50
    hide_failed: bool = True
    """Whether rows of destroyed drones are withheld, before and during the session."""
    recipes: tuple[Recipe, ...] = (Recipe(),)
    paradox: Paradox | None = None


Channel = Literal["rows", "counts", "environment", "history"]
"""A deployment's flights one by one, its counts, its environment, and the history."""


class Sensor(Frozen):
    """How exactly an agent can read what happened, in clear weather and in storms."""

    spread: tuple[float, float] = (0.0, 0.0)
    """Standard deviation of the factor on every number read."""
    flip: tuple[float, float] = (0.0, 0.0)
    """Chance that returned is read as destroyed, or the reverse."""
    by: str | None = None
    """The variable that says which of the two applies; without one, the first does."""
    channels: tuple[Channel, ...] = ("rows", "counts", "environment", "history")
    """Where the noise is."""


class Combat(Frozen):
    """How fights go."""

    rounds: int = 10
    accuracy: float = 0.8
    damage: float = 70.0
    spread: float = 0.3
    crit_chance: float = 0.2
    crit_factor: float = 2.0
    agility: Span = (0.1, 1.0)
    """The range of agility; weight moves it within."""
    armour_factor: float = 0.9
    armour_cap: float = 0.65
    """Armour takes off at most this share of the damage."""


class Game(Frozen):
    """One game."""

    name: str
    kind: Kind
    edition: Edition
    components: tuple[Component, ...]
    slots: tuple[Slot, ...] = ()
    law: Law
    combat: Combat = Combat()
    variables: tuple[Variable, ...]
    """Every structural variable, causes before effects."""
    space: Space = Space()
    past: Past = Past()
    sensor: Sensor = Sensor()
    budget: Budget = Budget()
    threshold: float
    trap: Design
    """What the story tempts one to submit."""
    best: Design
    """The best design known inside the action space."""
    quirks: tuple[str, ...] = ()
    """Names of the published oddities that are switched on."""
    tale: dict[str, str] = Field(default_factory=dict)
    """Words for the story of a drawn game, by what they name."""

    def __hash__(self) -> int:
        return hash((self.kind, self.quirks, len(self.variables)))

    @property
    def flown(self) -> "Game":
        """The game without what flights do not depend on, alike for games that fly alike."""
        return self.model_copy(
            update={
                "name": "",
                "past": Past(),
                "sensor": Sensor(),
                "budget": Budget(),
                "threshold": 0.0,
                "trap": Design(),
                "best": Design(),
            }
        )

    @property
    def working_law(self) -> Law:
        """The law that is in force."""
        return CalmLaw() if self.has("law_missing") else self.law

    @property
    def default(self) -> dict[str, int]:
        """The armour that a drone has when a design says nothing."""
        return {part.name: part.armour for part in self.components}

    def armour(self, design: Design) -> dict[str, int]:
        """Return the armour of every component under `design`."""
        return {part.name: design.armour.get(part.name, part.armour) for part in self.components}

    def variable(self, name: str) -> Variable:
        """Return the structural variable called `name`.

        Raises:
            KeyError: There is none.
        """
        for variable in self.variables:
            if variable.name == name:
                return variable
        raise KeyError(name)

    def has(self, quirk: str) -> bool:
        """Return whether a published oddity is switched on."""
        return quirk in self.quirks


_NOTHING = Effect()


def resolve_equipment(
    game: Game, design: Design, held: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the option in every slot, as it is really fitted; `held` ones are as they are held."""
    held = held or {}
    return {slot.name: held.get(slot.name) or _choice(game, slot, design) for slot in game.slots}


def effect_of(game: Game, design: Design, held: Mapping[str, str] | None = None) -> Effect:
    """Return what the equipment of `design` does, all in all."""
    held = held or {}
    unsent = game.has("defaults_unsent") and not design.equipment
    if unsent and not held:
        return _NOTHING
    choices = resolve_equipment(game, design, held)
    return _join_effects(
        [
            working(slot, game.quirks).option(choices[slot.name]).effect
            for slot in game.slots
            if slot.name in held or not unsent
        ]
    )


def working(slot: Slot, quirks: tuple[str, ...]) -> Slot:
    """Return a slot with the effects that it really has under these oddities."""
    if not slot.declared and "profile_undeclared" not in quirks:
        bare = [Effect() for _ in slot.options]
    elif "equipment_dead" in quirks:
        bare = [Effect(altitude=option.effect.altitude) for option in slot.options]
    else:
        return slot
    options = tuple(
        option.model_copy(update={"effect": effect})
        for option, effect in zip(slot.options, bare, strict=True)
    )
    return slot.model_copy(update={"options": options})


def _choice(game: Game, slot: Slot, design: Design) -> str:
    if slot.boolean and game.has("booleans_stuck"):
        return slot.default
    return slot.option(design.equipment.get(slot.name)).name


def _join_effects(effects: list[Effect]) -> Effect:
    total = _NOTHING
    for effect in effects:
        if effect == _NOTHING:
            continue
        total = Effect(
            detection=total.detection + effect.detection,
            armour_factor=total.armour_factor * effect.armour_factor,
            emi_resistance=total.emi_resistance + effect.emi_resistance,
            emission_factor=total.emission_factor * effect.emission_factor,
            accuracy_factor=total.accuracy_factor * effect.accuracy_factor,
            damage_factor=total.damage_factor * effect.damage_factor,
            wear_factor=total.wear_factor * effect.wear_factor,
            noise_factor=total.noise_factor * effect.noise_factor,
            lift=total.lift + effect.lift,
            altitude=effect.altitude or total.altitude,
        )
    return total
