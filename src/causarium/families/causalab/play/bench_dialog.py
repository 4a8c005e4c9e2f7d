"""The bench through dialogs: a property is held at the manipulator, the reactor asks the questions.

Opening the reactor's dialog locks the manipulator. The answers are sent at once, as everywhere.
"""

from causarium.contract.turn import Turn
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Observation
from causarium.families.causalab.model.actions import (
    ACTIONS,
    Answer,
    Choose,
    Enter,
    Hold,
    Talk,
)
from causarium.families.causalab.model.bench import BenchInstance
from causarium.families.causalab.model.config import LabRules
from causarium.families.causalab.model.lab_plan import (
    CORRIDOR,
    MANIPULATOR,
    PLACES,
    find_thing,
)
from causarium.families.causalab.play.bench_world import BenchWorld, write_readings
from causarium.families.causalab.play.dialog import EXIT, Page, Pages, count_dialog_turns

HOLD = "Hold"
"""What the manipulator's options say, before a property's name."""


class BenchDialogWorld(Pages, BenchWorld):
    """One instance of the bench being played through places and menus."""

    def __init__(self, instance: BenchInstance, rules: LabRules) -> None:
        cap = rules.max_turns or count_dialog_turns(instance.public.budget, rules)
        super().__init__(instance, cap)
        self.rules = rules
        self._handlers = self._list_handlers()

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        if self.done or self.opened:
            return super().allowed_actions
        return self._list_allowed()

    @property
    def offered_actions(self) -> tuple[type[Action], ...]:
        """Every kind of action that is accepted at some time of the episode."""
        return (*self._handlers, Answer)

    def follow(self, turn: Turn) -> None:
        """Take a recorded turn again, without the body that took it.

        Where the body stood is said by what was legal: who talked to a device stood before it.
        """
        move = turn.move(ACTIONS)
        if self.rules.has_body and not self.opened:
            if isinstance(move, Talk) and turn.legal:
                device = find_thing(move.device)
                self.place = PLACES[device.name] if device else CORRIDOR
                move = Talk()
            elif not isinstance(move, Answer) and not (
                turn.legal and isinstance(move, Choose | Enter)
            ):
                move = Unparsed(mode="walk", detail="")
        self.act(move)

    def _is_over(self) -> bool:
        return self.done

    def _experiment(self, move: Move) -> Observation:
        if isinstance(move, Unparsed | Answer):
            return super()._experiment(move)
        handler = self._handlers.get(type(move))
        if handler is None:
            return self._refuse(f"{move.kind!r} is not an action of this interface")
        return handler(move)

    def _make_page(self, device: str) -> Page:
        text = (
            f"Manipulator. At rest its crystal reads:\n"
            f"{write_readings(self.public, self.public.manipulator)}\n"
            f"Experiments left: {self.budget - self.spent}."
        )
        return Page(device, text, (*(f"{HOLD} {name}" for name in self.public.holdable), EXIT))

    def _greet(self, device: str) -> Observation:
        return self._open_page(device) if device == MANIPULATOR else self._ask_questions("lock")

    def _follow(self, page: Page, move: Choose) -> Observation:
        chosen = page.options[move.option - 1]
        if chosen == EXIT:
            return self._leave(page)
        name = chosen.removeprefix(f"{HOLD} ")
        rest, limit = self.public.manipulator[self.public.names.index(name)], self.public.limit
        ask = f"Enter the value to hold {name} at, from {rest - limit} to {rest + limit}."
        self.page = Page(MANIPULATOR, ask, enters=name)
        return self._show()

    def _enter(self, move: Enter) -> Observation:
        page = self.page
        if page is None or page.enters is None:
            return self._refuse("no page is asking for a value")
        if move.value != int(move.value):
            return self._refuse(f"{move.value:g} is not a whole number")
        seen = self._hold(Hold(property=page.enters, value=int(move.value)))
        if not seen.legal:
            return self._refuse(seen.text.removeprefix("Refused: ").rstrip("."))
        if self.opened:
            self.page = None
            return seen
        return self._open_page(page.device, seen.text, cost=seen.cost, more=seen.data)


def open_bench_again(instance: BenchInstance, rules: LabRules) -> BenchWorld:
    """Open a world in which recorded turns can be followed; it needs no body.

    Args:
        instance: What was played.
        rules: How it was played.
    """
    if rules.has_dialogs:
        return BenchDialogWorld(instance, rules)
    return BenchWorld(instance, rules.max_turns)
