"""What can be proven of a document and its graph.

Whether an edge of a written document is really causal is the word of whoever wrote or annotated the
text. What a machine can check is the rest: that the graph can be handed in and earns full marks,
that nothing and every arrow backwards earn nothing, that each node is told as its label says, and
that the sentences that are said to state an edge stand in the text.

Of a made document more can be proven: a reader that gets the text alone finds exactly its graph.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from causarium.contract.certificate import Findings, Proof
from causarium.contract.turn import Turn
from causarium.contract.world import Move
from causarium.families.recite.actions import Submit
from causarium.families.recite.config import ReciteRules
from causarium.families.recite.evidence.read_document import FALSE, TURNED, Reading, read_document
from causarium.families.recite.formats.dataset_row import is_named
from causarium.families.recite.generation.latent_document import FALSE_SHARE
from causarium.families.recite.instance import ReciteInstance, ReciteNode, lenient_explicitness
from causarium.families.recite.mechanics.named_graphs import true_graph
from causarium.families.recite.mechanics.topology import nodes_on_cycles
from causarium.families.recite.players import submit
from causarium.families.recite.score import bounds, score
from causarium.families.recite.world import ReciteWorld
from causarium.scoring.graph_scores import Edge
from causarium.scoring.set_scores import compare_sets

LEAST_CEILING, LEAST_ABOVE_CHANCE, MOST_GULLIBLE = 0.95, 0.5, 0.6
_SEARCH, _SCORED, _READ, _COUNT = "search in the text", "scored", "reading the text", "exact count"


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
        "ceiling": secret.ceiling,
        "chance": bounds(instance, true_graph(secret), 0.0)["chance"],
    }
    return Findings(optimum=0.0, proofs=tuple(proofs), extra=extra)


def _proofs(instance: ReciteInstance) -> Iterator[Proof]:
    secret, text = instance.secret, instance.public.text
    pairs = set(secret.pairs)
    back = {(sink, source) for source, sink in pairs}
    yield Proof(
        claim="the document's own graph scores 1",
        method=_SCORED,
        holds=_f1(instance, secret.pairs) == 1,
    )
    yield Proof(
        claim="a graph without edges scores 0", method=_SCORED, holds=_f1(instance, ()) == 0
    )
    yield Proof(
        claim="every arrow backwards earns what two-way pairs earn, and nothing more",
        method=_SCORED,
        holds=_f1(instance, sorted(back)) == compare_sets(back, pairs).f1,
    )
    yield Proof(
        claim="just the nodes of the graph are on an edge, so that the answer can name them",
        method=_COUNT,
        holds=set(true_graph(secret).nodes) == set(secret.linked),
    )
    yield Proof(
        claim="each node is told as its label says",
        method=_SEARCH,
        holds=all(
            is_told_as_labelled(node, text.casefold()) for node in secret.nodes if not node.unlinked
        ),
    )
    if any(edge.evidence for edge in secret.edges) or secret.decoys:
        evidence = [sentence for edge in secret.edges for sentence in edge.evidence]
        decoys = [decoy.sentence for decoy in secret.decoys]
        yield Proof(
            claim="the sentences that state edges, and those that only seem to, are in the text",
            method=_SEARCH,
            holds=all(sentence in text for sentence in (*evidence, *decoys)),
        )
    if secret.rung:
        private = () if secret.wording is None else (secret.wording,)
        yield from _made_proofs(instance, read_document(text, private))


def _made_proofs(instance: ReciteInstance, reading: Reading) -> Iterator[Proof]:
    secret = instance.secret
    true, read = set(secret.pairs), reading.edges()
    f1 = compare_sets(read, true).f1
    yield Proof(
        claim="whoever reads the text alone finds exactly the graph",
        method=_READ,
        holds=read == true and f1 == secret.ceiling >= LEAST_CEILING,
    )
    chance = bounds(instance, true_graph(secret), 0.0)["chance"]
    yield Proof(
        claim="reading earns far more than chance",
        method=_SCORED,
        holds=secret.ceiling - chance >= LEAST_ABOVE_CHANCE,
    )
    yield Proof(
        claim="believing everybody does not pay",
        method=_READ,
        holds=compare_sets(reading.edges(gullible=True), true).f1 <= MOST_GULLIBLE,
    )
    said: dict[str, list[Edge]] = {}
    for statement in reading.statements:
        role = reading.verdicts.get(statement.source, "")
        if not statement.denied:
            said.setdefault(role, []).append(reading.name_pair(statement))
    linked = {frozenset(edge) for edge in true}
    false = said.get(FALSE, [])
    yield Proof(
        claim="a source that is wrong and one that swaps cause and effect are quoted, and no false "
        "pair is an edge in either direction",
        method=_COUNT,
        holds=bool(said.get(TURNED))
        and len(false) >= FALSE_SHARE * len(true)
        and not any(frozenset(pair) in linked for pair in false),
    )
    roles = Counter(reading.verdicts.values())
    yield Proof(
        claim="the text says of each source what to make of it, and of each nickname what it means",
        method=_READ,
        holds=roles == {"true": 2, TURNED: 1, FALSE: 1}
        and len(set(reading.nicknames.values())) == len(reading.nicknames)
        and set(secret.names) <= set(reading.nicknames.values()),
    )


def is_told_as_labelled(node: ReciteNode, text: str) -> bool:
    """Tell whether a text in lower case names a node just where its label says so."""
    named = any(is_named(name, text) for name in (node.name, *node.aliases))
    return named == (node.explicitness == 1)


def _f1(instance: ReciteInstance, edges: Sequence[Edge]) -> float:
    rules = ReciteRules()
    world = ReciteWorld(instance, rules)
    move = submit(edges, instance.public.names)
    return score(instance, rules, [_turn(world, move)]).numbers["f1"]


def _turn(world: ReciteWorld, move: Move) -> Turn:
    seen = world.act(move)
    action = move.record() if isinstance(move, Submit) else None
    return Turn(action=action, observation=seen.text, legal=seen.legal, cost=seen.cost)
