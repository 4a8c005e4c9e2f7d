"""Lamps: one of several switches lights the lamp; flip a few, then say which.

A whole family, small enough to read in five minutes: a table of contents, each name from the file
of this folder that holds it.
"""

from causarium.contract.family import Family, Replies
from tests.support.lamps.model import (
    ACTIONS,
    LEVELS,
    LampsConfig,
    LampsInstance,
    LampsPublic,
    LampsRules,
    LampsSecret,
    generate,
)
from tests.support.lamps.play import LampsWorld, parse, prompt
from tests.support.lamps.scoring import METRICS, score

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
