"""Let a player that knows the plain actions alone play through dialogs.

A player's plan stays as it is; `through_interface` turns each of its actions into the walks and
choices that carry it out, and hands it the observation of the last of them. Every turn is
recorded, so that a player's rows show what the interface costs it.
"""

from collections.abc import Callable, Generator
from typing import Any

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation
from ..levels import LabRules
from ..model.actions import (
    Choose,
    Enter,
    Go,
    Intervene,
    Measure,
    Submit,
    Talk,
    Teleport,
    Verify,
)
from ..model.hypothesis import Hypothesis
from ..model.instance import FREQUENCY, LabPublic, fold_name, name_index
from ..model.lab_plan import MANIPULATOR, NOTEBOOK, PLACES, REACTOR
from ..play.dialog import ADJUST, CHECK, EXIT, SET

Steps = Generator[Action, Observation, Observation]
"""Yields dialog actions, is sent observations, and returns the one that answers the plan."""


def through_interface(plan: Moves, public: LabPublic, rules: Rules) -> Moves:
    """Return `plan` as it is played under the interface of `rules`."""
    if not isinstance(rules, LabRules) or not rules.has_dialogs:
        return plan
    return _carry_out(plan, _Walk(public, has_body=rules.has_body))


def _carry_out(plan: Moves, walk: "_Walk") -> Moves:
    try:
        action = next(plan)
        while True:
            seen = yield from walk.carry_out(action)
            action = plan.send(seen)
    except StopIteration:
        return


class _Walk:
    """Where a player stands in the laboratory, and how it gets elsewhere.

    With a body it teleports, as the published script does.
    """

    def __init__(self, public: LabPublic, *, has_body: bool) -> None:
        self._has_body = has_body
        self._beside = ""
        self._display = {p.name: p.display for p in public.properties}
        self._names = name_index(public.properties)
        self._last = Observation("")
        self._asked = ""

    def carry_out(self, action: Action) -> Steps:
        """Yield the dialog actions that carry out `action`."""
        ways: dict[type[Action], Callable[[Any], Steps]] = {
            Measure: self._measure,
            Intervene: self._intervene,
            Verify: self._verify,
            Submit: self._submit,
        }
        return (yield from ways.get(type(action), self._take)(action))

    def _take(self, action: Action) -> Steps:
        self._last = yield action
        return self._last

    def _measure(self, _: Measure) -> Steps:
        yield from self._stand_at(MANIPULATOR)
        return self._last._replace(cost=0, legal="values" in self._last.data)

    def _intervene(self, action: Intervene) -> Steps:
        name = self._names.get(fold_name(action.property[:200]), FREQUENCY)
        wanted = f"{ADJUST} {self._display.get(name, '')}"
        return self._enter_at(MANIPULATOR, wanted, action.value, action.hypothesis)

    def _submit(self, action: Submit) -> Steps:
        return self._enter_at(REACTOR, SET, action.value, action.hypothesis)

    def _enter_at(
        self, device: str, wanted: str, value: float, hypothesis: Hypothesis | None = None
    ) -> Steps:
        asked = yield from self._choose_at(device, wanted)
        if not asked.legal:
            return asked
        return (yield from self._take(Enter(value=value, hypothesis=hypothesis)))

    def _verify(self, action: Verify) -> Steps:
        standing = yield from self._stand_at(NOTEBOOK)
        if not standing.legal:
            return standing
        option = self._option(CHECK)
        return (yield from self._take(Choose(option=option, hypothesis=action.hypothesis)))

    def _choose_at(self, device: str, wanted: str) -> Steps:
        if self._asks_for(device, wanted):
            return self._last
        standing = yield from self._stand_at(device)
        if not standing.legal:
            return standing
        self._asked = wanted
        return (yield from self._take(Choose(option=self._option(wanted))))

    def _asks_for(self, device: str, wanted: str) -> bool:
        """Say whether the value page that is wanted is open, after a refused value."""
        on_value_page = self._last.data.get("page") == device and not self._options
        if on_value_page and self._asked == wanted:
            self._last = self._last._replace(legal=True)
            return True
        return False

    @property
    def _options(self) -> list[str]:
        options = self._last.data.get("options")
        return list(options) if isinstance(options, list) else []

    def _option(self, wanted: str) -> int:
        # No page has a choice 0: so something impossible is asked for, and refused.
        return self._options.index(wanted) + 1 if wanted in self._options else 0

    def _stand_at(self, device: str) -> Steps:
        """Have the first page of `device` open; walks only as far as needed."""
        if self._last.data.get("page") == device and self._options:
            return self._last._replace(legal=True)
        if "page" in self._last.data:
            yield from self._take(Choose(option=self._option(EXIT)))
        yield from self._go_to(device)
        return (yield from self._take(Talk(device=device if self._has_body else "")))

    def _go_to(self, device: str) -> Steps:
        if self._has_body and self._beside != device:
            self._beside = device
            yield from self._take(Teleport(to=device))
        elif not self._has_body and self._last.data.get("place") != PLACES[device]:
            yield from self._take(Go(place=PLACES[device]))
        return self._last
