"""Paper edition: one row of the published dataset, and how it becomes a document.

Edges name their end `target` in the dataset and `sink` in answers; both are read. Fields that
nothing here needs are read past. Slips of annotation are mended and counted by name: a node that is
listed twice is one, and what an edge joins is a node whether or not it is listed.
"""

import ast
import json
import math
import re
from collections import Counter
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from causarium.contract.frozen import make_writable
from ..levels import FAMILY_NAME
from ..model.instance import (
    Document,
    Explicitness,
    NamedEdge,
    ReciteInstance,
    ReciteNode,
    lenient_explicitness,
)

_SEPARATORS = {0x85: "\n", 0x2028: "\n", 0x2029: "\n"}
"""Rare ends of lines, that texts from PDF files have and files of lines cannot hold."""


def make_plain(value: object) -> object:
    """Return a value with texts that can stand in a file of lines."""
    if isinstance(value, str):
        return value.translate(_SEPARATORS)
    if isinstance(value, dict):
        return {make_plain(key): make_plain(item) for key, item in value.items()}
    return [make_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _decode_value(value: object) -> object:
    """Return what a string holds; anything else as it is."""
    if isinstance(value, str):
        value = _read(value) if value.strip() else None
    return None if _is_gap(value) else make_plain(make_writable(value))


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as wrong:
        try:
            # Literals alone: nothing in the string is ever run.
            return ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise ValueError(f"expected a list or a table, or JSON of one: {wrong}") from wrong


def _is_gap(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _read_list(value: object) -> object:
    found = _decode_value(value)
    return [] if found is None else found


def _table(value: object) -> object:
    found = _decode_value(value)
    if found is None:
        return {}
    # A columnar file has a place for every name of every row, and most of them are empty.
    return {k: v for k, v in found.items() if v is not None} if isinstance(found, dict) else found


def _text(value: object) -> object:
    return "" if _is_gap(value) else make_plain(make_writable(value))


def _digit(value: object) -> object:
    return int(value) if isinstance(value, str) and value.strip() in {"1", "2", "3"} else value


Text = Annotated[str, BeforeValidator(_text)]
"""A text; a gap is an empty one."""
LISTED = BeforeValidator(_read_list)
"""Decodes a list; a gap is an empty one."""
TABLE = BeforeValidator(_table)
"""Decodes a table; a gap is an empty one."""
DIGIT = BeforeValidator(_digit)
"""Takes a label that is written as text."""


class SampleEdge(BaseModel):
    """One edge of a published graph."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    source: str
    target: str = Field(validation_alias=AliasChoices("target", "sink"))


class Sample(BaseModel):
    """One published document with its graph."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int
    title: Text = ""
    url: Text = ""
    abstract: Text = ""
    source: Text = ""
    domains: Annotated[tuple[str, ...], LISTED] = ()
    nodes: Annotated[tuple[str, ...], LISTED]
    edges: Annotated[tuple[SampleEdge, ...], LISTED]
    node_explicitness: Annotated[dict[str, Annotated[Explicitness, DIGIT]], TABLE] = Field(
        default_factory=dict
    )
    input_text: Text = ""
    publication_date: Text = ""
    made_by: Annotated[dict[str, str], TABLE] = Field(default_factory=dict)
    """Who made each step of a row of one's own: a model's name, or `rule`; no published column."""

    @property
    def is_made_by_rule(self) -> bool:
        """Whether rules stood in for a model or a person."""
        return "rule" in self.made_by.values()

    @property
    def names(self) -> tuple[str, ...]:
        """The nodes, each once, and what edges join that is not listed."""
        ends = (name for edge in self.edges for name in (edge.source, edge.target))
        return tuple(dict.fromkeys((*self.nodes, *ends)))

    @property
    def slips(self) -> Counter[str]:
        """What was mended in the graph, counted by its name."""
        listed, pairs = set(self.nodes), [(edge.source, edge.target) for edge in self.edges]
        return +Counter(
            {
                "node listed twice": len(self.nodes) - len(listed),
                "edge to an unlisted node": sum(not {*pair} <= listed for pair in pairs),
                "edge from a node to itself": sum(a == b for a, b in pairs),
                "edge listed twice": len(pairs) - len(set(pairs)),
            }
        )

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The edges as pairs, each once, without loops from a node to itself."""
        pairs = ((edge.source, edge.target) for edge in self.edges)
        return tuple(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]))

    @property
    def labels(self) -> dict[str, Explicitness]:
        """The label of each node; one without a label is 1 if the text names it, and else 2."""
        text = self.input_text.casefold()
        return {
            name: self.node_explicitness.get(name) or (1 if is_named(name, text) else 2)
            for name in self.names
        }

    @property
    def explicitness(self) -> float:
        """The share of nodes labelled 1 or 2, worked out again from the labels."""
        return lenient_explicitness(self.labels.values())

    def document(self) -> Document:
        """Return this row as a document."""
        return Document(
            key=f"{self.id:04d}",
            title=self.title,
            abstract=self.abstract,
            text=self.input_text,
            nodes=tuple(
                ReciteNode(name=name, explicitness=label) for name, label in self.labels.items()
            ),
            edges=tuple(NamedEdge(source=a, sink=b) for a, b in self.pairs),
            domains=self.domains,
            date=self.publication_date[:10],
            source=self.source or "file",
            latent=f"file/{self.id}",
            url=self.url,
        )

    def record(self) -> dict[str, Any]:
        """Return this row under the published columns, lists and tables as JSON strings."""
        edges = [{"source": edge.source, "target": edge.target} for edge in self.edges]
        return {
            "id": self.id,
            "title": self.title,
            "url": self.url,
            "source": self.source,
            "abstract": self.abstract,
            "domains": _json(self.domains),
            "num_nodes": len(self.names),
            "num_edges": len(self.edges),
            "explicitness": round(self.explicitness, 4),
            "nodes": _json(self.names),
            "edges": _json(edges),
            "node_explicitness": _json(self.labels),
            "input_text": self.input_text,
            "publication_date": self.publication_date,
            **({"made_by": _json(self.made_by)} if self.made_by else {}),
        }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def sample_of(instance: ReciteInstance, number: int) -> Sample:
    """Return an instance as a row of the published schema."""
    secret = instance.secret
    return Sample(
        id=number,
        title=instance.public.title,
        url=secret.url,
        source=secret.source,
        domains=secret.domains,
        nodes=secret.linked,
        edges=tuple(SampleEdge(source=a, target=b) for a, b in secret.pairs),
        node_explicitness=secret.labels,
        input_text=instance.public.text,
        publication_date=secret.date,
    )


def make_released_id(number: int, task: str) -> str:
    """Return the id of the instance made of a published row."""
    suffix = {"given_count": "", "no_count": "-open", "names": "-names"}[task]
    return f"{FAMILY_NAME}-file{suffix}-{number:04d}"


def is_named(name: str, text: str) -> bool:
    """Say whether a text in lower case has a name as whole words, however it is spelt.

    Example:
        >>> is_named("Ferry fee", "the ferry fee rose"), is_named("fee", "coffee")
        (True, False)
    """
    name = name.casefold()
    first = text.find(name)
    return first >= 0 and bool(re.compile(rf"(?<!\w){re.escape(name)}(?!\w)").search(text, first))
