"""Who plays ReCITE without a model: the reader by heart, the oracle, and programs.

A program sees what a reader sees. `nearest_words` also knows the texts for training, in which it
counts the words that stand behind a cause.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, permutations, product
from math import log
from random import Random

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from .generation.documents import list_documents
from .generation.find_names import NameFinder, split_sentences
from .generation.read_back import read_edges
from .model import Edge, ReciteInstance, RecitePublic, ReciteSecret, Submit

Chooser = Callable[[RecitePublic, Random], Collection[Edge]]
"""Chooses edges for a text; what no question asks for is left out of the answer."""

_NEGATION = re.compile(
    "no|not|never|nothing|nobody|none|neither|nor|without|hardly|unchanged|same|ever"
)
_CHANGE = re.compile(
    "halved|doubled|rose|fell|fewer|more|less|longer|shorter|higher|lower|thanks|because|stopped|"
    "cured|brought|makes|made|means|gives"
)
_LONG = 4_000
"""Texts with more letters are long documents."""
_BEHIND = 14
"""Number of words behind a name that are looked at."""


def know_by_heart(public: RecitePublic, _rng: Random) -> Collection[Edge]:
    """Find the document by its title and read the text's own passages and figures."""
    forms = ("choice", "line") if len(public.text) < _LONG else ("chain", "twin")
    for form, split in product(forms, ("test", "train")):
        for document in list_documents(form, split):
            if document.title == public.title:
                found = read_edges(document, public.text)
                if found is not None:
                    return found
    return ()


def link_at_random(public: RecitePublic, rng: Random) -> Collection[Edge]:
    """Take each edge that may be asked for with an even chance."""
    return [edge for edge in permutations(public.names, 2) if rng.random() < 0.5]


def link_in_list_order(public: RecitePublic, _rng: Random) -> Collection[Edge]:
    """Link every name to all names behind it in the list."""
    return list(combinations(public.names, 2))


def link_everything(public: RecitePublic, _rng: Random) -> Collection[Edge]:
    """Take every edge."""
    return list(permutations(public.names, 2))


def link_within_sentences(public: RecitePublic, _rng: Random) -> Collection[Edge]:
    """Link each name of a sentence to all later ones of it."""
    return {edge for edge, _ in _list_mentions(public)}


def drop_negated(public: RecitePublic, _rng: Random) -> Collection[Edge]:
    """Link names of a sentence in order where no negation stands behind the first one."""
    return {edge for edge, words in _list_mentions(public) if not _count(_NEGATION, words)}


def weigh_by_hand(public: RecitePublic, _rng: Random) -> Collection[Edge]:
    """Link names in order where more words of change than of denial stand behind the first."""
    weights = defaultdict[Edge, float](float)
    for edge, words in _list_mentions(public):
        weights[edge] += _count(_CHANGE, words) - _count(_NEGATION, words)
    return _choose(public, weights)


def weigh_by_training(public: RecitePublic, _rng: Random) -> Collection[Edge]:
    """Link names in order by the words behind the first one, as weighed in texts for training."""
    form = "choice" if public.questions else "line" if len(public.names) <= 8 else "twin"
    learned = _learn_words(form)
    weights = defaultdict[Edge, float](float)
    for edge, words in _list_mentions(public):
        weights[edge] += sum(learned.get(word, 0.0) for word in set(words))
    return _choose(public, weights)


def _count(pattern: re.Pattern[str], words: Iterable[str]) -> int:
    return sum(pattern.fullmatch(word) is not None for word in words)


def _choose(public: RecitePublic, weights: Mapping[Edge, float]) -> list[Edge]:
    """Return the edges of positive weight; of two that a question asks for, the heavier one."""
    names = public.names
    chosen = [edge for edge, weight in weights.items() if weight > 0]
    for question in public.questions:
        pair = [(names[a - 1], names[b - 1]) for a, b in (question.first, question.second)]
        chosen = [edge for edge in chosen if edge not in pair]
        chosen.append(max(pair, key=lambda edge: weights.get(edge, 0.0)))
    return chosen


def _list_mentions(public: RecitePublic) -> Iterator[tuple[Edge, list[str]]]:
    return list_mentions(NameFinder(dict.fromkeys(public.names, ())), public.text)


def list_mentions(finder: NameFinder, text: str) -> Iterator[tuple[Edge, list[str]]]:
    """Yield the pairs of names of each sentence, with the words behind the first of the two.

    Both orders are yielded: which name is the cause is not to be told from their order.
    """
    for sentence in split_sentences(text):
        places = [(found.start(), found.end()) for found in finder.find(sentence)]
        named = finder.list_names(sentence)
        starts = [*(start for start, _ in places[1:]), len(sentence)]
        behind = [
            re.findall(r"\w+", sentence[end:start])[:_BEHIND]
            for (_, end), start in zip(places, starts[: len(places)], strict=True)
        ]
        for (n, cause), effect in ((one, other) for one in enumerate(named) for other in named):
            if cause != effect:
                yield (cause, effect), [word.casefold() for word in behind[n]]


@lru_cache(maxsize=8)  # learning reads all texts of a form, and every game asks
def _learn_words(form: str) -> dict[str, float]:
    """Return the log odds of words behind a cause in the texts for training of a form."""
    told, denied = Counter[str](), Counter[str]()
    for document in list_documents(form, "train"):
        for slot in document.slots:
            for versions in slot.combinations:
                text = " ".join(one.render() for one in slot.passages(versions))
                for edge, words in list_mentions(document.finder, text):
                    if edge in slot.edges:
                        (told if edge in slot.key[versions] else denied).update({*words})
    every, more = {*told, *denied}, 0.5
    return {word: log((told[word] + more) / (denied[word] + more)) for word in every}


def _play(choose: Chooser) -> Player[RecitePublic, ReciteSecret]:
    def moves(public: RecitePublic, rules: Rules, rng: Random) -> Moves:  # noqa: ARG001
        yield _submit(public, choose(public, rng))

    return Player(about=str(choose.__doc__), moves=moves)


def _submit(public: RecitePublic, edges: Collection[Edge]) -> Submit:
    """Return some edges as an answer: letters where there are questions."""
    place = {name: n for n, name in enumerate(public.names, 1)}
    links = {(place[a], place[b]) for a, b in edges}
    if public.questions:
        return Submit(answers=tuple("a" if q.first in links else "b" for q in public.questions))
    return Submit(edges=tuple((str(a), str(b)) for a, b in sorted(links)))


def _tell_truth(instance: ReciteInstance, rules: Rules, rng: Random) -> Moves:  # noqa: ARG001
    yield _submit(instance.public, instance.secret.edges)


def _answer_a(public: RecitePublic, rules: Rules, rng: Random) -> Moves:  # noqa: ARG001
    """Answer a to every question; else nothing but the first edge of the list."""
    if public.questions:
        yield Submit(answers=("a",) * len(public.questions))
    else:
        yield Submit(edges=(("1", "2"),))


PLAYERS: dict[str, Player[RecitePublic, ReciteSecret]] = {
    "exact": _play(know_by_heart),
    "oracle": Player(about="Knows the graph.", moves_from_truth=_tell_truth),
    "random": _play(link_at_random),
    "always_a": Player(about="Answers a, or links the first name to the second.", moves=_answer_a),
    "list_order": _play(link_in_list_order),
    "everything": _play(link_everything),
    "sentences": _play(link_within_sentences),
    "less_negated": _play(drop_negated),
    "words_by_hand": _play(weigh_by_hand),
    "words_learned": _play(weigh_by_training),
    "silent": SILENT,
}
