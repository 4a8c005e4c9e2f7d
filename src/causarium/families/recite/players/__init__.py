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
from itertools import combinations, permutations
from pathlib import Path
from random import Random

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from causarium.scoring.graph_scores import Edge
from ..generation.generate import find_documents, read_shelf
from ..generation.slot_documents import Slot, SlotDocument
from ..model.graphs import MOST_EDGES, submit
from ..model.instance import ReciteInstance, RecitePublic, ReciteSecret
from ..model.name_places import SENTENCE_END, strip_name
from .passage_attacks import compare_texts, judge_by_figures
from .prose_reading import edges_in_prose
from .recorded_answers import read_blind_readings, recorded_edges
from .tone_of_passages import list_version_pairs, sounds_sure, train_tone

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


def names_only(public: RecitePublic, _rng: Random) -> Iterable[Edge]:
    """Hand in what was answered to title and names alone."""
    return recorded_edges(public.title, public.names or ())


def names_in_place(public: RecitePublic, rng: Random) -> Iterable[Edge]:
    """Hand in what was answered by names alone, where some sentence names both."""
    sentences = _sentences_of_pairs(public)
    return [edge for edge in names_only(public, rng) if frozenset(edge) in sentences]


def less_negated(public: RecitePublic, rng: Random) -> Iterable[Edge]:
    """Hand in what was answered by names alone, less what stands beside words of doubt."""
    sentences = _sentences_of_pairs(public)
    return [
        edge
        for edge in names_only(public, rng)
        if all(sounds_sure(one) for one in sentences.get(frozenset(edge), ()))
    ]


def tone(public: RecitePublic, rng: Random) -> Iterable[Edge]:
    """Hand in the pairs of a sentence, and those by names alone, that sound as if they were told.

    What telling sounds like is learned from the slots of all documents but this one.
    """
    shelf = [one for one in read_shelf() if one.title not in public.title]
    believes = train_tone(pair for one in shelf for pair in list_version_pairs(one))
    sentences = _sentences_of_pairs(public)
    taken: dict[Edge, None] = {}
    for edge in (*names_only(public, rng), *co_mention(public, rng)):
        told = any(believes(one) for one in sentences.get(frozenset(edge), ()))
        if told and edge[::-1] not in taken:
            taken[edge] = None
    return taken


def _sentences_of_pairs(public: RecitePublic) -> dict[frozenset[str], list[str]]:
    """Return the sentences that name both of two listed names, by the two."""
    found = _finder(public)
    pairs: dict[frozenset[str], list[str]] = {}
    for sentence in found.sentences:
        names = sorted({mention.name for mention in found.mentions(sentence)})
        for pair in combinations(names, 2):
            pairs.setdefault(frozenset(pair), []).append(sentence)
    return pairs


def holder(public: RecitePublic, _rng: Random) -> Iterable[Edge]:
    """Look up which version of each passage stands in the text, with our slot files in hand."""
    held = find_documents(public.title) if public.has_twin else read_shelf()
    return sorted({edge for one in held for edge in _look_up(one, public.text)})


def _look_up(document: SlotDocument, text: str) -> Iterator[Edge]:
    yield from ((a, b) for a, b, said in document.shared if said in text)
    for slot in document.slots.values():
        version = _find_version(slot, text)
        if version is not None:
            yield from (slot.tells_one, slot.tells_two)[version]


def _find_version(slot: Slot, text: str) -> int | None:
    near, far, parity = (
        [versions[0] in text, versions[1] in text].index(True)
        if versions is not None and any(version in text for version in versions)
        else None
        for versions in (slot.near, slot.far, slot.parity)
    )
    if near is not None or slot.parity is None:
        return far if near is None else near
    return None if far is None or parity is None else far ^ parity


