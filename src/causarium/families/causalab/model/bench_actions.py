"""What can be done at the bench: hold a property, lock the manipulator, answer the questions."""

import re
from typing import Any, ClassVar

from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from causarium.contract.world import Action

_WHOLE = re.compile(r"([+-]?\d{1,40})(?:\.0*)?")
_MOST_TEXT = 80
_MOST_ARROWS = 400


class Hold(Action):
    """Hold one property of the manipulator's crystal at a whole value, and read everything.

    Afterwards it is let go.
    """

    kind: ClassVar[str] = "hold"
    property: str = Field(description="The property to hold.")
    value: int = Field(description="The whole value to hold it at.")


class Lock(Action):
    """End the experiments and turn to the reactor. The questions follow."""

    kind: ClassVar[str] = "lock"


class Answer(Action):
    """Answer all questions about the reactor's crystal."""

    kind: ClassVar[str] = "answer"
    is_final: ClassVar[bool] = True
    answers: tuple[int | SkipJsonSchema[str] | None, ...] = Field(
        description="One whole number a question, in order; null where you do not know."
    )
    arrows: tuple[tuple[str, str], ...] | None = Field(
        default=None,
        description="If you like: every arrow you believe in, as [cause, effect]. Not rewarded.",
    )

    @field_validator("answers", mode="before")
    @classmethod
    def _read_numbers(cls, given: Any) -> Any:  # noqa: ANN401
        return [_read_whole(one) for one in given] if isinstance(given, list | tuple) else given

    @field_validator("arrows", mode="before")
    @classmethod
    def _read_arrows(cls, given: Any) -> Any:  # noqa: ANN401
        # Arrows earn nothing, so what cannot be read of them must not cost the answers.
        if not isinstance(given, list | tuple):
            return None
        pairs = [_read_arrow(one) for one in given[:_MOST_ARROWS]]
        return [pair for pair in pairs if pair is not None]


def _read_whole(given: object) -> int | str | None:
    """Return a whole number that is written in any way, None, or what stands there as text."""
    if given is None or (isinstance(given, int) and not isinstance(given, bool)):
        return given
    text = str(given).strip().replace("−", "-")
    whole = _WHOLE.fullmatch(text)
    return int(whole[1]) if whole else text[:_MOST_TEXT]


def _read_arrow(given: object) -> tuple[str, str] | None:
    if isinstance(given, dict):
        given = [*given.values()]
    elif isinstance(given, str):
        given = re.split(r"\s*(?:->|→)\s*", given)
    if not isinstance(given, list | tuple) or len(given) != 2:
        return None
    cause, effect = given
    if not isinstance(cause, str) or not isinstance(effect, str):
        return None
    return cause[:_MOST_TEXT], effect[:_MOST_TEXT]


BENCH_ACTIONS: tuple[type[Action], ...] = (Hold, Lock, Answer)
