"""What an agent of ReCITE may see, and what only the scorer knows.

Nodes are kept in ascending order of their names, and a node's id is its place in that order,
counted from 1: the same ids that the name-assisted task shows. Edges are pairs of ids.
"""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from pydantic import model_validator

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Public, Secret
from causarium.errors import GraphError

Task = Literal["given_count", "no_count", "names"]
"""What the prompt says of the nodes: their number, nothing, or their names with ids."""

Explicitness = Literal[1, 2, 3]
"""How a text tells a node: 1 by its name or a synonym, 2 between the lines, 3 not at all."""

DOMAINS = (
    "Agriculture & Food Systems",
    "Economics & Public Policy",
    "Education",
    "Engineering & Technology",
    "Environmental & Earth Sciences",
    "Medicine",
)
"""The published domain labels, in the order of their published numbers 1 to 6."""

REVEALED = frozenset(["name", "aliases", "evidence", "decoys", "n_nodes", "task"])
"""Secret fields and facets that the text, or the task, rightly tells: a document names its nodes
and says why they are linked. Which pairs are edges, and the labels, stay secret."""


class RecitePublic(Public):
    """One document and what is asked of it."""

    task: Task
    title: str
    text: str
    """The document, in markdown."""
    n_nodes: int | None = None
    """How many nodes the graph has, where the task says so."""
    names: tuple[str, ...] | None = None
    """All listed names in ascending order, where the task gives them; the first has id 1."""
    some_unlinked: bool = False
    """Whether some of them are on no edge."""


class ReciteNode(Frozen):
    """One node of the true graph."""

    name: str
    explicitness: Explicitness
    aliases: tuple[str, ...] = ()
    """Other words for the same thing, whether or not the text uses them."""
    unlinked: bool = False
    """Whether it is on no edge and only listed, so that names do not give edges away."""


class ReciteEdge(Frozen):
    """One edge of the true graph."""

    source: int
    """The id of the cause."""
    sink: int
    """The id of the effect."""
    evidence: tuple[str, ...] = ()
    """The sentences that state it, as they stand in the text; none where it is not stated."""


class Decoy(Frozen):
    """Two things that a text mentions together though neither is said to act on the other."""

    first: str
    second: str
    sentence: str
    """The sentence, as it stands in the text."""


class ReciteSecret(Secret):
    """The graph of a document, and where the document comes from."""

    nodes: tuple[ReciteNode, ...]
    """In ascending order of their names, without repetition."""
    edges: tuple[ReciteEdge, ...]
    decoys: tuple[Decoy, ...] = ()
    domains: tuple[str, ...] = ()
    date: str = ""
    """When the document was published, `YYYY-MM-DD`; empty where that is not known."""
    source: str
    """`mini` and `synth` are ours; a published row says `PLOS` or `MDPI`."""
    rung: str = ""
    """How a made document tells its edges; empty for all others."""
    ceiling: float = 1.0
    """The edge F1 of a reader that holds every wording of made documents; 1 for all others:
    their texts are taken to state the whole graph."""
    latent: str = ""
    """The address of what the graph was drawn from."""
    wording: None = None
    """Always None, and part of older digests."""
    url: str = ""

    @model_validator(mode="after")
    def _fits_together(self) -> "ReciteSecret":
        names = self.names
        if list(names) != sorted(set(names)):
            raise ValueError("nodes: expected ascending names without repetition")
        for edge in self.edges:
            if not {edge.source, edge.sink} <= set(range(1, len(names) + 1)):
                raise ValueError(f"edges: {edge.source} to {edge.sink} is not between known ids")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The nodes' names; the one with id i is at place i - 1."""
        return tuple(node.name for node in self.nodes)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The edges as pairs of names, cause first, in the order of the edges."""
        names = self.names
        return tuple((names[e.source - 1], names[e.sink - 1]) for e in self.edges)

    @property
    def linked(self) -> tuple[str, ...]:
        """The names of the nodes that belong to the graph."""
        return tuple(node.name for node in self.nodes if not node.unlinked)

    @property
    def labels(self) -> dict[str, Explicitness]:
        """The explicitness label of each node of the graph, by name."""
        return {node.name: node.explicitness for node in self.nodes if not node.unlinked}

    @property
    def aliases(self) -> dict[str, tuple[str, ...]]:
        """The other words for each node, by name."""
        return {node.name: node.aliases for node in self.nodes}


ReciteInstance: TypeAlias = Instance[RecitePublic, ReciteSecret]


class NamedEdge(Frozen):
    """An edge between names, as documents are written down before ids are given."""

    source: str
    sink: str
    evidence: tuple[str, ...] = ()


class Document(Frozen):
    """A text with its graph, wherever it comes from, before a task is made of it."""

    key: str
    """Short and unique where it comes from."""
    title: str
    text: str
    nodes: tuple[ReciteNode, ...]
    edges: tuple[NamedEdge, ...]
    decoys: tuple[Decoy, ...] = ()
    domains: tuple[str, ...] = ()
    date: str = ""
    source: str
    rung: str = ""
    ceiling: float = 1.0
    latent: str = ""
    url: str = ""
    abstract: str = ""

    def graph_part(self) -> "Document":
        """Return the document with the nodes of its graph alone, as published ones have them."""
        return self.model_copy(update={"nodes": tuple(n for n in self.nodes if not n.unlinked)})

    def secret(self) -> ReciteSecret:
        """Return what only the scorer may know of this document.

        Raises:
            GraphError: An edge joins a name that is no node.
        """
        nodes = tuple(sorted(self.nodes, key=lambda node: node.name))
        ids = {node.name: place for place, node in enumerate(nodes, 1)}
        return ReciteSecret(
            nodes=nodes,
            edges=tuple(_edge(edge, ids) for edge in self.edges),
            decoys=self.decoys,
            domains=self.domains,
            date=self.date,
            source=self.source,
            rung=self.rung,
            ceiling=self.ceiling,
            latent=self.latent,
            url=self.url,
        )

    def make_public(self, task: Task) -> RecitePublic:
        """Return what an agent sees of this document under a task."""
        names = tuple(sorted(node.name for node in self.nodes))
        linked = sum(not node.unlinked for node in self.nodes)
        return RecitePublic(
            task=task,
            title=self.title,
            text=self.text,
            n_nodes=linked if task == "given_count" else None,
            names=names if task == "names" else None,
            some_unlinked=task == "names" and linked < len(names),
        )


def _edge(edge: NamedEdge, ids: Mapping[str, int]) -> ReciteEdge:
    for name in (edge.source, edge.sink):
        if name not in ids:
            raise GraphError(f"the edge {edge.source!r} to {edge.sink!r} joins no node {name!r}")
    return ReciteEdge(source=ids[edge.source], sink=ids[edge.sink], evidence=edge.evidence)


def lenient_explicitness(labels: Iterable[Explicitness]) -> float:
    """Return the share of nodes that a text tells by name or between the lines.

    Example:
        >>> lenient_explicitness([1, 1, 2, 3])
        0.75
    """
    given = list(labels)
    return sum(label < 3 for label in given) / len(given) if given else 0.0


def strict_explicitness(labels: Iterable[Explicitness]) -> float:
    """Return the share of nodes that a text tells by name.

    Example:
        >>> strict_explicitness([1, 1, 2, 3])
        0.5
    """
    found = list(labels)
    return sum(label == 1 for label in found) / len(found) if found else 0.0
