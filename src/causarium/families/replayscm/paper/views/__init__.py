"""The views of a published problem: its board, its replay, and its picture."""

from causarium.contract.companions import Views
from ..levels import ReplayRules
from ..model.instance import ReplayPublic, ReplaySecret
from .episodes import draw_episode, explain_outcome, make_scenes
from .play_page import PLAY_PAGE

VIEWS: Views[ReplayPublic, ReplaySecret, ReplayRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    explain_outcome=explain_outcome,
)
