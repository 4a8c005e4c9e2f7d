"""Who reads ReCITE documents without a model.

Where no names are given, nodes are the phrases that a text uses most, as many as the task says. The
published random baseline knows the true nodes and how many edges there are; ours by that name is
`random_counts`, and `random` knows what an agent knows.

Nothing here knows grammar. A phrase is a run of words without function words, common verbs or
marks; where names are given, mentions of these are looked for instead.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from random import Random

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from causarium.scoring.graph_scores import Edge
from ..model.graphs import MOST_EDGES, submit
from ..model.instance import ReciteInstance, RecitePublic, ReciteSecret
from ..model.names import SENTENCE_END, strip_name
from .prose_reading import edges_in_prose

_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_LONGEST = 4
_STOP = frozenset((Path(__file__).parent / "function_words.txt").read_text("utf-8").split())


@dataclass(frozen=True, slots=True)
class Mention:
    """A node where a sentence speaks of it."""

    name: str
    start: int
    end: int


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, headings and list items among them."""
    return [part.strip(" #*-\t") for part in SENTENCE_END.split(text) if part.strip(" #*-\t")]


def phrases(sentence: str) -> Iterator[Mention]:
    """Yield runs of up to four telling words.

    Example:
        >>> [m.name for m in phrases("The price of fish depends on the catch of the small boats.")]
        ['price', 'fish', 'catch', 'small boats']
    """
    run: list[re.Match[str]] = []
    last = 0
    for word in _WORD.finditer(sentence):
        telling = word.group().lower() not in _STOP
        apart = sentence[last : word.start()].strip() != ""
        last = word.end()
        if run and (apart or not telling or len(run) == _LONGEST):
            yield _mention(run)
            run = []
        if telling:
            run.append(word)
    if run:
        yield _mention(run)


def _mention(run: Sequence[re.Match[str]]) -> Mention:
    name = " ".join(word.group().lower() for word in run)
    return Mention(name, run[0].start(), run[-1].end())


class Finder:
    """Finds mentions of nodes: of given names, or of the phrases that a text uses most.

    A given name is mentioned where a sentence has all its words, in any order and number.
    """

    def __init__(self, text: str, names: Sequence[str] | None, count: int) -> None:
        self.sentences = sentences(text)
        self.names = tuple(names) if names is not None else self._find_commonest_phrases(count)
        self._words = {name: strip_name(name) for name in self.names} if names is not None else None
        self._mentions: dict[str, tuple[Mention, ...]] = {}

    def _find_commonest_phrases(self, count: int) -> tuple[str, ...]:
        found = Counter(m.name for sentence in self.sentences for m in phrases(sentence))
        # Phrases of several words are rarer and more telling.
        ranked = sorted(found, key=lambda name: (-found[name] * len(name.split()), name))
        return tuple(sorted(ranked[:count]))

    def mentions(self, sentence: str) -> tuple[Mention, ...]:
        """Return the mentions in a sentence, in order."""
        if sentence not in self._mentions:
            self._mentions[sentence] = tuple(self._find_mentions(sentence))
        return self._mentions[sentence]

    def _find_mentions(self, sentence: str) -> list[Mention]:
        if self._words is None:
            names = set(self.names)
            return [mention for mention in phrases(sentence) if mention.name in names]
        at: dict[str, re.Match[str]] = {}
        for word in _WORD.finditer(sentence):
            for plain in strip_name(word.group()):
                at.setdefault(plain, word)
        found = [
            Mention(name, min(at[w].start() for w in words), max(at[w].end() for w in words))
            for name, words in self._words.items()
            if words and words <= at.keys()
        ]
        return sorted(found, key=lambda mention: (mention.start, mention.end))


@lru_cache(maxsize=64)  # 11 ms each, a tenth of playing otherwise
def finder(text: str, names: tuple[str, ...] | None, count: int) -> Finder:
    """Return the finder for a text; one player after another looks for the same in a whole set."""
    return Finder(text, names, count)


USUAL_NODES = 25
"""How many nodes a graph has where nobody says so: about the published mean."""
EDGES_A_NODE = 1.5
"""How many edges a graph has for each node: about the published mean."""


def _names_of(public: RecitePublic) -> tuple[str, ...]:
    return public.names if public.names is not None else _finder(public).names


def _finder(public: RecitePublic) -> Finder:
    return finder(public.text, public.names, public.n_nodes or USUAL_NODES)


def _usual_edges(nodes: int) -> int:
    return round(EDGES_A_NODE * nodes)


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


def prose(public: RecitePublic, _rng: Random) -> Iterable[Edge]:
    """Read sentences by causal words and their direction, as many edges as graphs usually have."""
    names = _names_of(public)
    return edges_in_prose(public.text, names, _usual_edges(len(names)))


def _player(
    about: str, edges: Callable[[RecitePublic, Random], Iterable[Edge]], *, blind: bool = False
) -> Player[RecitePublic, ReciteSecret]:
    def make_moves(public: RecitePublic, _rules: Rules, rng: Random) -> Moves:
        yield submit(edges(public, rng), public.names)

    return Player(about=about, moves=make_moves, ignores_input=blind)


def _oracle_plan(instance: ReciteInstance, _rules: Rules, _rng: Random) -> Moves:
    yield submit(instance.secret.pairs, instance.public.names)


def _counts_plan(instance: ReciteInstance, _rules: Rules, rng: Random) -> Moves:
    secret = instance.secret
    yield submit(_draw_edges(secret.linked, len(secret.edges), rng), instance.public.names)


PLAYERS: dict[str, Player[RecitePublic, ReciteSecret]] = {
    "oracle": Player(about="Hands in the document's own graph.", moves_from_truth=_oracle_plan),
    "prose": _player("Reads sentences by causal words and their direction, in any text.", prose),
    "co_mention": _player("Joins what is most often mentioned in one sentence.", co_mention),
    "complete": _player("Joins every node with every other.", draw_all_edges, blind=True),
    "random": _player("Joins nodes at random.", random_edges, blind=True),
    "random_counts": Player(
        about="Knows the true nodes and how many edges there are, and joins them at random.",
        moves_from_truth=_counts_plan,
    ),
    "empty": _player("Hands in a graph without edges.", lambda *_: (), blind=True),
    "silent": SILENT,
}
"""All players, by name."""

BASELINES = ("prose", "co_mention", "complete", "empty")
"""Players with scores that belong beside those of any model: what no reading earns."""
