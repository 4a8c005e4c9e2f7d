"""What people look at in ReplaySCM: boards, replays, pictures."""

from causarium.contract.companions import Views
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayPublic, ReplaySecret
from causarium.families.replayscm.views.figures import draw_episode
from causarium.families.replayscm.views.play_page import PLAY_PAGE
from causarium.families.replayscm.views.row_charts import draw_rows
from causarium.families.replayscm.views.scene import find_outcome, make_scenes

VIEWS: Views[ReplayPublic, ReplaySecret, ReplayRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    draw_rows=draw_rows,
    find_outcome=find_outcome,
)
