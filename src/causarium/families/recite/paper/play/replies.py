"""Reading replies: which of a reply's values is the graph, and what was wrong with it.

The contract's reader finds the values, in time that grows with the reply alone. Whatever is mended
on the way is a slip: it has a name and is counted, and no relationship is lost in silence. What is
no relationship at all is left out and counted as well. Self-loops stay as they are, and are counted
elsewhere.

A graph is read as it was asked for; else by rule, which takes the whole relationships of an object
or a list that is broken or cut off, or lines with arrows; else the reply is unread, and a model in
the role `repair` may have a look at it (`helpers`). Two different graphs in one reply are none.
Under `strict_form` the published validation decides, and ids out of range are the world's to judge.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from causarium.contract.texts.read_reply import fold_keys, fold_symbols, read_lines, unwrap
from causarium.contract.texts.replies import MAX_REPLY_CHARS, excerpt
from causarium.contract.texts.reply_schemas import Schema, list_schema, object_schema, text_schema
from causarium.contract.texts.scan_reply import (
    CLOSED,
    OPENED,
    SPELLING,
    FoundValue,
    cut_thinking,
    list_open_brackets,
    scan_reply,
)
from causarium.contract.texts.scan_reply import CUT_OFF as BROKEN
from causarium.contract.world import Action, Unparsed
from ..levels import ReciteRules
from ..model.graphs import CUT_OFF, DUPLICATE, MOST_EDGES, Relationship, Submit
from ..model.instance import RecitePublic

MOST_NAME = 500
"""Longer names are cut."""
_ENDS = (("source", "sink"), ("source", "target"), ("from", "to"), ("cause", "effect"))
_PAIR_ARROWS = ("->", "→", "=>")
_END_TYPES = frozenset({str, int})
"""What names a node; True and False are neither."""
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
_SEND_ONE = "two different graphs in the reply; send one"
_DRAFTS = "drafts before the graph"
_UNFINISHED = frozenset({BROKEN, CLOSED})
_CLOSING = " \t\r\n`}$*"
"""What may stand after a graph: the ends of fences, boxes and emphasis."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The relationships of a graph, each once, in the order in which they were last written."""

    relationships: tuple[Relationship, ...]
    slips: Counter[str]
    dropped: int
    """How many items were no relationship."""


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
    end: int = field(default=0, compare=False)
    """Where the text goes on after it."""
    is_sure: bool = True
    """False where another graph stands beside it in the same object."""


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
        if value.mended not in _UNFINISHED and (graph := _find_graph(value)) is not None
    ]
    if not graphs:
        return _read_by_rule(said, values, reply)
    last = graphs[-1]
    is_one = all(graph == last for graph in graphs)
    if not last.is_sure or not (is_one or said.open):
        return _make_unread(SEVERAL, _SEND_ONE, reply)
    slips = list(said.slips)
    if said.text[last.end :].strip(_CLOSING):
        slips.append("text after the graph")
    broken = (v for v in values if v.mended in _UNFINISHED and v.start < last.end)
    if not is_one or any(_find_broken(value) for value in broken):
        slips.append(_DRAFTS)
    elif len(graphs) > 1:
        slips.append("graph repeated")
    return _submit(read_pairs(last.items), [*slips, *last.slips], reply)


def _strip_reasoning(reply: str) -> _Said:
    """Take away reasoning between tags; reasoning with nothing behind it may hold the graph."""
    rest = cut_thinking(reply)
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
    lists = [(key, fields[key]) for key in KEYS if isinstance(fields.get(key), list)]
    if not lists:
        return None
    told = [one for one in lists if any(map(is_pair, one[1]))] or lists[:1]
    key, items = told[0]
    named = () if key == KEYS[0] else (f"{key} for relationships",)
    is_sure = all(other == items for _, other in told)
    return _Graph(items, (*named, *mended), found.end, is_sure)


def _read_by_rule(said: _Said, values: Sequence[FoundValue], reply: str) -> Submit | Unparsed:
    """Collect what is whole of a graph that is broken or cut off, or lines with arrows."""
    graph = _join_broken(said.text, values)
    if not graph.is_sure:
        return _make_unread(SEVERAL, _SEND_ONE, reply)
    graph = graph if graph.items else _read_arrows(said.text)
    pairs = read_pairs(graph.items)
    if not pairs.relationships:
        return _make_unread(
            NO_GRAPH, f"no graph in the reply: {excerpt(said.text.strip())!r}", reply
        )
    found = _submit(pairs, [*said.slips, *graph.slips], reply)
    return found.model_copy(update={"repaired": "rule"}) if isinstance(found, Submit) else found


