"""What can be done in a CausalLink world."""

from typing import ClassVar

from pydantic import Field

from causarium.contract.world import Action


class Intervene(Action):
    """Act once on one of the listed things; the answer shows the state of all of them after."""

    kind: ClassVar[str] = "intervene"

    shape: str = Field(description="The name of the thing to act on, exactly as listed.")
    action: str = Field(description="One of the two listed actions, exactly as written.")


class Choose(Action):
    """Say whether to go on interacting or to answer."""

    kind: ClassVar[str] = "choose"
    in_tools: ClassVar[bool] = False

    next: str = Field(description="'continue interaction' or 'answer the question'.")


class Answer(Action):
    """Give the final answer to the question; this ends the case."""

    kind: ClassVar[str] = "answer"
    is_final: ClassVar[bool] = True

    answer: str = Field(description="'yes' or 'no'.")


ACTIONS: tuple[type[Action], ...] = (Intervene, Choose, Answer)
CONTINUE = "continue interaction"
STOP = "answer the question"
