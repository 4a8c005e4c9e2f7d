"""The judge without a key: which nodes of an answer are which of the document's, found by rule.

It is approximate, and strict: it knows names, the document's list of other names and the words they
share, so it takes no paraphrase that nobody wrote down, and it gives no credit for what the text
supports and the graph lacks. Its labels are the published ones, so that they are scored by the same
formulas as a model's; every true item weighs the same. How far it agrees with documents whose
aliases are known is measured in `match_agreement.py`.

Each node of an answer is taken for at most one true node and each true node for at most one of the
answer's: naming a thing twice in two ways earns once.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from causarium.families.recite.composite import Evaluations, Item
from causarium.families.recite.graphs import CausalGraph, graph_of
from causarium.families.recite.labels import NO_MATCH
from causarium.scoring.graphs import Edge

Nearness = Literal["same", "broader", "narrower", "near"]
"""What a node of an answer is to a true one: the same, less or more particular, or like it."""

Similarity = Callable[[Sequence[str], Sequence[str]], Sequence[Sequence[float]]]
"""How alike each of some names is to each of some others; 1 is the same."""

LEAST_SHARED = 0.5
"""Names that share this part of their words are like each other."""
LEAST_ALIKE = 0.6
"""Names that a `Similarity` puts at least this close are like each other."""
_MOST_WORDS = 30
_FILLERS = frozenset(
    [
        "a",
        "an",
        "and",
        "at",
        "by",
        "for",
        "from",
        "in",
        "of",
        "on",
        "or",
        "per",
        "the",
        "to",
        "with",
    ]
)
_MEASURES = frozenset(["amount", "degree", "extent", "level", "number", "quantity"])
"""Words that only say that a thing can be more or less, which every node can."""


@dataclass(frozen=True, slots=True)
class Match:
    """A node of an answer, taken for a true one."""

    true: str
    nearness: Nearness

    @property
    def strong(self) -> bool:
        """Whether the two are the same thing under whatever name."""
        return self.nearness == "same"


Matching = Mapping[str, Match]
"""By the name in the answer; what is not there matches nothing."""


def match_nodes(
    proposed: Iterable[str],
    true: Iterable[str],
    aliases: Mapping[str, Sequence[str]],
    similarity: Similarity | None = None,
) -> dict[str, Match]:
    """Say which nodes of an answer are which true ones, surest matches first.

    Example:
        >>> match_nodes(["the levels of fish stock"], ["Fish stocks"], {})
        {'the levels of fish stock': Match(true='Fish stocks', nearness='same')}
    """
    ours, theirs = list(dict.fromkeys(proposed)), list(dict.fromkeys(true))
    taken: dict[str, Match] = {}
    for pairs in (
        ((name, name) for name in theirs),
        ((bare(name), name) for name in theirs),
        ((bare(alias), name) for name in theirs for alias in aliases.get(name, ())),
    ):
        _take_same(ours, dict(reversed(list(pairs))), taken)
    _take_near(ours, _shared(ours, theirs, aliases, taken), taken)
    if similarity is not None:
        _take_near(ours, _alike(ours, theirs, aliases, taken, similarity), taken)
    return taken


@lru_cache(maxsize=20_000)
def bare(name: str) -> frozenset[str]:
    """Return the words of a name that tell it from others, in their plain forms.

    Example:
        >>> sorted(bare("The Number of fishing-boats"))
        ['boat', 'fishing']
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    words = [_singular(word) for word in re.findall(r"[^\W_]+", plain)[:_MOST_WORDS]]
    telling = [word for word in words if word not in _FILLERS]
    bare_ = [word for word in telling if word not in _MEASURES]
    return frozenset(bare_ or telling or words)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _take_same(
    ours: Sequence[str], known: Mapping[str | frozenset[str], str], taken: dict[str, Match]
) -> None:
    gone = {match.true for match in taken.values()}
    for name in ours:
        if name in taken:
            continue
        words = bare(name)
        found = known.get(name) or (known.get(words) if words else None)
        if found is not None and found not in gone:
            taken[name] = Match(found, "same")
            gone.add(found)


