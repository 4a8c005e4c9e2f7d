"""Everything that can be done in the worlds of the paper edition.

`measure`, `intervene`, `verify` and `submit` are the actions of the tool and the JSON interfaces.
The dialog interface has places and menus on top of the same lab, and the embodied ones a laboratory
to walk through in place of the places.
"""

from collections.abc import Mapping
from typing import ClassVar, Self

from pydantic import Field, PrivateAttr

from causarium.contract.world import Action
from .hypothesis import FORM, Hypothesis
from .lab_plan import Direction, Verb

_NOW = "What you now believe the mechanism to be."


class Measure(Action):
    """Read every value of the manipulator's crystal as it now is. It costs nothing."""

    kind: ClassVar[str] = "measure"
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Intervene(Action):
    """Put one property of the manipulator's crystal to a value, then read all values."""

    kind: ClassVar[str] = "intervene"
    property: str = Field(description="The property to put to a value.")
    value: float = Field(description="The value, a finite number.", strict=True)
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


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


class SaidAction(Action):
    """Something that is done through dialogs, with the reply in which it was said at hand.

    The reply is no part of the action and is in no record: a world that shows an agent its own
    words again reads it, and nobody else does.
    """

    _said: str = PrivateAttr(default="")

    @property
    def said(self) -> str:
        """The reply in which it was said; empty if that is not known."""
        return self._said

    def remember(self, said: str) -> Self:
        """Keep the reply in which it was said."""
        self._said = said
        return self


class Go(SaidAction):
    """Walk to a place or to a device (dialog interface)."""

    kind: ClassVar[str] = "go"
    in_tools: ClassVar[bool] = False
    place: str = Field(description="The place or the device to walk to.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Talk(SaidAction):
    """Open the dialog of the device that stands here, or in front of you."""

    kind: ClassVar[str] = "talk"
    device: str = Field(default="", description="The device, if several stand here.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Choose(SaidAction):
    """Choose one of the numbered options of the open dialog."""

    kind: ClassVar[str] = "choose"
    option: int = Field(strict=True, description="The number of the option.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Enter(SaidAction):
    """Enter a number on the open value page."""

    kind: ClassVar[str] = "enter"
    value: float = Field(strict=True, description="The number to enter.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Move(SaidAction):
    """Take one step, and face where you went."""

    kind: ClassVar[str] = "move"
    keys: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "ArrowUp": {"direction": "north"},
        "ArrowRight": {"direction": "east"},
        "ArrowDown": {"direction": "south"},
        "ArrowLeft": {"direction": "west"},
    }
    direction: Direction = Field(description="Where to step.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Rotate(SaidAction):
    """Turn on the spot, without a step."""

    kind: ClassVar[str] = "rotate"
    direction: Direction = Field(description="Where to look.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Teleport(SaidAction):
    """Be at a place, or beside a thing and facing it, at once."""

    kind: ClassVar[str] = "teleport"
    to: str = Field(description="The place, or the thing by its name or number.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Read(SaidAction):
    """Read something in front of you or that you carry."""

    kind: ClassVar[str] = "read"
    thing: str = Field(default="", description="The thing, by its name or number.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


class Handle(SaidAction):
    """Do something else with a thing in front of you or that you carry."""

    kind: ClassVar[str] = "handle"
    verb: Verb = Field(description="What to do.")
    thing: str = Field(description="The thing, by its name or number.")
    other: str = Field(default="", description="What to put it in or use it on, if anything.")
    hypothesis: Hypothesis | None = Field(default=None, description=_NOW)


LAB_ACTIONS: tuple[type[Action], ...] = (Measure, Intervene, Verify, Submit)
"""What the tool and the JSON interfaces offer."""
DIALOG_ACTIONS: tuple[type[Action], ...] = (Go, Talk, Choose, Enter)
"""What the dialog interface offers."""
BODY_ACTIONS: tuple[type[Action], ...] = (Move, Rotate, Teleport, Talk, Read, Handle)
"""What the embodied interfaces offer while no dialog is open."""
WALKS = frozenset(action.kind for action in (Go, Move, Rotate, Teleport, Handle))
"""Kinds of action that get an agent somewhere, or change its hands, and tell it nothing."""
PAGE_ACTIONS: tuple[type[Action], ...] = (Choose, Enter)
"""What the pages of a dialog take."""
ACTIONS: tuple[type[Action], ...] = (
    *LAB_ACTIONS,
    *DIALOG_ACTIONS,
    *(action for action in BODY_ACTIONS if action is not Talk),
)
