"""Sentences, phrases and mentions: what players without a model make of a text.

Nothing here knows grammar. A phrase is a run of words without function words, common verbs or
marks; where names are given, mentions of these are looked for instead.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from causarium.families.recite.model.name_places import SENTENCE_END, strip_name

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
