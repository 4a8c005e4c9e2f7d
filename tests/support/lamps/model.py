"""What a lamp is: levels and rules, its two parts, what can be done, and how one is drawn."""

from typing import ClassVar, TypeAlias

from pydantic import Field

from causarium.contract.family import Config
from causarium.contract.instance import Instance, Public, Secret
from causarium.contract.rules import Rules
from causarium.contract.world import Action
from causarium.seeds import stream


class LampsConfig(Config):
    """What may be varied when instances are drawn."""

    level: str
    switches: int = Field(ge=2, le=8)


class LampsRules(Rules):
    """What may be varied when an instance is played."""

    quirks: ClassVar[tuple[str, ...]] = ("first_object",)

    first_object: bool = Field(
        default=False, description="Read the first JSON object, even if it is no legal action."
    )


LEVELS = {
    "small": LampsConfig(level="small", switches=3),
    "large": LampsConfig(level="large", switches=6),
    "paper": LampsConfig(level="paper", switches=4, edition="paper"),
}


class LampsPublic(Public):
    """What the agent may see before it acts."""

    switches: tuple[str, ...]
    """The switches, in an order that says nothing."""


class LampsSecret(Secret):
    """What only the world and the scorer may know."""

    wired: str
    """The one switch that lights the lamp."""
    fuse_ohm: float
    """A number that nothing shows, so that a leak of it is easy to see."""


LampsInstance: TypeAlias = Instance[LampsPublic, LampsSecret]
"""One lamp and its switches."""


class Flip(Action):
    """Flip one switch and look at the lamp."""

    kind: ClassVar[str] = "flip"

    switch: str = Field(description="The name of the switch.")


class Answer(Action):
    """Say which switch lights the lamp. This ends the game."""

    kind: ClassVar[str] = "answer"
    is_final: ClassVar[bool] = True

    wired: str = Field(description="The name of the switch that lights the lamp.")


ACTIONS: tuple[type[Action], ...] = (Flip, Answer)

METALS = ("brass", "bronze", "chrome", "copper", "gold", "iron", "nickel", "silver", "steel", "tin")


def generate(config: LampsConfig, seed: int, index: int) -> LampsInstance:
    """Draw the lamp number `index`."""
    rng = stream(seed, "lamps", "1-A", config.level, index)
    switches = tuple(rng.sample(METALS, config.switches))
    return LampsInstance(
        id=f"lamps-{config.level}-{seed}-{index:04d}",
        public=LampsPublic(switches=switches),
        secret=LampsSecret(wired=rng.choice(switches), fuse_ohm=round(rng.uniform(10, 99), 6)),
        facets={"level": config.level, "size": config.switches},
    )