def careful(public: RecitePublic, _rng: Random) -> Iterable[Edge]:
    """Hand in what the first blind reader of each passage took it to tell.

    A passage that nobody has read in this version tells nothing.
    """
    held = find_documents(public.title) if public.has_twin else ()
    taken = {edge for one in held for edge in _recall_readings(one, public.text)}
    return sorted(edge for edge in taken if {*edge} <= {*_names_of(public)})


def _recall_readings(document: SlotDocument, text: str) -> Iterator[Edge]:
    said = {(a, b): sentence for a, b, sentence in document.shared}
    decided = {
        key: {way for edge in slot.differing for way in (edge, edge[::-1])} - {*said}
        for key, slot in document.slots.items()
    }
    versions = {key: _find_version(slot, text) for key, slot in document.slots.items()}
    rest, unread = frozenset[Edge]().union(*decided.values()), {*decided, ""}
    for draw, _, edges in read_blind_readings(document):
        if "" in unread:
            yield from (edge for edge in edges - rest if said.get(edge, "") in text)
        read = {key for key in draw.choices if draw.choices[key].version == versions[key]}
        read = {key for key in read & unread if draw.passages(key)[0] in text}
        yield from (edge for key in read for edge in edges & decided[key])
        unread -= {"", *read}


def _player(
    about: str, edges: Callable[[RecitePublic, Random], Iterable[Edge]], *, blind: bool = False
) -> Player[RecitePublic, ReciteSecret]:
    def make_moves(public: RecitePublic, _rules: Rules, rng: Random) -> Moves:
        yield submit(edges(public, rng), public.names)

    return Player(about=about, moves=make_moves, ignores_input=blind)


def _oracle_plan(instance: ReciteInstance, _rules: Rules, _rng: Random) -> Moves:
    yield submit(instance.secret.pairs, instance.public.names)


def _beside_plan(instance: ReciteInstance, _rules: Rules, _rng: Random) -> Moves:
    """Read near passages right, and believe whatever a sentence says that names a far pair."""
    secret, twin = instance.secret, instance.secret.twin
    if twin is None:
        yield submit(secret.pairs, instance.public.names)
        return
    far = [slot for slot in twin.scored if slot.kind != "near"]
    decided = {edge for slot in far for edge in (*slot.told, *slot.twin_told)}
    claimed = {e for s in far for e in max(s.told, s.twin_told, key=lambda t: (len(t), t))}
    read = {(edge.source, edge.sink) for edge in secret.edges} - decided
    yield submit(sorted(secret.name_edges(read | claimed)), instance.public.names)


def _counts_plan(instance: ReciteInstance, _rules: Rules, rng: Random) -> Moves:
    secret = instance.secret
    yield submit(_draw_edges(secret.linked, len(secret.edges), rng), instance.public.names)


PLAYERS: dict[str, Player[RecitePublic, ReciteSecret]] = {
    "oracle": Player(about="Hands in the document's own graph.", moves_from_truth=_oracle_plan),
    "holder": _player(
        "Holds our slot files and looks up which version of each passage stands in the text.",
        holder,
    ),
    "careful": _player("Hands in what a blind reader took each passage to tell.", careful),
    "beside": Player(
        about="Reads near passages right and believes what is said beside a far pair.",
        moves_from_truth=_beside_plan,
    ),
    "prose": _player("Reads sentences by causal words and their direction, in any text.", prose),
    "tone": _player("Takes pairs if their sentences sound as if they state them.", tone),
    "figures": _player("Takes pairs by figures that differ or repeat.", judge_by_figures),
    "compares": _player(
        "Has seen other draws of the text, and believes the surer version of each passage.",
        compare_texts,
    ),
    "less_negated": _player("Takes `names_only` less what stands beside doubt.", less_negated),
    "names_in_place": _player("Takes `names_only` where a sentence names both.", names_in_place),
    "names_only": _player(
        "Hands in what was answered to title and names alone, without the text.", names_only
    ),
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

BASELINES = ("names_only", "less_negated", "tone", "prose", "co_mention", "complete", "empty")
"""Players with scores that belong beside those of any model: what no reading earns."""
