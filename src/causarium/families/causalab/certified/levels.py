"""The rungs: what turns from one to the next, by rule."""

from collections.abc import Mapping

from pydantic import Field

from causarium.contract.family import Config
from causarium.contract.rules import Rules
from causarium.contract.rungs import Rungs
from .model.instance import QuestionKind
from .model.skeleton import Skeleton

TOP = 8


class LadderConfig(Config):
    """One rung."""

    rung: int = Field(ge=1)
    skeleton: Skeleton
    holds: int = Field(ge=1)
    """The largest number of properties held in one experiment."""
    budget: int = Field(ge=0)
    """The number of experiments."""
    made: int = Field(default=0, ge=0)
    """The number of experiments that were made before."""
    asked: tuple[QuestionKind, ...]
    """The kinds of the questions, in order."""
    asked_holds: int = Field(ge=1)
    """The number of properties held in a question."""


class LadderRules(Rules):
    """How an instance of the certified edition is played."""


_BUDGETS = (0, 4, 5, 6, 8, 11, 17, 22)
_SIZES = (3, 4, 5, 7, 8, 12, 18, 27)


_FIRST_ASKED: Mapping[QuestionKind, int] = {"had": 5, "tells": 6}


def make_config(rung: int) -> LadderConfig:
    """Return the configuration of a rung."""
    stem, fixed = int(rung > 2), rung > 3
    rising, falling = 1 + (rung > 1), 1 + (rung > 3)
    gates = (rung > 4) + (rung > 6)
    acting = stem + rising + falling + gates
    kinds: list[QuestionKind] = ["happens"] if rung != 6 else []
    kinds += [kind for kind, least in _FIRST_ASKED.items() if rung >= least]
    return LadderConfig(
        rung=rung,
        skeleton=Skeleton(
            stem=stem,
            rising=rising,
            falling=falling,
            gates=gates,
            idle=_SIZES[rung - 1] - acting,
            fixed=fixed,
        ),
        holds=(1, 2, 2, 3, 3, 4, 4, 5)[rung - 1],
        budget=_BUDGETS[rung - 1],
        made=2 if rung == 1 else 0,
        asked=tuple(kinds),
        asked_holds=min(rung, 3),
    )


RUNGS: Rungs[LadderConfig] = Rungs(make=make_config, top=TOP, dials={})
