"""What may be varied when instances are drawn (`GameConfig`) and played (`GameRules`)."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from causarium.contract.family import Config
from causarium.contract.rules import Rules
from .expeditions import MOST_LEGS, LegKind

_VARIANTS = ("", *("_high_def", "_local_optima", "_no_history", "_no_selection_bias"))
NAMES: tuple[str, ...] = (
    *(f"antenna_trap{variant}" for variant in (*_VARIANTS, "_simpsons_paradox")),
    *(
        f"deployment_zone_trap_categorical{variant}"
        for variant in (*_VARIANTS, "_simpsons_paradox")
    ),
    *("deployment_zone_trap_env_shift", "weather_noise"),
)
"""The fourteen published games."""
SPARE_TURNS = 10
"""An episode has so many turns beyond its deployments, as published."""


class GameConfig(Config):
    """What may be varied when instances are drawn: one of the fourteen games, or an expedition."""

    level: str = "custom"
    """The level's name; it becomes part of the ids."""
    game: str | None = None
    """Paper edition: one of the fourteen games; every instance is a session of it."""
    legs: tuple[LegKind, ...] = ()
    """Certified edition: the kinds of an expedition's legs; their order is drawn."""
    tier: Literal[1, 2, 3] = 1
    """Certified edition: how large the legs are."""
    programs_fly: bool = False
    """Certified edition: whether programs of the agent may fly."""

    @model_validator(mode="after")
    def _fits_its_edition(self) -> "GameConfig":
        if (self.game is None) == (not self.legs):
            raise ValueError("a level has either a published game's name or the kinds of legs")
        if self.game is not None and self.game not in NAMES:
            raise ValueError(f"there is no game {self.game!r}; games: {', '.join(NAMES)}")
        if (self.game is not None) != (self.edition == "paper"):
            raise ValueError("the paper edition has the fourteen games, the certified one legs")
        if "line" in self.legs and self.tier != 3:
            raise ValueError("only tier 3 has lines")
        if not self.game and len(self.legs) != MOST_LEGS:
            raise ValueError(f"an expedition has {MOST_LEGS} legs, not {len(self.legs)}")
        return self


def _switch(description: str, *, default: bool = False) -> Any:  # noqa: ANN401 - as `Field`
    return Field(default=default, description=description)


class GameRules(Rules):
    """What may be varied when a session is played."""

    interfaces: ClassVar[tuple[str, ...]] = ("json", "tools", "code")
    unconstrained: ClassVar[tuple[str, ...]] = ("tools", "code")
    without_programs: ClassVar[Mapping[str, str]] = {"analysis": "false"}
    quirks: ClassVar[tuple[str, ...]] = (
        *("numbered_before_filtering", "opening_rate", "altitude_hint", "names_only"),
        *("costly_refusals", "narrow_rows", "last_environment", "thoughts_unchecked"),
        *("analysis_unanswered", "deploy_after_submission", "secondary_score"),
        *("unguarded_programs", "strict_form"),
    )

    calls_per_turn: int = Field(default=5, ge=1, le=50, description="The most actions in one turn.")
    max_turns: int | None = Field(
        default=None,
        gt=0,
        description="End exploration after this many turns. Default: ten more than the deployments "
        "of a published game; on an expedition, as many actions as orders, and 20 more.",
    )
    questions: bool = _switch(
        "Paper edition: ask three questions about the result after every deployment; `claims` is "
        "for expeditions.",
        default=True,
    )
    analysis: bool = _switch(
        "Offer run_analysis: Python in a sandbox, on the flights seen.", default=True
    )
    guard: bool = _switch(
        "Paper edition: refuse a submission until drones were deployed at least once.", default=True
    )
    report: bool = _switch(
        "Paper edition: ask for a final report once the fleet's result is known.", default=True
    )
    claims: bool = _switch(
        "Ask for causal claims in the paper edition; on an expedition, ask after the commitment "
        "what each part does to the fleet.",
        default=True,
    )
    strict_form: bool = _switch(
        "Only the requested form is read, and an unreadable reply gets no second chance."
    )
    numbered_before_filtering: bool = _switch(
        "Flights are numbered and counted before lost ones are left out, "
        "so that gaps and counts give losses away."
    )
    opening_rate: bool = _switch(
        "The opening states a survival rate over the recorded flights alone, which is 100 % "
        "wherever lost ones are left out."
    )
    altitude_hint: bool = _switch(
        "The story of zone games says that low flights are lost more often."
    )
    names_only: bool = _switch(
        "The archive names and describes hidden variables but never returns data."
    )
    costly_refusals: bool = _switch(
        "A question that is too long, or contains `optimal`, `answer` and the like, is charged "
        "but not looked up."
    )
    narrow_rows: bool = _switch(
        "Rows of a deployment show only wind_speed, humidity, temperature and uv_index, so "
        "hardly anything in zone games."
    )
    last_environment: bool = _switch(
        "A deployment shows the readings of its last flight, even if that one was lost."
    )
    thoughts_unchecked: bool = _switch(
        "The prompt asks for reasoning before an action but does not require it."
    )
    analysis_unanswered: bool = _switch("What run_analysis prints is not sent back to the agent.")
    deploy_after_submission: bool = _switch(
        "The agent may deploy its remaining drones after the submission."
    )
    secondary_score: bool = _switch(
        "The result names a second score, 0.7 survival + 0.3 thrift in armour, which counts for "
        "nothing."
    )
    unguarded_programs: bool = _switch(
        "Programs of the code interface may submit without having deployed."
    )

    @property
    def guards(self) -> bool:
        """Whether a submission is refused until drones were deployed."""
        return self.guard and not (self.interface == "code" and self.unguarded_programs)


def _levels() -> dict[str, GameConfig]:
    flown: tuple[LegKind, ...] = ("dial", "dial", "roster", "depot")
    lines: tuple[LegKind, ...] = ("line", "line", "roster", "depot")
    expeditions = [
        GameConfig(level="expedition-1", legs=flown, tier=1, programs_fly=True),
        GameConfig(level="expedition-2", legs=flown, tier=2, programs_fly=True),
        GameConfig(level="expedition-3", legs=lines, tier=3),
        GameConfig(level="dial", legs=("dial",) * MOST_LEGS, tier=2, programs_fly=True),
        GameConfig(level="roster", legs=("roster",) * MOST_LEGS, tier=2, programs_fly=True),
        GameConfig(level="depot", legs=("depot",) * MOST_LEGS, tier=2, programs_fly=True),
        GameConfig(level="line", legs=("line",) * MOST_LEGS, tier=3),
        GameConfig(level="line-code", legs=("line",) * MOST_LEGS, tier=3, programs_fly=True),
    ]
    published = [GameConfig(level=f"paper-{name}", game=name, edition="paper") for name in NAMES]
    return {config.level: config for config in (*expeditions, *published)}


LEVELS = _levels()
"""Every named configuration: expeditions by tier and by kind, and a level a published game."""
