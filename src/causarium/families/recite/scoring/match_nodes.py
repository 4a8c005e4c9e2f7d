"""The judge without a key: which nodes of an answer are which of the document's, found by rule.

It is approximate, and strict: it knows names, the document's list of other names and the words they
share, so it takes no paraphrase that nobody wrote down. How far it agrees with documents whose
aliases are known is measured in `match_agreement.py`. What follows from a matching is said in
`rule_judge.py`.

Each node of an answer is taken for at most one true node and each true node for at most one of the
answer's: naming a thing twice in two ways earns once.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from causarium.families.recite.mechanics.named_graphs import CausalGraph, graph_of

Nearness = Literal["same", "broader", "narrower", "near"]
"""What a node of an answer is to a true one: the same, less or more particular, or like it."""

Similarity = Callable[[Sequence[str], Sequence[str]], Sequence[Sequence[float]]]
"""How alike each of some names is to each of some others; 1 is the same."""

LEAST_SHARED = 0.5
"""Names that share this part of their words are like each other."""
LEAST_ALIKE = 0.55
"""Names that a `Similarity` puts at least this close are like each other."""
_MOST_WORDS = 30
_MOST_NEAR = 8
"""So many true nodes come into question for one of an answer's."""
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
        found = known.get(name, known.get(words) if words else None)
        if found is not None and found not in gone:
            taken[name] = Match(found, "same")
            gone.add(found)


@dataclass(frozen=True, slots=True)
class _Pair:
    closeness: float
    name: str
    match: Match


_NOT_NEAR = _Pair(0.0, "", Match("", "near"))


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
    """Return the pairs of names that share enough of their words.

    A word weighs the less the more true nodes use it: what several have in common does not tell
    them apart. A name that is equally close to two true nodes is close to neither.
    """
    known = _Words([(bare(name), t) for t in theirs for name in (t, *aliases.get(t, ()))])
    gone = {match.true for match in taken.values()}
    pairs: list[_Pair] = []
    for name in ours:
        if name not in taken:
            near = _clearest(known.near(name))
            pairs += [pair for pair in near if pair.match.true not in gone]
    return pairs


class _Words:
    """The words of the true nodes, and which of their names have them."""

    def __init__(self, called: Sequence[tuple[frozenset[str], str]]) -> None:
        self.called = called
        self.holders: dict[str, list[int]] = {}
        for place, (words, _) in enumerate(called):
            for word in words:
                self.holders.setdefault(word, []).append(place)
        self.weights = {
            word: 1 / len({called[place][1] for place in places})
            for word, places in self.holders.items()
        }
        self.heavy = [sum(self.weights[word] for word in sorted(words)) for words, _ in called]

    def near(self, name: str) -> list[_Pair]:
        """Return the true nodes that a name shares enough words with, each once."""
        words = bare(name)
        own = sum(self.weights.get(word, 1.0) for word in sorted(words))
        near: dict[str, _Pair] = {}
        for place, both in self._shared(words, own).items():
            closeness = round(both / (own + self.heavy[place] - both), 9)
            other, true = self.called[place]
            if closeness >= LEAST_SHARED and closeness > near.get(true, _NOT_NEAR).closeness:
                near[true] = _Pair(closeness, name, Match(true, _nearness(words, other)))
        return list(near.values())

    def _shared(self, words: frozenset[str], own: float) -> dict[int, float]:
        """Return the weight of shared words by place, wherever it can be enough."""
        least = own * LEAST_SHARED / (1 + LEAST_SHARED) - 1e-9
        shared: dict[int, float] = {}
        rest = own
        for word in sorted(words, key=lambda word: (-self.weights.get(word, 1.0), word)):
            weight = self.weights.get(word, 1.0)
            # What only has the words that are left, light ones all, cannot be near any more.
            fresh = rest >= least
            for place in self.holders.get(word, ()) if fresh else list(shared):
                if fresh or word in self.called[place][0]:
                    shared[place] = shared.get(place, 0.0) + weight
            rest -= weight
        return shared


def _clearest(near: Iterable[_Pair]) -> list[_Pair]:
    """Return the closest few, and none where the closest are two."""
    ranked = sorted(near, key=lambda pair: (-pair.closeness, pair.match.true))
    if len(ranked) > 1 and ranked[0].closeness == ranked[1].closeness:
        return []
    return ranked[:_MOST_NEAR]


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
    given = {match.true for match in matching.values()}

    def called(name: str) -> str:
        if name in matching:
            return matching[name].true
        # It may bear the name of a true node that another node was taken for.
        return f"{name} (unmatched)" if name in given else name

    return graph_of([(called(a), called(b)) for a, b in graph.edges], map(called, graph.nodes))
