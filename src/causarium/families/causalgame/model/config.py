"""What may be varied when expeditions are drawn."""

from typing import Literal

from pydantic import model_validator

from causarium.contract.family import Config
from .expeditions import MOST_LEGS, LegKind


class GameConfig(Config):
    """What may be varied when an expedition is drawn."""

    level: str = "custom"
    """The level's name; it becomes part of the ids."""
    legs: tuple[LegKind, ...]
    """The kinds of its legs; their order is drawn."""
    tier: Literal[1, 2, 3] = 1
    """How large the legs are."""
    programs_fly: bool = False
    """Whether programs of the agent may fly."""

    @model_validator(mode="after")
    def _fits(self) -> "GameConfig":
        if "line" in self.legs and self.tier != 3:
            raise ValueError("only tier 3 has lines")
        if len(self.legs) != MOST_LEGS:
            raise ValueError(f"an expedition has {MOST_LEGS} legs, not {len(self.legs)}")
        return self


def _levels() -> dict[str, GameConfig]:
    flown: tuple[LegKind, ...] = ("dial", "dial", "roster", "depot")
    lines: tuple[LegKind, ...] = ("line", "line", "roster", "depot")
    expeditions = [
        GameConfig(level="expedition-1", legs=flown, tier=1, programs_fly=True),
        GameConfig(level="expedition-2", legs=flown, tier=2, programs_fly=True),
        GameConfig(level="expedition-3", legs=lines, tier=3),
        GameConfig(level="dial", legs=("dial",) * MOST_LEGS, tier=2, programs_fly=True),
        GameConfig(level="roster", legs=("roster",) * MOST_LEGS, tier=2, programs_fly=True),
        GameConfig(level="depot", legs=("depot",) * MOST_LEGS, tier=2, programs_fly=True),
        GameConfig(level="line", legs=("line",) * MOST_LEGS, tier=3),
        GameConfig(level="line-code", legs=("line",) * MOST_LEGS, tier=3, programs_fly=True),
    ]
    return {config.level: config for config in expeditions}


LEVELS = _levels()
"""Every named configuration: expeditions by tier and by kind."""
