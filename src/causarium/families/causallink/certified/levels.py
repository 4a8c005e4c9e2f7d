"""The rungs of the ladder, and the rules by which any of them is played.

A rung is a *plan*: how many objects there are, which parts some of them play, what was tried before
and how many trials an agent has. From rung to rung parts are added, objects come with them, and the
trials stay few.
"""

from pydantic import Field

from causarium.contract.family import Config
from causarium.contract.rules import Rules
from causarium.contract.rungs import Rungs


class LinkConfig(Config):
    """One rung of CausalLink."""

    rung: int = Field(ge=1)
    objects: int = Field(ge=2, le=16)
    """How many objects can be started and held; the target is not among them."""
    group: int
    """How many objects the first group has, the one that is asked about."""
    rivals: tuple[int, ...] = ()
    """How many objects each other group has."""
    stoppers: int = 0
    starters: int = Field(default=0, ge=0, le=1)
    lively: int = 0
    """How many objects move when they are left alone."""
    hands: int
    """How many objects can be started or held in one trial."""
    trials: int
    """How many trials an agent has."""
    watched: int
    """How many trials were made before."""
    fewest: int = 1
    """The fewest pairs of worlds that fit what is shown."""
    most: int = 1_000_000
    """The most pairs of worlds that fit what is shown."""
    worked: int = 0
    """How many of them moved the target, where an agent has trials of its own."""


_STEPS: tuple[dict[str, object], ...] = (
    {"objects": 2, "group": 1, "watched": 1, "trials": 0, "hands": 2},
    {"objects": 4, "group": 2, "stoppers": 1, "watched": 2, "trials": 3, "hands": 4},
    {"objects": 5, "rivals": (1,), "lively": 1, "trials": 4},
    {"objects": 6, "rivals": (2,), "lively": 2, "watched": 3, "worked": 1, "trials": 3},
    {"objects": 8, "group": 3, "lively": 3, "watched": 4, "trials": 5},
    {"objects": 9, "stoppers": 2, "lively": 4, "trials": 7},
    {"objects": 11, "rivals": (2, 2), "lively": 5, "watched": 5, "worked": 2, "trials": 7}
    | {"fewest": 300, "most": 1200},
    {"starters": 1, "watched": 6, "worked": 3, "trials": 10, "fewest": 1500, "most": 8000},
    {"watched": 4, "worked": 2, "trials": 12, "fewest": 5000, "most": 30000},
)
"""What changes from one rung to the next."""


def _make_config(rung: int) -> LinkConfig:
    fields: dict[str, object] = {"rung": rung}
    for step in _STEPS[:rung]:
        fields.update(step)
    return LinkConfig.model_validate(fields)


RUNGS: Rungs[LinkConfig] = Rungs(
    make=_make_config,
    top=len(_STEPS),
    dials={
        "objects": "More objects that may play a part: more causes to tell apart.",
        "group": "A cause that needs companions shows nothing where one of them stands still.",
        "rivals": "Another sufficient cause hides whether the one asked about was needed.",
        "stoppers": "A prevented effect looks like a missing cause.",
        "starters": "An indirect path moves what nobody started, unless it is held.",
        "lively": "What acts unasked masks and prevents; it must be held, or taken into account.",
        "hands": "Not all else can be held: what matters has to be known before it is controlled.",
        "watched": "Trials made before tell more, and more has to be read together.",
        "fewest": "More explanations of what was seen are open when the first trial is chosen.",
        "trials": "Fewer trials to mend a wrong guess: each has to follow from what was seen.",
    },
)
"""The ladder."""


class LinkRules(Rules):
    """How an instance is played."""
