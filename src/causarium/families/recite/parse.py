"""Reading replies: where the graph stands in one, and what was wrong with it.

Long reasoning comes before the graph, and the graph comes in many wrappings. Whatever is mended on
the way is a slip: it has a name and is counted, and no relationship is lost in silence.

A reply is read in this order: as it was asked for; else by rule, which collects the single
relationships of an object or a list that is broken or cut off, or lines with arrows; else it is
unread, and a model in the role
`repair` may have a look at it (`repair.py`). Two different graphs in one reply are none.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from causarium.contract.replies import excerpt
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from causarium.families.recite.actions import MOST_EDGES, Submit
from causarium.families.recite.config import ReciteRules
from causarium.families.recite.interface.published_validation import read_as_published
from causarium.families.recite.interface.relationship_pairs import Pairs, is_pair, read_pairs
from causarium.families.recite.interface.salvaged_lists import arrow_lines, whole_items
from causarium.families.recite.mechanics.named_graphs import CUT_OFF, DUPLICATE

MOST_CHARS = 2_000_000
"""Longer replies are not read: a graph of 10,000 edges and long reasoning are shorter."""
KEPT_CHARS = 20_000
"""How much of the end of an unread reply is kept for whoever repairs it."""

EMPTY = "empty reply"
TOO_LARGE = "too large"
NO_GRAPH = "no graph"
SEVERAL = "several graphs"
NOT_AS_PUBLISHED = "not in the published form"
MODES = (EMPTY, TOO_LARGE, NO_GRAPH, SEVERAL, NOT_AS_PUBLISHED)
"""What may be wrong with a reply in which no graph was read."""

KEYS = ("relationships", "edges", "links")
"""Under which keys a graph is looked for; the first is the one asked for."""

_MOST_STARTS = 400
_START = re.compile(r'\{\s*(?="|\})|\[\s*(?=[\[{"])')
_SINGLE = re.compile(r'\{(?:[^{}"]|"(?:[^"\\]|\\.)*"){1,2000}\}', re.DOTALL)
_LOOSE = re.compile(
    r"""\{\s*["'](?P<first>source|cause|from)["']\s*:\s*"""
    r"""(?:(?P<q>["'])(?P<a>[^{}]{1,500}?)(?P=q)|(?P<i>\d{1,9}))\s*,\s*"""
    r"""["'](?P<second>sink|target|effect|to)["']\s*:\s*"""
    r"""(?:(?P<r>["'])(?P<b>[^{}]{1,500}?)(?P=r)|(?P<j>\d{1,9}))\s*,?\s*\}"""
)
"""One relationship whose quotes are single, or stand within a name without being escaped."""
_WRITTEN = re.compile(r"""["'](?:source|cause|from)["']\s*:""")
_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_CLOSING = " \t\r\n`}$*"
"""What may stand after a graph: the ends of fences, boxes and emphasis."""
_BEGUN = re.compile(r'\{\s*"relationships"')
# Control characters within a name are mended and counted, and no reason not to read it.
_DECODER = json.JSONDecoder(strict=False)


class Unread(Unparsed):
    """A reply in which no graph could be read, with its end for whoever repairs it."""

    reply: str


class _Said(NamedTuple):
    """What a reply says once the reasoning is taken away."""

    text: str
    slips: tuple[str, ...]
    open: bool
    """Whether the reasoning never ends, so that drafts may stand before the graph."""


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
            return _unread(NOT_AS_PUBLISHED, found, reply)
        return _submit(found, [], reply)
    return read_graph(reply)


def read_graph(reply: str) -> Submit | Unparsed:
    """Find the graph in a reply, by whatever wrapping."""
    said = _said(reply)
    graphs = _graphs(said.text)
    different = [graph for at, graph in enumerate(graphs) if graph not in graphs[:at]]
    if len(different) > 1 and not said.open:
        detail = f"{len(different)} different graphs in the reply; send one"
        return _unread(SEVERAL, detail, reply)
    if not different:
        return _by_rule(said, reply)
    slips = list(said.slips)
    if said.text[graphs[-1].end :].strip(_CLOSING):
        slips.append("text after the graph")
    if len(graphs) > 1:
        slips.append("drafts before the graph" if len(different) > 1 else "graph repeated")
    return _submit(read_pairs(different[-1].items), [*slips, *different[-1].slips], reply)


def _said(reply: str) -> _Said:
    """Take away reasoning between tags; reasoning that never ends may hold the graph."""
    closed = reply.rfind("</think>")
    if closed >= 0:
        rest = reply[closed + len("</think>") :]
        slips = () if "<think>" in reply[:closed] else ("closing think tag alone",)
        if rest.strip():
            return _wrapped(rest, slips)
        return _Said(reply, (*slips, "graph within the reasoning"), open=True)
    if "<think>" in reply:
        return _Said(reply, ("unclosed think tag",), open=True)
    return _wrapped(reply, ())


def _wrapped(text: str, slips: tuple[str, ...]) -> _Said:
    boxed = ("boxed",) if "\\boxed" in text else ()
    return _Said(text, (*slips, *boxed), open=False)


@dataclass(frozen=True, slots=True)
class _Graph:
    """A list that looks like a graph, and how it was wrapped."""

    items: list[Any]
    slips: tuple[str, ...] = field(compare=False)
    end: int = field(compare=False)
    """Where the text goes on after it."""


def _graphs(text: str) -> list[_Graph]:
    """Return everything in a text that is valid JSON and looks like a graph."""
    return [graph for found in _values(text) if (graph := _graph(*found)) is not None]


def _values(text: str) -> Iterator[tuple[object, int]]:
    """Yield the outermost JSON objects and lists of a text and their ends; broken ones are not."""
    at = 0
    for _ in range(_MOST_STARTS):
        start = _START.search(text, at)
        if start is None:
            return
        try:
            value, at = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            # What stands within a broken object is not an object for itself, unless it is a graph.
            at = _after_broken(text, start.start())
        else:
            yield value, at


def _after_broken(text: str, start: int) -> int:
    """Return where to look on after something that is not valid JSON."""
    if text[start] != "{":
        return start + 1
    # A reply that was cut off may have been begun again.
    if again := _BEGUN.search(text, start + 1):
        return again.start()
    depth = 0
    for mark in _MARK.finditer(text, start):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(mark.group(), 0)
        if depth == 0:
            return mark.end()
    return len(text)


def _graph(value: object, end: int) -> _Graph | None:
    if isinstance(value, list):
        looks_like_one = bool(value) and all(is_pair(item) for item in value)
        return _Graph(value, ("bare list",), end) if looks_like_one else None
    if not isinstance(value, dict):
        return None
    for key in KEYS:
        if isinstance(value.get(key), list):
            return _Graph(value[key], () if key == KEYS[0] else (f"{key} for relationships",), end)
    inner = [one for one in value.values() if isinstance(one, dict)]
    if len(inner) == 1 and (found := _graph_within(inner[0])) is not None:
        return _Graph(found, ("graph within another object",), end)
    return None


def _graph_within(value: dict[str, Any]) -> list[Any] | None:
    for key in KEYS:
        if isinstance(value.get(key), list):
            found: list[Any] = value[key]
            return found
    return None


def _by_rule(said: _Said, reply: str) -> Submit | Unparsed:
    """Collect single relationships from a reply whose object is broken, cut off or missing."""
    singles = _singles(said.text)
    loose = {at: pair for at, pair in _loose(said.text) if at not in singles}
    if not singles and not loose:
        return _salvaged(said, reply)
    every = {**singles, **loose}
    lost = sum(1 for _ in _WRITTEN.finditer(said.text)) - len(every)
    slips = [*said.slips, CUT_OFF, *["wrong quotes"] * len(loose)]
    pairs = read_pairs(every[at] for at in sorted(every))
    found = _submit(pairs, [*slips, *["relationship not read"] * lost], reply)
    if isinstance(found, Submit):
        return found.model_copy(update={"repaired": "rule"})
    return found


def _salvaged(said: _Said, reply: str) -> Submit | Unparsed:
    """Take the whole items of a list that is cut off, or else lines with arrows."""
    items, slip = whole_items(said.text), CUT_OFF
    if not items:
        items, slip = arrow_lines(said.text), "arrows for JSON"
    pairs = read_pairs(items)
    if not pairs.relationships:
        return _unread(NO_GRAPH, f"no graph in the reply: {excerpt(said.text.strip())!r}", reply)
    found = _submit(pairs, [*said.slips, slip], reply)
    return found.model_copy(update={"repaired": "rule"}) if isinstance(found, Submit) else found


def _singles(text: str) -> dict[int, dict[str, Any]]:
    """Return the relationships that are whole, by their place in a text."""
    found = {}
    distinct: set[str] = set()
    for match in _SINGLE.finditer(text):
        try:
            value = json.loads(match.group(), strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and is_pair(value):
            found[match.start()] = value
            distinct.add(match.group())
        if len(distinct) > MOST_EDGES:
            break
    return found


def _loose(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the relationships that only wrong quotes keep from being read, with their places."""
    for match in _LOOSE.finditer(text):
        ends = [
            name.replace('\\"', '"') if name is not None else int(number)
            for name, number in (match.group("a", "i"), match.group("b", "j"))
        ]
        yield match.start(), dict(zip(match.group("first", "second"), ends, strict=True))


def _submit(pairs: Pairs, slips: Sequence[str], reply: str) -> Submit | Unparsed:
    distinct = {(one.source, one.sink): one for one in reversed(pairs.relationships)}
    relationships = tuple(reversed(distinct.values()))
    if len(relationships) > MOST_EDGES:
        detail = (
            f"the graph has {len(relationships):,} relationships; at most {MOST_EDGES:,} are read"
        )
        return Unparsed(mode=TOO_LARGE, detail=detail)
    if pairs.dropped and not pairs.relationships:
        return _unread(NO_GRAPH, "none of the relationships has a source and a sink", reply)
    counted = dict(pairs.slips)
    if repeated := len(pairs.relationships) - len(relationships):
        counted[DUPLICATE] = repeated
    for slip in slips:
        counted[slip] = counted.get(slip, 0) + 1
    return Submit(relationships=relationships, slips=counted)


def _unread(mode: str, detail: str, reply: str) -> Unread:
    return Unread(mode=mode, detail=detail, reply=reply[-KEPT_CHARS:])
