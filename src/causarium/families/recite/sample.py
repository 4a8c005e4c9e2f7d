"""One row of the published dataset: its fields, and how it becomes a document.

Columns that hold lists or tables may come as native values or as JSON in a string. Edges name
their end `target` in the dataset and `sink` in answers; both are read. Fields that nothing here
needs are read past.
"""

import json
import re
from typing import Annotated, Any

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

from causarium.contract.frozen import writable
from causarium.families.recite.config import FAMILY_NAME
from causarium.families.recite.instance import (
    Document,
    Explicitness,
    NamedEdge,
    ReciteInstance,
    ReciteNode,
    lenient_explicitness,
)

_SEPARATORS = {0x85: "\n", 0x2028: "\n", 0x2029: "\n"}
"""Rare ends of lines, that texts from PDF files have and files of lines cannot hold."""


def _plain(value: object) -> object:
    """Return a value whose texts can stand in a file of lines."""
    if isinstance(value, str):
        return value.translate(_SEPARATORS)
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _decoded(value: object) -> object:
    """Return what a JSON string holds; anything else as it is."""
    if not isinstance(value, str):
        return _plain(writable(value))
    try:
        return _plain(writable(json.loads(value))) if value.strip() else None
    except (ValueError, RecursionError) as wrong:
        raise ValueError(f"expected a list or a table, or JSON of one: {wrong}") from wrong


def _listed(value: object) -> object:
    found = _decoded(value)
    return [] if found is None else found


def _table(value: object) -> object:
    found = _decoded(value)
    if found is None:
        return {}
    # A columnar file has a place for every name of every row, and most of them are empty.
    return {k: v for k, v in found.items() if v is not None} if isinstance(found, dict) else found


def _text(value: object) -> object:
    return "" if value is None else _plain(writable(value))


_Text = Annotated[str, BeforeValidator(_text)]


class SampleEdge(BaseModel):
    """One edge of a published graph."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    source: str
    target: str = Field(validation_alias=AliasChoices("target", "sink"))


class Sample(BaseModel):
    """One published document with its graph."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int
    title: _Text = ""
    url: _Text = ""
    abstract: _Text = ""
    source: _Text = ""
    domains: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    nodes: Annotated[tuple[str, ...], BeforeValidator(_listed)]
    edges: Annotated[tuple[SampleEdge, ...], BeforeValidator(_listed)]
    node_explicitness: Annotated[dict[str, Explicitness], BeforeValidator(_table)] = Field(
        default_factory=dict
    )
    input_text: _Text = ""
    publication_date: _Text = ""

    @model_validator(mode="after")
    def _names_are_known(self) -> "Sample":
        known = set(self.nodes)
        if len(known) < len(self.nodes):
            raise ValueError("nodes: expected each name once")
        for edge in self.edges:
            for name in (edge.source, edge.target):
                if name not in known:
                    raise ValueError(f"edges: {name[:80]!r} is not among the nodes")
        return self

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
            for name in self.nodes
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
            "num_nodes": len(self.nodes),
            "num_edges": len(self.edges),
            "explicitness": round(self.explicitness, 4),
            "nodes": _json(self.nodes),
            "edges": _json(edges),
            "node_explicitness": _json(self.labels),
            "input_text": self.input_text,
            "publication_date": self.publication_date,
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
        nodes=secret.names,
        edges=tuple(SampleEdge(source=a, target=b) for a, b in secret.pairs),
        node_explicitness=secret.labels,
        input_text=instance.public.text,
        publication_date=secret.date,
    )


def released_id(number: int, task: str) -> str:
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
    return name in text and bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))
