"""The rules of conduct of an expedition: test flights, the design, questions, results.

    exploring ── commit ──→ asking ── answer ──→ over
        └─ actions spent, or refused too often ─→ closing ── commit ──→ asking

Whoever has spent all actions, or was refused too often, is asked for the design once more. What is
refused costs nothing. Whatever is sent, for ever, the world comes to an end.
"""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Literal

from causarium.contract.frozen import Json, canonical_json
from causarium.contract.texts.replies import excerpt
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Observation, Program
from causarium.families.causalgame.mechanics.expeditions import (
    find_best_design,
    find_fleet_chance,
)
from causarium.families.causalgame.model.actions import PlayExpedition, RunAnalysis, Status
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.expeditions import (
    ANSWERS,
    AnswerQuestions,
    Commit,
    Expedition,
    ExpeditionPublic,
    Fitted,
    Fly,
)
from causarium.families.causalgame.play.expeditions.orders import (
    FlightRange,
    Impossible,
    find_leg,
    read_parts,
    tell_orders,
    write_design,
    write_orders,
)
from causarium.families.causalgame.play.expeditions.wording import ExpeditionWording

MOST_REFUSALS = 20
GRACE = 3
"""How often one may be refused when only the design, or only the answers, are left to give."""
SPARE_ACTIONS = 20
OVER = "The expedition is over; nothing more can be done."
_ENDINGS = {
    "out of time": "ran out of time",
    "out of memory": "ran out of memory",
    "refused": "was refused",
}

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
            return (Commit,)
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
        """How many have been flown."""
        return self.budget - sum(self.range.left.values())

    def workspace(self) -> Mapping[str, str]:
        """Return the files that a program finds: the orders flown so far, and what is left."""
        books: dict[str, Json] = {
            leg.name: [list(counts) for counts in leg.book] for leg in self.public.legs if leg.book
        }
        return {
            "history.json": canonical_json({"orders": tell_orders(self.range.flown)}),
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
            seen = _follow(seen, self._close())
        return _follow(seen, OVER) if self.done else seen

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
        text = f"{write_orders(flown)}\nDrones left: {left}; orders left: {self.range.orders_left}."
        told: dict[str, Json] = {"orders": tell_orders(flown)}
        return Observation(text, told, cost=sum(one.cost for one in flown))

    def _run(self, move: Program) -> Observation:
        if move.ran is None:
            raise Impossible("no sandbox is at hand to run code in; nothing was run")
        told: dict[str, Json] = {"ending": move.ran.ending, "output": move.ran.output}
        ending = _ENDINGS.get(move.ran.ending, move.ran.ending)
        text = f"The program {ending}. It printed:\n{move.ran.output or '(nothing)'}"
        if self.phase == "asking":
            text = f"{text}\n\n{self._words.ask_questions()}"
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


def _follow(seen: Observation, text: str) -> Observation:
    return Observation(f"{seen.text}\n\n{text}", seen.data, seen.legal, seen.cost)


def read_chances(answer: object) -> dict[str, float] | None:
    """Return the chances that an answer states, or None if it states none.

    Chances must be at least 0 and add up to 1, within a hundredth.
    """
    if isinstance(answer, str):
        word = answer.strip().lower()
        return {one: float(one == word) for one in ANSWERS} if word in ANSWERS else None
    if not isinstance(answer, dict) or not set(answer) <= set(ANSWERS):
        return None
    values = {one: float(answer.get(one, 0.0)) for one in ANSWERS}
    legal = all(isfinite(value) and value >= 0 for value in values.values())
    total = sum(values.values()) if legal else 0.0
    if abs(total - 1) > 0.01:
        return None
    return {one: value / total for one, value in values.items()}
