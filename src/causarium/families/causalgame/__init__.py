"""CausalGame: design drones under selection bias, noise and hidden causes.

A table of contents: each name below comes from the room of this folder that holds it.
"""

from pathlib import Path

from causarium.contract.family import Family
from causarium.families.causalgame.generation.draw import FAMILY_NAME, generate
from causarium.families.causalgame.helpers import JUDGE, interpreter
from causarium.families.causalgame.model.actions import ACTIONS
from causarium.families.causalgame.model.config import LEVELS, GameConfig, GameRules
from causarium.families.causalgame.model.instance import AnyGame, AnyPublic, AnySecret
from causarium.families.causalgame.play import open_world, parse, prompt, reply_schema, says
from causarium.families.causalgame.players import PLAYERS
from causarium.families.causalgame.proofs import REVEALED, canonical_key, certify
from causarium.families.causalgame.scoring import METRICS, score
from causarium.families.causalgame.training import compute_turn_numbers, progress
from causarium.families.causalgame.views import (
    PLAY_PAGE,
    draw_episode,
    draw_rows,
    find_outcome,
    make_scenes,
)

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
    kin=canonical_key,
    progress=progress,
    judge=JUDGE,
    repair_move=interpreter,
    repair_roles=("interpreter",),
    draw_episode=draw_episode,
    draw_rows=draw_rows,
    scene=make_scenes,
    turn_numbers=compute_turn_numbers,
    revealed_fields=REVEALED,
    find_outcome=find_outcome,
)
