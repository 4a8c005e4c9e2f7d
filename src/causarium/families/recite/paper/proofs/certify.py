"""What can be proven of a document and its graph.

Whether an edge of a written document is really causal is the word of whoever wrote or annotated the
text. What a machine can check is the rest: that the graph can be handed in and earns full marks,
that an empty answer earns nothing, that the text mentions each node as its label says, and
that the sentences that are said to state an edge stand in the text.
"""

from collections.abc import Iterable, Iterator

from causarium.contract.certificate import Findings, Proof
from causarium.contract.turn import Turn
from causarium.contract.world import Move
from causarium.scoring.graph_scores import Edge
from ..generation.facets import nodes_on_cycles
from ..levels import ReciteRules
from ..model.graphs import Submit, submit, true_graph
from ..model.instance import ReciteInstance, ReciteNode, lenient_explicitness
from ..play.world import ReciteWorld
from ..publication.dataset_row import is_named
from ..scoring.score import bounds, score

OWN = "the document's own graph scores 1"
EMPTY = "a graph without edges scores 0"
ON_EDGES = "just the nodes of the graph are on an edge, so that the answer can name them"
LABELS = "each node is told as its label says"
STATED = "the sentences that state edges, and those that only seem to, are in the text"
"""What is claimed of each document."""
_SEARCH, _SCORED, _COUNT = "search in the text", "scored", "exact count"


def certify(instance: ReciteInstance) -> Findings:
    """Check what a document claims of itself."""
    secret = instance.secret
    labels = list(secret.labels.values())
    stated = sum(bool(edge.evidence) for edge in secret.edges)
    proofs = list(_proofs(instance))
    extra = {
        "nodes": len(secret.linked),
        "names_on_no_edge": len(secret.names) - len(secret.linked),
        "edges": len(secret.edges),
        "edges_with_evidence": stated,
        "explicitness_lenient": lenient_explicitness(labels),
        "explicitness_strict": labels.count(1) / len(labels) if labels else 0.0,
        "nodes_on_cycles": len(nodes_on_cycles(secret.pairs)),
        "characters": len(instance.public.text),
        "chance": bounds(instance, true_graph(secret), 0.0)["chance"],
    }
    return Findings(optimum=0.0, proofs=tuple(proofs), reachable=1.0, extra=extra)


def _proofs(instance: ReciteInstance) -> Iterator[Proof]:
    secret, text = instance.secret, instance.public.text
    lower = text.casefold()
    own, nothing = _earn(instance, secret.pairs), _earn(instance, ())
    yield Proof(claim=OWN, method=_SCORED, holds=own["f1"] == 1)
    yield Proof(claim=EMPTY, method=_SCORED, holds=nothing["f1"] == 0)
    yield Proof(
        claim=ON_EDGES,
        method=_COUNT,
        holds={name for edge in secret.pairs for name in edge} == set(secret.linked),
    )
    yield Proof(
        claim=LABELS,
        method=_SEARCH,
        holds=all(is_told_as_labelled(node, lower) for node in secret.nodes if not node.unlinked),
    )
    if any(edge.evidence for edge in secret.edges) or secret.decoys:
        evidence = [sentence for edge in secret.edges for sentence in edge.evidence]
        decoys = [decoy.sentence for decoy in secret.decoys]
        yield Proof(
            claim=STATED,
            method=_SEARCH,
            holds=all(sentence in text for sentence in (*evidence, *decoys)),
        )


def is_told_as_labelled(node: ReciteNode, text: str) -> bool:
    """Tell whether a text in lower case names a node just where its label says so."""
    named = any(is_named(name, text) for name in (node.name, *node.aliases))
    return named == (node.explicitness == 1)


def _earn(instance: ReciteInstance, edges: Iterable[Edge]) -> dict[str, float]:
    rules = ReciteRules()
    world = ReciteWorld(instance, rules)
    move = submit(sorted(edges), instance.public.names)
    return score(instance, rules, [_turn(world, move)]).numbers


def _turn(world: ReciteWorld, move: Move) -> Turn:
    seen = world.act(move)
    action = move.record() if isinstance(move, Submit) else None
    return Turn(action=action, observation=seen.text, legal=seen.legal, cost=seen.cost)
