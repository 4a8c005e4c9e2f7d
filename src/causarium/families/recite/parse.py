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
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from causarium.contract.texts.replies import BracketReader, excerpt
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from causarium.families.recite.actions import MOST_EDGES, Submit
from causarium.families.recite.config import ReciteRules
from causarium.families.recite.interface.published_validation import read_as_published
from causarium.families.recite.interface.relationship_pairs import Pairs, is_pair, read_pairs
from causarium.families.recite.interface.salvaged_lists import arrow_lines, find_whole_items
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

KEYS = ("relationships", "edges", "links")
"""Under which keys a graph is looked for; the first is the one asked for."""

_MOST_STARTS = 400
_MOST_FAILED_CHARS = 3_000_000
"""So many characters are read of what turns out not to be JSON; then the search ends."""
_MOST_FAILED_BRACES = 1_000
"""So many braces are tried that begin no single relationship; then the search ends."""
_MOST_SINGLE_CHARS = 4_000
"""A single relationship is no longer than this."""
_START = re.compile(r'\{\s*(?="|\})|\[\s*(?=[\[{"])')
_SINGLE = re.compile(r'\{(?:[^{}"]|"(?:[^"\\]|\\.)*+"){1,2000}+\}', re.DOTALL)
_LOOSE = re.compile(
    r"""\{\s*["'](?P<first>source|cause|from)["']\s*:\s*"""
    r"""(?:(?P<q>["'])(?P<a>[^{}]{1,500}?)(?P=q)|(?P<i>\d{1,9}))\s*,\s*"""
    r"""["'](?P<second>sink|target|effect|to)["']\s*:\s*"""
    r"""(?:(?P<r>["'])(?P<b>[^{}]{1,500}?)(?P=r)|(?P<j>\d{1,9}))\s*,?\s*\}"""
)
"""One relationship whose quotes are single, or stand within a name without being escaped."""
_WRITTEN = re.compile(r"""["'](?:source|cause|from)["']\s*:""")
_CLOSING = " \t\r\n`}$*"
"""What may stand after a graph: the ends of fences, boxes and emphasis."""
_BEGUN = re.compile(r'\{\s*"relationships"')
_TAG = re.compile("</?think>")
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
            return _make_unread(NOT_AS_PUBLISHED, found, reply)
        return _submit(found, [], reply)
    return read_graph(reply)


def read_graph(reply: str) -> Submit | Unparsed:
    """Find the graph in a reply, by whatever wrapping."""
    said = _strip_reasoning(reply)
    graphs = _graphs(said.text)
    different = [graph for at, graph in enumerate(graphs) if graph not in graphs[:at]]
    if len(different) > 1 and not said.open:
        detail = f"{len(different)} different graphs in the reply; send one"
        return _make_unread(SEVERAL, detail, reply)
    if not different:
        return _by_rule(said, reply)
    slips = list(said.slips)
    if said.text[graphs[-1].end :].strip(_CLOSING):
        slips.append("text after the graph")
    if len(graphs) > 1:
        slips.append("drafts before the graph" if len(different) > 1 else "graph repeated")
    return _submit(read_pairs(different[-1].items), [*slips, *different[-1].slips], reply)


def _strip_reasoning(reply: str) -> _Said:
    """Take away reasoning between tags; reasoning that never ends may hold the graph."""
    tags = _find_tags(reply)
    closing = [place for place, tag in tags if tag == "</think>"]
    if closing:
        rest = reply[closing[-1] + len("</think>") :]
        is_opened = any(tag == "<think>" and place < closing[-1] for place, tag in tags)
        slips = () if is_opened else ("closing think tag alone",)
        if rest.strip():
            return _unwrap_box(rest, slips)
        return _Said(reply, (*slips, "graph within the reasoning"), open=True)
    if tags:
        return _Said(reply, ("unclosed think tag",), open=True)
    return _unwrap_box(reply, ())


def _find_tags(reply: str) -> list[tuple[int, str]]:
    """Return the places of the thinking tags of a reply, and the tags.

    A tag within a JSON value that is valid as it stands is part of a name.
    """
    tags = [(tag.start(), tag.group()) for tag in _TAG.finditer(reply)]
    if not tags:
        return []
    spans = [(start, end) for _, start, end in _values(reply)]
    starts = [start for start, _ in spans]

    def is_in_value(place: int) -> bool:
        before = bisect_right(starts, place) - 1
        return before >= 0 and place < spans[before][1]

    return [(place, tag) for place, tag in tags if not is_in_value(place)]


def _unwrap_box(text: str, slips: tuple[str, ...]) -> _Said:
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
    graphs = (_graph(value, end) for value, _, end in _values(text))
    return [graph for graph in graphs if graph is not None]


