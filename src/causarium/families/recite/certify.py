"""What can be proven of a document and its graph.

Whether an edge is really causal is the word of whoever wrote or annotated the text. What a machine
can check is the rest: that the graph can be handed in and earns full marks, that nothing earns
nothing, that each node is told as its label says, and that the sentences that are said to state an
edge stand in the text.
"""

from collections.abc import Iterator, Sequence

from causarium.contract.certificate import Findings, Proof
from causarium.contract.turn import Turn
from causarium.contract.world import Move
from causarium.families.recite.actions import Submit
from causarium.families.recite.config import ReciteRules
from causarium.families.recite.formats.dataset_row import is_named
from causarium.families.recite.instance import ReciteInstance, ReciteNode, lenient_explicitness
from causarium.families.recite.mechanics.named_graphs import true_graph
from causarium.families.recite.mechanics.topology import nodes_on_cycles
from causarium.families.recite.players import submit
from causarium.families.recite.score import score
from causarium.families.recite.world import ReciteWorld

_SEARCH, _SCORED = "search in the text", "scored"


def certify(instance: ReciteInstance) -> Findings:
    """Check what a document claims of itself."""
    secret = instance.secret
    labels = list(secret.labels.values())
    stated = sum(bool(edge.evidence) for edge in secret.edges)
    return Findings(
        optimum=0.0,
        proofs=tuple(_proofs(instance)),
        extra={
            "nodes": len(secret.nodes),
            "edges": len(secret.edges),
            "edges_with_evidence": stated,
            "explicitness_lenient": lenient_explicitness(labels),
            "explicitness_strict": labels.count(1) / len(labels) if labels else 0.0,
            "nodes_on_cycles": len(nodes_on_cycles(secret.pairs)),
            "characters": len(instance.public.text),
        },
    )


def _proofs(instance: ReciteInstance) -> Iterator[Proof]:
    secret, text = instance.secret, instance.public.text
    yield Proof(
        claim="the document's own graph scores 1",
        method=_SCORED,
        holds=_f1(instance, secret.pairs) == 1,
    )
    yield Proof(
        claim="a graph without edges scores 0", method=_SCORED, holds=_f1(instance, ()) == 0
    )
    yield Proof(
        claim="every node is on an edge, so that the answer can name it",
        method="exact count",
        holds=set(true_graph(secret).nodes) == set(secret.names),
    )
    yield Proof(
        claim="each node is told as its label says",
        method=_SEARCH,
        holds=all(told_as_labelled(node, text.casefold()) for node in secret.nodes),
    )
    if any(edge.evidence for edge in secret.edges) or secret.decoys:
        evidence = [one for edge in secret.edges for one in edge.evidence]
        decoys = [decoy.sentence for decoy in secret.decoys]
        yield Proof(
            claim="the sentences that state edges, and those that only seem to, are in the text",
            method=_SEARCH,
            holds=all(one in text for one in (*evidence, *decoys)),
        )
    if secret.told is not None:
        named = sum(node.explicitness == 1 for node in secret.nodes)
        yield Proof(
            claim=f"{secret.told} percent of the nodes are named, and at 100 every edge is stated",
            method="exact count",
            holds=named == round(len(secret.nodes) * secret.told / 100)
            and (secret.told < 100 or all(edge.evidence for edge in secret.edges)),
        )


def told_as_labelled(node: ReciteNode, text: str) -> bool:
    """Tell whether a text in lower case names a node just where its label says so."""
    named = any(is_named(name, text) for name in (node.name, *node.aliases))
    return named == (node.explicitness == 1)


def _f1(instance: ReciteInstance, edges: Sequence[tuple[str, str]]) -> float:
    rules = ReciteRules()
    world = ReciteWorld(instance, rules)
    move = submit(edges, instance.public.names)
    return score(instance, rules, [_turn(world, move)]).numbers["f1"]


def _turn(world: ReciteWorld, move: Move) -> Turn:
    seen = world.act(move)
    action = move.record() if isinstance(move, Submit) else None
    return Turn(action=action, observation=seen.text, legal=seen.legal, cost=seen.cost)
