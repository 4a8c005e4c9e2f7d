"""What people look at in ReCITE: boards, replays, pictures."""

from causarium.contract.companions import Views
from causarium.families.recite.charts.row_charts import draw_rows
from causarium.families.recite.config import ReciteRules
from causarium.families.recite.figures import draw_episode
from causarium.families.recite.instance import RecitePublic, ReciteSecret
from causarium.families.recite.outcome import count_arrows
from causarium.families.recite.scene import make_scenes
from causarium.families.recite.views.play_page import PLAY_PAGE

VIEWS: Views[RecitePublic, ReciteSecret, ReciteRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    draw_rows=draw_rows,
    count_pieces=count_arrows,
)
