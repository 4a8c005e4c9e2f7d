"""The rule judge: which nodes of an answer are which of the document's, found by rule.

It is approximate, and strict: it knows names, the document's list of other names and the words they
share, so it takes no paraphrase that nobody wrote down; with an encoder it takes some
(`causarium_recite_lab.encoder`). How far it agrees with documents with known aliases is measured by
`causarium recite trust`. What follows from a matching is said in `rule_judge.py`.

Each name is judged alone, against the document's names: what else the answer says changes nothing,
so that a right edge never costs another its node. Two names may be the same node, and an edge that
is said twice in other words is one edge.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ..model.graphs import CausalGraph, graph_of
from ..model.names import strip_name

_LACKS = """
    absence absent decline declining decrease decreasing diminished drop falling few
    insufficient lack lacking less limited little loss low minimal missing neglect no non none
    not nothing poor reduced reduction scarce scarcity short shortage without zero
"""
LACKING = frozenset(_LACKS.split())
"""Words that say that there is little of a thing, or none."""
_PREFIXES = ("un", "in", "im", "ir", "dis", "mis", "non", "de")
_SUFFIX = "less"
_ENDINGS = (
    *("ation", "ness", "ment", "ence", "ance", "ing", "ity", "ion", "ed", "ly", "al", "y", "e"),
)
_LEAST_ROOT = 4
_PAIRS = """
    more/fewer high/low rise/fall rising/falling growth/decline increase/decrease gain/loss
    profit/loss good/bad strong/weak strength/weakness long/short late/early fast/slow
    speed/slowness quick/slow warm/cold hot/cold heat/cold dry/wet damp/dry full/empty
    vacant/occupied vacancy/occupancy occupied/free open/closed opening/closing clean/dirty
    clean/polluted new/old young/old large/small big/small size/smallness wide/narrow
    widening/narrowing heavy/light heavier/lighter cheap/expensive success/failure
    passed/failed won/lost present/absent presence/absence attendance/absence
    support/opposition trust/doubt trust/suspicion confidence/doubt confidence/fear
    agreement/conflict cooperation/conflict import/export day/night leaving/staying stay/leave
    in/out surplus/shortage abundance/scarcity saving/waste paid/unpaid accepted/refused
    allowed/forbidden prompt/delayed healthy/sick health/illness fresh/tired right/wrong
    correct/wrong true/false light/dark light/darkness rain/drought upkeep/neglect
    knowledge/ignorance safe/dangerous safety/danger survival/death success/defeat
    expansion/contraction loose/tight stable/unstable order/disorder peace/war with/without
"""
_OPPOSITE = {frozenset(pair.split("/")) for pair in _PAIRS.split()}
_WORD = re.compile(r"[a-z]+")


def are_opposites(name: str, form: str) -> bool:
    """Say whether one of two names is the other turned round.

    Example:
        >>> are_opposites("lack of trust", "trust"), are_opposites("public trust", "trust")
        (True, False)
        >>> are_opposites("distrust of the council", "trust in the council")
        True
    """
    left, right = find_words(name), find_words(form)
    turns = sum(word in LACKING for word in left ^ right)
    turns += sum(_is_turned(a, b) for a in left - right for b in right - left)
    return turns % 2 != 0


def _is_turned(one: str, other: str) -> bool:
    if frozenset((one, other)) in _OPPOSITE:
        # A word of lack that is also one of a pair is counted once.
        return not ({one, other} & LACKING)
    return is_undone(one, find_root(other)) or is_undone(other, find_root(one))


def is_undone(word: str, root: str) -> bool:
    """Say whether a word is a root with a prefix that turns it round, or with `-less` behind it."""
    if len(root) < _LEAST_ROOT or root not in word:
        return False
    if word.startswith(root):
        return _SUFFIX in word[len(root) :] and not root.endswith(_SUFFIX)
    return any(word.startswith(prefix + root) for prefix in _PREFIXES)


def find_words(name: str) -> set[str]:
    """Return the words of a name, without case and number."""
    return {_make_singular(word) for word in _WORD.findall(name.casefold()[:500])}


def _make_singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def find_root(word: str) -> str:
    """Return a word without its ending, so that `heating` is in `unheated`."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_ROOT:
            return word[: -len(ending)]
    return word


Nearness = Literal["same", "broader", "narrower", "near"]
"""What a node of an answer is to a true one: the same, less or more particular, or like it."""

LEAST_SHARED = 0.5
"""Names that share this part of their words are like each other."""
LEAST_LEAD = 0.1
"""A name is near a node only if it is nearer to it than to the next one by this much."""


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


class NameJudge(Protocol):
    """Says of names that are no known word for a node which node they mean."""

    def pick(
        self, names: Sequence[str], nodes: Mapping[str, Sequence[str]]
    ) -> Mapping[str, str | None]:
        """Return the node of each name, or None; `nodes` has every word for each node."""


