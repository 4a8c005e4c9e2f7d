"""What people look at in CausalGame: boards, replays, pictures."""

from causarium.contract.companions import Views
from causarium.families.causalgame.charts.row_charts import draw_rows
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.figures import draw_episode
from causarium.families.causalgame.instance import AnyPublic, AnySecret
from causarium.families.causalgame.scene import make_scenes
from causarium.families.causalgame.views.outcome import find_outcome
from causarium.families.causalgame.views.play_page import PLAY_PAGE

VIEWS: Views[AnyPublic, AnySecret, GameRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    draw_rows=draw_rows,
    find_outcome=find_outcome,
)
