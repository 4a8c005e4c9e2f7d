"""The dialog interface: the same lab, reached by walking and through menus.

    corridor ── manipulator lab   manipulator: its crystal; Adjust <property> → a value page
             ├─ reactor lab       reactor: its crystal; Set the frequency → a value page
             └─ desk              notebook: check a hypothesis (where the rules offer it)

A page with options takes `choose`, a value page takes `enter` and nothing else, and one leaves a
dialog by its Exit. Opening the reactor locks the manipulator for good. With n interventions an
episode takes 2n + 7 turns if none is wasted, the published count. The lab costs the same budget as
under the other interfaces, so what differs between two runs is what the walking and the menus cost.

`dialog_player.py` lets players that know only the plain actions play here too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causarium.contract.frozen import Json
from causarium.contract.world import Action, Move, Observation
from ..levels import LabRules
from ..mechanics.lab import Refusal
from ..mechanics.shown_values import decimals, format_entered, format_reading
from ..model.actions import (
    Choose,
    Enter,
    Go,
    Submit,
    Talk,
    Verify,
)
from ..model.hypothesis import Hypothesis
from ..model.instance import fold_name
from ..model.lab_plan import (
    CORRIDOR,
    MANIPULATOR,
    NOTEBOOK,
    PLACES,
    REACTOR,
    find_thing,
    fold_place,
)
from .world import OVER, LabWorld

ADJUST, SET, EXIT = "Adjust", "Set the frequency", "Exit"
CHECK = "Check the hypothesis of this reply"
"""What the options of the pages say; `Adjust` is followed by a property's display name."""


@dataclass(frozen=True, slots=True)
class Page:
    """An open page of a device's dialog."""

    device: str
    text: str
    options: tuple[str, ...] = ()
    """Numbered from 1; none on a value page."""
    enters: str | None = None
    """What a value page sets: a property's name, or the reactor."""


