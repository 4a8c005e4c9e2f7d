"""The looks of an episode with a body, drawn by playing it again."""

from collections.abc import Sequence

from causarium.contract.turn import Turn
from causarium.contract.world import frame_of
from causarium.families.causalab.actions import ACTIONS
from causarium.families.causalab.config import LabRules
from causarium.families.causalab.instance import LabInstance
from causarium.families.causalab.interface.open_world import open_paper_world


def draw_frames(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> list[str]:
    """Return the look of the laboratory before the first turn and after each.

    There is none without a body, or where the library that draws it is not installed.
    """
    if not rules.has_body or not rules.is_interface_installed():
        return []
    world = open_paper_world(instance, rules)
    frames = [frame_of(world)]
    for turn in turns:
        world.act(turn.move(ACTIONS))
        frames.append(frame_of(world))
    return frames
