"""The words that open a case."""

from string import Template

from causarium.contract.family import Prompt
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.instance import LinkPublic
from causarium.families.causallink.interface.wording import load_texts, our_text, slot_values
from causarium.families.causallink.mechanics.theme import describe_state, theme


def prompt(public: LinkPublic, rules: LinkRules) -> Prompt:
    """Return the words that open a case."""
    texts = load_texts(rules.prompts, rules.strategy, rules.interface)
    slots = slot_values(public)
    lines = theme(public.theme).state_lines(public.shapes)
    slots["states"] = describe_state(lines, public.start)
    slots["note"] = _note(rules).substitute(slots)
    opening = "initial" if rules.interface == "json" else "tools_initial"
    return Prompt(system=texts["system"].substitute(slots), user=texts[opening].substitute(slots))


def _note(rules: LinkRules) -> Template:
    if rules.terse_rules:
        return Template("")
    names = ("note",) if rules.strict_form else ("note", "form")
    return Template("".join(f" {our_text('basic', name).template}" for name in names))
