"""Labels by a model: how a text tells each node, and to which domains a paper belongs.

A labelling pass asks for one label a node, takes those that are legal, and asks again for the rest;
what is still missing then is counted by whoever asked. If the text has the very name of a node and
a model does not label it 1, the label stays, and the node is listed for a person.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from pydantic import Field

from causarium.contract.frozen import AgentInput
from causarium.contract.texts.prompt_texts import read_text
from causarium.contract.texts.replies import excerpt
from causarium.contract.texts.role_questions import Ask, Consultation
from causarium.contract.texts.scan_reply import find_json_object
from causarium.contract.world import Unparsed
from causarium.families.recite.paper.model.instance import (
    DOMAINS,
    Explicitness,
    lenient_explicitness,
    strict_explicitness,
)
from causarium.families.recite.paper.publication.dataset_row import is_named
from causarium_recite_lab.building.ask_once import (
    MOST_TRIES,
    UnusableReply,
    ask_until_usable,
    read_list,
    wrap_in_tag,
)
from causarium_recite_lab.building.paper_folder import About, StepFailed
from causarium_recite_lab.building.to_markdown import Made

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


def label_explicitness(text: str, names: Sequence[str]) -> Consultation[Made]:
    """Have each node labelled.

    Raises:
        StepFailed: Some nodes were never labelled.
    """
    found = yield from label_nodes(text, names)
    if found.missing:
        raise StepFailed(
            f"{len(found.missing)} of {len(names)} nodes have no label after {found.asked} "
            f"questions ({found.problem}); try another model"
        )
    labels = {name: found.labels[name] for name in names}
    plain = text.casefold()
    lenient, strict = lenient_explicitness(labels.values()), strict_explicitness(labels.values())
    doubtful = [name for name, label in labels.items() if label != 1 and is_named(name, plain)]
    notes = {
        "lenient": lenient,
        "strict": strict,
        "questions": found.asked,
        "named_though_not_labelled_so": doubtful,
    }
    said = f"lenient {lenient:.3f}, strict {strict:.3f}" + (
        f"; named and not labelled so: {', '.join(doubtful)}" if doubtful else ""
    )
    return Made(json.dumps(labels, ensure_ascii=False, indent=1) + "\n", notes, said)


def label_domains(about: About) -> Consultation[Made]:
    """Have a paper's domains found from its title and abstract.

    Raises:
        StepFailed: No reply named any, or there is nothing to find them from.
    """
    if not about.title and not about.abstract:
        raise StepFailed("neither title nor abstract is known; write them into paper.toml")
    material = f"{wrap_in_tag('title', about.title)}\n\n{wrap_in_tag('abstract', about.abstract)}"
    found, refused, problem = yield from ask_until_usable("domains", material, _read_domains)
    if found is None:
        raise StepFailed(f"no reply named the domains in {MOST_TRIES} tries: {problem}")
    notes = {"replies_refused": refused}
    return Made(json.dumps(found, indent=1) + "\n", notes, ", ".join(found))


def _read_domains(reply: str) -> list[str]:
    numbers, known = read_list(reply, "domains"), range(1, len(DOMAINS) + 1)
    if not numbers or any(isinstance(n, bool) or n not in known for n in numbers):
        raise UnusableReply(f'a list "domains" of numbers from 1 to {len(DOMAINS)} is expected')
    return [DOMAINS[n - 1] for n in known if n in numbers]