@dataclass(frozen=True, slots=True)
class _Pair:
    closeness: float
    name: str
    match: Match


def _take_near(ours: Sequence[str], pairs: Iterable[_Pair], taken: dict[str, Match]) -> None:
    place = {name: at for at, name in enumerate(ours)}
    gone = {match.true for match in taken.values()}
    for pair in sorted(pairs, key=lambda p: (-p.closeness, place[p.name], p.match.true)):
        if pair.name not in taken and pair.match.true not in gone:
            taken[pair.name] = pair.match
            gone.add(pair.match.true)


def _shared(
    ours: Sequence[str],
    theirs: Sequence[str],
    aliases: Mapping[str, Sequence[str]],
    taken: Matching,
) -> list[_Pair]:
    """Return the pairs of names that share enough of their words."""
    holders: dict[str, set[tuple[frozenset[str], str]]] = {}
    gone = {match.true for match in taken.values()}
    for name in theirs:
        for called in () if name in gone else (name, *aliases.get(name, ())):
            for word in bare(called):
                holders.setdefault(word, set()).add((bare(called), name))
    pairs = []
    for name in ours:
        words = bare(name) if name not in taken else frozenset()
        for other, true in {held for word in words for held in holders.get(word, ())}:
            closeness = len(words & other) / len(words | other)
            if closeness >= LEAST_SHARED:
                pairs.append(_Pair(closeness, name, Match(true, _nearness(words, other))))
    return pairs


def _nearness(words: frozenset[str], other: frozenset[str]) -> Nearness:
    return "broader" if words < other else "narrower" if words > other else "near"


def _alike(
    ours: Sequence[str],
    theirs: Sequence[str],
    aliases: Mapping[str, Sequence[str]],
    taken: Matching,
    similarity: Similarity,
) -> list[_Pair]:
    gone = {match.true for match in taken.values()}
    left = [name for name in ours if name not in taken]
    called = [(c, t) for t in theirs if t not in gone for c in (t, *aliases.get(t, ()))]
    if not left or not called:
        return []
    values = similarity(left, [name for name, _ in called])
    return [
        _Pair(float(value), name, Match(true, "near"))
        for name, row in zip(left, values, strict=True)
        for value, (_, true) in zip(row, called, strict=True)
        if value >= LEAST_ALIKE
    ]


def renamed(graph: CausalGraph, matching: Matching) -> CausalGraph:
    """Return an answer's graph with the true names of its matched nodes."""

    def called(name: str) -> str:
        # An unmatched node may bear the name of a true one that another node was taken for.
        return matching[name].true if name in matching else f"{name} (unmatched)"

    return graph_of([(called(a), called(b)) for a, b in graph.edges], map(called, graph.nodes))


_NODE = {
    "same": ("PRESENCE_STRONG_MATCH", "SEMANTIC_STRONG", "SEMANTIC_COMPLETE"),
    "broader": ("PRESENCE_WEAK_MATCH", "SEMANTIC_MODERATE", "SEMANTIC_PARTIAL"),
    "narrower": ("PRESENCE_WEAK_MATCH", "SEMANTIC_MODERATE", "SEMANTIC_PARTIAL"),
    "near": ("PRESENCE_WEAK_MATCH", "SEMANTIC_MODERATE", "SEMANTIC_PARTIAL"),
}
_ABSTRACTION = {
    "same": "ABSTRACTION_ALIGNED",
    "broader": "ABSTRACTION_BROADER",
    "narrower": "ABSTRACTION_NARROWER",
    "near": "ABSTRACTION_ALIGNED",
}


def judge_by_rule(proposed: CausalGraph, true: CausalGraph, matching: Matching) -> Evaluations:
    """Return the labels that follow from a matching of nodes."""
    taken = {match.true: match for match in matching.values()}
    ends = {name: (match.true, match) for name, match in matching.items()}
    turned_back = _edges_found(proposed, true, matching)
    return {
        "node_precision": [
            _node_precision(n, matching.get(name)) for n, name in enumerate(proposed.nodes, 1)
        ],
        "node_recall": [_node_recall(n, taken.get(name)) for n, name in enumerate(true.nodes, 1)],
        "edge_precision": [
            _edge_precision(n, turned_back.get(_mapped(edge, ends)), _ends(edge, matching))
            for n, edge in enumerate(proposed.edges, 1)
        ],
        "edge_recall": [
            _edge_recall(n, edge, turned_back, [taken[e] for e in edge if e in taken])
            for n, edge in enumerate(true.edges, 1)
        ],
    }


