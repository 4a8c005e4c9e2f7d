"""Players whose episodes are played again through an adapter, move by move.

`CAUSARIUM_INSTANCES=100 pytest packages` plays a hundred instances a family.
"""

import os

import pytest

from causarium import families
from causarium.api.session import Session
from causarium.contract.episode import Episode, play
from causarium.contract.world import Action

INSTANCES = int(os.environ.get("CAUSARIUM_INSTANCES", "2"))
every_family = pytest.mark.parametrize("name", families.FAMILIES)
every_player = pytest.mark.parametrize("player", ["oracle", "random"])


def play_directly(session: Session, player: str) -> tuple[Episode, list[Action]]:
    """Return the episode of the direct runner, and the actions of it."""
    direct = play(session.family, session.instance, session.rules, player)
    moves = [turn.move(session.family.actions) for turn in direct.turns]
    assert all(isinstance(move, Action) for move in moves)
    return direct, [move for move in moves if isinstance(move, Action)]


def assert_same_verdict(session: Session, direct: Episode) -> None:
    """Every number is the same; where the direct runner has none, the reading may add one."""
    numbers = session.score().numbers
    for name, value in direct.score().numbers.items():
        assert value != value or numbers[name] == value, name
