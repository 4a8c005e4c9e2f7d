"""Everything that can be done in this family's worlds.

`measure`, `intervene`, `reset`, `verify` and `submit` are the actions of the tool and the JSON
interfaces. The dialog interface has a small world of places and menus on top of the same lab, and
actions of its own, which are not offered as tools.
"""

from typing import ClassVar

from pydantic import Field

from causarium.contract.world import Action
from causarium.families.causalab.mechanics.hypothesis import FORM, Hypothesis

_NOW = "What you now believe the mechanism to be."


class Measure(Action):
    """Read every value of the manipulator's crystal as it now is. It costs nothing."""

    kind: ClassVar[str] = "measure"
    hypothesis: Hypothesis | None = Field(
        default=None, description="What you now believe the mechanism to be."
    )


class Intervene(Action):
    """Put one property of the manipulator's crystal to a value, then read all values."""

    kind: ClassVar[str] = "intervene"
    property: str = Field(description="The property to put to a value.")
    value: float = Field(description="The value, a finite number.", strict=True)
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Reset(Action):
    """Put the manipulator's crystal back to how it was at the start. It costs nothing."""

    kind: ClassVar[str] = "reset"
    hypothesis: Hypothesis | None = Field(
        default=None, description="What you now believe the mechanism to be."
    )


class Verify(Action):
    """Hold a hypothesis once against every reading collected so far, before you submit."""

    kind: ClassVar[str] = "verify"
    # A field's own description hides that of its type, so the form is said here again.
    hypothesis: Hypothesis = Field(description=f"The hypothesis to hold against the data. {FORM}")


class Submit(Action):
    """Submit the frequency of the reactor's crystal. The manipulator is locked from then on."""

    kind: ClassVar[str] = "submit"
    is_final: ClassVar[bool] = True
    value: float = Field(description="The predicted frequency in Hz.", strict=True)
    hypothesis: Hypothesis | None = Field(
        default=None, description="What you finally believe the mechanism to be."
    )


class Go(Action):
    """Walk to a place or to a device (dialog interface)."""

    kind: ClassVar[str] = "go"
    in_tools: ClassVar[bool] = False
    place: str = Field(description="The place or the device to walk to.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Talk(Action):
    """Open the dialog of the device that stands here (dialog interface)."""

    kind: ClassVar[str] = "talk"
    in_tools: ClassVar[bool] = False
    device: str = Field(default="", description="The device, if several stand here.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Choose(Action):
    """Choose one of the numbered options of an open dialog (dialog interface)."""

    kind: ClassVar[str] = "choose"
    in_tools: ClassVar[bool] = False
    option: int = Field(strict=True, description="The number of the option.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Enter(Action):
    """Enter a number on an open value page (dialog interface)."""

    kind: ClassVar[str] = "enter"
    in_tools: ClassVar[bool] = False
    value: float = Field(strict=True, description="The number to enter.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


LAB_ACTIONS: tuple[type[Action], ...] = (Measure, Intervene, Reset, Verify, Submit)
"""What the tool and the JSON interfaces offer."""
DIALOG_ACTIONS: tuple[type[Action], ...] = (Go, Talk, Choose, Enter)
"""What the dialog interface offers."""
ACTIONS: tuple[type[Action], ...] = (*LAB_ACTIONS, *DIALOG_ACTIONS)
