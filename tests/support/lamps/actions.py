"""What can be done in lamps."""

from typing import ClassVar

from pydantic import Field

from causarium.contract.world import Action


class Flip(Action):
    """Flip one switch and look at the lamp."""

    kind: ClassVar[str] = "flip"

    switch: str = Field(description="The name of the switch.")


class Answer(Action):
    """Say which switch lights the lamp. This ends the game."""

    kind: ClassVar[str] = "answer"
    is_final: ClassVar[bool] = True

    wired: str = Field(description="The name of the switch that lights the lamp.")


ACTIONS: tuple[type[Action], ...] = (Flip, Answer)
