"""The levels of the published problems, and the rules by which they are played."""

from typing import ClassVar

from pydantic import Field

from causarium.contract.family import Config
from causarium.contract.rules import Edition, Rules
from .model.instance import FAMILY_NAME, Setting, Support


class ReplayConfig(Config):
    """One level of ReplaySCM."""

    edition: Edition = "paper"
    level: str
    """The level's own name; instance ids carry it."""
    setting: Setting
    support: Support = "original"

    def name_problem(self, seed: int, index: int) -> str:
        """Return what problem `index` of this level is called."""
        return f"{FAMILY_NAME}-{self.level}-{f's{seed}-' if seed else ''}{index:04d}"


_DISCLOSURES: tuple[tuple[str, Setting], ...] = (
    ("ordered", "ordered"),
    ("block", "block_order"),
    ("hidden", "hidden_order"),
    ("roots", "hidden_roots"),
    ("alt-ordered", "alternative_ordered"),
    ("alt-hidden", "alternative_hidden"),
)
_RUNGS: tuple[tuple[str, Support], ...] = (("extra", "extra"), ("audited", "counterexample"))


def _levels() -> dict[str, ReplayConfig]:
    levels: list[tuple[str, Setting, Support]] = [(*one, "original") for one in _DISCLOSURES]
    for name, setting in (_DISCLOSURES[0], _DISCLOSURES[2]):
        levels += [(f"{name}-{rung}", setting, support) for rung, support in _RUNGS]
    return {
        f"paper-{name}": ReplayConfig(level=f"paper-{name}", setting=setting, support=support)
        for name, setting, support in levels
    }


LEVELS = _levels()
"""Every named configuration."""


class ReplayRules(Rules):
    """How a ReplaySCM problem is played."""

    quirks: ClassVar[tuple[str, ...]] = (
        "several_objects_chosen",
        "parent_limit_unsaid",
        "strict_form",
    )

    several_objects_chosen: bool = Field(
        default=False,
        description="If a reply has several JSON objects, the one that looks most like an answer "
        "is taken; otherwise the first answer is.",
    )
    parent_limit_unsaid: bool = Field(
        default=False,
        description="The prompt does not say how many variables a mechanism may depend on; "
        "otherwise it does, because without that limit no evidence settles anything.",
    )
    strict_form: bool = Field(
        default=False,
        description="A reply is read as published or not at all; otherwise a formula with one "
        "clear meaning is read, and an unreadable answer may be sent once more.",
    )
