"""Certified edition: the rules of an expedition, phase by phase.

    exploring ── commit ──→ asking ── answer ──→ over
        └─ actions spent, or refused too often ─→ closing ── commit ──→ asking

An agent that has spent all its actions, or was refused too often, gets one more request for the
design. A refused order costs nothing. The luck of the n-th order follows from the session's seed
and n alone. Every expedition ends, whatever the agent sends.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from causarium.contract.frozen import Json, canonical_json
from causarium.contract.texts.replies import excerpt
from causarium.contract.world import Action, Move, Observation, Program, Unparsed
from causarium.seeds import stream
from ...mechanics.expeditions import (
    draw_outcomes,
    find_best_design,
    find_fleet_chance,
    list_outcomes,
)
from ...model.actions import PlayExpedition
from ...model.expeditions import (
    LOG_PRICE,
    MOST_DRONES_AN_ORDER,
    MOST_ORDERS_A_CALL,
    AnswerQuestions,
    Commit,
    Expedition,
    ExpeditionPublic,
    Fitted,
    Fly,
    Leg,
    Order,
)
from ...shared.actions import (
    Impossible,
    RunAnalysis,
    Status,
    tell_ending,
)
from ...shared.rules import GameRules
from .replies import read_chances
from .wording import ExpeditionWording


@dataclass(frozen=True, slots=True)
class Cell:
    """Flights of one order that fly and show alike."""

    fitted: Fitted
    shown: tuple[bool, ...]
    returned: int
    lost: int
    """Drones that were seen to be lost."""


@dataclass(frozen=True, slots=True)
class Flown:
    """An order that was flown."""

    leg: Leg
    order: Order
    setting: int | None
    ordered: dict[Fitted, int]
    """Drones by design."""
    standing: dict[Fitted, int] | None
    """Drones in the hangar afterwards by design; None: nobody looked."""
    cells: tuple[Cell, ...]


def price_order(order: Order) -> int:
    """Return how many drones of a leg's purse an order takes."""
    return order.count * (LOG_PRICE if order.log else 1)


def find_leg(public: ExpeditionPublic, name: str) -> Leg:
    """Return the leg of this name.

    Raises:
        Impossible: There is none.
    """
    for leg in public.legs:
        if leg.name == name:
            return leg
    known = ", ".join(leg.name for leg in public.legs)
    raise Impossible(f"there is no leg {excerpt(name)!r}; the legs are {known}")


def read_parts(leg: Leg, names: Sequence[str]) -> Fitted:
    """Return which parts of a leg are named.

    Raises:
        Impossible: A name is not one of its parts.
    """
    for name in names:
        if name not in leg.parts:
            raise Impossible(
                f"leg {leg.name} has no part {excerpt(name)!r}; it has {', '.join(leg.parts)}"
            )
    return tuple(part in names for part in leg.parts)


