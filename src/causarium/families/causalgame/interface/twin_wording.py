"""The words of a twin pair: texts from `prompts/`, filled in."""

import re
from collections.abc import Sequence
from pathlib import Path

from causarium.contract.frozen import Json
from causarium.contract.texts.prompt_texts import Texts
from causarium.families.causalgame.config import SPARE_TURNS, GameRules
from causarium.families.causalgame.generation.draw_questions import ASKED_ARMOUR, Question
from causarium.families.causalgame.instance import Order, TwinPublic
from causarium.families.causalgame.interface.flight_tables import percent
from causarium.families.causalgame.interface.twin_tables import order_table, space_text
from causarium.families.causalgame.mechanics.twin_law import Target

_COMMON = frozenset(
    {
        *("drones", "deployments", "per_deployment", "steps", "fleet", "threshold", "tables"),
        "archived",
    }
)
_OWN: dict[str, frozenset[str]] = {
    "twin_task": frozenset(
        {"reply", "flow", "story", "target", "match", "space", "visible", "history"}
    ),
    "twin_flow": frozenset({"guard", "report", "questions"}),
    "twin_flow_archive": frozenset({"report"}),
    "twin_story_front_door": frozenset({"ways"}),
    "twin_story_instrument": frozenset({"ways"}),
    "twin_target": frozenset({"target"}),
    "twin_target_lot": frozenset({"signal"}),
    "twin_visible": frozenset({"conditions", "signals"}),
    "twin_visible_returned": frozenset({"conditions", "signals"}),
    "twin_visible_archive": frozenset({"columns"}),
    "twin_history": frozenset({"mission", "flights"}),
    "twin_no_history": frozenset({"mission"}),
    "twin_next": frozenset({"history"}),
    "twin_questions": frozenset({"mission", "settings", "questions", "form"}),
    "twin_again": frozenset({"problem"}),
    "program": frozenset({"ending", "output"}),
}
"""The slots that a text must have, where it must have any."""


def count_steps(public: TwinPublic, rules: GameRules) -> int:
    """Return how many actions a mission has."""
    turns = rules.max_turns or (public.budget.deployments or public.budget.tables) + SPARE_TURNS
    return turns * rules.calls_per_turn


