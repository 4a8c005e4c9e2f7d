"""Who reads ReCITE documents without a model.

Where no names are given, nodes are the phrases that a text uses most, as many as the task says. The
published random baseline knows the true nodes and how many edges there are; ours by that name is
`random_counts`, and `random` knows what an agent is told.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import permutations
from random import Random

from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from causarium.families.recite.actions import MOST_EDGES, Relationship, Submit
from causarium.families.recite.evidence.read_document import Reading, read_document
from causarium.families.recite.instance import ReciteInstance, RecitePublic, ReciteSecret
from causarium.families.recite.strategies.cue_reading import edges_by_cues
from causarium.families.recite.strategies.mentions import Finder, connectives, finder, phrases
from causarium.families.recite.strategies.prose_reading import edges_in_prose
from causarium.players.silent import SILENT
from causarium.scoring.graph_scores import Edge

USUAL_NODES = 25
"""How many nodes a graph has where nobody says so: about the published mean."""
EDGES_A_NODE = 1.5
"""How many edges a graph has for each node: about the published mean."""


def _names_of(public: RecitePublic) -> tuple[str, ...]:
    if public.names is not None:
        return public.names
    return _finder(public).names


def _finder(public: RecitePublic) -> Finder:
    return finder(public.text, public.names, public.n_nodes or USUAL_NODES)


def _usual_edges(nodes: int) -> int:
    return round(EDGES_A_NODE * nodes)


def draw_no_edges(public: RecitePublic, rng: Random) -> Iterable[Edge]:
    """Draw no edge at all."""
    del public, rng
    return ()


def draw_all_edges(public: RecitePublic, _rng: Random) -> Iterable[Edge]:
    """Draw an edge from every node to every other."""
    return list(permutations(_names_of(public), 2))[:MOST_EDGES]


def random_edges(public: RecitePublic, rng: Random) -> Iterable[Edge]:
    """Draw random edges, about as many as graphs of this size have."""
    names = _names_of(public)
    return _draw_edges(names, _usual_edges(len(names)), rng)


def _draw_edges(names: Sequence[str], count: int, rng: Random) -> list[Edge]:
    every = list(permutations(names, 2))
    return rng.sample(every, min(count, len(every)))


def co_mention(public: RecitePublic, _rng: Random) -> Iterable[Edge]:
    """Join what is mentioned in one sentence, first to second, the most frequent pairs first."""
    found = _finder(public)
    pairs: Counter[Edge] = Counter()
    for sentence in found.sentences:
        named = list(dict.fromkeys(m.name for m in found.mentions(sentence)))
        pairs.update((a, b) for place, a in enumerate(named) for b in named[place + 1 :])
    ranked = sorted(pairs, key=lambda pair: (-pairs[pair], pair))
    return ranked[: _usual_edges(len(found.names))]


def connective(public: RecitePublic, _rng: Random) -> Iterable[Edge]:
    """Join what stands on both sides of a causal word, in the direction that the word gives.

    Where no names are given, any phrase will do, and the pairs of the commonest ones are kept.
    """
    found = _finder(public)
    edges: Counter[Edge] = Counter()
    for sentence in found.sentences:
        words = connectives(sentence)
        mentions = found.mentions(sentence) if public.names else list(phrases(sentence))
        for word in words if mentions else ():
            left = [m for m in mentions if m.end <= word.start]
            right = [m for m in mentions if m.start >= word.end]
            if left and right and left[-1].name != right[0].name:
                pair = (left[-1].name, right[0].name)
                edges[(pair[1], pair[0]) if word.backward else pair] += 1
    if public.names:
        return edges
    common = Counter(name for edge in edges for name in edge)
    ranked = sorted(edges, key=lambda edge: (-common[edge[0]] - common[edge[1]], edge))
    return ranked[: _usual_edges(len(found.names))]


def cues(public: RecitePublic, _rng: Random) -> Iterable[Edge]:
    """Read by causal words, naming words and negations, without any wording of ours."""
    return edges_by_cues(public.text, _names_of(public))


def prose(public: RecitePublic, _rng: Random) -> Iterable[Edge]:
    """Read sentences by causal words and their direction, as many edges as graphs usually have."""
    names = _names_of(public)
    return edges_in_prose(public.text, names, _usual_edges(len(names)))


@lru_cache(maxsize=64)
def _reading(text: str) -> Reading:
    return read_document(text)


def believe_all_sources(public: RecitePublic, rng: Random) -> Iterable[Edge]:
    """Read a made document and believe every source; read others as prose."""
    reading = _reading(public.text)
    return sorted(reading.edges(gullible=True)) if reading.statements else prose(public, rng)


def reader(public: RecitePublic, rng: Random) -> Iterable[Edge]:
    """Read a made document, believing whom it says to believe; read others as prose."""
    reading = _reading(public.text)
    return sorted(reading.edges()) if reading.statements else prose(public, rng)


def submit(edges: Iterable[Edge], names: Sequence[str] | None) -> Submit:
    """Return edges between names as they are handed in: as ids where names were given."""
    ids = {name: place for place, name in enumerate(names, 1)} if names is not None else {}
    return Submit(
        relationships=tuple(
            Relationship.model_construct(source=ids.get(a, a), sink=ids.get(b, b)) for a, b in edges
        )
    )


def _player(
    about: str, edges: Callable[[RecitePublic, Random], Iterable[Edge]], *, blind: bool = False
) -> Player[RecitePublic, ReciteSecret]:
    def make_moves(public: RecitePublic, _rules: Rules, rng: Random) -> Moves:
        yield submit(edges(public, rng), public.names)

    return Player(about=about, moves=make_moves, ignores_input=blind)


def _oracle_plan(instance: ReciteInstance, _rules: Rules, _rng: Random) -> Moves:
    yield submit(instance.secret.pairs, instance.public.names)


def _backwards_plan(instance: ReciteInstance, _rules: Rules, _rng: Random) -> Moves:
    yield submit([(b, a) for a, b in instance.secret.pairs], instance.public.names)


def _counts_plan(instance: ReciteInstance, _rules: Rules, rng: Random) -> Moves:
    secret = instance.secret
    yield submit(_draw_edges(secret.linked, len(secret.edges), rng), instance.public.names)


PLAYERS: dict[str, Player[RecitePublic, ReciteSecret]] = {
    "oracle": Player(about="Hands in the document's own graph.", moves_from_truth=_oracle_plan),
    "reader": _player(
        "Holds every wording of made documents and reads them; reads others like `prose`.", reader
    ),
    "gullible": _player("Reads like `reader` and believes every source.", believe_all_sources),
    "prose": _player("Reads sentences by causal words and their direction, in any text.", prose),
    "cues": _player("Reads by causal words, naming words and negations.", cues),
    "connectives": _player("Joins what stands on both sides of a causal word.", connective),
    "co_mention": _player("Joins what is most often mentioned in one sentence.", co_mention),
    "complete": _player("Joins every node with every other.", draw_all_edges, blind=True),
    "random": _player("Joins nodes at random.", random_edges, blind=True),
    "random_counts": Player(
        about="Knows the true nodes and how many edges there are, and joins them at random.",
        moves_from_truth=_counts_plan,
    ),
    "backwards": Player(
        about="Hands in the document's own graph with every arrow turned round.",
        moves_from_truth=_backwards_plan,
    ),
    "empty": _player("Hands in a graph without edges.", draw_no_edges, blind=True),
    "silent": SILENT,
}
"""All players, by name."""

BASELINES = ("random_counts", "prose", "cues", "co_mention", "random", "complete", "empty")
"""Whose scores belong beside those of any model: what no reading earns."""
