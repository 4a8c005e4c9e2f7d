"""The constants of a game's environment, one class for each kind of law.

A law says where its effects go by naming components (`emitter`, `shield`, `lift`), so that a new
game can have other components and another trap under the same equations. The equations
themselves are in the module of each law; the defaults here are the published values.
"""

from typing import Annotated, Literal

from pydantic import Field

from causarium.contract.frozen import Frozen

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


class Exposed(Frozen):
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
    emitter: Exposed = Exposed(part="antenna", factor=3.5, gale=(55, 75), breeze=(35, 55))
    """The trap: armour keeps it alive, and alive it is heard."""
    camera: Exposed = Exposed(part="camera", factor=2.5, gale=(25, 40), breeze=(10, 25))
    """Alive, it lets the drone hide and dodge."""
    gun: Exposed = Exposed(part="gun", factor=3.0, gale=(35, 50), breeze=(20, 35))
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
    """The component whose armour keeps interference out."""
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
