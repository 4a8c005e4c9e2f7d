"""The rungs of the ladder: what is read, and how many passages decide an edge together."""

from typing import Literal

from pydantic import Field

from causarium.contract.family import Config
from causarium.contract.rules import Rules
from causarium.contract.rungs import Rungs

Form = Literal["choice", "line", "twin", "chain"]
FORMS: tuple[Form, ...] = ("choice", "line", "twin", "chain")
"""The forms of texts, from the lowest rung upwards."""


class ReciteConfig(Config):
    """One rung of ReCITE."""

    rung: int = Field(ge=1)
    form: Form
    """Which texts are read, and how they are asked about."""


def _make_config(rung: int) -> ReciteConfig:
    return ReciteConfig(rung=rung, form=FORMS[rung - 1])


RUNGS: Rungs[ReciteConfig] = Rungs(
    make=_make_config,
    top=len(FORMS),
    dials={
        "form": (
            "From one of two causes, over all pairs of eight names and whole documents, to edges "
            "that several passages in different scenes decide together: more to keep apart, and "
            "evidence that counts only beside its control."
        ),
    },
)
"""The ladder."""


class ReciteRules(Rules):
    """How an instance is played."""
