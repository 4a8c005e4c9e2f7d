"""The form of a document that other names for its things do not change."""

import re

from causarium.contract.frozen import canonical_json, digest
from causarium.families.recite.instance import ReciteInstance


def kin(instance: ReciteInstance) -> str:
    """Return a digest that a document shares with all that tell the same under other names.

    What is asked of the document does not count.
    """
    text, edges = number_names(instance)
    return digest(text, canonical_json(edges))


def number_names(instance: ReciteInstance) -> tuple[str, list[list[int]]]:
    """Return text and edges with names numbered as the text mentions them first; -1 if never."""
    text = " ".join(instance.public.text.lower().split())
    names = {name.lower() for node in instance.secret.nodes for name in (node.name, *node.aliases)}
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    number: dict[str, int] = {}

    def name_by_number(match: re.Match[str]) -> str:
        return f"#{number.setdefault(match.group(), len(number))}"

    form = re.sub(rf"\b(?:{pattern})\b", name_by_number, text) if names else text
    edges = sorted(
        [number.get(cause.lower(), -1), number.get(effect.lower(), -1)]
        for cause, effect in instance.secret.pairs
    )
    return form, edges
