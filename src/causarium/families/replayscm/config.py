"""What may be varied when ReplaySCM problems are drawn, and when they are played."""

from typing import ClassVar, Literal

from pydantic import Field

from causarium.contract.family import Config
from causarium.contract.rules import Rules
from causarium.families.replayscm.instance import Setting, Support

FAMILY_NAME = "replayscm"
ASKED = "asked for"
"""The support where worlds are asked for."""

Pool = Literal["core", "large-12", "large-14", "second", "published"]
"""Where the true models come from: ours, by size; ours for tasks that ask for a second model; the
release's strata. Levels of one pool share their models, index by index."""


class ReplayConfig(Config):
    """One level of ReplaySCM."""

    level: str
    """The level's own name; instance ids carry it."""
    setting: Setting
    support: Support = "original"
    pool: Pool = "core"
    longer: int = Field(default=0, ge=0, le=12)
    """How many more worlds are shown than the evidence needs; they settle nothing new."""
    interactive: bool = False
    """Whether worlds are asked for one by one, and not all shown at once."""

    @property
    def practice(self) -> bool:
        """Whether filling in tables solves it: with the order told, and everything shown."""
        return self.setting == "ordered" and self.support == "certified" and not self.interactive

    @property
    def evidence(self) -> str:
        """How much evidence there is, in the word that rows are grouped by."""
        if self.interactive:
            return ASKED
        return f"{self.support} +{self.longer}" if self.longer else self.support


_DISCLOSURES: tuple[tuple[str, Setting], ...] = (
    ("ordered", "ordered"),
    ("block", "block_order"),
    ("hidden", "hidden_order"),
    ("roots", "hidden_roots"),
)
_ALTERNATIVES: tuple[tuple[str, Setting], ...] = (
    ("alt-ordered", "alternative_ordered"),
    ("alt-hidden", "alternative_hidden"),
)
_LADDER: tuple[tuple[str, Support, int], ...] = (
    ("extra", "extra", 3),
    ("audited", "counterexample", 5),
)
"""Rungs of support: the name, what it is in the paper edition, and how many more worlds the
certified edition shows in its place, where the evidence already settles everything."""


def _levels() -> dict[str, ReplayConfig]:
    levels: list[ReplayConfig] = []
    for name, setting in (*_DISCLOSURES, *_ALTERNATIVES):
        alternative = setting.startswith("alternative")
        support: Support = "original" if alternative else "certified"
        levels += [
            ReplayConfig(
                level=name,
                setting=setting,
                support=support,
                pool="second" if alternative else "core",
            ),
            ReplayConfig(level=f"paper-{name}", setting=setting, edition="paper", pool="published"),
        ]
    for name, setting in (_DISCLOSURES[0], _DISCLOSURES[2]):
        for rung, support, longer in _LADDER:
            levels += [
                ReplayConfig(
                    level=f"{name}-{rung}", setting=setting, support="certified", longer=longer
                ),
                ReplayConfig(
                    level=f"paper-{name}-{rung}",
                    setting=setting,
                    support=support,
                    edition="paper",
                    pool="published",
                ),
            ]
    pools: tuple[tuple[str, Pool], ...] = (("12", "large-12"), ("14", "large-14"))
    for size, pool in pools:
        levels += [
            ReplayConfig(level=f"{name}-{size}", setting=setting, support="certified", pool=pool)
            for name, setting in (_DISCLOSURES[0], _DISCLOSURES[2])
        ]
    levels += [
        ReplayConfig(level=f"ask-{name}", setting=setting, support="certified", interactive=True)
        for name, setting in _DISCLOSURES
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
        description="Of several JSON objects in a reply the one that looks most like an answer is "
        "taken; otherwise a reply with two different answers is not read.",
    )
    parent_limit_unsaid: bool = Field(
        default=False,
        description="The text does not say on how many variables a mechanism may depend; "
        "otherwise it says so, because without that nothing is settled by any evidence.",
    )
    strict_form: bool = Field(
        default=False,
        description="A reply is read as published, or not at all; otherwise a formula in which "
        "only one thing can be meant is read, and what cannot be read is asked for once more.",
    )
