"""Attacks on passages that decide pairs which they do not name, without reading what they say.

Each starts from the answer to title and names alone, finds for a passage the pair that it may be
about, and takes the pair or drops it by a mark of the passage: figures that repeat, or wording that
sounds surer than what earlier texts have in the same place.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise, permutations
from random import Random
from typing import NamedTuple

import numpy as np

from causarium.scoring.graph_scores import Edge
from ..generation.generate import find_documents, read_shelf
from ..generation.slot_documents import FORMS, bind_volume, draw_twins, list_pages
from ..model.instance import RecitePublic
from .recorded_answers import recorded_edges
from .tone_of_passages import list_version_pairs, weigh_figures

EARLIER_TEXTS = 8
"""So many texts of a document, or of some sections of it, an agent has seen before."""
_APART = 3
"""A passage that decides from afar stands more paragraphs than these behind its pair."""
_MOST_NAMES = 3
"""A passage that names more says nothing of any one pair."""
_LEAST_SEEN, _FIGURE_WEIGHT, _STEPS, _RATE, _SHRINK = 4, 5, 300, 0.04, 1.5
"""How wording is learned: which marks are kept, what figures weigh, and the fit."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"[a-z]+")


class _Passage(NamedTuple):
    names: tuple[str, ...]
    text: str
    paragraph: int


def judge_by_figures(public: RecitePublic, _rng: Random) -> Iterable[Edge]:
    """Take pairs beside figures that differ, and drop those beside a figure that stands twice."""
    passages = list(_split_passages(public))
    taken = dict.fromkeys(recorded_edges(public.title, public.names or ()))
    for passage in passages:
        sign = weigh_figures(passage.text)
        if sign:
            _move(taken, _find_pair(passage, passages), sign)
    return taken


def compare_texts(public: RecitePublic, _rng: Random) -> Iterable[Edge]:
    """Find both versions of a passage in texts seen before, and believe the surer one."""
    own = _split_text(public.text)
    seen = [own, *(one for one in _earlier_texts(public.title) if len(one) == len(own))]
    passages = list(_split_passages(public))
    taken = dict.fromkeys(recorded_edges(public.title, public.names or ()))
    for place, sentences in enumerate(own):
        where: dict[str, tuple[bool, ...]] = {}
        for sentence in dict.fromkeys(s for text in seen for s in text[place]):
            where[sentence] = tuple(sentence in text[place] for text in seen)
        for drawn in dict.fromkeys(where[s] for s in sentences if not all(where[s])):
            run = [s for s in sentences if where[s] == drawn]
            other = [s for s in where if all(a != b for a, b in zip(where[s], drawn, strict=True))]
            names = _names_around(public, sentences, run)
            passage = _Passage(names, " ".join(run), place)
            surer = _weigh_words(" ".join(run)) - _weigh_words(" ".join(other))
            _move(taken, _find_pair(passage, passages), 1 if surer > 0 else -1)
    return taken


def _names_around(
    public: RecitePublic, sentences: Sequence[str], run: Sequence[str]
) -> tuple[str, ...]:
    """Return the names of a run of sentences; where that is one, with those shortly before it."""
    first = sentences.index(run[0])
    before = sentences[max(first - _APART, 0) : first]
    names: dict[str, None] = {}
    for sentence in (*run, *reversed(before)):
        names |= dict.fromkeys(_names_in(public, sentence))
        if len(names) > 1:
            break
    return tuple(sorted(names))


@lru_cache(maxsize=4)  # A set goes through its documents one after the other.
def _earlier_texts(title: str) -> tuple[tuple[tuple[str, ...], ...], ...]:
    documents = find_documents(title)
    if not documents:
        return ()
    whole = documents[0] if len(documents) == 1 else bind_volume(documents, title)
    drawn = [(whole, form) for form in FORMS if form == "near" or "far" in whole.levels]
    if len(documents) == 1:
        drawn += [(whole.part(*page), "near") for page in list_pages(whole)]
    texts = []
    for document, form in drawn:
        rng = Random(f"earlier {document.key} {form}")
        texts += [draw_twins(document, form, rng).render() for _ in range(EARLIER_TEXTS)]
    return tuple(map(_split_text, texts))


