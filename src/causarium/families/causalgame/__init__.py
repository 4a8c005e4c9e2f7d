"""CausalGame: design drones under selection bias, noise and hidden causes.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from pathlib import Path

from causarium.contract.family import Family
from causarium.families.causalgame.actions import ACTIONS
from causarium.families.causalgame.certify import certify
from causarium.families.causalgame.charts.row_charts import draw_rows
from causarium.families.causalgame.config import LEVELS, GameConfig, GameRules
from causarium.families.causalgame.figures import draw_episode
from causarium.families.causalgame.generate import FAMILY_NAME, generate
from causarium.families.causalgame.instance import AnyGame, AnyPublic, AnySecret
from causarium.families.causalgame.judge import JUDGE
from causarium.families.causalgame.kin import kin
from causarium.families.causalgame.parse import parse
from causarium.families.causalgame.players import PLAYERS
from causarium.families.causalgame.prompts import interpreter, prompt
from causarium.families.causalgame.reply_schema import reply_schema
from causarium.families.causalgame.says import says
from causarium.families.causalgame.scene import make_scenes
from causarium.families.causalgame.score import METRICS, score
from causarium.families.causalgame.scoring.progress import progress
from causarium.families.causalgame.turn_numbers import compute_turn_numbers
from causarium.families.causalgame.views.outcome import find_outcome
from causarium.families.causalgame.views.play_page import PLAY_PAGE
from causarium.families.causalgame.world import open_world

FAMILY: Family[GameConfig, AnyPublic, AnySecret, GameRules] = Family(
    name=FAMILY_NAME,
    folder=Path(__file__).parent,
    levels=LEVELS,
    instance=AnyGame,
    rules=GameRules,
    actions=ACTIONS,
    generate=generate,
    open_world=open_world,
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
    judge=JUDGE,
    repair_move=interpreter,
    repair_roles=("interpreter",),
    draw_episode=draw_episode,
    draw_rows=draw_rows,
    scene=make_scenes,
    turn_numbers=compute_turn_numbers,
    # Names and what is said of them, which a session and its archive tell; `found` and `rows` are
    # what the archive adds and what the published numbering shows. The total of armour is told.
    revealed_fields=frozenset(
        {"name", "key", "parents", "about", "blurb", "found", "rows", "total"}
    ),
    find_outcome=find_outcome,
)
