"""What people look at in CausalLink: the board, replays, pictures, and how a table ended."""

from causarium.contract.companions import Views
from ..levels import LinkRules
from ..model import LinkPublic, LinkSecret
from .episode import draw_episode, explain_outcome, make_scenes
from .play_page import PLAY_PAGE

VIEWS: Views[LinkPublic, LinkSecret, LinkRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    explain_outcome=explain_outcome,
)