def _weigh_words(text: str) -> float:
    odds = _learn_odds()
    return sum(odds.get(mark, 0.0) for mark in sorted(_list_marks(text)))


@cache  # a fit, and every pair asks
def _learn_odds() -> dict[str, float]:
    """Learn from the documents for training what the version that tells a pair has more of."""
    pairs = [
        (_list_marks(pair.told), _list_marks(pair.denied))
        for one in read_shelf()
        if one.split == "train"
        for pair in list_version_pairs(one)
    ]
    counted = Counter(mark for pair in pairs for marks in pair for mark in marks)
    kept = sorted(mark for mark, count in counted.items() if count >= _LEAST_SEEN)
    rows = [[((m in told) - (m in denied)) / 2 for m in kept] for told, denied in pairs]
    differences, weights = np.array(rows), np.zeros(len(kept))
    for _ in range(_STEPS):
        missed = 1 / (1 + np.exp(differences @ weights))
        weights += _RATE * (differences.T @ missed - _SHRINK * weights)
    return dict(zip(kept, weights.tolist(), strict=True))


def _list_marks(text: str) -> frozenset[str]:
    """Return the words of a text, its pairs of words, and what its figures do."""
    words = _WORD.findall(text.lower())
    sign = weigh_figures(text)
    figures = [f"figures {sign} {number}" for number in range(_FIGURE_WEIGHT if sign else 0)]
    return frozenset([*words, *(f"{a} {b}" for a, b in pairwise(words)), *figures])


def _split_text(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(_SENTENCE.split(one)) for one in text.split("\n") if one.strip())


def _split_passages(public: RecitePublic) -> Iterator[_Passage]:
    """Yield each sentence that names a pair with what follows it in its paragraph."""
    for place, sentences in enumerate(_split_text(public.text)):
        names, text = _names_in(public, sentences[0]), sentences[0]
        for sentence in sentences[1:]:
            here = _names_in(public, sentence)
            if len(here) > 1:
                yield _Passage(names, text, place)
                names, text = here, sentence
            else:
                text = f"{text} {sentence}"
        yield _Passage(names, text, place)


def _names_in(public: RecitePublic, sentence: str) -> tuple[str, ...]:
    """Return the listed names in a sentence, by name or by another word for it."""
    finders = [one.finder for one in find_documents(public.title)]
    listed = set(public.names or ())
    return tuple(sorted({name for one in finders for name in one.nodes_in(sentence)} & listed))


def _find_pair(passage: _Passage, passages: Sequence[_Passage]) -> tuple[str, ...]:
    """Return the names of a passage, or those of the earlier one with most rare words of it."""
    if len(passage.names) > 1:
        return passage.names if len(passage.names) <= _MOST_NAMES else ()
    common = Counter(word for one in passages for word in set(_WORD.findall(one.text.lower())))
    words = set(_WORD.findall(passage.text.lower()))
    earlier = [
        one
        for one in passages
        if len(one.names) == 2 and one.paragraph < passage.paragraph - _APART
    ]

    def nearness(one: _Passage) -> float:
        held = set(_WORD.findall(one.text.lower()))
        rare = sum(math.log(len(passages) / common[word]) for word in sorted(words & held))
        return rare / math.sqrt(len(held) or 1)

    return max(earlier, key=nearness).names if earlier else ()


def _move(taken: dict[Edge, None], names: Sequence[str], sign: int) -> None:
    """Take both arrows between names, or drop them."""
    for pair in permutations(names, 2):
        if sign > 0:
            taken[pair] = None
        else:
            taken.pop(pair, None)