def _join_broken(text: str, values: Sequence[FoundValue]) -> _Graph:
    """Return what is whole of the last graph that breaks off, and behind the break.

    What lacks its last bracket may lack digits or words too, and is never whole.
    """
    items: list[Any] = []
    lost, is_draft, is_sure = 0, False, True
    for value in values:
        if isinstance(value.value, dict) and is_pair(value.value):
            listed, is_cut = [value.value], value.mended in _UNFINISHED
        elif (graph := _find_broken(value)) is not None:
            is_draft, items, lost = is_draft or bool(items), [], 0
            listed, is_sure = graph.items, graph.is_sure
            # Of what is open, the first square bracket is that of the list itself.
            is_cut = bool(list_open_brackets(text[value.start : value.end]).partition("[")[2])
        else:
            continue
        whole = [item for item in (listed[:-1] if is_cut else listed) if is_pair(item)]
        items += whole
        lost += len(listed) - len(whole)
    drafts = [_DRAFTS] if is_draft else []
    return _Graph(items, (CUT_OFF, *drafts, *[NOT_READ] * lost), is_sure=is_sure)


def _find_broken(found: FoundValue) -> _Graph | None:
    """Return the list that a broken value is or holds; prose has lists too, without a pair."""
    if isinstance(found.value, dict):
        return _find_graph(found)
    return _Graph(found.value, ()) if any(map(is_pair, found.value)) else None


def _read_arrows(text: str) -> _Graph:
    """Read lines with one arrow each; any other line with an arrow counts as not read."""
    pairs = read_lines(text, _ARROWS)
    items = [[a, b.rstrip(".:")] for a, b in pairs if not any(arrow in b for arrow in _ARROWS)]
    lines = fold_symbols(text).splitlines()
    meant = sum(any(arrow in line for arrow in _ARROWS) for line in lines)
    return _Graph(items, ("arrows for JSON", *[NOT_READ] * (meant - len(items))))


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


def is_pair(item: object) -> bool:
    """Tell whether a JSON value looks like one relationship."""
    return _ends(item) is not None


def read_pairs(items: Iterable[object]) -> Pairs:
    """Read relationships however they are written.

    Example:
        >>> read_pairs([{"source": "rain", "target": "floods"}]).slips
        Counter({'target for sink': 1})
    """
    slips: Counter[str] = Counter()
    found: dict[tuple[str | int, str | int], None] = {}
    repeated = 0
    for item in items:
        ends = _ends(item)
        if ends is None:
            slips["not a relationship"] += 1
            continue
        source, sink, slip = ends
        pair = source, sink
        # What is there already is spelled well: a repetition needs no other look.
        if pair not in found:
            pair = _end(source, slips), _end(sink, slips)
        if "" in pair:
            slips["empty name"] += 1
            continue
        if slip:
            slips[slip] += 1
        if pair in found:
            repeated += 1
            del found[pair]
        found[pair] = None
    dropped = slips["not a relationship"] + slips["empty name"]
    slips[DUPLICATE] = repeated
    relationships = tuple(Relationship.model_construct(source=a, sink=b) for a, b in found)
    return Pairs(relationships, +slips, dropped)


def _ends(item: object) -> tuple[str | int, str | int, str] | None:
    """Return the cause and the effect as they are written, and the slip that was made."""
    if isinstance(item, dict):
        return _of_keys(item)
    if isinstance(item, list) and len(item) == 2 and all(map(_is_end, item)):
        return item[0], item[1], "pair as a list"
    if isinstance(item, str):
        for arrow in _PAIR_ARROWS:
            cause, found, effect = item.partition(arrow)
            if found and cause.strip() and effect.strip():
                return cause.strip(' "'), effect.strip(' "'), "arrow for a pair"
    return None


def _of_keys(item: dict[str, Any]) -> tuple[str | int, str | int, str] | None:
    for place, (first, second) in enumerate(_ENDS):
        source, sink = item.get(first), item.get(second)
        if _is_end(source) and _is_end(sink):
            slip = "target for sink" if first == "source" else f"{first} and {second}"
            return source, sink, slip if place else ""  # type: ignore[return-value]
    return None


def _is_end(value: object) -> bool:
    return type(value) in _END_TYPES


def _end(value: str | int, slips: Counter[str]) -> str | int:
    """Return a name without control characters and of bounded length; an id as it is."""
    if isinstance(value, int):
        return value if abs(value) < 10**9 else str(value)[:MOST_NAME]
    plain = value
    if not value.isprintable():
        plain = "".join(c if c.isprintable() else " " for c in value)
        slips["control characters"] += 1
    plain = " ".join(plain.split())
    if len(plain) > MOST_NAME:
        slips["name too long"] += 1
        plain = plain[:MOST_NAME].rstrip()
    return plain
