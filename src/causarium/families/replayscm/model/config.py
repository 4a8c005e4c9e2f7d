"""What may be varied when ReplaySCM problems are drawn, and when they are played."""

from typing import ClassVar, Literal

from pydantic import Field

from causarium.contract.family import Config
from causarium.contract.rules import Rules
from .instance import Setting, Support

FAMILY_NAME = "replayscm"

Pool = Literal["published", "units"]
"""Where the true models come from: the release's strata, with levels that share their models index
by index, or ours, with units that can be recognised."""


class ReplayConfig(Config):
    """One level of ReplaySCM."""

    level: str
    """The level's own name; instance ids carry it."""
    setting: Setting
    support: Support = "original"
    pool: Pool = "published"

    def name_problem(self, seed: int, index: int) -> str:
        """Return what problem `index` of this level is called."""
        return f"{FAMILY_NAME}-{self.level}-{f's{seed}-' if seed else ''}{index:04d}"


UNIT_LEVELS: tuple[Setting, ...] = ("whatif", "trait", "touched", "both", "ask")
"""The levels of the certified edition."""
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
    levels = [
        ReplayConfig(level=name, setting=name, support="certified", pool="units")
        for name in UNIT_LEVELS
    ]
    paper: list[tuple[str, Setting, Support]] = [(*one, "original") for one in _DISCLOSURES]
    for name, setting in (_DISCLOSURES[0], _DISCLOSURES[2]):
        paper += [(f"{name}-{rung}", setting, support) for rung, support in _RUNGS]
    levels += [
        ReplayConfig(level=f"paper-{name}", setting=setting, support=support, edition="paper")
        for name, setting, support in paper
    ]
    return {config.level: config for config in levels}


LEVELS = _levels()
"""Every named configuration, of both editions."""


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