class FlightRange:
    """The test range of one expedition: purses that shrink, and orders that were flown."""

    def __init__(self, instance: Expedition) -> None:
        self.public = instance.public
        self._secret = instance.secret
        self.flown: list[Flown] = []
        self.left = {leg.name: leg.drones for leg in instance.public.legs}
        """The drones that each leg has left."""

    @property
    def orders_left(self) -> int:
        """How many orders may still be flown."""
        return self.public.orders - len(self.flown)

    def fly(self, orders: Sequence[Order]) -> list[Flown]:
        """Fly some orders, or none of them if one is not allowed.

        Raises:
            Impossible: One is not allowed; nothing is spent.
        """
        if not 1 <= len(orders) <= MOST_ORDERS_A_CALL:
            raise Impossible(f"{len(orders)} orders; send 1 to {MOST_ORDERS_A_CALL} in one call")
        if len(orders) > self.orders_left:
            raise Impossible(f"{len(orders)} orders, but only {self.orders_left} are left")
        settings = [self._check(order) for order in orders]
        for leg in self.public.legs:
            price = sum(price_order(order) for order in orders if order.leg == leg.name)
            if price > self.left[leg.name]:
                raise Impossible(
                    f"the orders for leg {leg.name} cost {price} drones, but it has only "
                    f"{self.left[leg.name]} left; nothing was flown"
                )
        return [self._fly(*pair) for pair in zip(orders, settings, strict=True)]

    def _check(self, order: Order) -> int | None:
        """Return the reading that an order sets, once everything in it is allowed."""
        leg = find_leg(self.public, order.leg)
        if leg.kind == "depot":
            raise Impossible(f"leg {leg.name} cannot be flown in tests; its book is all there is")
        fitted, varied = read_parts(leg, order.fitted), read_parts(leg, order.vary)
        if any(one and other for one, other in zip(fitted, varied, strict=True)):
            raise Impossible(f"a part of leg {leg.name} is both fitted and varied")
        if not 1 <= order.count <= MOST_DRONES_AN_ORDER:
            count = excerpt(str(order.count))
            raise Impossible(
                f"{count} drones in an order; send 1 to {MOST_DRONES_AN_ORDER} at a time"
            )
        if (order.log or order.hangar) and leg.kind != "roster":
            raise Impossible(
                f"leg {leg.name} has no tower: neither log nor hangar can be asked for"
            )
        return self._check_setting(leg, order.set)

    def _check_setting(self, leg: Leg, name: str | None) -> int | None:
        if not name:
            return None
        if leg.kind == "roster":
            raise Impossible(f"nothing can be set on leg {leg.name}")
        place = leg.find_reading(name)
        if place is None:
            known = ", ".join(reading.name for reading in leg.readings)
            raise Impossible(f"leg {leg.name} has no reading {excerpt(name)!r}; it has {known}")
        return place

    def _fly(self, order: Order, setting: int | None) -> Flown:
        leg = find_leg(self.public, order.leg)
        place = self.public.legs.index(leg)
        hidden = self._secret.legs[place]
        rng = stream(self._secret.session_seed, "expedition", "order", len(self.flown))
        fitted, varied = read_parts(leg, order.fitted), read_parts(leg, order.vary)
        choices = [
            (False, True) if open_ else (on,) for on, open_ in zip(fitted, varied, strict=True)
        ]
        designs: list[Fitted] = list(product(*choices))
        ordered = dict.fromkeys(designs, 0)
        for _ in range(order.count):
            ordered[designs[rng.randrange(len(designs))] if len(designs) > 1 else designs[0]] += 1
        cells: dict[tuple[Fitted, tuple[bool, ...]], list[int]] = {}
        standing = dict.fromkeys(designs, 0)
        for design, count in ordered.items():
            law = list_outcomes(leg, hidden, design, setting)
            for outcome, number in draw_outcomes(law, count, rng).items():
                if outcome.fate == "stayed":
                    standing[design] += 0 if hidden.face and hidden.early else number
                    continue
                if outcome.fate == "lost" and leg.kind == "roster" and not order.log:
                    continue
                cell = cells.setdefault((design, outcome.shown), [0, 0])
                cell[outcome.fate == "lost"] += number
        flown = Flown(
            leg=leg,
            order=order,
            setting=setting,
            ordered=ordered,
            standing=standing if order.hangar else None,
            cells=tuple(Cell(*key, *counts) for key, counts in sorted(cells.items())),
        )
        self.flown.append(flown)
        self.left[leg.name] -= price_order(order)
        return flown


def tell_order(one: Flown) -> Json:
    """Return an order and its counts as data."""
    leg, looked = one.leg, one.standing
    hides = leg.kind == "roster" and not one.order.log
    cells: list[Json] = [
        {
            "fitted": [*name_parts(leg, cell.fitted)],
            "shown": {
                reading.name: reading.target if at_target else reading.other
                for reading, at_target in zip(leg.readings, cell.shown, strict=True)
            },
            "returned": cell.returned,
            **({} if hides else {"lost": cell.lost}),
        }
        for cell in one.cells
    ]
    ordered: list[Json] = [
        {
            "fitted": [*name_parts(leg, design)],
            "ordered": number,
            **({} if looked is None else {"standing": looked[design]}),
        }
        for design, number in one.ordered.items()
    ]
    set_ = one.order.set if one.setting is not None else None
    return {"leg": leg.name, "set": set_, "log": one.order.log, "ordered": ordered, "cells": cells}


def name_parts(leg: Leg, fitted: Fitted) -> list[str]:
    """Return the names of the fitted parts."""
    return [part for part, on in zip(leg.parts, fitted, strict=True) if on]


def _write_order(one: Flown) -> str:
    leg, order = one.leg, one.order
    asked = f"{', log' if order.log else ''}{', hangar' if order.hangar else ''}"
    lines = [f"Leg {leg.name}, {order.count} ordered{asked}:"]
    if leg.kind == "roster":
        for design, count in one.ordered.items():
            stand = f", {one.standing[design]} in the hangar" if one.standing is not None else ""
            lines.append(f"  {write_design(leg, design)}: {count} ordered{stand}")
    for cell in one.cells:
        flown = f"{cell.returned + cell.lost} flown, "
        hidden = leg.kind == "roster" and not order.log
        shown = f"{write_design(leg, cell.fitted)}, {_write_shown(one, cell.shown)}"
        lines.append(f"  {shown}: {'' if hidden else flown}{cell.returned} returned")
    return "\n".join(lines if len(lines) > 1 else [*lines, "  nothing came back"])


def write_design(leg: Leg, fitted: Fitted) -> str:
    """Return a design in words."""
    names = name_parts(leg, fitted)
    return f"{' + '.join(names)} on" if names else "bare"


