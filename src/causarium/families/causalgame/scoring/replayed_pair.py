"""A twin pair played again from its turns: what was flown, committed, answered and written."""

from collections.abc import Sequence
from dataclasses import dataclass

from causarium.contract.turn import Turn
from causarium.families.causalgame.actions import ACTIONS, Explain
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.instance import TwinInstance
from causarium.families.causalgame.interface.missions import Deployment
from causarium.families.causalgame.interface.twin_world import TwinWorld


@dataclass(frozen=True, slots=True)
class ReplayedPair:
    """What became of a twin pair."""

    world: TwinWorld
    """As it was left."""
    deployments: tuple[tuple[int, int, Deployment], ...]
    """With the number of the turn, from 1, and the mission, from 0."""
    refusals: int
    unread: int
    slips: int
    thoughts: tuple[tuple[int, str], ...]

    @property
    def report(self) -> Explain | None:
        """The final report."""
        return self.world.report


def replay_pair(instance: TwinInstance, rules: GameRules, turns: Sequence[Turn]) -> ReplayedPair:
    """Play recorded turns again, as far as they were obeyed."""
    world = TwinWorld(instance, rules)
    deployments: list[tuple[int, int, Deployment]] = []
    thoughts = []
    slips = 0
    for number, turn in enumerate(turns, 1):
        move = turn.move(ACTIONS)
        slips += turn.unparsed is not None or bool(getattr(move, "mended", None))
        if thought := str(getattr(move, "thought", "")).strip():
            thoughts.append((number, thought))
        before = [len(mission.deployments) for mission in world.missions]
        world.act(move)
        for place, mission in enumerate(world.missions):
            if len(mission.deployments) > before[place]:
                deployments.append((number, place, mission.deployments[-1]))
    return ReplayedPair(
        world=world,
        deployments=tuple(deployments),
        refusals=sum(not turn.legal for turn in turns),
        unread=sum(turn.unparsed is not None for turn in turns),
        slips=slips,
        thoughts=tuple(thoughts),
    )
