"""The graph that is handed in and the document's own, in names, and the action that hands one in.

A turn records what was handed in as `{"kind": "submit", "relationships": [{"source": …, "sink":
…}]}`, with names, or with ids where the task gives names. An id that names no node stays in the
graph as its own digits: an edge with it is wrong, and not lost.

A node stands on an edge or nowhere, since the answer's format has no other place for it.
Hence a true node without an edge is not asked for.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field, StrictInt, StrictStr
from pydantic.json_schema import SkipJsonSchema

from causarium.contract.frozen import AgentInput
from causarium.contract.turn import Turn
from causarium.contract.world import Action
from causarium.scoring.graph_scores import Edge
from .instance import ReciteInstance, ReciteSecret


@dataclass(frozen=True, slots=True)
class NamedEdges:
    """Relationships in names, where ids were asked for."""

    edges: tuple[tuple[str, str], ...]
    slips: Counter[str]


def name_ids(pairs: Iterable[tuple[str | int, str | int]], names: Sequence[str]) -> NamedEdges:
    """Put names in the place of ids; the first name has id 1.

    An id that names no node stays as its digits, and a word that is no node as it is: an edge with
    it is wrong, and not lost.

    Example:
        >>> name_ids([(1, "2"), (1, 9)], ["rain", "floods"])
        NamedEdges(edges=(('rain', 'floods'), ('rain', '9')), slips=Counter({'id as a string': 1, \
'id out of range': 1}))
    """
    slips: Counter[str] = Counter()
    known = set(names)

    def resolve_name(said: str | int) -> str:
        if isinstance(said, str):
            if said in known:
                slips["name for an id"] += 1
                return said
            if not (said.isascii() and said.isdigit() and len(said) < 10):
                slips["unknown name"] += 1
                return said
            slips["id as a string"] += 1
            said = int(said)
        if 1 <= said <= len(names):
            return names[said - 1]
        slips["id out of range"] += 1
        return str(said)

    return NamedEdges(tuple((resolve_name(a), resolve_name(b)) for a, b in pairs), slips)


SUBMIT = "submit"
"""The kind of the action that hands in a graph."""
CUT_OFF, DUPLICATE, SELF_LOOP, LOOPED = "broken or cut off", "duplicate", "self-loop", "looped"
"""Slips that scoring counts by name."""
GRADED = frozenset({SELF_LOOP, "id out of range", "unknown name"})
"""What is noted on reading and is graded like any wrong edge, so that it is no slip of form."""


@dataclass(frozen=True, slots=True)
class CausalGraph:
    """A directed graph in names; cycles and self-loops are allowed."""

    nodes: tuple[str, ...]
    """In ascending order, without repetition."""
    edges: tuple[Edge, ...]
    """In the order given, without repetition."""


@dataclass(frozen=True, slots=True)
class SubmittedGraph:
    """What was handed in."""

    graph: CausalGraph
    slips: Mapping[str, int]
    """What was wrong with the answer and could be mended, counted by its name."""
    repaired: str
    """Who mended an answer that could not be read: `rule`, `model`, or nobody."""

    @property
    def form_slips(self) -> int:
        """How many things of form alone were mended."""
        return sum(count for slip, count in self.slips.items() if slip not in GRADED)


def graph_of(edges: Iterable[Edge], nodes: Iterable[str] = ()) -> CausalGraph:
    """Return the graph of some edges and, where there are any, further nodes.

    Example:
        >>> graph_of([("b", "a"), ("b", "a")])
        CausalGraph(nodes=('a', 'b'), edges=(('b', 'a'),))
    """
    distinct = tuple(dict.fromkeys(edges))
    names = {*nodes, *(name for edge in distinct for name in edge)}
    return CausalGraph(tuple(sorted(names)), distinct)


def true_graph(secret: ReciteSecret) -> CausalGraph:
    """Return a document's graph; nodes without an edge only where there is no edge at all."""
    return graph_of(secret.pairs, () if secret.edges else secret.linked)


def find_last_submission(instance: ReciteInstance, turns: Sequence[Turn]) -> SubmittedGraph | None:
    """Return what was handed in last, or None where nothing was."""
    for turn in reversed(turns):
        if turn.legal and turn.action is not None and turn.action.get("kind") == SUBMIT:
            written = turn.action.get("relationships") or []
            pairs = [(one["source"], one["sink"]) for one in written]
            named = _name_pairs(pairs, instance.public.names)
            slips = Counter(turn.action.get("slips") or {})
            slips = slips + named.slips + repetitions(named.edges)
            graph = graph_of(named.edges)
            if slips[DUPLICATE] > len(graph.edges):
                slips[LOOPED] = 1
            return SubmittedGraph(
                graph=graph, slips=dict(slips), repaired=str(turn.action.get("repaired") or "")
            )
    return None


def repetitions(edges: Sequence[Edge]) -> Counter[str]:
    """Count the edges that say nothing: from a node to itself, or said before.

    Example:
        >>> repetitions([("a", "b"), ("a", "b"), ("b", "b")])
        Counter({'self-loop': 1, 'duplicate': 1})
    """
    loops = sum(source == sink for source, sink in edges)
    return +Counter({SELF_LOOP: loops, DUPLICATE: len(edges) - len(set(edges))})


def _name_pairs(
    pairs: list[tuple[str | int, str | int]], names: Sequence[str] | None
) -> NamedEdges:
    if names is not None:
        return name_ids(pairs, names)
    return NamedEdges(tuple((str(source), str(sink)) for source, sink in pairs), Counter())


MOST_EDGES = 20_000
"""So many relationships are taken; a complete graph of the largest published size has fewer."""


class Relationship(AgentInput):
    """One cause and one effect."""

    source: StrictStr | StrictInt = Field(
        description="The cause: its name, or its id where ids are given."
    )
    sink: StrictStr | StrictInt = Field(
        description="The effect: its name, or its id where ids are given."
    )


class Submit(Action):
    """Hand in the causal graph as a list of relationships. This ends the task."""

    kind: ClassVar[str] = SUBMIT
    is_final: ClassVar[bool] = True
    comment_fields: ClassVar[frozenset[str]] = frozenset({"slips", "repaired"})

    relationships: tuple[Relationship, ...] = Field(
        description="Every edge of the graph, once each.", max_length=MOST_EDGES
    )
    slips: SkipJsonSchema[dict[str, int]] = Field(
        default_factory=dict, description="What was mended on reading, counted by its name."
    )
    repaired: SkipJsonSchema[str] = Field(
        default="", description="Who repaired a reply that could not be read: rule, model, nobody."
    )


ACTIONS = (Submit,)
"""Everything that can be done."""


def submit(edges: Iterable[Edge], names: Sequence[str] | None) -> Submit:
    """Return edges between names as they are handed in: as ids where names were given."""
    ids = {name: place for place, name in enumerate(names, 1)} if names is not None else {}
    return Submit(
        relationships=tuple(
            Relationship.model_construct(source=ids.get(a, a), sink=ids.get(b, b)) for a, b in edges
        )
    )
