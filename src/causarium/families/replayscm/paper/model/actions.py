"""What can be done in a published problem: hand in an answer."""

from typing import Annotated, ClassVar

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.contract.world import Action

Bit = Annotated[int, Field(strict=True)]


class Submit(Action):
    """Hand in the final answer; this ends the problem."""

    kind: ClassVar[str] = "submit"
    is_final: ClassVar[bool] = True

    mechanisms: dict[str, str] = Field(
        description="For each variable that is no root, its formula as an s-expression."
    )
    roots: tuple[str, ...] | None = Field(
        default=None, description="The root variables, only where they are asked for."
    )
    experiment: dict[str, Bit] | None = Field(
        default=None,
        description="One variable and the value it is set to, only where it is asked for.",
    )
    witness: dict[str, Bit] | None = Field(
        default=None,
        description="A value for every root at which the models differ under the experiment, "
        "only where it is asked for.",
    )


class Difference(Frozen):
    """One value that an answer in the released form says differs."""

    variable: str
    reference: int | None
    alternative: int | None


class Released(Frozen):
    """What an answer in the released form says beside what is asked for here."""

    experiment_type: str | None
    differences: tuple[Difference, ...]


class Answered(Submit):
    """A final answer as it stood in a text reply."""

    kind: ClassVar[str] = "answered"
    in_tools: ClassVar[bool] = False

    released: Released | None = Field(
        default=None, description="What else it says, where it is in the released form."
    )


class Extracted(Answered):
    """A final answer that was found in a text reply."""

    kind: ClassVar[str] = "extracted"
    comment_fields: ClassVar[frozenset[str]] = frozenset({"strict", "slips"})

    strict: bool = Field(
        default=True, description="Whether the reply was the one JSON object and nothing else."
    )
    slips: int = Field(default=0, description="How many values had to be forgiven their form.")
    others: tuple[Answered, ...] = Field(
        default=(),
        description="Further answers in the same reply, best first; where the rules choose among "
        "several, the first that can be executed counts.",
    )


ACTIONS: tuple[type[Action], ...] = (Submit, Extracted)
