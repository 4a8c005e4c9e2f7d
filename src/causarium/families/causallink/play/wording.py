"""The words of a case. Our texts are in `texts.toml`, one table a strategy.

A strategy that changes only some texts takes the rest from the strategy it builds on. A folder of
one's own (`rules.prompts`) has to hold every text that the case needs, each with its slots, in a
file of its own.
"""

import tomllib
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from string import Template
from typing import TypeAlias

from causarium.contract.family import Prompt
from causarium.contract.texts.prompt_texts import need_texts, read_text
from causarium.families.causallink.model.config import LinkRules
from causarium.families.causallink.model.instance import LinkPublic, MachinePublic, Need
from causarium.families.causallink.model.theme import Theme, describe_state, theme

_FILE = Path(__file__).with_name("texts.toml")
_BUILDS_ON = {
    "basic": ("basic",),
    "basic_limit_step": ("basic_limit_step", "basic"),
    "cot_basic_limit_step": ("cot_basic_limit_step", "basic"),
    "cot_instructed_limit_step": ("cot_instructed_limit_step", "cot_basic_limit_step", "basic"),
    "log": ("log",),
}
_THEME_SLOTS = frozenset(
    {"thing", "things", "a_thing", "A_thing", "active", "inactive", "start", "stop"}
)
_LOG_SLOTS = frozenset({"log", "question", "alike", "cause", "companion", "effect"})
_SLOTS = {
    "system": frozenset[str](),
    "initial": frozenset({"states", "question", "shapes", "actions"}),
    "choice": frozenset({"states", "question"}),
    "interaction": frozenset({"shapes", "actions"}),
    "answer": frozenset({"question"}),
    "tools_initial": frozenset({"states", "question", "shapes", "actions", "cap"}),
    "tools_observed": frozenset({"states"}),
    "log_system": frozenset({"helped", "rivalled", "allowed"}),
    "log_initial": _LOG_SLOTS,
    "log_tools_initial": _LOG_SLOTS,
    "log_observed": frozenset({"effect", "seen", "ask"}),
    "log_answer": frozenset({"question"}),
}
"""The texts, each with the slots it must have; a user's file has the text's name."""
_EXTRA = {
    "system": frozenset({"cap", "note"}),
    **dict.fromkeys(
        ("log_system", "log_initial", "log_tools_initial", "log_answer"),
        _SLOTS["log_system"] | {"cause", "companion", "effect", "count", "shapes"},
    ),
}
"""Slots that a text may have; any other may tell the cap."""
TEXTS = {
    ("json", "graph"): ("system", "initial", "choice", "interaction", "answer"),
    ("tools", "graph"): ("system", "tools_initial", "tools_observed"),
    ("json", "log"): ("log_system", "log_initial", "log_observed", "log_answer"),
    ("tools", "log"): ("log_system", "log_tools_initial", "log_observed", "log_answer"),
}
"""Which texts each interface needs for graphs and for logs."""
_NEEDS: Mapping[Need, str] = {
    "all": "both of them are $active",
    "none": "both of them are $inactive",
    "one": "exactly one of them is $active",
    "some": "at least one of them is $active",
    "not all": "at least one of them is $inactive",
}
Texts: TypeAlias = Mapping[str, Template]
"""The texts of a case by name, with our slots."""
_MARK = "\x00"


class Wording:
    """The words of one case, each made when it is asked for."""

    def __init__(self, public: LinkPublic, rules: LinkRules, texts: Texts | None = None) -> None:
        self._rules = rules
        self._public = public
        self._texts = texts or load_texts(
            rules.prompts, rules.strategy, rules.interface, "log" if public.machine else "graph"
        )
        self._lines = theme(public.theme).state_lines(public.shapes)

    @cached_property
    def _slots(self) -> dict[str, str]:
        return fill_slots(self._public)

    @cached_property
    def _around_states(self) -> list[str]:
        """What stands around the states after an intervention: filled once, used at every act."""
        name = "choice" if self._rules.interface == "json" else "tools_observed"
        return self.fill(name, states=_MARK).split(_MARK)

    @property
    def question(self) -> str:
        """The question itself."""
        return self._slots["question"]

    def fill(self, name: str, **more: str) -> str:
        """Return the text called `name`, with what is known of the case and more filled in."""
        return self._texts[name].substitute(self._slots, **more)

    def describe(self, state: int) -> str:
        """Return what is said of a state after an intervention."""
        return describe_state(self._lines, state).join(self._around_states)

    def open_case(self) -> Prompt:
        """Return the words that open the case."""
        opening = "initial" if self._rules.interface == "json" else "tools_initial"
        if self._public.machine is not None:
            # Logs have one system text; what a strategy adds is said of graphs alone.
            return Prompt(system=self.fill("log_system"), user=self.fill(f"log_{opening}"))
        states = describe_state(self._lines, self._public.start)
        note = self._write_note().substitute(self._slots)
        return Prompt(system=self.fill("system", note=note), user=self.fill(opening, states=states))

    def _write_note(self) -> Template:
        if self._rules.terse_rules:
            return Template("")
        names = ("note",) if self._rules.strict_form else ("note", "form")
        return Template("".join(f" {_our_text('basic', name)}" for name in names))


