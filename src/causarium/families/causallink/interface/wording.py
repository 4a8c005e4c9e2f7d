"""The words of a case. The texts themselves are in `prompts/`, one file for each kind of turn.

A strategy that changes only some texts takes the rest from the strategy it builds on. A folder of
one's own (`rules.prompts`) has to hold every text that the interface needs, each with its slots.
"""

from functools import cached_property, lru_cache
from pathlib import Path
from string import Template
from typing import TypeAlias

from causarium.contract.texts.prompt_texts import need_texts, read_text
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.instance import LinkPublic
from causarium.families.causallink.mechanics.theme import theme

_FOLDER = Path(__file__).parents[1] / "prompts"
_BUILDS_ON = {
    "basic": ("basic",),
    "basic_limit_step": ("basic_limit_step", "basic"),
    "cot_basic_limit_step": ("cot_basic_limit_step", "basic"),
    "cot_instructed_limit_step": ("cot_instructed_limit_step", "cot_basic_limit_step", "basic"),
}
_THEME_SLOTS = frozenset(
    {"thing", "things", "a_thing", "A_thing", "active", "inactive", "start", "stop"}
)
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

Frame: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""A text as what stands around its slots, and these."""


class Wording:
    """The words of all later turns of one case, each made when it is first asked for."""

    def __init__(
        self, public: LinkPublic, folder: str | None, strategy: str, interface: str
    ) -> None:
        """Know the case and the texts.

        Args:
            public: What is seen of the case.
            folder: A user's own texts; None: ours.
            strategy: Which of our prompt strategies words the turns.
            interface: How the agent acts.
        """
        self._public = public
        self._frames = frame_texts(folder, strategy, interface, public.theme)

    @classmethod
    def of(cls, public: LinkPublic, rules: LinkRules) -> "Wording":
        """Return the words of a case under some rules."""
        return cls(public, rules.prompts, rules.strategy, rules.interface)

    @cached_property
    def interaction(self) -> str:
        """What asks for an intervention."""
        return self._fill("interaction")

    @cached_property
    def answer(self) -> str:
        """What asks for the answer."""
        return self._fill("answer")

    @cached_property
    def question(self) -> str:
        """The question itself."""
        return theme(self._public.theme).ask(self._public.cause, self._public.effect)

    def _fill(self, name: str) -> str:
        words, slots = self._frames[name]
        filled = [self._value(slot) for slot in slots]
        return "".join(part for pair in zip(words, [*filled, ""], strict=True) for part in pair)

    def _value(self, slot: str) -> str:
        return self.question if slot == "question" else slot_values(self._public)[slot]


def slot_values(public: LinkPublic) -> dict[str, str]:
    """Return what is filled into the slots of a case, but for its states."""
    words = theme(public.theme)
    return {
        "question": words.ask(public.cause, public.effect),
        "shapes": str(list(public.shapes)),
        "actions": str([words.start, words.stop]),
        "cap": str(public.cap),
        **_theme_slots(public.theme),
    }


def _theme_slots(theme_name: str) -> dict[str, str]:
    words = theme(theme_name)
    capital = words.a_thing[0].upper() + words.a_thing[1:]
    return {slot: capital if slot == "A_thing" else getattr(words, slot) for slot in _THEME_SLOTS}


@lru_cache(maxsize=64)
def frame_texts(
    folder: str | None, strategy: str, interface: str, theme_name: str
) -> dict[str, Frame]:
    """Return each text in a theme's words, as what stands around its other slots, and these."""
    slots = {"states", "question", "shapes", "actions", "cap"}
    marks = {slot: f"{_MARK}{slot}{_MARK}" for slot in slots}
    filled = {
        name: text.safe_substitute(_theme_slots(theme_name), **marks).split(_MARK)
        for name, text in load_texts(folder, strategy, interface).items()
    }
    return {name: (tuple(parts[::2]), tuple(parts[1::2])) for name, parts in filled.items()}


@lru_cache(maxsize=64)
def load_texts(folder: str | None, strategy: str, interface: str) -> dict[str, Template]:
    """Return the texts that an interface needs.

    Args:
        folder: A user's own texts; None: ours.
        strategy: Which of our prompt strategies.
        interface: How the agent acts.

    Raises:
        BadFile: The user's folder lacks a text, or one has wrong slots.
    """
    names = TEXTS[interface]
    if folder is None:
        return {name: our_text(strategy, name) for name in names}
    return _read_folder(Path(folder), names)


@lru_cache(maxsize=64)
def our_text(strategy: str, name: str) -> Template:
    """Return the text of that name that a strategy uses."""
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
