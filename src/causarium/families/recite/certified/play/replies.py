"""Replies: reading them as an answer, writing answers as replies, and their JSON schemas.

Whether ids and names exist is for the world to say. Edges are read in any form that can mean one
thing only: `[1, 2]`, `"1 -> 2"`, `{"source": 1, "sink": 2}`, or lines with arrows; letters as a
list or in lines.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from causarium.contract.texts.replies import MAX_REPLY_CHARS, excerpt
from causarium.contract.world import Action, Unparsed
from ..levels import ReciteRules
from ..model import RecitePublic, Submit

if TYPE_CHECKING:
    from causarium.contract.texts.reply_schemas import Schema

INVALID_FORMAT = "invalid format"
INVALID_NAME = "invalid name"
INVALID_ANSWER = "invalid answer"
ERROR_MODES = (INVALID_FORMAT, INVALID_NAME, INVALID_ANSWER)
"""Why an instance can end without an answer."""
MOST_EDGES = 2_000
"""A reply with more edges is not read."""
_FIELDS = ("edges", "answers")
_OTHER_NAMES = {"relationships": "edges", "graph": "edges", "answer": "answers"}
_CAUSES, _EFFECTS = ("source", "cause", "from"), ("sink", "target", "effect", "to")
_BARE_PAIR = re.compile(r"\[\s*(\d{1,4})\s*,\s*(\d{1,4})\s*\]")
_NUMBERED = re.compile(r"^\W{0,4}\d{1,2}\W{1,4}([ab])\b", re.IGNORECASE | re.MULTILINE)
_LETTERS = re.compile(r"[ab](?:[\s,;.]+[ab])*\.?|[ab]+", re.IGNORECASE)
_MOST_LINE = 300


def parse(
    reply: str,
    allowed_actions: tuple[type[Action], ...],  # noqa: ARG001 - the form of `Replies.parse`
    rules: ReciteRules,  # noqa: ARG001
) -> Action | Unparsed:
    """Read a reply as edges or as letters."""
    from causarium.contract.texts.read_reply import list_objects, take_first
    from causarium.contract.texts.scan_reply import cut_thinking

    if len(reply) > MAX_REPLY_CHARS:
        detail = f"the reply has {len(reply):,} characters; at most {MAX_REPLY_CHARS:,} are read"
        return Unparsed(mode=INVALID_FORMAT, detail=detail)
    text = cut_thinking(reply)
    objects = list_objects(reply, mode=INVALID_FORMAT, names=(*_FIELDS, *_OTHER_NAMES))
    if not isinstance(objects, Unparsed) and any(_rename(one) for one in objects):
        return take_first(objects, _read_object)
    bare = _read_bare(text)
    if bare is not None:
        return bare
    if isinstance(objects, Unparsed):
        return objects
    return take_first(objects, _read_object)


def _rename(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an object that are expected, under our names."""
    named = {_OTHER_NAMES.get(key, key): item for key, item in value.items()}
    return {key: item for key, item in named.items() if key in _FIELDS}


def _read_object(value: Mapping[str, Any]) -> Action | Unparsed:
    fields = _rename(value)
    if not fields:
        keys = excerpt(", ".join(map(str, value)) or "none")
        return Unparsed(
            mode=INVALID_FORMAT, detail=f'the JSON object has no "edges" or "answers"; keys: {keys}'
        )
    edges = _read_edges(fields.get("edges") or ())
    if isinstance(edges, Unparsed):
        return edges
    return Submit(edges=edges, answers=_read_letters(fields.get("answers") or ()))


def _read_edges(value: object) -> tuple[tuple[str, str], ...] | Unparsed:
    items = re.split(r"[\n,;]", value) if isinstance(value, str) else value
    if not isinstance(items, Sequence) or len(items) > MOST_EDGES:
        return Unparsed(
            mode=INVALID_FORMAT, detail=f"edges must be a list of at most {MOST_EDGES:,} pairs"
        )
    edges = []
    for item in items:
        edge = _read_edge(item)
        if edge is None:
            detail = f"{excerpt(repr(item))} is no pair of a cause and an effect, such as [1, 2]"
            return Unparsed(mode=INVALID_FORMAT, detail=detail)
        edges.append(edge)
    return tuple(dict.fromkeys(edges))


def _read_edge(item: object) -> tuple[str, str] | None:
    from causarium.contract.texts.read_reply import fold_symbols, read_arrow

    if isinstance(item, str):
        return read_arrow(fold_symbols(item))
    ends: list[object] = list(item) if isinstance(item, list | tuple) else []
    if isinstance(item, Mapping):
        ends = [
            next((item[key] for key in keys if key in item), None) for keys in (_CAUSES, _EFFECTS)
        ]
    if len(ends) != 2 or not all(isinstance(end, int | str) for end in ends):
        return None
    return excerpt(str(ends[0])), excerpt(str(ends[1]))


def _read_letters(value: object) -> tuple[str, ...]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, str):
        value = list(value) if _LETTERS.fullmatch(value.strip()) else [value]
        value = [one for one in value if one.strip(" ,;.\n\t")]
    items = value if isinstance(value, list | tuple) else [value]
    return tuple(excerpt(str(item)).strip(" \t\n()'\".").casefold() for item in items)


def _read_bare(text: str) -> Submit | None:
    """Read a reply without an object: arrows, lists of pairs, or letters."""
    from causarium.contract.texts.read_reply import fold_symbols, read_arrow

    folded = fold_symbols(text).strip()
    parts = [part for part in re.split(r"[\n,;]", folded) if "->" in part]
    arrows = [read_arrow(part.strip(" *-.\t")) for part in parts if len(part) < _MOST_LINE]
    edges = tuple(dict.fromkeys(one for one in arrows if one is not None))
    if edges and len(arrows) == len(parts) and None not in arrows and len(edges) <= MOST_EDGES:
        return Submit(edges=edges)
    if pairs := _BARE_PAIR.findall(folded)[:MOST_EDGES]:
        return Submit(edges=tuple(dict.fromkeys(pairs)))
    if letters := _NUMBERED.findall(folded):
        return Submit(answers=tuple(letter.casefold() for letter in letters))
    last = folded.rpartition("\n")[2]
    if len(last) < _MOST_LINE and _LETTERS.fullmatch(last):
        return Submit(answers=tuple(one.casefold() for one in last if one.isalpha()))
    return None


def write_action(action: Action, rules: ReciteRules) -> str:  # noqa: ARG001
    """Write an answer as the reply in which it is read again."""
    assert isinstance(action, Submit)  # noqa: S101 - the family has no other action
    if action.answers:
        return json.dumps({"answers": list(action.answers)})
    edges = [[int(end) if end.isdecimal() else end for end in edge] for edge in action.edges]
    return json.dumps({"edges": edges})


def make_schema(
    public: RecitePublic,
    allowed_actions: tuple[type[Action], ...],  # noqa: ARG001 - the form of `Replies.schema`
    rules: ReciteRules,  # noqa: ARG001
) -> "Schema":
    """Return the schema of an answer to this instance."""
    from causarium.contract.texts import reply_schemas as write

    if count := len(public.questions):
        letters = write.list_schema(write.choice_schema("a", "b"), count, least=count)
        return write.object_schema({"answers": letters})
    end: Schema = {"type": "integer", "minimum": 1, "maximum": len(public.names)}
    pair = write.list_schema(end, 2, least=2)
    return write.object_schema({"edges": write.list_schema(pair, len(public.names) ** 2)})