class TwinWording:
    """The words of one twin pair."""

    def __init__(self, public: TwinPublic, rules: GameRules) -> None:
        needed = ("system", "twin_task", f"twin_reply_{rules.interface}")
        self._texts = _TEXTS.load(rules.prompts, needed)
        self._public = public
        self._rules = rules
        budget = public.budget
        self._facts = {
            "drones": str(budget.drones),
            "deployments": str(budget.deployments),
            "per_deployment": str(budget.per_deployment),
            "steps": str(count_steps(public, rules)),
            "fleet": str(budget.fleet),
            "threshold": percent(public.threshold),
            "tables": str(budget.tables),
            "archived": f"{public.archived:,}",
        }

    def fill(self, name: str, **more: str) -> str:
        """Return one text, filled in."""
        return self._texts[name].substitute({**self._facts, **more})

    def open_match(self) -> str:
        """Return the words that open the first mission."""
        text = self.fill(
            "twin_task",
            reply=self._list_actions(),
            flow=self._flow(),
            story=self._story(),
            target=self._target(),
            match=self.fill("twin_match"),
            space=space_text(self._public),
            visible=self._describe_visible(),
            history=self.tell_past(self._public.opening, 1),
        )
        return re.sub(r"\n{3,}", "\n\n", text).strip()

    def tell_past(self, opening: Sequence[Order], mission: int) -> str:
        """Return the flights from before a mission."""
        if self._public.archived:
            return ""
        if not opening:
            return self.fill("twin_no_history", mission=str(mission))
        orders = [(f"P{place}", order) for place, order in enumerate(opening, 1)]
        table = order_table(self._public, orders)
        return self.fill("twin_history", mission=str(mission), flights=table)

    def ask(self, questions: Sequence[Question], mission: int) -> str:
        """Return the questions about a mission."""
        asked = (question.conditions for question in questions)
        settings = list(dict.fromkeys([self._public.target, *asked]))
        names = {setting: "AB"[place] for place, setting in enumerate(settings)}
        lines = [
            f"{name_question(place)} (setting {names[question.conditions]}): "
            f"{describe_change(self._public, question)}"
            for place, question in enumerate(questions)
        ]
        return self.fill(
            "twin_questions",
            mission=str(mission),
            settings="\n".join(
                f"Setting {names[setting]}: {self._describe_setting(setting)}."
                for setting in settings
            ),
            questions="\n".join(lines),
            form=self.fill(f"twin_answer_{self._rules.interface}"),
        )

    def ask_report(self) -> str:
        """Return the words that ask for the report."""
        return f"{self.fill('twin_report')}\n\n{self.fill(f'twin_report_{self._rules.interface}')}"

    def _flow(self) -> str:
        report = self.fill("twin_flow_report") if self._rules.report else ""
        if self._public.archived:
            return self.fill("twin_flow_archive", report=report)
        return self.fill(
            "twin_flow",
            report=report,
            guard=self.fill("twin_flow_guard") if self._rules.guard else "",
            questions=self.fill("twin_flow_questions") if self._rules.claims else "",
        )

    def _story(self) -> str:
        public = self._public
        if public.mode == "flights":
            return self.fill("twin_story_flights")
        pairs = zip(public.slots, public.conditions, strict=True)
        if public.mode == "front_door":
            ways = "; ".join(f"{slot.name} by way of {column.name}" for slot, column in pairs)
        else:
            ways = "; ".join(f"{column.name} for {slot.name}" for slot, column in pairs)
        return self.fill(f"twin_story_{public.mode}", ways=ways)

    def _target(self) -> str:
        public = self._public
        if public.archived:
            return self.fill("twin_target_archive")
        text = self.fill("twin_target", target=self._describe_target())
        if public.signals:
            text = f"{text} {self.fill('twin_target_lot', signal=public.signals[0])}"
        return text

    def _describe_target(self) -> str:
        public = self._public
        told = [
            f"{condition.name} {condition.values[value]}"
            for condition, value in zip(public.conditions, public.target, strict=True)
            if value is not None
        ]
        open_ones = [
            condition.name
            for condition, value in zip(public.conditions, public.target, strict=True)
            if value is None
        ]
        text = ", ".join(told)
        return f"{text}; {', '.join(open_ones)} as in the test flights" if open_ones else text

    def _describe_setting(self, conditions: Target) -> str:
        named = name_setting(self._public, conditions)
        text = ", ".join(f"{name} {value}" for name, value in named.items())
        if self._public.signals:
            text = f"{text}, {self._public.signals[0]} by lot"
        return text

    def _describe_visible(self) -> str:
        public = self._public
        if public.archived:
            columns = [*public.slots, *public.conditions]
            named = [f"{one.name} ({one.values[0]} or {one.values[1]})" for one in columns]
            return self.fill(
                "twin_visible_archive", columns=", ".join([*named, "returned (no or yes)"])
            )
        conditions = ", ".join(
            f"{one.name} ({one.values[0]} or {one.values[1]})" for one in public.conditions
        )
        signals = "".join(f", {name} (off or on)" for name in public.signals)
        name = "twin_visible_returned" if public.hides_losses else "twin_visible"
        return self.fill(name, conditions=conditions, signals=signals)

    def _list_actions(self) -> str:
        left_out = {
            "fly": bool(self._public.archived),
            "client.fly": bool(self._public.archived),
            "tabulate": not self._public.archived,
            "client.tabulate": not self._public.archived,
            "run_analysis": not self._rules.analysis,
            "client.answer": bool(self._public.archived) or not self._rules.claims,
        }
        lines = self.fill(f"twin_reply_{self._rules.interface}").split("\n")
        starts = tuple(f"- {name}{end}" for name, out in left_out.items() if out for end in ":(")
        return "\n".join(line for line in lines if not line.startswith(starts or ("\0",)))


def name_question(place: int) -> str:
    """Return the name of a question by its place, from 0."""
    return f"q{place + 1}"


def name_setting(public: TwinPublic, conditions: Target) -> dict[str, str]:
    """Return conditions in words, by name."""
    return {
        one.name: "as in the tests" if value is None else one.values[value]
        for one, value in zip(public.conditions, conditions, strict=True)
    }


def describe_change(public: TwinPublic, question: Question) -> str:
    """Return in words what a question changes."""
    if not question.of_part:
        slot = public.slots[question.lever]
        first, second = slot.values if question.rises else slot.values[::-1]
        return f"changing {slot.name} from {first} to {second}"
    part = public.parts[question.lever]
    if question.rises:
        return f"raising {part} from 0 to {ASKED_ARMOUR}"
    return f"lowering {part} from {ASKED_ARMOUR} to 0"


def question_data(public: TwinPublic, questions: Sequence[Question]) -> list[Json]:
    """Return questions as data."""
    return [
        {
            "id": name_question(place),
            "change": describe_change(public, question),
            "setting": dict(name_setting(public, question.conditions)),
        }
        for place, question in enumerate(questions)
    ]


def _slots(name: str) -> tuple[frozenset[str], frozenset[str]]:
    return _OWN.get(name, frozenset()), _COMMON


_TEXTS = Texts(Path(__file__).parents[1] / "prompts", _slots)
