"""What can be done at the bench: hold a property, lock the manipulator, answer the questions."""

from typing import ClassVar

from pydantic import Field

from causarium.contract.world import Action


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
    answers: tuple[int | None, ...] = Field(
        description="One whole number a question, in order; null where you do not know."
    )
    arrows: tuple[tuple[str, str], ...] | None = Field(
        default=None,
        description="If you like: every arrow you believe in, as [cause, effect]. Not rewarded.",
    )


BENCH_ACTIONS: tuple[type[Action], ...] = (Hold, Lock, Answer)
