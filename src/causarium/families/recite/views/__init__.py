"""What people look at in ReCITE: boards, replays, pictures."""

from causarium.contract.companions import Views
from causarium.families.recite.model.config import ReciteRules
from causarium.families.recite.model.instance import RecitePublic, ReciteSecret
from causarium.families.recite.views.figures import draw_episode
from causarium.families.recite.views.play_page import PLAY_PAGE
from causarium.families.recite.views.row_charts import draw_rows
from causarium.families.recite.views.scene import count_arrows, make_scenes

VIEWS: Views[RecitePublic, ReciteSecret, ReciteRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    draw_rows=draw_rows,
    count_pieces=count_arrows,
)
