"""What can be done: experiments, and the answers to all questions at once."""

from typing import Any, ClassVar

from pydantic import Field, field_validator

from causarium.contract.world import Action

_MOST_TEXT = 80
_MOST_ITEMS = 64
_LEVEL_WORDS = {
    **dict.fromkeys(("up", "raised", "raise", "high", "+1", "1", "+"), "up"),
    **dict.fromkeys(("down", "lowered", "lower", "low", "-1", "-"), "down"),
    **dict.fromkeys(("rest", "at rest", "neutral", "0", "still"), "rest"),
}


class Hold(Action):
    """Hold some properties in the manipulator and read the frequency; hold none to stop early."""

    kind: ClassVar[str] = "hold"
    hold: dict[str, str] = Field(
        max_length=_MOST_ITEMS,
        description='The properties to hold, each at "up", "down" or "rest".',
    )

    @field_validator("hold", mode="before")
    @classmethod
    def _read_levels(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        return {str(name)[:_MOST_TEXT]: _fold_level(level) for name, level in given.items()}


class Answer(Action):
    """Answer all questions at once, in order."""

    kind: ClassVar[str] = "answer"
    is_final: ClassVar[bool] = True
    answers: tuple[str | None, ...] = Field(
        max_length=_MOST_ITEMS,
        description="One word for each question, in order; null where you do not answer.",
    )

    @field_validator("answers", mode="before")
    @classmethod
    def _read_words(cls, given: object) -> object:
        words = [given] if isinstance(given, str) else given
        if not isinstance(words, list | tuple):
            return given
        return tuple(None if word is None else fold_answer(word) for word in words)


ACTIONS: tuple[type[Action], ...] = (Hold, Answer)
"""All actions of the certified edition."""


def fold_answer(word: object) -> str:
    """Return a word as answers are compared.

    Example:
        >>> fold_answer(' "Up". ')
        'up'
    """
    return str(word)[:_MOST_TEXT].strip(" \t\r\n\"'`.,;:!?()[]{}*_").casefold()


def _fold_level(level: Any) -> str:  # noqa: ANN401 - what an agent wrote
    said = str(level)[:_MOST_TEXT].strip().casefold()
    return _LEVEL_WORDS.get(said, said)