def prompt(public: LinkPublic, rules: LinkRules, texts: Texts | None = None) -> Prompt:
    """Return the words that open a case.

    Args:
        public: What is shown of it.
        rules: How it is played.
        texts: Other texts than those that the rules name.
    """
    return Wording(public, rules, texts).open_case()


def fill_slots(public: LinkPublic) -> dict[str, str]:
    """Return what is filled into the slots of a case, but for its states."""
    words = theme(public.theme)
    capital = words.a_thing[0].upper() + words.a_thing[1:]
    slots = {
        "question": ask_question(public),
        "shapes": str(list(public.shapes)),
        "actions": str([words.start, words.stop]),
        "cap": str(public.cap),
        "A_thing": capital,
        **{slot: getattr(words, slot) for slot in _THEME_SLOTS - {"A_thing"}},
    }
    if public.machine is not None:
        slots |= _fill_log_slots(public, public.machine, words)
    return slots


def ask_question(public: LinkPublic) -> str:
    """Return the question of a case."""
    words, shown = theme(public.theme), public.machine
    if shown is None or shown.form == "cause":
        return words.ask(public.cause, public.effect)
    return (
        f"Whenever {public.cause} is {words.active}, {shown.companion} becomes {words.active} too, "
        f"unless it is kept {words.inactive}. Does {public.cause} act on {public.effect} itself, "
        f"and not only by way of {shown.companion}?"
    )


def _fill_log_slots(public: LinkPublic, shown: MachinePublic, words: Theme) -> dict[str, str]:
    alike = f"{public.cause} and {shown.companion} were always set alike"
    if shown.form == "direct":
        alike = f"Nobody touched {shown.companion}, so it was always as {public.cause} was"
    return {
        "cause": public.cause,
        "companion": shown.companion,
        "effect": public.effect,
        "count": "nine",
        "alike": f"{alike}.",
        "log": tabulate_log(public),
        **word_needs(shown, words),
    }


def word_needs(shown: MachinePublic, words: Theme) -> dict[str, str]:
    """Return what is needed of helpers, rivals and guards."""
    told = (
        Template(_NEEDS[need]).substitute(active=words.active, inactive=words.inactive)
        for need in shown.needs
    )
    return dict(zip(("helped", "rivalled", "allowed"), told, strict=True))


def tabulate_log(public: LinkPublic) -> str:
    """Return the log as a table: a column for each part, the target's last."""
    if public.machine is None:
        return ""
    lines = [["run", *public.parts, public.effect]]
    for number, row in enumerate(public.machine.log, 1):
        cells = ["1" if name in row.moved else "0" for name in public.parts]
        lines.append([str(number), *cells, "1" if row.target else "0"])
    return "\n".join(" | ".join(line) for line in lines)


@lru_cache(maxsize=32)  # 2.8 ms each, and every prompt and world asks
def load_texts(folder: str | None, strategy: str, interface: str, kind: str) -> dict[str, Template]:
    """Return the texts that an interface needs: reading them takes longer than an episode.

    Args:
        folder: A user's own texts; None: ours.
        strategy: Which of our prompt strategies.
        interface: How the agent acts.
        kind: `graph` or `log`.

    Raises:
        BadFile: The user's folder lacks a text, or one has wrong slots.
    """
    names = TEXTS[interface, kind]
    if folder is None:
        ours = strategy if kind == "graph" else "log"
        return {name: Template(_our_text(ours, name.removeprefix("log_"))) for name in names}
    need_texts(Path(folder), names)
    return {
        name: read_text(
            Path(folder) / f"{name}.md",
            needed=_SLOTS[name],
            allowed=_SLOTS[name] | _THEME_SLOTS | _EXTRA.get(name, {"cap"}),
        )
        for name in names
    }


def _our_text(strategy: str, name: str) -> str:
    texts = _read_texts()
    return next(texts[layer][name] for layer in _BUILDS_ON[strategy] if name in texts[layer])


def _read_texts() -> dict[str, dict[str, str]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
