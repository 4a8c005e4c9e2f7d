"""The words of a case. The texts themselves are in `prompts/`.

A prompt strategy has texts of its own, such as `basic_limit_step_system`, and takes the rest from
the one that it builds on. A folder of one's own (`rules.prompts`) has to hold every text that the
case needs, each with its slots, in a file of its own.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from string import Template

from causarium.contract.family import Prompt
from causarium.contract.texts import prompt_texts
from ..model.instance import LinkPublic
from ..model.rules import LinkRules, Strategy
from ..model.theme import theme

Texts = Mapping[str, Template]
"""The texts of a case by name, with our slots."""
_BUILDS_ON: Mapping[Strategy, tuple[str, ...]] = {
    "basic": (),
    "basic_limit_step": ("basic_limit_step",),
    "cot_basic_limit_step": ("cot_basic_limit_step",),
    "cot_instructed_limit_step": ("cot_instructed_limit_step", "cot_basic_limit_step"),
}
"""Before each text without a prefix come those of these strategies."""
_THEME_SLOTS = ("thing", "things", "a_thing", "active", "inactive", "start", "stop")
_CASE_SLOTS = {"A_thing", "question", "shapes", "actions", "cap"}
_NEEDED_SLOTS = {
    "initial": {"states", "question", "shapes", "actions"},
    "choice": {"states", "question"},
    "interaction": {"shapes", "actions"},
    "answer": {"question"},
    "tools_initial": {"states", "question", "shapes", "actions", "cap"},
    "tools_observed": {"states"},
}
TEXTS_NEEDED = {
    "json": ("system", "initial", "choice", "interaction", "answer"),
    "tools": ("system", "tools_initial", "tools_observed"),
}
"""Which texts each interface needs."""
_MARK = "\x00"


def _list_slots(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the slots that a text must have, and those that it may have."""
    may = frozenset({*_THEME_SLOTS, *_CASE_SLOTS, "note"})
    return frozenset(_NEEDED_SLOTS.get(name, ())), may


_TEXTS = prompt_texts.Texts(Path(__file__).parents[1] / "prompts", _list_slots)


class Wording:
    """The words of one case, each made when it is asked for."""

    def __init__(self, public: LinkPublic, rules: LinkRules, texts: Texts | None = None) -> None:
        self._rules = rules
        self._public = public
        needed = TEXTS_NEEDED[rules.interface]
        ours = _TEXTS.load(rules.prompts, needed)
        self._texts = {**ours, **texts} if texts else ours
        self._layers = () if texts or rules.prompts else _BUILDS_ON[rules.strategy]
        words = theme(public.theme)
        self._lines = [
            (f"{name} is {words.inactive}", f"{name} is {words.active}") for name in public.shapes
        ]

    @cached_property
    def _slots(self) -> dict[str, str]:
        return _fill_slots(self._public)

    @cached_property
    def _around_states(self) -> list[str]:
        """What stands around the states after an intervention: filled once, used at every act."""
        name = "choice" if self._rules.interface == "json" else "tools_observed"
        return self.fill(name, states=_MARK).split(_MARK)

    def fill(self, name: str, **more: str) -> str:
        """Return the text called `name`, with what is known of the case and more filled in."""
        names = (*(f"{layer}_{name}" for layer in self._layers), name)
        text = next(self._texts[one] for one in names if one in self._texts)
        return text.substitute(self._slots, **more)

    def describe(self, state: int) -> str:
        """Return the words for a state after an intervention."""
        return self.list_states(state).join(self._around_states)

    def list_states(self, state: int) -> str:
        """Return one line on each variable, in listing order."""
        return "\n".join([line[state >> x & 1] for x, line in enumerate(self._lines)])


def prompt(public: LinkPublic, rules: LinkRules, texts: Texts | None = None) -> Prompt:
    """Return the words that open a case.

    Args:
        public: What is shown of it.
        rules: How it is played.
        texts: Other texts than those that the rules name.
    """
    wording = Wording(public, rules, texts)
    opening = "initial" if rules.interface == "json" else "tools_initial"
    notes = () if rules.terse_rules else ("note",) if rules.strict_form else ("note", "form")
    note = "".join(f" {wording.fill(name)}" for name in notes)
    user = wording.fill(opening, states=wording.list_states(public.start))
    return Prompt(system=wording.fill("system", note=note), user=user)


def _fill_slots(public: LinkPublic) -> dict[str, str]:
    """Return the values of the slots of a case, but for its states."""
    words = theme(public.theme)
    return {
        "question": ask_question(public),
        "shapes": str(list(public.shapes)),
        "actions": str([words.start, words.stop]),
        "cap": str(public.cap),
        "A_thing": words.a_thing[0].upper() + words.a_thing[1:],
        **{slot: getattr(words, slot) for slot in _THEME_SLOTS},
    }


def ask_question(public: LinkPublic) -> str:
    """Return the question of a case."""
    return theme(public.theme).ask(public.cause, public.effect)
