"""CausalLink: move and hold shapes, then say whether one makes another move.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from pathlib import Path

from causarium.contract.family import Family
from causarium.contract.instance import Instance
from causarium.families.causallink.actions import ACTIONS
from causarium.families.causallink.certify import certify
from causarium.families.causallink.config import LEVELS, LinkConfig, LinkRules
from causarium.families.causallink.figures import draw_episode
from causarium.families.causallink.generate import FAMILY_NAME, generate
from causarium.families.causallink.instance import LinkPublic, LinkSecret
from causarium.families.causallink.kin import kin
from causarium.families.causallink.outcome import find_outcome
from causarium.families.causallink.parse import parse
from causarium.families.causallink.players import PLAYERS
from causarium.families.causallink.probes import PROBES
from causarium.families.causallink.progress import progress
from causarium.families.causallink.prompts import prompt
from causarium.families.causallink.reply_schema import reply_schema
from causarium.families.causallink.says import says
from causarium.families.causallink.scene import make_scenes
from causarium.families.causallink.score import METRICS, score
from causarium.families.causallink.views.play_page import PLAY_PAGE
from causarium.families.causallink.world import LinkWorld

FAMILY: Family[LinkConfig, LinkPublic, LinkSecret, LinkRules] = Family(
    name=FAMILY_NAME,
    folder=Path(__file__).parent,
    levels=LEVELS,
    instance=Instance[LinkPublic, LinkSecret],
    rules=LinkRules,
    actions=ACTIONS,
    generate=generate,
    open_world=LinkWorld,
    prompt=prompt,
    parse=parse,
    says=says,
    reply_schema=reply_schema,
    score=score,
    certify=certify,
    players=PLAYERS,
    play_page=PLAY_PAGE,
    metrics=METRICS,
    kin=kin,
    progress=progress,
    draw_episode=draw_episode,
    scene=make_scenes,
    probes=PROBES,
    find_outcome=find_outcome,
)
