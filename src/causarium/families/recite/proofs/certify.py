"""What can be proven of a document and its graph.

Whether an edge of a written document is really causal is the word of whoever wrote or annotated the
text. What a machine can check is the rest: that the graph can be handed in and earns full marks,
that an empty answer earns nothing, that the text mentions each node as its label says, and
that the sentences that are said to state an edge stand in the text.

Of a text with a twin more can be proven: that no answer earns on both, that names stand in the same
places, and that whoever looks beside the names of a far pair sees the same in both.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import zip_longest

from causarium.contract.certificate import Findings, Proof
from causarium.contract.turn import Turn
from causarium.contract.world import Move
from causarium.scoring.graph_scores import Edge
from causarium.seeds import stream
from ..generation.facets import nodes_on_cycles
from ..generation.slot_documents import LEAST_DIFFERING, MOST_LONGER
from ..model.config import ReciteRules
from ..model.graphs import Submit, submit, true_graph
from ..model.instance import ReciteInstance, ReciteNode, Twin, lenient_explicitness
from ..model.name_places import NameFinder, name_skeleton, split_paragraphs
from ..play.world import ReciteWorld
from ..publication.dataset_row import is_named
from ..scoring.score import bounds, score
from ..scoring.twin_score import score_twin

OWN = "the document's own graph scores 1"
EMPTY = "a graph without edges scores 0"
ON_EDGES = "just the nodes of the graph are on an edge, so that the answer can name them"
LABELS = "each node is told as its label says"
STATED = "the sentences that state edges, and those that only seem to, are in the text"
ENDS = "what the text tells reads 1, what its twin tells -1, and nothing 0"
THEOREM_1 = "theorem 1: the readings of one answer on both twins sum to 0"
THEOREM_2 = "theorem 2: both twins have the same names in the same places of their sentences"
THEOREM_3 = "theorem 3: paragraphs that name both of a far pair are the same in both twins"
EVEN = "each kind of slot, withdrawn ones too, tells as many edges in both twins, eight or more"
"""What is claimed of each document, and of texts with twins."""
LOCAL = "beside the pair"
"""The class of players that decide a pair by the paragraphs that name it."""
_ANSWERS, _ROUNDING = 50, 1e-12
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
    if secret.twin is not None:
        extra["far_share"] = far_share(secret.twin)
        extra["differing"] = len({*secret.twin.edges} - {(e.source, e.sink) for e in secret.edges})
    local = {} if secret.twin is None else {LOCAL: 1 - far_share(secret.twin)}
    return Findings(optimum=0.0, proofs=tuple(proofs), bounds=local, reachable=1.0, extra=extra)


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
    if secret.twin is not None:
        ends = own, _earn(instance, secret.name_edges(secret.twin.edges)), nothing
        yield Proof(
            claim=ENDS, method=_SCORED, holds=[one["reading"] for one in ends] == [1, -1, 0]
        )
        yield from _twin_proofs(instance, secret.twin)


def _twin_proofs(instance: ReciteInstance, twin: Twin) -> Iterator[Proof]:
    """Prove what makes `reading` worth nothing to whoever does not read."""
    secret, text = instance.secret, instance.public.text
    told, other = frozenset(secret.pairs), secret.name_edges(twin.edges)
    finder = NameFinder({node.name: (node.name, *node.aliases) for node in secret.nodes})
    there = write_twin(instance)
    parts = zip_longest(split_paragraphs(text), split_paragraphs(there), fillvalue="")
    varied = [(one, two) for one, two in parts if one != two]
    answers = list(_random_answers(instance))
    yield Proof(
        claim=THEOREM_1,
        method=f"{len(answers)} random answers",
        holds=all(
            abs(score_twin(one, told, other).reading + score_twin(one, other, told).reading)
            < _ROUNDING
            for one in answers
        ),
    )
    yield Proof(
        claim=THEOREM_2,
        method=_SEARCH,
        holds=all(text.count(one) == 1 for slot in twin.slots for one in slot.passages)
        and all(name_skeleton(one, finder) == name_skeleton(two, finder) for one, two in varied)
        and abs(len(text) - len(there)) <= MOST_LONGER * min(len(text), len(there)),
    )
    far = [slot for slot in twin.slots if slot.kind != "near"]
    pairs = secret.name_edges(e for slot in far for e in {*slot.told} ^ {*slot.twin_told})
    yield Proof(
        claim=THEOREM_3,
        method=_SEARCH,
        holds=not any(_names_both(part, pairs, finder) for both in varied for part in both),
    )
    more: Counter[str] = Counter()
    for slot in twin.slots:
        more[slot.kind] += len(slot.told) - len(slot.twin_told)
    left = [slot for slot in twin.slots if slot.withdrawn]
    own = len(told - other) + sum(len({*slot.told} - {*slot.twin_told}) for slot in left)
    others = len(other - told) + sum(len({*slot.twin_told} - {*slot.told}) for slot in left)
    yield Proof(
        claim=EVEN,
        method=_COUNT,
        holds=not any(more.values()) and own == others >= LEAST_DIFFERING,
    )


def _names_both(part: str, pairs: Collection[Edge], finder: NameFinder) -> bool:
    if not pairs:
        return False
    named = finder.nodes_in(part)
    return any(named.issuperset(pair) for pair in pairs)


def write_twin(instance: ReciteInstance) -> str:
    """Return the text of an instance's twin: the other version of each passage in its place."""
    text = instance.public.text
    for slot in instance.secret.twin.slots if instance.secret.twin else ():
        for here, there in zip(slot.passages, slot.twin_passages, strict=True):
            text = text.replace(here, there)
    return text


def far_share(twin: Twin) -> float:
    """Return the share of the differing edges that are decided away from where they are named.

    It is the mean of the two texts' shares, of which one may tell more where a slot is withdrawn.
    """
    scored = [slot for slot in twin.slots if not slot.withdrawn]
    here = [(slot.kind, len({*slot.told} - {*slot.twin_told})) for slot in scored]
    there = [(slot.kind, len({*slot.twin_told} - {*slot.told})) for slot in scored]
    return sum(map(_find_far_share, (here, there))) / 2


def _find_far_share(counts: Sequence[tuple[str, int]]) -> float:
    far = sum(count for kind, count in counts if kind != "near")
    return far / (sum(count for _, count in counts) or 1)


def _random_answers(instance: ReciteInstance) -> Iterator[list[Edge]]:
    names = instance.secret.names
    rng = stream(0, "recite", instance.id, "answers")
    for _ in range(_ANSWERS):
        ends = rng.choices(names, k=2 * rng.randrange(3 * len(names)))
        yield list(zip(ends[::2], ends[1::2], strict=True))


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
