"""Paper edition: what a game is. A `Game` alone decides how drones fly and what is known of it.

The fourteen published games are values of this one type. Nothing here draws a number, so
describing and listing games needs no array library.

A law, one class for each kind, names components (`emitter`, `shield`, `lift`); its equations are in
`mechanics`, and its defaults are the published values.
"""

from collections.abc import Mapping
from math import prod
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.contract.rules import Edition

Span = tuple[float, float]
"""The ends of a uniform draw."""
ByStage = tuple[float, float]
"""A value in stage 1 and in stage 2."""
Altitude = Literal["low", "medium", "high"]
ALTITUDES: tuple[Altitude, ...] = ("low", "medium", "high")


class Climate(Frozen):
    """What the instruments show in one kind of weather."""

    wind: Span
    humidity: Span
    temperature: Span


STORM = Climate(wind=(40, 80), humidity=(70, 95), temperature=(10, 20))
CLEAR = Climate(wind=(5, 30), humidity=(30, 60), temperature=(20, 35))


class WearLaw(Frozen):
    """A light component that the wind wears down."""

    part: str
    factor: float
    """How much damage one point of armour takes off."""
    gale: Span
    """Damage in strong wind."""
    breeze: Span
    """Damage in moderate wind."""


class Strike(Frozen):
    """Damage that some components take together once a variable passes a bound."""

    parts: tuple[str, ...]
    above: float
    damage: Span


class AntennaLaw(Frozen):
    """Storms wear down light parts; a part that still emits gives the drone away."""

    kind: Literal["antenna"] = "antenna"
    storm_share: ByStage = (0.8, 0.8)
    storm: Climate = STORM
    clear: Climate = CLEAR
    storm_pattern: Span = (0.2, 1.0)
    """How rough the weather is in a storm."""
    clear_pattern: Span = (0.0, 0.1)
    emitter: WearLaw = WearLaw(part="antenna", factor=3.5, gale=(55, 75), breeze=(35, 55))
    """The trap: armour keeps it alive, and alive it is heard."""
    camera: WearLaw = WearLaw(part="camera", factor=2.5, gale=(25, 40), breeze=(10, 25))
    """Alive, it lets the drone hide and dodge."""
    gun: WearLaw = WearLaw(part="gun", factor=3.0, gale=(35, 50), breeze=(20, 35))
    """Alive, it makes the enemy's hits lighter."""
    gale_above: float = 35
    breeze_above: float = 15
    worn_cap: float = 0.8
    """Armour takes off at most this share of what the wind does to a light part."""
    gust: Strike = Strike(parts=("wing", "engine"), above=50, damage=(40, 70))
    """Bound on wind speed."""
    surge: Strike = Strike(parts=("body", "cockpit"), above=0.7, damage=(30, 55))
    """Bound on the weather pattern."""
    frail_below: float = 15
    """Components with less armour than this are hit harder by gusts and surges."""
    detection: ByStage = (0.20, 0.10)
    """Base chance of being detected in perfectly clear weather and in the worst storm."""
    intensity: ByStage = (0.3, 4.0)
    """How long fights last, likewise."""
    emission_boost: float = 0.75
    loud_rounds: float = 1.8
    """Fights last this much longer while the drone emits."""
    silent_rounds: float = 0.3
    stealth: float = 0.30
    """Detection is multiplied by this when nothing is emitted."""
    camera_bonus: float = 0.30
    blind_stealth: float = 1.8
    blind_accuracy: float = 6.0
    gun_bonus: float = 0.35
    disarmed_damage: float = 4.0


class Zone(Frozen):
    """One place where drones are sent."""

    name: str
    altitude: Altitude
    emi: float
    """Electromagnetic interference."""
    share: ByStage
    """How many of the flights go there, in each stage."""


class ZoneLaw(Frozen):
    """Zones bring interference and altitude together; interference is what does the harm."""

    kind: Literal["zone"] = "zone"
    zones: tuple[Zone, ...]
    failure_rate: float = 1.5
    emi_threshold: float = 0.10
    emi_spread: float = 0.1
    shield: str = "shield"
    """The component with the armour that keeps interference out."""
    shield_effect: float = 0.015
    shield_cap: float = 0.85
    reduction_cap: float = 0.95
    altitude_failure: tuple[float, float, float] = (-0.05, 0.0, 0.05)
    """What low, medium and high altitude add to the chance of a communication failure."""
    failure_cap: float = 0.95
    wind: tuple[float, float, float] = (0.2, 0.5, 0.8)
    wind_spread: float = 0.1
    signal: tuple[float, float, float] = (0.9, 0.85, 0.75)
    signal_spread: float = 0.05
    temperature: tuple[Span, Span, Span] = ((15, 30), (10, 20), (-5, 10))
    buffet: dict[str, tuple[Span, Span, Span]] = Field(
        default_factory=lambda: {
            "engine": ((0.0, 0.0), (0.0, 0.0), (5.0, 15.0)),
            "wing": ((0.0, 0.0), (3.0, 10.0), (8.0, 20.0)),
        }
    )
    """Wind damage by component at low, medium and high altitude."""
    crash: dict[str, float] = Field(
        default_factory=lambda: {"engine": 60.0, "wing": 50.0, "body": 40.0, "cockpit": 35.0}
    )
    """Damage by component in the worst crash that a communication failure can bring."""
    crash_severity: Span = (0.6, 1.0)
    aerial: str = "antenna"
    """Burnt by interference, with no armour against it."""
    aerial_damage: float = 80.0
    lens: str = "camera"
    lens_share: float = 0.6
    lens_above: float = 0.4
    detection: float = 0.20
    detection_slope: float = 0.5
    """How much a certain communication failure adds to the chance of being detected."""
    long_above: float = 0.5
    """Fights are long where a communication failure is likelier than this."""
    long_rounds: float = 1.8
    hurt_above: float = 0.5
    hurt_slope: float = 0.5
    """How much harder hits are per unit of interference above the bound."""


