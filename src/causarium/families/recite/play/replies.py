"""Reading replies: which of a reply's values is the graph, and what was wrong with it.

The contract's reader finds the values, in time that grows with the reply alone. Whatever is mended
on the way is a slip: it has a name and is counted, and no relationship is lost in silence.

A graph is read as it was asked for; else by rule, which takes the whole relationships of an object
or a list that is broken or cut off, or lines with arrows; else the reply is unread, and a model in
the role `repair` may have a look at it (`helpers`). Two different graphs in one reply are none.
Under `strict_form` the published validation decides, and ids out of range are the world's to judge.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from causarium.contract.texts.read_reply import fold_keys, read_lines, unwrap
from causarium.contract.texts.replies import MAX_REPLY_CHARS, excerpt
from causarium.contract.texts.reply_schemas import Schema, list_schema, object_schema, text_schema
from causarium.contract.texts.scan_reply import (
    CLOSED,
    OPENED,
    SPELLING,
    FoundValue,
    drop_thinking,
    scan_reply,
)
from causarium.contract.texts.scan_reply import CUT_OFF as BROKEN
from causarium.contract.world import Action, Unparsed
from causarium.families.recite.model.config import ReciteRules
from causarium.families.recite.model.graphs import CUT_OFF, MOST_EDGES, Submit
from causarium.families.recite.model.instance import RecitePublic
from causarium.families.recite.play.relationship_pairs import Pairs, is_pair, read_pairs

MOST_CHARS = 2_000_000
"""Longer replies are not read, thinking included."""
KEPT_CHARS = 20_000
"""How much of the end of an unread reply is kept for whoever repairs it."""

EMPTY = "empty reply"
TOO_LARGE = "too large"
NO_GRAPH = "no graph"
SEVERAL = "several graphs"
NOT_AS_PUBLISHED = "not in the published form"

KEYS = ("relationships", "edges", "links")
"""Under which keys a graph is looked for; the first is the one asked for."""
NOT_READ = "relationship not read"

_ARROWS = ("-->", "->", "=>")
_MENDED = {SPELLING: "spelling", OPENED: "first brace missing"}
_CLOSING = " \t\r\n`}$*"
"""What may stand after a graph: the ends of fences, boxes and emphasis."""


class Unread(Unparsed):
    """A reply in which no graph could be read, with its end for whoever repairs it."""

    reply: str


class _Said(NamedTuple):
    """What a reply says once the reasoning is taken away."""

    text: str
    slips: tuple[str, ...]
    open: bool = False
    """Whether the graph stands within reasoning, so that drafts may stand before it."""


@dataclass(frozen=True, slots=True)
class _Graph:
    """A list that looks like a graph, and how it was wrapped."""

    items: list[Any]
    slips: tuple[str, ...] = field(compare=False)
    end: int = field(compare=False)
    """Where the text goes on after it."""


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: ReciteRules
) -> Action | Unparsed:
    """Read `reply` as a graph."""
    if Submit not in allowed_actions:
        return Unparsed(mode=NO_GRAPH, detail="nothing more is expected")
    if len(reply) > MOST_CHARS:
        detail = f"the reply has {len(reply):,} characters; at most {MOST_CHARS:,} are read"
        return Unparsed(mode=TOO_LARGE, detail=detail)
    if not reply.strip():
        return Unparsed(mode=EMPTY, detail="the reply is empty")
    if rules.strict_form:
        found = read_as_published(reply)
        if isinstance(found, str):
            return _make_unread(NOT_AS_PUBLISHED, found, reply)
        return _submit(found, [], reply)
    return read_graph(reply)


def read_as_published(reply: str) -> Pairs | str:
    """Return the relationships of a reply that the published validation takes, or why it is none.

    It takes a bare, boxed or json-fenced object with a list `relationships`, in which each member
    has `source` and `sink`, after cutting out the last whole span of reasoning between tags.
    """
    closed = reply.rfind("</think>")
    opened = reply.rfind("<think>", 0, closed) if closed >= 0 else -1
    text = reply if opened < 0 else reply[:opened] + reply[closed + len("</think>") :]
    text = text.strip()
    for opening, closing in (("\\boxed{", "}"), ("```json", "```")):
        # The published pattern lets one line end stand behind what closes.
        inner = text if text.endswith(closing) else text.removesuffix("\n")
        enough = len(inner) >= len(opening) + len(closing)
        if enough and inner.startswith(opening) and inner.endswith(closing):
            text = inner.removeprefix(opening).removesuffix(closing)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return "the reply is not one JSON object, bare, boxed or in a json fence"
    items = found.get("relationships") if isinstance(found, dict) else None
    if not isinstance(items, list):
        return 'the object has no list "relationships"'
    if not all(isinstance(item, dict) and {"source", "sink"} <= item.keys() for item in items):
        return "a relationship lacks its source or its sink"
    return read_pairs(items)


def read_graph(reply: str) -> Submit | Unparsed:
    """Find the graph in a reply, by whatever wrapping."""
    said = _strip_reasoning(reply)
    if len(said.text) > MAX_REPLY_CHARS:
        size = f"{len(said.text):,} characters after its reasoning"
        detail = f"the reply has {size}; at most {MAX_REPLY_CHARS:,} are read"
        return Unparsed(mode=TOO_LARGE, detail=detail)
    values = scan_reply(said.text, lists=True, salvage=True).values
    graphs = [
        graph
        for value in values
        if value.mended not in {BROKEN, CLOSED} and (graph := _find_graph(value)) is not None
    ]
    if not graphs:
        return _read_by_rule(said, values, reply)
    last = graphs[-1]
    is_one = all(graph == last for graph in graphs)
    if not is_one and not said.open:
        detail = f"{len(graphs)} graphs in the reply, and not the same; send one"
        return _make_unread(SEVERAL, detail, reply)
    slips = list(said.slips)
    if said.text[last.end :].strip(_CLOSING):
        slips.append("text after the graph")
    if len(graphs) > 1:
        slips.append("graph repeated" if is_one else "drafts before the graph")
    return _submit(read_pairs(last.items), [*slips, *last.slips], reply)


def _strip_reasoning(reply: str) -> _Said:
    """Take away reasoning between tags; reasoning with nothing behind it may hold the graph."""
    rest = drop_thinking(reply)
    if rest.strip():
        thought = reply.rpartition("</think>")
        is_opened = not thought[1] or "<think>" in thought[0]
        slips = () if is_opened else ("closing think tag alone",)
        return _Said(rest, (*slips, *(("boxed",) if "\\boxed" in rest else ())))
    is_closed = reply.rfind("</think>") > reply.rfind("<think>")
    slip = "graph within the reasoning" if is_closed else "unclosed think tag"
    return _Said(reply.replace("</think>", " ").replace("<think>", " "), (slip,), open=True)


def _find_graph(found: FoundValue) -> _Graph | None:
    """Return the graph that a value is or holds, or None."""
    value, mended = found.value, (_MENDED[found.mended],) if found.mended in _MENDED else ()
    if isinstance(value, list):
        looks_like_one = bool(value) and all(is_pair(item) for item in value)
        return _Graph(value, ("bare list", *mended), found.end) if looks_like_one else None
    if not any(isinstance(part, list | dict) for part in value.values()):
        return None
    inner = unwrap(value, KEYS)
    if inner is not value:
        mended = ("graph within another object", *mended)
    fields = fold_keys(inner, KEYS)
    if isinstance(fields, str):
        return None
    for key in KEYS:
        if isinstance(fields.get(key), list):
            named = () if key == KEYS[0] else (f"{key} for relationships",)
            return _Graph(fields[key], (*named, *mended), found.end)
    return None


def _read_by_rule(said: _Said, values: Sequence[FoundValue], reply: str) -> Submit | Unparsed:
    """Collect what is whole of a graph that is broken or cut off, or lines with arrows."""
    items, lost = _collect_items(said.text, values)
    slip = CUT_OFF
    if not items:
        lines = read_lines(said.text, _ARROWS)
        items = [[a, b.rstrip(".:")] for a, b in lines if not any(arrow in b for arrow in _ARROWS)]
        slip = "arrows for JSON"
    pairs = read_pairs(items)
    if not pairs.relationships:
        return _make_unread(
            NO_GRAPH, f"no graph in the reply: {excerpt(said.text.strip())!r}", reply
        )
    found = _submit(pairs, [*said.slips, slip, *[NOT_READ] * lost], reply)
    return found.model_copy(update={"repaired": "rule"}) if isinstance(found, Submit) else found


def _collect_items(text: str, values: Sequence[FoundValue]) -> tuple[list[Any], int]:
    """Return the whole relationships of all values, and how many there were that are not whole."""
    items: list[Any] = []
    lost = 0
    for value in values:
        if isinstance(value.value, dict) and is_pair(value.value):
            items.append(value.value)
            continue
        listed = value.value
        if isinstance(listed, dict):
            graph = _find_graph(value)
            listed = graph.items if graph is not None else []
        if value.mended == CLOSED and text[: value.end].rstrip()[-1:].isalnum() and listed:
            # A number at the very end may have lost digits.
            listed, lost = listed[:-1], lost + 1
        whole = [item for item in listed if is_pair(item)]
        if whole:
            items += whole
            lost += len(listed) - len(whole)
    return items, lost


def _submit(pairs: Pairs, slips: Sequence[str], reply: str) -> Submit | Unparsed:
    if len(pairs.relationships) > MOST_EDGES:
        said = f"{len(pairs.relationships):,} relationships"
        detail = f"the graph has {said}; at most {MOST_EDGES:,} are read"
        return Unparsed(mode=TOO_LARGE, detail=detail)
    if pairs.dropped and not pairs.relationships:
        return _make_unread(NO_GRAPH, "none of the relationships has a source and a sink", reply)
    return Submit(relationships=pairs.relationships, slips=pairs.slips + Counter(slips))


def _make_unread(mode: str, detail: str, reply: str) -> Unread:
    return Unread(mode=mode, detail=detail, reply=reply[-KEPT_CHARS:])


_THOUGHT_CHARS = 2_000
_NAME_CHARS = 160
_MOST_EDGES = 500


def reply_schema(
    public: RecitePublic,
    allowed_actions: tuple[type[Action], ...],  # noqa: ARG001
    rules: ReciteRules,  # noqa: ARG001
) -> Schema:
    """Return the schema of a graph; nodes are ids where the task gives them, else names."""
    end = text_schema(_NAME_CHARS) | {"minLength": 1}
    if public.names is not None:
        end = {"type": "integer", "minimum": 1, "maximum": len(public.names)}
    edges = list_schema(object_schema({"source": end, "sink": end}), _MOST_EDGES)
    return object_schema(
        {"thought": text_schema(_THOUGHT_CHARS), "relationships": edges}, optional=("thought",)
    )
