"""The words of a table. The texts themselves are in `prompts/`."""

from collections.abc import Sequence
from pathlib import Path

from causarium.contract.family import Prompt
from causarium.contract.texts.prompt_texts import Texts
from ..levels import LinkRules
from ..model import LinkPublic, Plan, Watched

_NUMBERS = (
    "none",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_TABLE_SLOTS = frozenset(
    {"objects", "lively", "hands", "target", "asked", "groups", "stoppers", "starters"}
)
_SLOTS: dict[str, frozenset[str]] = {
    "rules": frozenset(),
    "table": _TABLE_SLOTS - {"asked"},
    "watched": frozenset({"rows", "alike"}),
    "question": frozenset({"asked", "target"}),
    "trials": frozenset({"trials"}),
    "seen": frozenset({"target", "seen", "left"}),
}
_COMMON = ("rules", "table", "watched", "question", "trials", "no_trials", "seen")
_NEEDED = {
    "json": (*_COMMON, "ask_trial", "ask_answer"),
    "tools": (*_COMMON, "tools_trial", "tools_answer"),
}
"""The texts that each interface needs."""


def _list_slots(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the slots that a text must have, and those that it may have."""
    slots = _SLOTS.get(name, frozenset())
    return slots, slots | _TABLE_SLOTS


_TEXTS = Texts(Path(__file__).parents[1] / "prompts", _list_slots)
_ALIKE = ". None of them decides the question: each comes out as told, be the answer yes or no"


class Wording:
    """The words of one table."""

    def __init__(self, public: LinkPublic, rules: LinkRules) -> None:
        self._public = public
        self._by_tools = rules.by_tools
        self._texts = _TEXTS.load(rules.prompts, _NEEDED[rules.interface])
        plan = public.plan
        self._slots = {
            "objects": _join(public.objects),
            "lively": _join(public.lively or ("none",)),
            "hands": _number(public.hands),
            "target": public.target,
            "asked": public.asked,
            "groups": tell_groups(plan),
            "stoppers": _number(plan.stoppers),
            "starters": _number(plan.starters),
        }

    def tell_rules(self) -> str:
        """Return the rules, which are the same for every table."""
        return self.fill("rules")

    def tell_case(self) -> str:
        """Return the table, the trials made before, the question and the form of replies."""
        public = self._public
        rows = "\n".join(f"- {_tell_row(row, public.target)}" for row in public.watched)
        parts = [
            self.fill("table"),
            self.fill("watched", rows=rows, alike=_ALIKE if public.trials else ""),
            self.fill("question"),
            self.tell_trials(),
            self.ask(public.trials),
        ]
        return "\n\n".join(parts)

    def tell_trials(self) -> str:
        """Return the number of trials, and the worth of an answer."""
        trials = self._public.trials
        return self.fill("trials", trials=_count(trials)) if trials else self.fill("no_trials")

    def tell_seen(self, *, moved: bool, left: int) -> str:
        """Return the outcome of a trial, and the form of the next reply."""
        seen = "moves" if moved else "stands still"
        text = self.fill("seen", seen=seen, left=_count(left))
        return f"{text}\n\n{self.ask(left)}"

    def ask(self, left: int) -> str:
        """Return the form in which the next reply is asked for."""
        return self.fill(f"{'tools' if self._by_tools else 'ask'}_{'trial' if left else 'answer'}")

    def fill(self, name: str, **slots: str) -> str:
        """Return a text with its slots filled."""
        return self._texts[name].substitute({**self._slots, **slots})


def prompt(public: LinkPublic, rules: LinkRules) -> Prompt:
    """Return the words that open a table."""
    words = Wording(public, rules)
    return Prompt(system=words.tell_rules(), user=words.tell_case())


def ask_question(public: LinkPublic) -> str:
    """Return the question of a table."""
    return f"Does the {public.asked} moving cause the {public.target} to move?"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _count(trials: int) -> str:
    return f"{_number(trials) if trials else 'no'} trial{'s' * (trials != 1)}"


def tell_groups(plan: Plan) -> str:
    """Return the sizes of the groups, in a sentence."""
    first = f"The first group has {_objects(plan.group)}"
    if not plan.rivals:
        return f"{first}; there is no other."
    if len(plan.rivals) == 1:
        return f"{first}; there is one other group, of {_objects(plan.rivals[0])}."
    sizes = [_number(size) for size in plan.rivals]
    told = f"{_objects(plan.rivals[0])} each" if len(set(sizes)) == 1 else f"{_join(sizes)} objects"
    return f"{first}; there are {_number(len(sizes))} other groups, of {told}."


def _objects(count: int) -> str:
    return f"{_number(count)} object{'s' * (count != 1)}"


def _tell_row(row: Watched, target: str) -> str:
    done = [
        f"the {_tell_done(names)} {what}"
        for names, what in ((row.started, "started"), (row.held, "held"))
        if names
    ]
    told = ", ".join(done) or "nothing was started or held"
    return f"{told[0].upper()}{told[1:]}: the {target} {'moved' if row.moved else 'stood still'}."


def _tell_done(names: Sequence[str]) -> str:
    return f"{_join(names)} {'were' if len(names) > 1 else 'was'}"


def _join(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
