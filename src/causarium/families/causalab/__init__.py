"""CausaLab: discover a hidden mechanism by experiment, and predict with it.

A table of contents: each name below comes from the file of this folder that holds it.
"""

from pathlib import Path

from causarium.contract.family import Family
from causarium.families.causalab.actions import ACTIONS
from causarium.families.causalab.certify import certify
from causarium.families.causalab.config import LEVELS, LabConfig, LabRules
from causarium.families.causalab.evidence.leak_probes import PROBES
from causarium.families.causalab.figures import draw_episode, draw_rows
from causarium.families.causalab.formats.read_suite import read_suite
from causarium.families.causalab.formats.write_suite import write_suite
from causarium.families.causalab.generate import generate
from causarium.families.causalab.generation.skeletons import FAMILY_NAME
from causarium.families.causalab.instance import GroupedInstance, LabPublic, LabSecret
from causarium.families.causalab.interface.open_world import open_world
from causarium.families.causalab.kin import kin
from causarium.families.causalab.outcome import find_outcome
from causarium.families.causalab.parse import parse
from causarium.families.causalab.players import PLAYERS
from causarium.families.causalab.progress import progress
from causarium.families.causalab.prompts import prompt
from causarium.families.causalab.reply_schema import reply_schema
from causarium.families.causalab.says import says
from causarium.families.causalab.scene import guide_frame, make_scenes
from causarium.families.causalab.score import METRICS, score
from causarium.families.causalab.turn_numbers import compute_turn_numbers
from causarium.families.causalab.views.play_page import PLAY_PAGE

FAMILY: Family[LabConfig, LabPublic, LabSecret, LabRules] = Family(
    name=FAMILY_NAME,
    folder=Path(__file__).parent,
    levels=LEVELS,
    instance=GroupedInstance,
    rules=LabRules,
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
    probes=PROBES,
    turn_numbers=compute_turn_numbers,
    draw_episode=draw_episode,
    scene=make_scenes,
    draw_rows=draw_rows,
    guide_frame=guide_frame,
    read_released=read_suite,
    write_released=write_suite,
    # The paper edition prints values in `order` (rule `order_leak`), and what has no cause reads
    # its base.
    revealed_fields=frozenset({"order", "manipulator_bases", "reactor_bases", "record_bases"}),
    find_outcome=find_outcome,
)
