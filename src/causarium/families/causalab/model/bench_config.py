"""The bench: what may be varied when its instances are drawn, and its named levels."""

from typing import Literal, Self

from pydantic import Field, model_validator

from causarium.contract.family import Config

MOST_PROPERTIES = 20
"""As many as there are names for."""
SMALL_CHANGE = 79
"""The largest change on levels for people without code: readings then stay below 100."""

Proof = Literal["any weights", "whole weights"]
"""Which equations have to agree before a question is asked: those with any real weights, or those
with whole ones."""


class BenchConfig(Config):
    """What may be varied when instances of the bench are drawn."""

    level: str = "custom"
    """The level's name; it becomes part of the ids."""
    properties: int = Field(default=4, ge=3, le=MOST_PROPERTIES)
    """How many properties a crystal has beside its frequency."""
    largest: int = Field(default=2, ge=1, le=9)
    """Weights are whole, from -largest to largest, and not 0."""
    source_share: float = Field(default=0.1, ge=0, lt=1)
    """The chance that a property has no causes."""
    window: int = Field(default=4, ge=2)
    """Causes come from so many places before, in the order of the draw."""
    fixed: int = Field(default=0, ge=0)
    """How many properties cannot be held at the manipulator."""
    budget: int = Field(default=4, ge=1)
    """How many experiments may be made."""
    questions: int = Field(default=3, ge=1, le=12)
    """How many questions count."""
    limit: int = Field(default=5, ge=2, le=100)
    """How far from its reading a property may be held."""
    holds: Literal[2, 3] = 2
    """How many properties a question holds at most."""
    settled_by: Proof = "any weights"
    small: bool = True
    """Whether no experiment and no question may move anything further than `SMALL_CHANGE`."""

    @model_validator(mode="after")
    def _can_be_drawn(self) -> Self:
        free = self.properties - self.fixed
        if free < 2:
            raise ValueError(
                f"of {self.properties} properties {self.fixed} cannot be held, so that {free} can; "
                "leave at least 2"
            )
        if self.edition != "certified":
            raise ValueError("the bench is of the certified edition; levels `paper-...` are not")
        return self


def _level(name: str, properties: int, fixed: int, **more: object) -> BenchConfig:
    given = {"budget": properties - fixed, **more}
    return BenchConfig.model_validate(
        {"level": name, "properties": properties, "fixed": fixed, **given}
    )


def _large(name: str, properties: int, fixed: int, **more: object) -> BenchConfig:
    given = {"largest": 3, "window": 5, "questions": 6, "limit": 10, "holds": 3, "small": False}
    return _level(name, properties, fixed, **{**given, **more})


BENCH_LEVELS = {
    level.level: level
    for level in (
        _level("bench-3", 3, 0, source_share=0.0, window=3, questions=1),
        _level("practice-4", 4, 0, source_share=0.0),
        _level("practice-6", 6, 0, largest=3, questions=4),
        _level("bench-4", 4, 1, source_share=0.0, settled_by="whole weights"),
        _level("bench-6", 6, 2),
        _level("part-8", 8, 3, questions=4),
        _large("part-12", 12, 4),
        _large("top-12", 12, 4, budget=6, settled_by="whole weights"),
        _large("top-20", 20, 7, budget=9, settled_by="whole weights"),
    )
}
"""Every level of the certified edition, from easy to hard."""
