"""Labels of how a text tells each node, given by a model.

A labelling pass asks a model for one label a node, takes those that are legal, and asks again for
the rest; what is still missing then is None, and counted by whoever asked.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from pydantic import Field

from causarium.contract.frozen import AgentInput
from causarium.contract.texts.prompt_texts import read_text
from causarium.contract.texts.replies import excerpt, find_json_object
from causarium.contract.texts.role_questions import Ask, Consultation
from causarium.contract.world import Unparsed
from causarium.families.recite.model.instance import Explicitness

ROLE = "labeller"
MOST_AGAIN = 3
_TEXTS = Path(__file__).parents[1] / "prompts" / "explicitness"
_LABELS: Mapping[object, Explicitness] = {1: 1, 2: 2, 3: 3, "1": 1, "2": 2, "3": 3}
_SLOTS = {
    "system": set[str](),
    "user": {"text", "nodes"},
    "again": {"asked", "nodes", "problem"},
}


class Labelled(AgentInput):
    """What came of asking for the labels of one text."""

    labels: dict[str, Explicitness] = Field(default_factory=dict)
    missing: list[str] = Field(default_factory=list)
    asked: int
    problem: str = ""


def label_nodes(text: str, nodes: Sequence[str]) -> Consultation[Labelled]:
    """Have a model say of each node how the text tells it."""
    system = _text("system").substitute()
    first = user = _text("user").substitute(text=text, nodes=_list_nodes(nodes))
    labels: dict[str, Explicitness] = {}
    missing, problem, asked = list(dict.fromkeys(nodes)), "", 0
    while missing and asked <= MOST_AGAIN:
        reply = yield Ask(role=ROLE, system=system, user=user)
        asked += 1
        taken, problem = read_labels(reply, missing)
        labels |= taken
        missing = [name for name in missing if name not in labels]
        user = _text("again").substitute(
            asked=first, nodes=_list_nodes(missing), problem=problem or "some nodes were left out"
        )
    return Labelled(labels=labels, missing=missing, asked=asked, problem=problem)


def read_labels(reply: str, wanted: Sequence[str]) -> tuple[dict[str, Explicitness], str]:
    """Return the legal labels in a reply, and what is wrong with the others."""
    value = find_json_object(reply, mode=ROLE)
    if isinstance(value, Unparsed):
        return {}, value.detail
    scores: Any = value.get("scores", value)
    if not isinstance(scores, dict):
        return {}, "`scores` is not an object"
    found: dict[str, Explicitness] = {}
    wrong: list[str] = []
    for name, said in scores.items():
        label = _LABELS.get(said) if isinstance(said, int | str) and said is not True else None
        if name not in wanted:
            wrong.append(f"{excerpt(name)!r} was not asked for")
        elif label is None:
            wrong.append(f"{excerpt(name)!r} is {excerpt(str(said))!r}, not 1, 2 or 3")
        else:
            found[name] = label
    return found, "; ".join(wrong[:8])


def _list_nodes(nodes: Sequence[str]) -> str:
    return "\n".join(f"- {name}" for name in nodes)


@cache
def _text(name: str) -> Template:
    return read_text(_TEXTS / f"{name}.md", needed=_SLOTS[name], allowed=_SLOTS[name])