def _mapped(edge: Edge, ends: Mapping[str, tuple[str, Match]]) -> Edge | None:
    if edge[0] not in ends or edge[1] not in ends:
        return None
    return ends[edge[0]][0], ends[edge[1]][0]


def _ends(edge: Edge, matching: Matching) -> list[Match]:
    return [matching[end] for end in edge if end in matching]


def _edges_found(
    proposed: CausalGraph, true: CausalGraph, matching: Matching
) -> dict[Edge | None, str]:
    """Return the direction label of each edge of an answer that the graph has, in true names.

    An edge and its reverse do not both count: where the right one is there, the other is wrong.
    """
    wanted = set(true.edges)
    given = {(matching[a].true, matching[b].true) for a, b in _known(proposed, matching)}
    found: dict[Edge | None, str] = {}
    for a, b in given:
        if (a, b) in wanted:
            found[a, b] = "DIRECTION_CORRECT"
        elif (b, a) in wanted and (b, a) not in given:
            found[a, b] = "DIRECTION_REVERSED"
    return found


def _known(proposed: CausalGraph, matching: Matching) -> list[Edge]:
    return [(a, b) for a, b in proposed.edges if a in matching and b in matching]


_NOTHING = {"presence_label": NO_MATCH, "abstraction_label": "ABSTRACTION_NA"}


def _node_precision(number: int, match: Match | None) -> Item:
    nothing = {**_NOTHING, "semantic_label": "SEMANTIC_NA"}
    graph = nothing
    if match is not None:
        presence, semantic, _ = _NODE[match.nearness]
        graph = {
            "presence_label": presence,
            "semantic_label": semantic,
            "abstraction_label": _ABSTRACTION[match.nearness],
        }
    return {"node_number": number, "graph_evaluation": graph, "text_evaluation": nothing}


def _node_recall(number: int, match: Match | None) -> Item:
    item = {"node_number": number, "importance_label": "IMPORTANCE_CORE"}
    if match is None:
        return {**item, **_NOTHING, "semantic_label": "SEMANTIC_NA"}
    presence, _, semantic = _NODE[match.nearness]
    return {
        **item,
        "presence_label": presence,
        "semantic_label": semantic,
        "abstraction_label": _ABSTRACTION[match.nearness],
    }


def _edge_precision(number: int, direction: str | None, ends: Sequence[Match]) -> Item:
    graph = {**_NOTHING, "directionality_label": "DIRECTION_NA"}
    if direction is not None:
        graph = {**_edge_block(ends), "directionality_label": direction}
    text = {**_NOTHING, "inference_label": "INFERENCE_NA"}
    return {"edge_number": number, "graph_evaluation": graph, "text_evaluation": text}


def _edge_recall(
    number: int, edge: Edge, found: Mapping[Edge | None, str], ends: Sequence[Match]
) -> Item:
    item = {"edge_number": number, "importance_label": "IMPORTANCE_CENTRAL"}
    direction = found.get(edge)
    if direction is None and found.get((edge[1], edge[0])) == "DIRECTION_REVERSED":
        direction = "DIRECTION_REVERSED"
    if direction is None:
        return {**item, **_NOTHING, "directionality_label": "DIRECTION_MISSING"}
    return {**item, **_edge_block(ends), "directionality_label": direction}


def _edge_block(ends: Sequence[Match]) -> dict[str, str]:
    """Return presence and abstraction of a matched edge: those of its less sure end."""
    unsure = next((end for end in ends if not end.strong), None)
    return {
        "presence_label": "PRESENCE_WEAK_MATCH" if unsure else "PRESENCE_STRONG_MATCH",
        "abstraction_label": _ABSTRACTION[unsure.nearness if unsure else "same"],
    }
