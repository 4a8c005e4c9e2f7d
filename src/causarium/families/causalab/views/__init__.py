"""What people look at in CausaLab: boards, replays, pictures."""

from causarium.contract.companions import Views
from causarium.families.causalab.config import LabRules
from causarium.families.causalab.figures import draw_episode, draw_rows
from causarium.families.causalab.instance import LabPublic, LabSecret
from causarium.families.causalab.outcome import find_outcome
from causarium.families.causalab.scene import guide_frame, make_scenes
from causarium.families.causalab.views.play_page import PLAY_PAGE

VIEWS: Views[LabPublic, LabSecret, LabRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    draw_rows=draw_rows,
    guide_frame=guide_frame,
    find_outcome=find_outcome,
)
