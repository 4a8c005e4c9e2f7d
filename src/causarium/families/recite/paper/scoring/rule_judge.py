"""The labels of the rule judge: what follows once nodes are matched.

The labels are the published ones, so that they are scored by the same formulas as a model's. Every
true item weighs the same, and nothing is credited for what the text supports and the graph lacks:
whether it does, code cannot tell.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module

from causarium.errors import UsageError
from causarium.scoring.graph_scores import Edge
from ..levels import ReciteRules
from ..model.graphs import CausalGraph
from ..model.instance import ReciteInstance
from .label_scores import NO_MATCH, Evaluations, Item
from .match_nodes import Match, Matching, NameJudge, match_nodes

_ENCODER_JUDGE = "causarium_recite_lab.encoder.encoder_judge"
_ABSTRACTION = {
    "same": "ABSTRACTION_ALIGNED",
    "broader": "ABSTRACTION_BROADER",
    "narrower": "ABSTRACTION_NARROWER",
    "near": "ABSTRACTION_ALIGNED",
}


def match_by_rules(instance: ReciteInstance, rules: ReciteRules, proposed: CausalGraph) -> Matching:
    """Say which nodes of an answer are which of the document's; as written where names are given.

    Args:
        instance: The document; what it lists without an edge is a node as well.
        rules: They say whether an encoder helps.
        proposed: The answer's graph.
    """
    names = instance.secret.names
    if instance.public.task == "names":
        return {name: Match(name, "same") for name in proposed.nodes if name in names}
    judge = _load_encoder_judge(rules) if rules.embeddings != "none" else None
    return match_nodes(proposed.nodes, names, instance.secret.aliases, judge)


def _load_encoder_judge(rules: ReciteRules) -> NameJudge:
    """Return the judge that an encoder helps; the package beside this one brings it."""
    try:
        lab = import_module(_ENCODER_JUDGE)
    except ModuleNotFoundError as missing:
        raise UsageError(
            f"the rule embeddings={rules.embeddings} needs the package causarium-recite-lab: "
            "pip install causarium-recite-lab 'causarium[embeddings]', or leave the rule out"
        ) from missing
    judge: NameJudge = lab.judge_of(rules)
    return judge


def judge_by_rule(proposed: CausalGraph, true: CausalGraph, matching: Matching) -> Evaluations:
    """Return the labels that follow from a matching of nodes; names on no edge match nothing."""
    nodes = set(true.nodes)
    matching = {name: match for name, match in matching.items() if match.true in nodes}
    taken = {match.true: match for match in matching.values()}
    found = _edges_found(proposed, true, matching)
    return {
        "node_precision": [
            _node_precision(n, matching.get(name)) for n, name in enumerate(proposed.nodes, 1)
        ],
        "node_recall": [_node_recall(n, taken.get(name)) for n, name in enumerate(true.nodes, 1)],
        "edge_precision": [
            _edge_precision(n, found.get(_map_edge(edge, matching)), _ends(edge, matching))
            for n, edge in enumerate(proposed.edges, 1)
        ],
        "edge_recall": [
            _edge_recall(n, edge, found, [taken[e] for e in edge if e in taken])
            for n, edge in enumerate(true.edges, 1)
        ],
    }


def _map_edge(edge: Edge, matching: Matching) -> Edge | None:
    if edge[0] not in matching or edge[1] not in matching:
        return None
    return matching[edge[0]].true, matching[edge[1]].true


def _ends(edge: Edge, matching: Matching) -> list[Match]:
    return [matching[end] for end in edge if end in matching]


def _edges_found(
    proposed: CausalGraph, true: CausalGraph, matching: Matching
) -> dict[Edge | None, str]:
    """Return the direction label of each edge of an answer that the graph has, in true names.

    An edge and its reverse do not both count: where the right one is there, the other is wrong.
    """
    wanted = set(true.edges)
    given = {_map_edge(edge, matching): None for edge in proposed.edges}
    found: dict[Edge | None, str] = {}
    for edge in given:
        if edge is None:
            continue
        a, b = edge
        if (a, b) in wanted:
            found[a, b] = "DIRECTION_CORRECT"
        elif (b, a) in wanted and (b, a) not in given:
            found[a, b] = "DIRECTION_REVERSED"
    return found


_NOTHING = {"presence_label": NO_MATCH, "abstraction_label": "ABSTRACTION_NA"}


def _node_precision(number: int, match: Match | None) -> Item:
    graph, text = _node_block(match, "STRONG", "MODERATE"), _node_block(None)
    return {"node_number": number, "graph_evaluation": graph, "text_evaluation": text}


def _node_recall(number: int, match: Match | None) -> Item:
    block = _node_block(match, "COMPLETE", "PARTIAL")
    return {"node_number": number, "importance_label": "IMPORTANCE_CORE", **block}


def _node_block(match: Match | None, strong: str = "", weak: str = "") -> dict[str, str]:
    """Return the labels of a node; the two passes have other words for how much is meant."""
    if match is None:
        return {**_NOTHING, "semantic_label": "SEMANTIC_NA"}
    return {**_block([match]), "semantic_label": f"SEMANTIC_{strong if match.strong else weak}"}


def _edge_precision(number: int, direction: str | None, ends: Sequence[Match]) -> Item:
    graph = {**_NOTHING, "directionality_label": "DIRECTION_NA"}
    if direction is not None:
        graph = {**_block(ends), "directionality_label": direction}
    text = {**_NOTHING, "inference_label": "INFERENCE_NA"}
    return {"edge_number": number, "graph_evaluation": graph, "text_evaluation": text}


def _edge_recall(
    number: int, edge: Edge, found: Mapping[Edge | None, str], ends: Sequence[Match]
) -> Item:
    item: dict[str, object] = {"edge_number": number, "importance_label": "IMPORTANCE_CENTRAL"}
    direction = found.get(edge)
    if direction is None and found.get((edge[1], edge[0])) == "DIRECTION_REVERSED":
        direction = "DIRECTION_REVERSED"
    if direction is None:
        return {**item, **_NOTHING, "directionality_label": "DIRECTION_MISSING"}
    return {**item, **_block(ends), "directionality_label": direction}


def _block(ends: Sequence[Match]) -> dict[str, str]:
    """Return presence and abstraction of what is matched: those of its less sure end."""
    unsure = next((end for end in ends if not end.strong), None)
    return {
        "presence_label": "PRESENCE_WEAK_MATCH" if unsure else "PRESENCE_STRONG_MATCH",
        "abstraction_label": _ABSTRACTION[unsure.nearness if unsure else "same"],
    }
