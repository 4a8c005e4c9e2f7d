"""The views of a session: its board, its replay, and its picture."""

from causarium.contract.companions import Views
from ..model import GamePublic, GameRules, GameSecret
from .episodes import draw_episode, explain_outcome, make_scenes
from .play_page import PLAY_PAGE

VIEWS: Views[GamePublic, GameSecret, GameRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    explain_outcome=explain_outcome,
)
