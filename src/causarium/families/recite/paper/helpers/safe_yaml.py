"""YAML from a model, read as plain maps, lists and texts, within limits.

Nothing is constructed from tags, nothing is shared by anchors, and nothing grows: the parser's
events are put together here, and every scalar stays the text that it is. That leaves no room for
YAML's bombs, and none for a norwegian `no`.
"""

import re
from collections.abc import Iterator
from typing import TypeAlias

import yaml  # type: ignore[import-untyped]

from causarium.contract.texts.replies import excerpt
from causarium.contract.texts.scan_reply import cut_thinking

Yaml: TypeAlias = "str | list[Yaml] | dict[str, Yaml]"

MAX_CHARS = 400_000
MAX_DEPTH = 12
MAX_NODES = 100_000
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FENCE = re.compile(r"```[ \t]*(?:ya?ml)[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_ANY_FENCE = re.compile(r"```[^\n]*\n(.*?)(?:```|\Z)", re.DOTALL)


class BadYaml(ValueError):
    """What was read is not YAML that we take; the message says why."""


def read_yaml(reply: str) -> Yaml:
    """Read the YAML in a reply: in its first yaml fence, in its first fence, or all of it.

    Raises:
        BadYaml: It is none, is too large or too deep, or uses anchors, tags or keys twice.

    Example:
        >>> read_yaml("[{a: 1}]")
        [{'a': '1'}]
    """
    if len(reply) > MAX_CHARS:
        raise BadYaml(f"the reply has {len(reply):,} characters; at most {MAX_CHARS:,} are read")
    said = cut_thinking(reply)
    fenced = _FENCE.search(said) or _ANY_FENCE.search(said)
    text = fenced.group(1) if fenced else said
    # A stored judgement may hold all four lists: it is read once, and nobody changes it.
    try:
        return _Builder(yaml.parse(text, Loader=_LOADER)).document()
    except yaml.YAMLError as wrong:
        raise BadYaml(f"this is not YAML: {excerpt(' '.join(str(wrong).split()))}") from wrong
    except RecursionError as wrong:
        raise BadYaml(f"the YAML nests deeper than {MAX_DEPTH} levels") from wrong


class _Builder:
    """Puts the events of one document together."""

    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self._events = events
        self._nodes = 0

    def document(self) -> Yaml:
        """Return the one document; what follows it is not looked at."""
        for event in self._events:
            if isinstance(event, yaml.NodeEvent):
                return self._node(event, 1)
        raise BadYaml("there is nothing in the YAML")

    def _node(self, event: yaml.Event, depth: int) -> Yaml:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise BadYaml(f"the YAML has more than {MAX_NODES:,} parts")
        if depth > MAX_DEPTH:
            raise BadYaml(f"the YAML nests deeper than {MAX_DEPTH} levels")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise BadYaml("anchors and aliases are not read; write everything out")
        if getattr(event, "tag", None):
            raise BadYaml("tags are not read; write plain values")
        if isinstance(event, yaml.ScalarEvent):
            return str(event.value)
        if isinstance(event, yaml.SequenceStartEvent):
            return [self._node(item, depth + 1) for item in self._read_until(yaml.SequenceEndEvent)]
        return self._mapping(depth)

    def _mapping(self, depth: int) -> Yaml:
        found: dict[str, Yaml] = {}
        for event in self._read_until(yaml.MappingEndEvent):
            key = self._node(event, depth + 1)
            if not isinstance(key, str):
                raise BadYaml("a key is not a plain text")
            if key in found:
                raise BadYaml(f"the key {excerpt(key)!r} stands in one place twice")
            found[key] = self._node(next(self._events), depth + 1)
        return found

    def _read_until(self, end: type[yaml.Event]) -> Iterator[yaml.Event]:
        for event in self._events:
            if isinstance(event, end):
                return
            yield event
