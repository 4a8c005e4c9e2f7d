"""Filling in the words. The texts are in `prompts/`; a folder of one's own may replace them.

A folder of one's own has `system_given_count.md`, `system_no_count.md`, `system_names.md`,
`user.md` and `reply_json.md` or `reply_tools.md`. It may also have `told_given_count.md`,
`told_names.md`, `repair_system.md` and `repair_user.md`, and a folder `judge`; where it has not,
ours are taken.

What a task tells of the graph stands after the document (`$told`), so that the system text is the
same for all documents and providers' caches hit; a text of one's own may tell it there instead.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from string import Template

from causarium.contract.family import Prompt
from causarium.contract.texts.prompt_texts import need_texts, read_text
from causarium.errors import BadFile
from ..levels import ReciteRules
from ..model.instance import RecitePublic

_FOLDER = Path(__file__).parents[1] / "prompts"
_SLOTS: dict[str, frozenset[str]] = {
    "system_given_count": frozenset({"reply"}),
    "system_no_count": frozenset({"reply"}),
    "system_names": frozenset({"reply"}),
    "told_given_count": frozenset({"n_nodes"}),
    "told_names": frozenset({"nodes"}),
    "user": frozenset({"text"}),
    "reply_json": frozenset(),
    "reply_tools": frozenset(),
    "repair_system": frozenset(),
    "repair_user": frozenset({"reply"}),
}
"""The texts, each with the slots it must have."""
_EXTRA: dict[str, frozenset[str]] = {
    "system_given_count": frozenset({"n_nodes"}),
    "system_names": frozenset({"nodes", "told_edges", "linked"}),
    "user": frozenset({"title", "told"}),
    "reply_json": frozenset({"example"}),
    "repair_system": frozenset({"nodes", "several"}),
}
"""Slots that a text may have."""
_TASKS = ("system_given_count", "system_no_count", "system_names")
_TOLD = {"given_count": "n_nodes", "names": "nodes"}
"""The slot with what a task tells of the graph."""
_MAY_TEXTS = ("told_given_count", "told_names")
_EDGES_TOLD = (
    "Some effects are only implied by the text, and a few may not be told at all; infer what "
    "belongs there."
)
_LINKED = "Every node must occur in at least one relationship."
_NO_TEXT = "(This document has no text.)"
_EXAMPLES = {
    "ids": '{"relationships": [{"source": 2, "sink": 1}, {"source": 1, "sink": 3}]}',
    "words": (
        '{"relationships": [{"source": "bus fares", "sink": "passengers"}, '
        '{"source": "passengers", "sink": "fare income"}]}'
    ),
}


def prompt(public: RecitePublic, rules: ReciteRules) -> Prompt:
    """Return the words that open a document."""
    texts = _texts(rules.prompts, rules.interface)
    example = _EXAMPLES["ids" if public.names is not None else "words"]
    slots = {
        "n_nodes": str(public.n_nodes),
        "nodes": node_list(public.names or ()),
        "reply": texts[f"reply_{rules.interface}"].substitute(example=example),
        "told_edges": _EDGES_TOLD,
        "linked": _LINKED,
        "title": public.title,
        # Providers refuse a message without words.
        "text": public.text if public.text.strip() else _NO_TEXT,
    }
    said = texts[f"told_{public.task}"].substitute(slots) if public.task in _TOLD else ""
    return Prompt(
        system=texts[f"system_{public.task}"].substitute(slots),
        user=texts["user"].substitute(slots, told=said).strip(),
    )


def node_list(names: Sequence[str]) -> str:
    """Return nodes with their ids, in the published form, a node a line.

    Example:
        >>> print(node_list(["floods", "rain"]))
        {"nodes": [
        {"name": "floods", "id": 1},
        {"name": "rain", "id": 2}
        ]}
    """
    lines = [
        json.dumps({"name": name, "id": place}, ensure_ascii=False)
        for place, name in enumerate(names, 1)
    ]
    return '{"nodes": [\n' + ",\n".join(lines) + "\n]}"


def repair_text(
    name: str, rules: ReciteRules, *, reply: str = "", nodes: str = "", several: bool = False
) -> str:
    """Return one of the two texts for a model that repairs."""
    ids = _read_template("repair_ids").substitute(nodes=nodes) if nodes else ""
    last = _read_template("repair_several").substitute() if several else ""
    own = Path(rules.prompts) / f"{name}.md" if rules.prompts else None
    text = _read(own, name) if own is not None and own.is_file() else _read_template(name)
    return text.substitute(reply=reply, nodes=ids, several=last).strip()


def _texts(folder: str | None, interface: str) -> dict[str, Template]:
    names = (*_TASKS, "user", f"reply_{interface}")
    ours = {name: _read_template(name) for name in (*names, *_MAY_TEXTS)}
    if folder is None:
        return ours
    need_texts(Path(folder), names)
    found = [name for name in ours if name in names or (Path(folder) / f"{name}.md").is_file()]
    texts = {**ours, **{name: _read(Path(folder) / f"{name}.md", name) for name in found}}
    _need_telling(Path(folder), texts)
    return texts


def _need_telling(folder: Path, texts: dict[str, Template]) -> None:
    """Make sure that what a task tells of the graph stands in one of a user's texts."""
    if "told" in texts["user"].get_identifiers():
        return
    for task, slot in _TOLD.items():
        if slot not in texts[f"system_{task}"].get_identifiers():
            raise BadFile(
                f"the prompt folder {folder} tells ${slot} nowhere: user.md needs the slot $told, "
                f"or system_{task}.md the slot ${slot}"
            )


def _read_template(name: str) -> Template:
    return Template((_FOLDER / f"{name}.md").read_text("utf-8").strip())


def _read(path: Path, name: str) -> Template:
    needed = _SLOTS[name]
    return read_text(path, needed=needed, allowed=needed | _EXTRA.get(name, frozenset()))
