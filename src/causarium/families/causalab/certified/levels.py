"""The rungs: what turns from one to the next, by rule."""

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
    deep: bool
    """Whether adding up single effects is wrong in each question."""


class LadderRules(Rules):
    """How an instance of the certified edition is played."""


_BUDGETS = (0, 4, 5, 6, 7, 12, 17, 24)
_SIZES = (3, 4, 5, 7, 8, 12, 18, 27)


def make_config(rung: int) -> LadderConfig:
    """Return the configuration of a rung."""
    stem, fixed = int(rung > 2), rung > 3
    rising, falling = 1 + (rung > 1), 1 + (rung > 3)
    gates = (rung > 4) + (rung > 5)
    acting = stem + rising + falling + gates
    kinds: list[QuestionKind] = ["had"] if rung in {5, 7} else ["happens"]
    kinds += ["tells"] if rung > 5 else []
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
        holds=(1, 2, 2, 3, 4, 5, 6, 8)[rung - 1],
        budget=_BUDGETS[rung - 1],
        made=2 if rung == 1 else 0,
        asked=tuple(kinds),
        asked_holds=min(rung, 3) + (rung > 4),
        deep=rung > 4,
    )


DIALS = {
    "skeleton": "More in a row, two paths that cancel, gates that shut a path: each hides "
    "what another does.",
    "fixed": "Two properties cannot be held, and one of them acts: some answers cannot be known.",
    "budget": "As many experiments as the exact player needs, so each depends on the last reading.",
    "holds": "Several are held at once, and what acts further down hides what acts before.",
    "asked": "What would have happened needs what was pushed; which experiment tells needs two "
    "crystals in mind.",
    "deep": "Adding up what each property does alone is wrong in each question.",
}

RUNGS: Rungs[LadderConfig] = Rungs(make=make_config, top=TOP, dials=DIALS)
