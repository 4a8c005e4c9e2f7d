"""Filling in the words. The texts themselves are in `prompts/`, one file for each kind of turn.

A strategy that changes only some texts takes the rest from the strategy it builds on. A folder of
one's own (`rules.prompts`) has to hold every text that the interface needs, each with its slots.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template

from causarium.contract.family import Prompt
from causarium.contract.prompt_texts import need_texts, read_text
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.instance import LinkPublic
from causarium.families.causallink.mechanics.theme import Theme, theme

_FOLDER = Path(__file__).parent / "prompts"
_BUILDS_ON = {
    "basic": ("basic",),
    "basic_limit_step": ("basic_limit_step", "basic"),
    "cot_basic_limit_step": ("cot_basic_limit_step", "basic"),
    "cot_instructed_limit_step": ("cot_instructed_limit_step", "cot_basic_limit_step", "basic"),
}
_THEME_SLOTS = frozenset({"thing", "things", "active", "inactive", "start", "stop"})
_SLOTS = {
    "system": frozenset[str](),
    "initial": frozenset({"states", "question", "shapes", "actions"}),
    "choice": frozenset({"states", "question"}),
    "interaction": frozenset({"shapes", "actions"}),
    "answer": frozenset({"question"}),
    "tools_initial": frozenset({"states", "question", "shapes", "actions", "cap"}),
    "tools_observed": frozenset({"states"}),
}
"""The texts, each with the slots it must have."""
_EXTRA = {"system": frozenset({"cap", "note"})}
"""Slots that a text may have; any may tell the cap."""
TEXTS = {
    "json": ("system", "initial", "choice", "interaction", "answer"),
    "tools": ("system", "tools_initial", "tools_observed"),
}
"""Which texts each interface needs."""
_MARK = "\x00"


def prompt(public: LinkPublic, rules: LinkRules) -> Prompt:
    """Return the words that open a case."""
    texts = _texts(rules.prompts, rules.strategy, rules.interface)
    slots = _slots(public)
    slots["states"] = states_text(state_lines(theme(public.theme), public.shapes), public.start)
    slots["note"] = "" if rules.terse_rules else f" {_ours('basic', 'note').substitute(slots)}"
    opening = "initial" if rules.interface == "json" else "tools_initial"
    return Prompt(system=texts["system"].substitute(slots), user=texts[opening].substitute(slots))


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of all later turns of one case."""

    around_states: tuple[str, ...]
    """What stands before, between and after the places of the states."""
    interaction: str
    answer: str

    @classmethod
    def of(cls, public: LinkPublic, rules: LinkRules) -> "Wording":
        """Fill in what does not change from turn to turn."""
        texts = _texts(rules.prompts, rules.strategy, rules.interface)
        slots = _slots(public)
        seen = "choice" if rules.interface == "json" else "tools_observed"
        around = tuple(texts[seen].substitute(slots, states=_MARK).split(_MARK))
        if rules.interface != "json":
            return cls(around, interaction="", answer="")
        return cls(
            around,
            interaction=texts["interaction"].substitute(slots),
            answer=texts["answer"].substitute(slots),
        )

    def seen(self, states: str) -> str:
        """Return the words that show the states after an intervention."""
        return states.join(self.around_states)


Lines = tuple[tuple[str, str], ...]
"""For each variable, in listing order, the line on it when it is inactive and when active."""


def state_lines(words: Theme, shapes: tuple[str, ...]) -> Lines:
    """Return the lines of which the texts on all states are made."""
    return tuple((f"{name} is {words.inactive}", f"{name} is {words.active}") for name in shapes)


def states_text(lines: Lines, state: int) -> str:
    """Return one line on each variable, in listing order."""
    return "\n".join([line[state >> x & 1] for x, line in enumerate(lines)])


def _slots(public: LinkPublic) -> dict[str, str]:
    words = theme(public.theme)
    return {
        "question": words.ask(public.cause, public.effect),
        "shapes": str(list(public.shapes)),
        "actions": str([words.start, words.stop]),
        "cap": str(public.cap),
        **{slot: str(getattr(words, slot)) for slot in _THEME_SLOTS},
    }


@lru_cache(maxsize=64)
def _texts(folder: str | None, strategy: str, interface: str) -> dict[str, Template]:
    names = TEXTS[interface]
    if folder is None:
        return {name: _ours(strategy, name) for name in names}
    return _read_folder(Path(folder), names)


@lru_cache(maxsize=64)
def _ours(strategy: str, name: str) -> Template:
    paths = (_FOLDER / layer / f"{name}.md" for layer in _BUILDS_ON[strategy])
    return Template(next(path for path in paths if path.exists()).read_text("utf-8").strip())


def _read_folder(folder: Path, names: tuple[str, ...]) -> dict[str, Template]:
    need_texts(folder, names)
    return {
        name: read_text(
            folder / f"{name}.md",
            needed=_SLOTS[name],
            allowed=_SLOTS[name] | _THEME_SLOTS | _EXTRA.get(name, {"cap"}),
        )
        for name in names
    }
