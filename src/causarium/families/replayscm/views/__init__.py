"""What people look at in ReplaySCM: boards, replays, pictures."""

from causarium.contract.companions import Views
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayPublic, ReplaySecret
from causarium.families.replayscm.views.episodes import draw_episode, find_outcome, make_scenes
from causarium.families.replayscm.views.play_page import PLAY_PAGE

VIEWS: Views[ReplayPublic, ReplaySecret, ReplayRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    find_outcome=find_outcome,
)