class Pages:
    """The places of a laboratory and the pages of its devices, whatever it is that they do."""

    rules: LabRules
    place: str = CORRIDOR
    page: Page | None = None
    if TYPE_CHECKING:  # The world that has these pages brings them.

        @property
        def done(self) -> bool:
            """Whether the episode is over."""

        def act(self, move: Move) -> Observation:
            """Answer one move."""

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices of this laboratory."""
        return (MANIPULATOR, REACTOR)

    def _list_handlers(self) -> dict[type[Action], Callable[[Any], Observation]]:
        """List what can be done, and by which method."""
        return {Go: self._go, Talk: self._talk, Choose: self._choose, Enter: self._enter}

    def _list_allowed(self) -> tuple[type[Action], ...]:
        """List what is accepted while work goes on."""
        if self.page is None:
            return (Go,) if self.place == CORRIDOR else (Go, Talk)
        return (Choose,) if self.page.options else (Enter,)

    def _make_page(self, device: str) -> Page:
        raise NotImplementedError

    def _greet(self, device: str) -> Observation:
        """Answer somebody who begins to talk to a device."""
        raise NotImplementedError

    def _forbid(self, device: str) -> str:
        """Say why a device cannot be talked to now; nothing where it can."""
        del device
        return ""

    def _follow(self, page: Page, move: Choose) -> Observation:
        """Do what an option of a page says."""
        raise NotImplementedError

    def _enter(self, move: Enter) -> Observation:
        raise NotImplementedError

    def _go(self, move: Go) -> Observation:
        if self.page is not None:
            return self._refuse("a dialog is open; leave it first")
        wanted = fold_place(move.place)
        for device in self.devices:
            if wanted in {device, fold_name(PLACES[device])}:
                self.place = PLACES[device]
                return self._show(f"You walk to the {self.place}.")
        if wanted == CORRIDOR:
            self.place = CORRIDOR
            return self._show("You walk back to the corridor.")
        known = ", ".join(PLACES[device] for device in self.devices)
        return self._refuse(f"there is no place {move.place[:80]!r}; the places are {known}")

    def _talk(self, move: Talk) -> Observation:
        if self.page is not None:
            return self._refuse("a dialog is open already")
        here = next((device for device in self.devices if PLACES[device] == self.place), None)
        if here is None:
            return self._refuse("no device stands in the corridor; walk to a place first")
        if move.device.strip() and fold_place(move.device) != here:
            return self._refuse(f"{move.device[:80]!r} is not here; the {here} is")
        forbidden = self._forbid(here)
        return self._refuse(forbidden) if forbidden else self._greet(here)

    def _choose(self, move: Choose) -> Observation:
        page = self.page
        if page is None:
            return self._refuse("no dialog is open")
        if not page.options:
            return self._refuse("this page takes a value and nothing else")
        if not 1 <= move.option <= len(page.options):
            return self._refuse(f"the options are 1 to {len(page.options)}, not {move.option}")
        return self._follow(page, move)

    def _leave(self, page: Page) -> Observation:
        self.page = None
        return self._show(f"You leave the dialog of the {page.device}.")

    def _open_page(
        self, device: str, head: str = "", *, cost: int = 0, more: Mapping[str, Json] | None = None
    ) -> Observation:
        self.page = self._make_page(device)
        return self._show(head, cost=cost, more=more)

    def _stand_for(self, move: Action) -> Action:
        """Stand where a body stood that made a legal move, and return the move as it is made here.

        Where the body stood is said by what was legal: who talked to a device stood before it.
        """
        if isinstance(move, Talk):
            device = find_thing(move.device)
            self.place = PLACES[device.name] if device else CORRIDOR
            self.page = None
            return Talk()
        if isinstance(move, Choose) and self.page is not None and not self.page.options:
            # In the released world a reply that cannot be read leaves a page that asks for a value.
            self.page = self._make_page(self.page.device)
        return move

    def _describe_place(self) -> str:
        if self.page is None:
            here = [device for device in self.devices if PLACES[device] == self.place]
            stands = f"The {here[0]} is here." if here else "No device is here."
            others = [PLACES[d] for d in self.devices if PLACES[d] != self.place]
            return f"You are in the {self.place}. {stands} You can go to: {', '.join(others)}."
        lines = [self.page.text]
        lines += [f"{number}. {option}" for number, option in enumerate(self.page.options, 1)]
        return "\n".join(lines)

    def _show(
        self, head: str = "", *, cost: int = 0, more: Mapping[str, Json] | None = None
    ) -> Observation:
        closing = f"\n{OVER}" if self.done else ""
        text = f"{head}\n{self._describe_place()}{closing}".strip()
        return Observation(text, {**self._list_data(), **(more or {})}, cost=cost)

    def _list_data(self) -> dict[str, Json]:
        seen: dict[str, Json] = {"place": self.place}
        if self.page is not None:
            seen |= {"page": self.page.device, "options": list(self.page.options)}
        return seen

    def _refuse(self, reason: str) -> Observation:
        text = f"Refused: {reason}.\n{OVER if self.done else self._describe_place()}"
        return Observation(text, self._list_data(), legal=False)


class DialogWorld(Pages, LabWorld):
    """One instance being played through places and menus."""

    def carry_out(self, move: Action) -> Observation:
        """Do what a move says; one that a body made, without it."""
        return super().carry_out(self._stand_for(move) if self.rules.has_body else move)

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        return () if self.done else self._list_allowed()

    @property
    def offered_actions(self) -> tuple[type[Action], ...]:
        """Every kind of action that is accepted at some time of the episode."""
        return tuple(self._handlers)

    def is_final(self, move: Action) -> bool:
        """Return whether `move` would be a submission: only the reactor's value page takes one."""
        page = self.page
        return isinstance(move, Enter) and page is not None and page.enters == REACTOR

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices of this laboratory."""
        checks = self.rules.verification != "none"
        return (MANIPULATOR, REACTOR, NOTEBOOK) if checks else (MANIPULATOR, REACTOR)

    def _forbid(self, device: str) -> str:
        if device == REACTOR and self.rules.verification == "required" and not self.verified:
            return "a hypothesis has to be checked at the desk first"
        return ""

    def _greet(self, device: str) -> Observation:
        if device == REACTOR:
            self.lab.open_reactor()
        return self._open_page(device)

    def _make_page(self, device: str) -> Page:
        if device == MANIPULATOR:
            return self._manipulator_page()
        return self._reactor_page() if device == REACTOR else self._notebook_page()

    def _follow(self, page: Page, move: Choose) -> Observation:
        chosen = page.options[move.option - 1]
        if chosen == EXIT:
            return self._leave(page)
        if chosen == CHECK:
            return self._check(move.hypothesis)
        return self._ask(page, move.option)

    def _ask(self, page: Page, option: int) -> Observation:
        if page.device == REACTOR:
            low, high = self.public.reactor_range
            ask = f"Enter the frequency to tune the reactor to, from {low:,.0f} to {high:,.0f} Hz."
            self.page = Page(REACTOR, ask, enters=REACTOR)
        else:
            chosen, limit = self.public.properties[option - 1], self.public.limit
            ask = f"Enter the value for {chosen.display}, from {-limit:,.0f} to {limit:,.0f}."
            self.page = Page(MANIPULATOR, ask, enters=chosen.name)
        return self._show()

    def _enter(self, move: Enter) -> Observation:
        page = self.page
        if page is None or page.enters is None:
            return self._refuse("no page is asking for a value")
        if page.device == REACTOR:
            return self._submit_here(move.value)
        values = self.lab.intervene(page.enters, move.value)
        if isinstance(values, Refusal):
            return self._refuse(values.reason)
        return self._open_page(
            MANIPULATOR, f"The value {format_entered(move.value)} is set.", cost=1
        )

    def _submit_here(self, value: float) -> Observation:
        seen = self._submit(Submit(value=value))
        if not seen.legal or self.done:
            return seen
        return self._open_page(REACTOR, seen.text, more=seen.data)

    def _check(self, hypothesis: Hypothesis | None) -> Observation:
        if hypothesis is None:
            return self._refuse("there is no hypothesis in this reply")
        seen = self._verify(Verify(hypothesis=hypothesis))
        if not seen.legal:
            return seen
        return self._open_page(NOTEBOOK, seen.text, more=seen.data)

    def _manipulator_page(self) -> Page:
        if self.lab.locked:
            return Page(MANIPULATOR, "Manipulator. Locked: the reactor has been opened.", (EXIT,))
        budget, used, left = self.public.budget, self.lab.used, self.lab.left
        text = (
            f"Manipulator. Its crystal reads:\n{self._listing.lines(self.values, self.lab.touched)}"
            f"\nUses: {used} of {budget}, {left} left."
        )
        adjust = tuple(f"{ADJUST} {p.display}" for p in self.public.properties) if left else ()
        return Page(MANIPULATOR, text, (*adjust, EXIT))

    @property
    def values(self) -> list[float]:
        """What the manipulator's crystal now reads; nothing once it is locked."""
        read = self.lab.measure()
        return [] if isinstance(read, Refusal) else read

    def _reactor_page(self) -> Page:
        lines = [
            f"{self.public.properties[node].display}: "
            f"{format_reading(self.public.reactor[node], self.rules)}"
            for node in self._listing.order
            if node != self._listing.frequency
        ]
        low, high = self.public.reactor_range
        made = self.lab.submitted
        tuned = f"{decimals(made[-1])} Hz" if made else "nothing yet"
        text = "\n".join(
            (
                "Reactor. Its crystal reads, the frequency being unknown:",
                *lines,
                f"Range: {low:,.0f} to {high:,.0f} Hz. Tuned to: {tuned}.",
                f"Submissions: {len(made)} of {self.rules.submissions}.",
            )
        )
        return Page(REACTOR, text, (SET, EXIT))

    def _notebook_page(self) -> Page:
        if self.verified:
            return Page(NOTEBOOK, "Notebook. The one check has been made.", (EXIT,))
        if self.lab.locked:
            return Page(NOTEBOOK, "Notebook. It is too late for a check.", (EXIT,))
        return Page(NOTEBOOK, "Notebook. One check can be made.", (CHECK, EXIT))

    def _list_data(self) -> dict[str, Json]:
        seen = super()._list_data()
        page = self.page
        if page and page.device == MANIPULATOR and page.options and not self.lab.locked:
            values = self.values
            seen |= {"values": values[:-1], "frequency": values[-1], "left": self.lab.left}
        return seen
