"""Certified edition: the words of an expedition, which are filled-in parts of a prompt file."""

from pathlib import Path

from causarium.contract.family import Prompt
from causarium.contract.texts.prompt_texts import Texts
from ...generation.expeditions import BOOK_FLIGHTS
from ...model.expeditions import ExpeditionPublic, Leg, Reading
from ...shared.rules import GameRules

_LEG = frozenset({"leg", "parts", "target", "readings", "drones"})
_OWN: dict[str, frozenset[str]] = {
    "expedition": frozenset({"legs", "form", "budget"}),
    "budget_flights": frozenset({"orders"}),
    "dial": _LEG | {"settable"},
    "line": _LEG | {"other", "places"},
    "one_part": frozenset({"part"}),
    "two_parts": frozenset({"part", "rival"}),
    "roster_one_part": frozenset({"part"}),
    "roster_two_parts": frozenset({"part", "rival"}),
    "roster": _LEG | {"truth"},
    "depot": frozenset({"leg", "part", "flights", "columns", "book", "mover"}),
    "part_questions": frozenset({"questions", "answer_form"}),
    "again": frozenset({"problem"}),
}
"""The slots that a text must have, where it must have any."""


class ExpeditionWording:
    """The words of one expedition."""

    def __init__(self, public: ExpeditionPublic, rules: GameRules) -> None:
        self._texts = _TEXTS.load(rules.prompts, ("expedition",))
        self._public = public
        self._rules = rules
        self.questions = [
            (leg.name, part, len(leg.parts) > 1) for leg in public.legs for part in leg.parts
        ]
        """What is asked: each part of each leg, and whether it has a rival."""

    def _fill(self, name: str, **slots: str) -> str:
        return self._texts[name].substitute(slots)

    def open(self) -> Prompt:
        """Return the words that open the expedition."""
        legs = "\n\n".join(self.describe_leg(leg) for leg in self._public.legs)
        user = self._fill(
            "expedition", legs=legs, form=self._describe_form(), budget=self._budget()
        )
        return Prompt(system=self._fill("expedition_system"), user=user)

    def _budget(self) -> str:
        if not self._public.orders:
            return self._fill("budget_books")
        return self._fill("budget_flights", orders=str(self._public.orders))

    def _describe_form(self) -> str:
        name = self._rules.interface
        if name == "code":
            name = "code_flies" if self._public.programs_fly else "code_looks"
        text = self._fill(f"form_{name}")
        if self._rules.interface == "json" and self._rules.analysis:
            text = f"{text}\n{self._fill('form_analysis')}"
        if not self._public.orders:
            text = "\n".join(line for line in text.splitlines() if '"action": "fly"' not in line)
        return text

    def describe_leg(self, leg: Leg) -> str:
        """Return what the agent reads of a leg."""
        if leg.kind == "depot":
            return self._describe_depot(leg)
        rivals = len(leg.parts) > 1
        names = {"part": leg.parts[0], "rival": leg.parts[-1]} if rivals else {"part": leg.parts[0]}
        own = "roster_" if leg.kind == "roster" else ""
        parts = self._fill(f"{own}{'two_parts' if rivals else 'one_part'}", **names)
        first = leg.readings[0]
        slots = {"leg": leg.name, "parts": parts, "drones": str(leg.drones)}
        if leg.kind == "line":
            return self._fill(
                "line",
                **slots,
                readings=" ".join(reading.name for reading in leg.readings),
                target=first.target,
                other=first.other,
                places=_count_places(leg),
            )
        readings = _list_words([reading.name for reading in leg.readings])
        if len(leg.readings) > 1:
            readings = f"{readings} {self._fill('one_matters')}"
        targets = _list_words([f"{one.name} {one.target}" for one in leg.readings])
        slots |= {"readings": readings, "target": targets}
        if leg.kind == "dial":
            settable = " or ".join(f"{one.name} to {one.other}" for one in leg.readings)
            return self._fill("dial", **slots, settable=settable)
        truth = self._fill("roster_three" if leg.may_stay else "roster_two")
        return self._fill("roster", **slots, truth=truth)

    def _describe_depot(self, leg: Leg) -> str:
        lot = [column.name for column in leg.readings if column.by_lot]
        chosen = [column.name for column in leg.readings if not column.by_lot]
        columns = f"By lot: {_list_words(lot)}."
        if chosen:
            columns += f" By officers, who may have known more: {_list_words(chosen)}."
        book = "\n".join(
            _write_column(column, leg.parts[0], counts)
            for column, counts in zip(leg.readings, leg.book, strict=True)
        )
        return self._fill(
            "depot",
            leg=leg.name,
            part=leg.parts[0],
            flights=f"{BOOK_FLIGHTS:,}",
            columns=columns,
            book=book,
            mover=lot[0] if len(lot) == 1 else "one of the columns by lot",
        )

    def ask_questions(self) -> str:
        """Return the questions: one for every part of every leg."""
        lines = [
            f"q{number}: leg {leg}, {part}{' alone' if has_rival else ''}"
            for number, (leg, part, has_rival) in enumerate(self.questions, 1)
        ]
        name = self._rules.interface
        if name == "code" and not self._public.programs_fly:
            name = "json"
        return self._fill(
            "part_questions", questions="\n".join(lines), answer_form=self._fill(f"answer_{name}")
        )

    def ask_design(self) -> str:
        """Return the words that ask for the design."""
        return self._fill("asked")

    def ask_again(self, problem: str) -> str:
        """Return the words that ask for another reply."""
        return self._fill("again", problem=problem)


def _count_places(leg: Leg) -> str:
    """Say where the fleet's gauge stands."""
    count = abs(leg.ahead)
    side = "after" if leg.ahead > 0 else "before"
    return f"{count} {'place' if count == 1 else 'places'} {side} {leg.fleet_reading}"


def _list_words(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _write_column(column: Reading, part: str, counts: tuple[int, ...]) -> str:
    lines = []
    for at_target, value in ((0, column.other), (1, column.target)):
        lost, back, lost_with, back_with = counts[4 * at_target : 4 * at_target + 4]
        lines.append(
            f"- {column.name} {value}: {back_with} of {back_with + lost_with} with {part} "
            f"returned, {back} of {back + lost} without"
        )
    return "\n".join(lines)


_TEXTS = Texts(
    Path(__file__).parents[2] / "prompts", lambda name: (_OWN.get(name, frozenset()), frozenset())
)