class WeatherLaw(Frozen):
    """One part lifts drones in storms and drags them down in clear weather."""

    kind: Literal["weather"] = "weather"
    storm_share: ByStage = (0.7, 0.3)
    storm: Climate = STORM
    clear: Climate = CLEAR
    lift: str = "antenna"
    slope: ByStage = (-2.5, 2.5)
    """What full armour on the lifting part adds to the log odds of living, in clear and storm."""
    offset: ByStage = (-4.0, -4.0)
    """The log odds of living with none, in clear weather and in a storm."""
    scale: float = 30.0
    """Full armour, in points."""
    engine: str = "engine"
    engine_bonus: float = 0.3
    engine_span: Span = (10, 30)
    """Engine armour between these points earns the bonus bit by bit."""
    detection: float = 0.5
    rounds: float = 0.0


class CalmLaw(Frozen):
    """No trap at all: the published stand-in for a law that was not found."""

    kind: Literal["calm"] = "calm"
    wind: Span = (10, 40)
    humidity: Span = (30, 70)
    temperature: Span = (15, 30)
    detection: float = 0.30
    rounds: float = 1.0


Law = Annotated[AntennaLaw | ZoneLaw | WeatherLaw | CalmLaw, Field(discriminator="kind")]


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


_One = Annotated[float, Field(ge=1, le=1)]


class Effect(Frozen):
    """What a piece of equipment really does. Hidden from the agent."""

    detection: float = 0.0
    """Added to the chance of being detected."""
    armour_factor: float = 1.0
    """Every component's armour is multiplied by it and cut to a whole number."""
    emi_resistance: float = 0.0
    """Added to the share of interference that is kept out."""
    altitude: Altitude | None = None
    """Where the drone flies, whatever the zone."""

    emission_factor: _One = 1.0
    accuracy_factor: _One = 1.0
    damage_factor: _One = 1.0
    wear_factor: _One = 1.0
    noise_factor: _One = 1.0
    lift: Annotated[float, Field(ge=0, le=0)] = 0.0
    """These say nothing; the bytes of instances have them."""


class Option(Frozen):
    """One choice in an equipment slot."""

    name: str
    blurb: str = ""
    """What the agent learns of it."""
    effect: Effect = Effect()


class Slot(Frozen):
    """A place for equipment."""

    name: str
    options: tuple[Option, ...]
    default: str
    boolean: bool = False
    """Whether it was published as an on-off switch beside the slots."""
    declared: bool = True
    """Whether the agent learns of it."""

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
    """What the equations call it; in the fourteen games its name."""
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


class Past(Frozen):
    """The flights that came before the agent."""

    rows: int = 50
    hide_failed: bool = True
    """Whether rows of destroyed drones are withheld, before and during the session."""
    recipes: tuple[Recipe, ...] = (Recipe(),)
    paradox: None = None
    """Says nothing; the bytes of instances have it."""


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
    """Says nothing; the bytes of instances have it."""

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
    return {slot.name: held.get(slot.name) or _choice(slot, design) for slot in game.slots}


def effect_of(game: Game, design: Design, held: Mapping[str, str] | None = None) -> Effect:
    """Return what the equipment of `design` does, all in all."""
    held = held or {}
    unsent = not design.equipment
    if unsent and not held:
        return _NOTHING
    choices = resolve_equipment(game, design, held)
    fitted = [slot for slot in game.slots if slot.name in held or not unsent]
    effects = [working(slot, game.quirks).option(choices[slot.name]).effect for slot in fitted]
    heights = [effect.altitude for effect in effects if effect.altitude]
    return Effect(
        detection=sum(effect.detection for effect in effects),
        armour_factor=prod(effect.armour_factor for effect in effects),
        emi_resistance=sum(effect.emi_resistance for effect in effects),
        altitude=heights[-1] if heights else None,
    )


def working(slot: Slot, quirks: tuple[str, ...]) -> Slot:
    """Return a slot with the effects that it really has under these oddities."""
    if "equipment_dead" not in quirks:
        return slot
    options = tuple(
        option.model_copy(update={"effect": Effect(altitude=option.effect.altitude)})
        for option in slot.options
    )
    return slot.model_copy(update={"options": options})


def _choice(slot: Slot, design: Design) -> str:
    # Published: on-off equipment stays as it is, whatever is sent.
    return slot.default if slot.boolean else slot.option(design.equipment.get(slot.name)).name
