"""What people look at: the board, the replay, and the picture of an episode."""

from causarium.contract.companions import Views
from ..levels import LadderRules
from ..model.instance import LadderPublic, LadderSecret
from .episode import draw_episode, explain_outcome, make_scenes
from .play_page import PLAY_PAGE

VIEWS: Views[LadderPublic, LadderSecret, LadderRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    explain_outcome=explain_outcome,
)
