"""The levels: one for each of the fourteen published games."""

from pydantic import field_validator

from causarium.contract.family import Config
from causarium.contract.rules import Edition
from .model.paper_games import NAMES


class GameConfig(Config):
    """What may be varied when a session is drawn: its game."""

    edition: Edition = "paper"
    level: str = "custom"
    """The level's name; it becomes part of the ids."""
    game: str
    """One of the fourteen games; every instance is a session of it."""

    @field_validator("game")
    @classmethod
    def _is_published(cls, game: str) -> str:
        if game not in NAMES:
            raise ValueError(f"there is no game {game!r}; games: {', '.join(NAMES)}")
        return game


LEVELS = {f"paper-{name}": GameConfig(level=f"paper-{name}", game=name) for name in NAMES}
"""Every named configuration."""
