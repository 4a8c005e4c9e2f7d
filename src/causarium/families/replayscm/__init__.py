"""ReplaySCM: find an executable Boolean model of the worlds that interventions left behind.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from pathlib import Path

from causarium.contract.family import Family
from causarium.contract.instance import Instance
from causarium.families.replayscm.actions import ACTIONS
from causarium.families.replayscm.certify import certify
from causarium.families.replayscm.charts.row_charts import draw_rows
from causarium.families.replayscm.config import FAMILY_NAME, LEVELS, ReplayConfig, ReplayRules
from causarium.families.replayscm.evidence.leak_probes import PROBES
from causarium.families.replayscm.figures import draw_episode
from causarium.families.replayscm.formats.write_release import read_released, write_released
from causarium.families.replayscm.generate import generate
from causarium.families.replayscm.instance import (
    ReplayPublic,
    ReplaySecret,
    revealed_fields,
)
from causarium.families.replayscm.kin import kin
from causarium.families.replayscm.outcome import find_outcome
from causarium.families.replayscm.parse import parse
from causarium.families.replayscm.players import PLAYERS
from causarium.families.replayscm.prompts import prompt
from causarium.families.replayscm.reply_schema import reply_schema
from causarium.families.replayscm.says import says
from causarium.families.replayscm.scene import make_scenes
from causarium.families.replayscm.score import METRICS, score, score_many
from causarium.families.replayscm.views.play_page import PLAY_PAGE
from causarium.families.replayscm.world import ReplayWorld

FAMILY: Family[ReplayConfig, ReplayPublic, ReplaySecret, ReplayRules] = Family(
    name=FAMILY_NAME,
    folder=Path(__file__).parent,
    levels=LEVELS,
    instance=Instance[ReplayPublic, ReplaySecret],
    rules=ReplayRules,
    actions=ACTIONS,
    generate=generate,
    open_world=ReplayWorld,
    prompt=prompt,
    parse=parse,
    says=says,
    reply_schema=reply_schema,
    score=score,
    score_many=score_many,
    certify=certify,
    players=PLAYERS,
    play_page=PLAY_PAGE,
    metrics=METRICS,
    probes=PROBES,
    kin=kin,
    draw_episode=draw_episode,
    draw_rows=draw_rows,
    scene=make_scenes,
    read_released=read_released,
    write_released=write_released,
    revealed_fields=revealed_fields,
    find_outcome=find_outcome,
)