def match_nodes(
    proposed: Iterable[str],
    true: Iterable[str],
    aliases: Mapping[str, Sequence[str]],
    judge: NameJudge | None = None,
) -> dict[str, Match]:
    """Say which nodes of an answer are which true ones, each name for itself.

    Args:
        proposed: The names in the answer.
        true: The names of the document.
        aliases: Other words for a name.
        judge: Who decides on names that are no known word for a node; by default shared words.

    Example:
        >>> match_nodes(["the levels of fish stock"], ["Fish stocks"], {})
        {'the levels of fish stock': Match(true='Fish stocks', nearness='same')}
    """
    names = list(dict.fromkeys(true))
    nodes = {name: (name, *aliases.get(name, ())) for name in names}
    same = _index_words(nodes)
    matching: dict[str, Match] = {}
    others: list[str] = []
    for name in dict.fromkeys(proposed):
        node = name if name in nodes else same.get(strip_name(name))
        if node is None:
            others.append(name)
        else:
            matching[name] = Match(node, "same")
    if judge is not None:
        picked = judge.pick(others, nodes)
        matching |= {n: Match(node, "near") for n, node in picked.items() if node is not None}
        return matching
    words = _Words(
        [(form, strip_name(form), node) for node, forms in nodes.items() for form in forms]
    )
    for name in others:
        near = words.find_nearest(name)
        if near is not None:
            matching[name] = near
    return matching


def _index_words(nodes: Mapping[str, Sequence[str]]) -> dict[frozenset[str], str]:
    """Return the node that each set of words stands for; a name goes before an alias."""
    index: dict[frozenset[str], str] = {}
    for place in ("names", "aliases"):
        for node, forms in nodes.items():
            for form in forms[:1] if place == "names" else forms[1:]:
                if strip_name(form):
                    index.setdefault(strip_name(form), node)
    return index


@dataclass(frozen=True, slots=True)
class _Near:
    closeness: float
    form: str
    match: Match


class _Words:
    """The words of the true nodes, and which of their names have them.

    A word weighs the less the more true nodes use it: what several have in common does not tell
    them apart.
    """

    def __init__(self, forms: Sequence[tuple[str, frozenset[str], str]]) -> None:
        self.forms = forms
        self.holders: dict[str, list[int]] = {}
        for place, (_, words, _) in enumerate(forms):
            for word in words:
                self.holders.setdefault(word, []).append(place)
        self.weights = {
            word: 1 / len({forms[place][2] for place in places})
            for word, places in self.holders.items()
        }
        self.heavy = [sum(self.weights[word] for word in sorted(words)) for _, words, _ in forms]

    def find_nearest(self, name: str) -> Match | None:
        """Return the node that a name clearly shares most words with, and is no opposite of."""
        words = strip_name(name)
        own = sum(self.weights.get(word, 1.0) for word in sorted(words))
        best: dict[str, _Near] = {}
        for place, both in self._weigh_shared_words(words, own).items():
            closeness = round(both / (own + self.heavy[place] - both), 9)
            form, other, node = self.forms[place]
            if node not in best or closeness > best[node].closeness:
                best[node] = _Near(closeness, form, Match(node, _nearness(words, other)))
        ranked = sorted(best.values(), key=lambda near: (-near.closeness, near.match.true))
        if not ranked or ranked[0].closeness < LEAST_SHARED:
            return None
        if len(ranked) > 1 and ranked[0].closeness - ranked[1].closeness < LEAST_LEAD:
            return None
        return None if are_opposites(name, ranked[0].form) else ranked[0].match

    def _weigh_shared_words(self, words: frozenset[str], own: float) -> dict[int, float]:
        """Return the weight of shared words by place, wherever it can be enough."""
        least = own * (LEAST_SHARED - LEAST_LEAD - 1e-9)
        shared: dict[int, float] = {}
        rest = own
        for word in sorted(words, key=lambda word: (-self.weights.get(word, 1.0), word)):
            weight = self.weights.get(word, 1.0)
            # What only has the words that are left, light ones all, cannot be near any more.
            fresh = rest >= least
            for place in self.holders.get(word, ()) if fresh else list(shared):
                if fresh or word in self.forms[place][1]:
                    shared[place] = shared.get(place, 0.0) + weight
            rest -= weight
        return shared


def _nearness(words: frozenset[str], other: frozenset[str]) -> Nearness:
    return "broader" if words < other else "narrower" if words > other else "near"


def rename_matched(graph: CausalGraph, matching: Matching) -> CausalGraph:
    """Return an answer's graph with the true names of its matched nodes."""

    def true_name(name: str) -> str:
        return matching[name].true if name in matching else name

    edges = [(true_name(a), true_name(b)) for a, b in graph.edges]
    return graph_of(edges, map(true_name, graph.nodes))
