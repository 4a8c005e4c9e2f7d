"""What may be varied when lamps are drawn, and when they are played."""

from typing import ClassVar

from pydantic import Field

from causarium.contract.family import Config
from causarium.contract.rules import Rules


class LampsConfig(Config):
    """What may be varied when instances are drawn."""

    level: str
    switches: int = Field(ge=2, le=8)


class LampsRules(Rules):
    """What may be varied when an instance is played."""

    quirks: ClassVar[tuple[str, ...]] = ("first_object",)

    first_object: bool = Field(
        default=False, description="Read the first of several JSON objects and ignore the rest."
    )


LEVELS = {
    "small": LampsConfig(level="small", switches=3),
    "large": LampsConfig(level="large", switches=6),
    "paper": LampsConfig(level="paper", switches=4, edition="paper"),
}
