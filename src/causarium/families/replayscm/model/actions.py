"""What can be done in ReplaySCM: ask for a world, and hand in an answer of either edition."""

from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from causarium.contract.frozen import Frozen
from causarium.contract.world import Action

Bit = Annotated[int, Field(strict=True)]


class UnitAction(Action):
    """Something that is done in the certified edition, with a reason beside it if there is one."""

    comment_fields: ClassVar[frozenset[str]] = frozenset({"thought"})
    thought: SkipJsonSchema[str] = Field(default="", description="Why this is done; never read.")


class Ask(UnitAction):
    """Ask for one more world; the rows of the same units are shown.

    You say which one or two variables are set, each to one value in all units. Units keep the
    values of their roots, unless you set them; everything else follows from the mechanisms.
    """

    kind: ClassVar[str] = "ask"

    set: dict[str, Bit] = Field(
        description="The variables that are set, one or two, each with the value 0 or 1."
    )


class Explain(UnitAction):
    """Hand in the mechanisms that you found; this ends the problem."""

    kind: ClassVar[str] = "explain"
    is_final: ClassVar[bool] = True

    mechanisms: dict[str, str] = Field(
        description="For each variable that is no root, its formula; H stands for the trait."
    )
    hidden: str | None = Field(
        default=None,
        description="The trait of each unit, a digit 0 or 1 for each in their order, where units "
        "have one.",
    )
    touched: dict[str, tuple[str, ...]] | None = Field(
        default=None,
        description="For each world but the first, the variables that were set in it, where that "
        "is not told.",
    )


class Predict(UnitAction):
    """Hand in the row that the unit would have; this ends the problem."""

    kind: ClassVar[str] = "predict"
    is_final: ClassVar[bool] = True

    row: dict[str, Bit] = Field(description="For each variable its value, 0 or 1.")


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


ACTIONS: tuple[type[Action], ...] = (Ask, Explain, Predict, Submit, Extracted)
