"""ReCITE: read a long text and write down its causal graph.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from pathlib import Path

from causarium.contract.family import Family
from causarium.contract.instance import Instance
from causarium.families.recite.actions import ACTIONS
from causarium.families.recite.certify import certify
from causarium.families.recite.charts.row_charts import draw_rows
from causarium.families.recite.config import FAMILY_NAME, LEVELS, ReciteConfig, ReciteRules
from causarium.families.recite.figures import draw_episode
from causarium.families.recite.formats.dataset_files import read_released, write_released
from causarium.families.recite.generate import generate
from causarium.families.recite.instance import REVEALED, RecitePublic, ReciteSecret
from causarium.families.recite.judge import JUDGE
from causarium.families.recite.kin import kin
from causarium.families.recite.outcome import count_arrows, find_outcome
from causarium.families.recite.parse import parse
from causarium.families.recite.players import PLAYERS
from causarium.families.recite.prompts import prompt
from causarium.families.recite.repair import repair
from causarium.families.recite.reply_schema import reply_schema
from causarium.families.recite.scene import make_scenes
from causarium.families.recite.score import METRICS, score
from causarium.families.recite.views.play_page import PLAY_PAGE
from causarium.families.recite.world import ReciteWorld

FAMILY: Family[ReciteConfig, RecitePublic, ReciteSecret, ReciteRules] = Family(
    name=FAMILY_NAME,
    folder=Path(__file__).parent,
    levels=LEVELS,
    instance=Instance[RecitePublic, ReciteSecret],
    rules=ReciteRules,
    actions=ACTIONS,
    generate=generate,
    open_world=ReciteWorld,
    prompt=prompt,
    parse=parse,
    reply_schema=reply_schema,
    score=score,
    certify=certify,
    players=PLAYERS,
    play_page=PLAY_PAGE,
    metrics=METRICS,
    kin=kin,
    revealed_fields=REVEALED,
    judge=JUDGE,
    repair_move=repair,
    repair_roles=("repair",),
    draw_episode=draw_episode,
    draw_rows=draw_rows,
    scene=make_scenes,
    read_released=read_released,
    write_released=write_released,
    find_outcome=find_outcome,
    count_pieces=count_arrows,
)
