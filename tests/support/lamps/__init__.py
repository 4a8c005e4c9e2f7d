"""Lamps: one of several switches lights the lamp; flip a few, then say which.

A whole family in the layout of `causarium/families/`, small enough to read in five minutes. Tests
of the contract, the engine and the report play it, and `docs/adding-a-family.md` explains it.
"""

from causarium.contract.family import Family, Replies
from tests.support.lamps.actions import ACTIONS
from tests.support.lamps.config import LEVELS, LampsConfig, LampsRules
from tests.support.lamps.generate import generate
from tests.support.lamps.instance import LampsInstance, LampsPublic, LampsSecret
from tests.support.lamps.parse import parse
from tests.support.lamps.prompts import prompt
from tests.support.lamps.score import METRICS, score
from tests.support.lamps.world import LampsWorld

FAMILY: Family[LampsConfig, LampsPublic, LampsSecret, LampsRules] = Family(
    name="lamps",
    package=__name__,
    levels=LEVELS,
    instance=LampsInstance,
    rules=LampsRules,
    actions=ACTIONS,
    generate=generate,
    open_world=LampsWorld,
    prompt=prompt,
    replies=Replies(parse=parse),
    score=score,
    metrics=METRICS,
)

LAMPS = FAMILY