def _write_shown(one: Flown, shown: tuple[bool, ...]) -> str:
    leg = one.leg
    if leg.kind != "line":
        return ", ".join(
            f"{reading.name} {reading.target if at_target else reading.other}"
            f"{' (set)' if place == one.setting else ''}"
            for place, (reading, at_target) in enumerate(zip(leg.readings, shown, strict=True))
        )
    side = leg.readings[0]
    mark = f" ({one.order.set} set)" if one.setting is not None else ""
    away = [reading.name for reading, on in zip(leg.readings, shown, strict=True) if not on]
    if not away:
        return f"all {side.target}{mark}"
    if len(away) == len(shown):
        return f"all {side.other}{mark}"
    return f"{len(away)} {side.other}: {' '.join(away)}{mark}, the rest {side.target}"


MOST_REFUSALS = 20
GRACE = 3
"""How often one may be refused when only the design, or only the answers, are left to give."""
SPARE_ACTIONS = 20
OVER = "The expedition is over; nothing more can be done."

Phase = Literal["exploring", "closing", "asking", "over"]


def count_actions(public: ExpeditionPublic, rules: GameRules) -> int:
    """Return how many actions an agent has before it is asked for the design."""
    turns = rules.max_turns
    return turns * rules.calls_per_turn if turns else public.orders + SPARE_ACTIONS