def _values(text: str) -> Iterator[tuple[object, int, int]]:
    """Yield the outermost JSON objects and lists of a text with their places.

    Broken ones are left out, and the search ends where too much of the text was broken.
    """
    brackets = BracketReader(text)
    place = failed_chars = 0
    restarts: list[int] | None = None
    for _ in range(_MOST_STARTS):
        start = _START.search(text, place)
        if start is None or failed_chars > _MOST_FAILED_CHARS:
            return
        try:
            value, place = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError) as wrong:
            failed_chars += _count_read(text, start.start(), wrong)
            if restarts is None:
                restarts = [match.start() for match in _BEGUN.finditer(text)]
            # What stands within a broken object is not an object for itself, unless it is a graph.
            place = _after_broken(brackets, start.start(), restarts)
        else:
            yield value, start.start(), place


def _count_read(text: str, start: int, wrong: Exception) -> int:
    """Return how many characters a decoder read before it failed."""
    if isinstance(wrong, json.JSONDecodeError) and not wrong.msg.startswith("Unterminated"):
        return wrong.pos - start
    return len(text) - start


def _after_broken(brackets: BracketReader, start: int, restarts: Sequence[int]) -> int:
    """Return where to look on after something that is not valid JSON."""
    if brackets.text[start] != "{":
        return start + 1
    # A reply that was cut off may have been begun again.
    if (later := bisect_right(restarts, start)) < len(restarts):
        return restarts[later]
    depth = 0
    for place, row in brackets.read(start):
        for column, bracket in enumerate(row, place):
            depth += 1 if bracket in "[{" else -1
            if depth == 0:
                return column + 1
    return len(brackets.text)


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
    loose = {at: pair for at, pair in _find_loose_pairs(said.text) if at not in singles}
    if not singles and not loose:
        return _salvage_items(said, reply)
    every = {**singles, **loose}
    lost = sum(1 for _ in _WRITTEN.finditer(said.text)) - len(every)
    slips = [*said.slips, CUT_OFF, *["wrong quotes"] * len(loose)]
    pairs = read_pairs(every[at] for at in sorted(every))
    found = _submit(pairs, [*slips, *["relationship not read"] * lost], reply)
    if isinstance(found, Submit):
        return found.model_copy(update={"repaired": "rule"})
    return found


def _salvage_items(said: _Said, reply: str) -> Submit | Unparsed:
    """Take the whole items of a list that is cut off, or else lines with arrows."""
    items, slip = find_whole_items(said.text), CUT_OFF
    if not items:
        items, slip = arrow_lines(said.text), "arrows for JSON"
    pairs = read_pairs(items)
    if not pairs.relationships:
        return _make_unread(
            NO_GRAPH, f"no graph in the reply: {excerpt(said.text.strip())!r}", reply
        )
    found = _submit(pairs, [*said.slips, slip], reply)
    return found.model_copy(update={"repaired": "rule"}) if isinstance(found, Submit) else found


def _singles(text: str) -> dict[int, dict[str, Any]]:
    """Return the relationships that are whole, by their place in a text."""
    singles: dict[int, dict[str, Any]] = {}
    distinct: set[str] = set()
    failed, place = 0, text.find("{")
    while place >= 0 and failed < _MOST_FAILED_BRACES and len(distinct) <= MOST_EDGES:
        match = _SINGLE.match(text, place, place + _MOST_SINGLE_CHARS)
        if match is None:
            failed += 1
        elif (value := _decode_single(match.group())) is not None:
            singles[place] = value
            distinct.add(match.group())
        place = text.find("{", match.end() if match else place + 1)
    return singles


def _decode_single(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and is_pair(value) else None


def _find_loose_pairs(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the relationships that only wrong quotes keep from being read, with their places."""
    for match in _LOOSE.finditer(text):
        ends = [
            name.replace('\\"', '"') if name is not None else int(number)
            for name, number in (match.group("a", "i"), match.group("b", "j"))
        ]
        yield match.start(), dict(zip(match.group("first", "second"), ends, strict=True))


def _submit(pairs: Pairs, slips: Sequence[str], reply: str) -> Submit | Unparsed:
    distinct = {
        (relationship.source, relationship.sink): relationship
        for relationship in reversed(pairs.relationships)
    }
    relationships = tuple(reversed(distinct.values()))
    if len(relationships) > MOST_EDGES:
        detail = (
            f"the graph has {len(relationships):,} relationships; at most {MOST_EDGES:,} are read"
        )
        return Unparsed(mode=TOO_LARGE, detail=detail)
    if pairs.dropped and not pairs.relationships:
        return _make_unread(NO_GRAPH, "none of the relationships has a source and a sink", reply)
    counted = dict(pairs.slips)
    if repeated := len(pairs.relationships) - len(relationships):
        counted[DUPLICATE] = repeated
    for slip in slips:
        counted[slip] = counted.get(slip, 0) + 1
    return Submit(relationships=relationships, slips=counted)


def _make_unread(mode: str, detail: str, reply: str) -> Unread:
    return Unread(mode=mode, detail=detail, reply=reply[-KEPT_CHARS:])
