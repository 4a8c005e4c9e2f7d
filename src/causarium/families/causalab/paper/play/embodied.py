"""The embodied interface: the same lab and dialogs, reached by a body.

The laboratory is that of `lab_plan.py`, the body that of `body.py`. What the library decides is
where the body is and what it can reach; pages, budget, lock and words are those of the dialog
interface. So the same experiments give the same numbers, and what differs is the way there.

Every step is a turn. Reading and walking cost nothing of the budget.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from causarium.contract.frozen import Json
from causarium.contract.world import Action, Observation
from causarium.contract.world import Move as AnyMove
from ..levels import LabRules
from ..model.actions import (
    BODY_ACTIONS,
    PAGE_ACTIONS,
    Choose,
    Enter,
    Handle,
    Move,
    Read,
    Rotate,
    Talk,
    Teleport,
)
from ..model.instance import LabInstance
from ..model.lab_plan import (
    BOOK,
    BY_NAME,
    BY_NUMBER,
    LANDINGS,
    NOTEBOOK,
    Thing,
    describe_thing,
    find_place,
    find_thing,
    name_place,
)
from .body import Body, Outcome
from .dialog import DialogWorld, Pages
from .prompts import write_book

_OUT_OF_REACH = "is neither in front of you nor in your hands"


class Walker(Pages):
    """Pages that are reached by a body: what it can do beside choosing and entering."""

    body: Body
    book: str
    """What is written on the record book."""

    def _list_handlers(self) -> dict[type[Action], Callable[[Any], Observation]]:
        return {
            Move: partial(self._walk, self._move),
            Rotate: partial(self._walk, self._rotate),
            Teleport: partial(self._walk, self._teleport),
            Talk: self._talk,
            Read: partial(self._walk, self._read),
            Handle: partial(self._walk, self._handle),
            Choose: self._choose,
            Enter: self._enter,
        }

    def _walk(self, do: Callable[[Any], Observation], move: Action) -> Observation:
        """Do what cannot be done while a dialog is open."""
        return do(move) if self.page is None else self._refuse("a dialog is open; leave it first")

    def _list_allowed(self) -> tuple[type[Action], ...]:
        """List what is accepted while work goes on; tools are all offered from the start."""
        if self.rules.by_tools:
            return (*BODY_ACTIONS, *PAGE_ACTIONS)
        return BODY_ACTIONS if self.page is None else super()._list_allowed()

    def draw_frame(self) -> str:
        """Return a picture of the laboratory as it now is."""
        return self.body.draw_frame()

    def _move(self, move: Move) -> Observation:
        came = self.body.move(move.direction)
        if not came.done:
            return self._refuse(f"you cannot step {move.direction}: {came.message} is in the way")
        return self._show(f"You step {move.direction}.")

    def _rotate(self, move: Rotate) -> Observation:
        self.body.do("ROTATE_DIRECTION", move.direction)
        return self._show(f"You turn {move.direction}.")

    def _teleport(self, move: Teleport) -> Observation:
        # The desk is a place and a thing; who names a thing wants to face it.
        thing = self._find(move.to)
        if thing is not None:
            came = self.body.do("TELEPORT_TO_OBJECT", thing.number)
            return self._report(came, f"You are beside the {thing.name}.")
        place = find_place(move.to)
        if place is None:
            places = ", ".join(LANDINGS)
            return self._refuse(
                f"there is no place or thing {move.to[:80]!r}; the places are {places}, and the "
                f"things are {self._list_things()}"
            )
        came = self.body.do("TELEPORT_TO_LOCATION", place)
        return self._report(came, f"You are at the {place}.")

    def _talk(self, move: Talk) -> Observation:
        if self.page is not None:
            return self._refuse("a dialog is open already")
        device = self._find_device(move.device)
        if isinstance(device, str):
            return self._refuse(device)
        if forbidden := self._forbid(device.name):
            return self._refuse(forbidden)
        return self._greet(device.name)

    def _find_device(self, named: str) -> Thing | str:
        """Return the device to talk to, or why there is none."""
        if not named.strip():
            return f"say which device you talk to: {', '.join(self.devices)}"
        thing = self._find(named)
        if thing is None:
            return self._say_unknown(named)
        if thing.name not in self.devices:
            return f"one cannot talk to the {thing.name}"
        if thing.number not in self.body.state.in_reach:
            return f"the {thing.name} is not in front of you"
        return thing

    def _read(self, move: Read) -> Observation:
        thing = self._find(move.thing) if move.thing.strip() else BY_NAME[BOOK]
        if thing is None or not self.body.has(thing.number):
            return self._refuse(self._say_unknown(move.thing or BOOK))
        if not self._can_reach(thing):
            return self._refuse(f"the {thing.name} {_OUT_OF_REACH}")
        if thing.name != BOOK:
            return self._refuse(f"there is nothing to read on the {thing.name}")
        self.body.do("READ", thing.number)
        return self._show(f"The book says:\n{self.book}\n")

    def _handle(self, move: Handle) -> Observation:
        things = [self._find(move.thing)]
        if move.other.strip():
            things.append(self._find(move.other))
        for thing, named in zip(things, (move.thing, move.other), strict=False):
            if thing is None:
                return self._refuse(self._say_unknown(named))
            if not self._can_reach(thing):
                return self._refuse(f"the {thing.name} {_OUT_OF_REACH}")
        numbers = [thing.number for thing in things if thing is not None]
        came = self.body.do(move.verb.upper(), *numbers)
        return self._report(came, came.message)

    def act(self, move: AnyMove) -> Observation:
        """Answer one move; with a picture, if the rules ask for one."""
        is_shown = self.rules.frames and not self.done
        seen = super().act(move)
        return seen._replace(frame=self.draw_frame()) if is_shown else seen

    def _describe_place(self) -> str:
        if self.page is not None:
            return super()._describe_place()
        state = self.body.state
        self.place = name_place(state.spot)
        x, y = state.spot
        reach = [describe_thing(BY_NUMBER[number]) for number in state.in_reach]
        near = [
            f"{describe_thing(BY_NUMBER[number])}, {distance} to the {where}"
            for number, where, distance in state.near
            if number not in state.in_reach
        ]
        carried = [describe_thing(BY_NUMBER[number]) for number in state.carried]
        lines = [
            f"You are {'at' if self.place == 'desk' else 'in'} the {self.place}, at ({x}, {y}), "
            f"facing {state.facing}. "
            f"You can step {', '.join(state.free) or 'nowhere'}.",
            f"In front of you: {', '.join(reach) or 'nothing'}.",
        ]
        lines += [f"Nearby: {'; '.join(near)}."] if near else []
        lines += [f"You carry: {', '.join(carried)}."] if carried else []
        return "\n".join(lines)

    def _list_data(self) -> dict[str, Json]:
        seen = super()._list_data()
        if self.page is None:
            state = self.body.state
            seen |= {"x": state.spot[0], "y": state.spot[1], "facing": state.facing}
        return seen

    def _report(self, came: Outcome, words: str) -> Observation:
        return self._show(words) if came.done else self._refuse(came.message.rstrip("."))

    def _say_unknown(self, named: str) -> str:
        return f"there is no thing {named[:80]!r}; the things are {self._list_things()}"

    def _find(self, named: str) -> Thing | None:
        thing = find_thing(named)
        return thing if thing is not None and self.body.has(thing.number) else None

    def _can_reach(self, thing: Thing) -> bool:
        state = self.body.state
        return thing.number in (*state.in_reach, *state.carried)

    def _list_things(self) -> str:
        return ", ".join(
            describe_thing(thing) for thing in BY_NUMBER.values() if self.body.has(thing.number)
        )


class EmbodiedWorld(Walker, DialogWorld):
    """One instance being played by a body."""

    def __init__(self, instance: LabInstance, rules: LabRules) -> None:
        super().__init__(instance, rules)
        self.book = write_book(self.public, rules)
        self.body = Body(book=self.book, has_notebook=NOTEBOOK in self.devices)

    def _forbid(self, device: str) -> str:
        forbidden = super()._forbid(device)
        return forbidden.replace("at the desk", "in the notebook")

    def draw_frame(self) -> str:
        """Return a picture of the laboratory as it now is, the reactor lit where it answered."""
        if self.lab.solved and self.rules.repeated_submissions:
            self.body.light_reactor()
        return super().draw_frame()