class ExpeditionWorld:
    """One expedition being played."""

    def __init__(self, instance: Expedition, rules: GameRules) -> None:
        self.instance = instance
        self.public = instance.public
        self.rules = rules
        self.range = FlightRange(instance)
        self.committed: dict[str, Fitted] | None = None
        self.answers: Mapping[str, Any] = {}
        self.was_asked = False
        """Whether the design had to be asked for."""
        self.phase: Phase = "exploring"
        self.actions = 0
        self._refusals = MOST_REFUSALS
        self._was_unread = False
        self._words = ExpeditionWording(instance.public, rules)
        self._handlers: dict[type[Action], Callable[[Any], Observation]] = {
            Status: self._tell_status,
            Fly: self._fly,
            RunAnalysis: self._run,
            PlayExpedition: self._run,
            Commit: self._commit,
            AnswerQuestions: self._answer,
        }

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        programs = self._list_programs()
        if self.phase == "over":
            return ()
        if self.phase == "closing":
            return (Commit, *programs)
        if self.phase == "asking":
            return (AnswerQuestions, *programs)
        # Answers are on offer from the start, so that tool-calling agents know of them.
        asks = (AnswerQuestions,) if self.rules.claims else ()
        flies = (Fly,) if self.public.orders else ()
        return (Status, *flies, *programs, Commit, *asks)

    def _list_programs(self) -> tuple[type[Action], ...]:
        if self.rules.interface == "code" and self.public.programs_fly:
            return (PlayExpedition,)
        return (RunAnalysis,) if self.rules.analysis and self.phase == "exploring" else ()

    @property
    def done(self) -> bool:
        """Whether the expedition is over."""
        return self.phase == "over"

    @property
    def budget(self) -> int:
        """How many test drones there are on all legs."""
        return sum(leg.drones for leg in self.public.legs)

    @property
    def spent(self) -> int:
        """How many have been paid for; with the log a drone costs two."""
        return self.budget - sum(self.range.left.values())

    def workspace(self) -> Mapping[str, str]:
        """Return the files that a program finds: the orders flown so far, and what is left."""
        books: dict[str, Json] = {
            leg.name: [list(counts) for counts in leg.book] for leg in self.public.legs if leg.book
        }
        return {
            "history.json": canonical_json(
                {"orders": [tell_order(one) for one in self.range.flown]}
            ),
            "status.json": canonical_json(self._status()),
            "books.json": canonical_json(books),
        }

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation(OVER, legal=False)
        if isinstance(move, Unparsed):
            return self._ask_again(move)
        self._was_unread = False
        if reason := self._out_of_turn(move):
            return self._refuse(reason)
        try:
            seen = self._handlers[type(move)](move)
        except Impossible as wrong:
            return self._refuse(str(wrong))
        self.actions += 1
        if self.phase == "exploring" and self.actions >= count_actions(self.public, self.rules):
            seen = seen._replace(text=f"{seen.text}\n\n{self._close()}")
        return seen._replace(text=f"{seen.text}\n\n{OVER}") if self.done else seen

    def _ask_again(self, move: Unparsed) -> Observation:
        """Ask once more for what could not be read; only the second time in a row counts."""
        counts = self._was_unread or self.rules.strict_form
        self._was_unread = True
        return self._refuse(move.detail, text=self._words.ask_again(move.detail), counts=counts)

    def _out_of_turn(self, move: Action) -> str | None:
        """Say why a move is not taken now, or return None."""
        if type(move) not in self.allowed_actions:
            expected = ", ".join(action.kind for action in self.allowed_actions)
            return f"{move.kind!r} is not taken now; expected: {expected}"
        if isinstance(move, AnswerQuestions) and self.phase != "asking":
            return "questions are asked when the design is in; commit first"
        return None

    def _refuse(self, reason: str, *, text: str = "", counts: bool = True) -> Observation:
        self._refusals -= counts
        said = text or f"Refused: {reason}."
        if self._refusals <= 0:
            said = f"{said}\n\n{self._close() if self.phase == 'exploring' else self._end()}"
        return Observation(said, {"refused": reason}, legal=False)

    def _close(self) -> str:
        """Ask for the design, once."""
        self.phase, self.was_asked, self._refusals = "closing", True, GRACE
        return self._words.ask_design()

    def _end(self) -> str:
        self.phase = "over"
        return OVER

    def _status(self) -> dict[str, Json]:
        return {
            "drones_left": {leg.name: self.range.left[leg.name] for leg in self.public.legs},
            "orders_left": self.range.orders_left,
            "actions_left": count_actions(self.public, self.rules) - self.actions,
        }

    def _tell_status(self, _: Status) -> Observation:
        status = self._status()
        drones = ", ".join(
            f"{leg.name} {self.range.left[leg.name]}" for leg in self.public.legs if leg.drones
        )
        text = (
            f"Drones left: {drones or 'none'}. Orders left: {status['orders_left']}. "
            f"Actions left: {status['actions_left']}."
        )
        return Observation(text, status)

    def _fly(self, move: Fly) -> Observation:
        flown = self.range.fly(move.orders)
        left = ", ".join(f"{one.leg.name} {self.range.left[one.leg.name]}" for one in flown[-1:])
        orders = "\n".join(_write_order(one) for one in flown)
        text = f"{orders}\nDrones left: {left}; orders left: {self.range.orders_left}."
        told: dict[str, Json] = {"orders": [tell_order(one) for one in flown]}
        return Observation(text, told, cost=sum(map(price_order, move.orders)))

    def _run(self, move: Program) -> Observation:
        if move.ran is None:
            raise Impossible("no sandbox is at hand to run code in; nothing was run")
        told: dict[str, Json] = {"ending": move.ran.ending, "output": move.ran.output}
        ending = tell_ending(move.ran)
        text = f"The program {ending}. It printed:\n{move.ran.output or '(nothing)'}"
        if self.phase != "exploring":
            # Whoever only runs programs, and never answers, comes to an end as well.
            self._refusals -= 1
            asks = self._words.ask_questions if self.phase == "asking" else self._words.ask_design
            text = f"{text}\n\n{asks()}"
            self.phase = self.phase if self._refusals > 0 else "over"
        return Observation(text, told)

    def _commit(self, move: Commit) -> Observation:
        designs = {
            name: read_parts(find_leg(self.public, name), parts)
            for name, parts in move.fitted.items()
        }
        if missing := [leg.name for leg in self.public.legs if leg.name not in designs]:
            raise Impossible(
                f"the design lacks leg {', '.join(missing)}; name every leg, with [] for none"
            )
        self.committed = designs
        if not self.rules.claims:
            self.phase = "over"
            return self._tell_results()
        self.phase, self._refusals = "asking", GRACE
        return Observation(self._words.ask_questions(), {"questions": [*self._list_questions()]})

    def _list_questions(self) -> list[str]:
        return [f"q{number}" for number, _ in enumerate(self._words.questions, 1)]

    def _answer(self, move: AnswerQuestions) -> Observation:
        known = self._list_questions()
        for name, answer in move.answers.items():
            if name not in known:
                raise Impossible(
                    f"there is no question {excerpt(name)!r}; they are {', '.join(known)}"
                )
            if read_chances(answer) is None:
                raise Impossible(
                    f"the answer to {name} states no chances; say up, down or none, or the chance "
                    "of each, from 0 on and 1 in all"
                )
        self.answers = move.answers
        self.phase = "over"
        return self._tell_results()

    def _tell_results(self) -> Observation:
        lines, told = [], {}
        for leg, hidden in zip(self.public.legs, self.instance.secret.legs, strict=True):
            design = (self.committed or {})[leg.name]
            share = find_fleet_chance(leg, hidden, design)
            best = find_best_design(leg, hidden)
            told[leg.name] = design == best
            lines.append(
                f"Leg {leg.name}: {float(share):.0%} of the fleet come home with "
                f"{write_design(leg, design)}; the best is {write_design(leg, best)}, "
                f"{float(find_fleet_chance(leg, hidden, best)):.0%}."
            )
        right: dict[str, Json] = {"right": {**told}}
        return Observation("\n".join(lines), right)
