"""The words of a text's prompt. The texts themselves are in `prompts/`."""

from pathlib import Path

from causarium.contract.family import Prompt
from causarium.contract.texts.prompt_texts import Texts
from ..levels import ReciteRules
from ..model import Link, RecitePublic

_SLOTS = {"text": {"text"}, "questions": {"questions"}, "graph": {"names"}}
_NEEDED = {
    "json": ("rules", "text", "questions", "graph", "ask_questions", "ask_graph"),
    "tools": ("rules", "text", "questions", "graph", "tools_questions", "tools_graph"),
}
"""The texts that each interface needs."""


def _list_slots(name: str) -> tuple[frozenset[str], frozenset[str]]:
    slots = frozenset(_SLOTS.get(name, ()))
    return slots, slots


_TEXTS = Texts(Path(__file__).parents[1] / "prompts", _list_slots)


class Wording:
    """The words of one instance."""

    def __init__(self, public: RecitePublic, rules: ReciteRules) -> None:
        self._public = public
        self._by_tools = rules.by_tools
        self._texts = _TEXTS.load(rules.prompts, _NEEDED[rules.interface])

    def tell_rules(self) -> str:
        """Return the rules of reading, the same on every rung."""
        return self._texts["rules"].substitute()

    def tell_case(self) -> str:
        """Return the text, what is asked of it, and the form of the reply."""
        public = self._public
        text = self._texts["text"].substitute(text=f"{public.title}\n\n{public.text}")
        if public.questions:
            lines = (
                f"{n}. (a) {self._name(one.first)}, or (b) {self._name(one.second)}"
                for n, one in enumerate(public.questions, 1)
            )
            asked = self._texts["questions"].substitute(questions="\n".join(lines))
        else:
            names = "\n".join(f"{n}. {name}" for n, name in enumerate(public.names, 1))
            asked = self._texts["graph"].substitute(names=names)
        return f"{text}\n\n{asked}\n\n{self.ask()}"

    def ask(self) -> str:
        """Return the form in which the reply is asked for."""
        form = "questions" if self._public.questions else "graph"
        return self._texts[f"{'tools' if self._by_tools else 'ask'}_{form}"].substitute()

    def _name(self, link: Link) -> str:
        cause, effect = (self._public.names[end - 1] for end in link)
        return f"{cause} -> {effect}"


def prompt(public: RecitePublic, rules: ReciteRules) -> Prompt:
    """Return the words that open an instance."""
    words = Wording(public, rules)
    return Prompt(system=words.tell_rules(), user=words.tell_case())
