"""What people look at in CausalLink: boards, replays, pictures."""

from causarium.contract.companions import Views
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.figures import draw_episode
from causarium.families.causallink.instance import LinkPublic, LinkSecret
from causarium.families.causallink.outcome import find_outcome
from causarium.families.causallink.scene import make_scenes
from causarium.families.causallink.views.play_page import PLAY_PAGE

VIEWS: Views[LinkPublic, LinkSecret, LinkRules] = Views(
    draw_episode=draw_episode,
    scene=make_scenes,
    play_page=PLAY_PAGE,
    find_outcome=find_outcome,
)
