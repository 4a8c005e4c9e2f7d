"""What people look at in ReCITE: boards, replays, pictures."""

from causarium.contract.companions import Views
from ..levels import ReciteRules
from ..model.instance import RecitePublic, ReciteSecret
from .figures import draw_episode
from .play_page import PLAY_PAGE
from .row_charts import draw_rows
from .scene import count_arrows, make_scenes

VIEWS: Views[RecitePublic, ReciteSecret, ReciteRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    draw_rows=draw_rows,
    count_pieces=count_arrows,
)
