"""The views of a text: its board, its replay, and its picture."""

from causarium.contract.companions import Views
from ..levels import ReciteRules
from ..model import RecitePublic, ReciteSecret
from .episodes import count_edges, draw_episode, explain_outcome, make_scenes
from .play_page import PLAY_PAGE

VIEWS: Views[RecitePublic, ReciteSecret, ReciteRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    explain_outcome=explain_outcome,
    count_pieces=count_edges,
)
