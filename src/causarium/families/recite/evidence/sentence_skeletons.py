"""A sentence as its form alone: whatever may be spoken of stands as a mark for its kind.

The marks are found by the words of the lexicon: `§` is a node, a nickname or what stands for the
topic, `$` a source, `%` whoever stands between a cause and an effect.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from causarium.families.recite.catalogue.lexicon import lexicon, make_term
from causarium.families.recite.mechanics.wording import Wording

NODE, SOURCE, MEDIATOR = "§", "$", "%"
ANAPHOR = "the topic"
"""What a mention stands for that stands for the topic."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A sentence with marks, and what the marks stand for, in order."""

    form: str
    nodes: tuple[str, ...]
    """Names as they are listed, nicknames with their article, or `ANAPHOR`."""
    sources: tuple[str, ...]
    mediators: tuple[str, ...]


class Tokenizer:
    """Finds what a sentence speaks of."""

    def __init__(self, wordings: Sequence[Wording]) -> None:
        words = lexicon()
        halves = (words.test, words.dev)
        subjects = _match_any(s for area in words.areas for s in area.subjects)
        tails = _match_any(p.name.removeprefix("{s} ") for p in words.properties)
        heads = _match_any(o.removesuffix(" the {s}") for p in words.properties for o in p.others)
        nicknames = "|".join(
            f"{_match_any(half.nickname_adjectives)} {_match_any(half.nickname_nouns)}"
            for half in halves
        )
        people = "|".join(
            f"{_match_any(words.shared.mediator_adjectives)} {_match_any(half.trades)}"
            for half in halves
        )
        sources = "|".join(
            f"{_match_any(half.surnames)} {_match_any(half.kinds)}" for half in halves
        )
        topics = _match_any(phrase for wording in wordings for phrase in wording.anaphors)
        self._pattern = re.compile(
            rf"\b(?:(?P<alias>the {heads} the {subjects})|(?P<name>the {subjects} {tails})"
            rf"|(?P<nickname>the (?:{nicknames}))|(?P<mediator>the (?:{people}))"
            rf"|(?P<source>the (?:{sources}))|(?P<topic>{topics}))\b",
            re.IGNORECASE,
        )
        self._names = {
            spoken.casefold(): term.name
            for area in words.areas
            for subject in area.subjects
            for term in (make_term(subject, property_) for property_ in words.properties)
            for spoken in (term.spoken, *term.synonyms)
        }

    def read(self, sentence: str) -> Skeleton:
        """Return the skeleton of a sentence."""
        nodes: list[str] = []
        sources: list[str] = []
        mediators: list[str] = []

        def mark(match: re.Match[str]) -> str:
            spoken = match.group().casefold()
            if match.lastgroup == "source":
                sources.append(spoken)
                return SOURCE
            if match.lastgroup == "mediator":
                mediators.append(spoken)
                return MEDIATOR
            topic = ANAPHOR if match.lastgroup == "topic" else spoken
            nodes.append(self._names.get(spoken, topic))
            return NODE

        form = self._pattern.sub(mark, sentence).casefold().rstrip(".")
        return Skeleton(form, tuple(nodes), tuple(sources), tuple(mediators))


@cache
def tokenizer_of(wordings: tuple[Wording, ...]) -> Tokenizer:
    """Return the tokenizer of some families, made once."""
    return Tokenizer(wordings)


def _match_any(words: Iterable[str]) -> str:
    """Return a pattern for any of some words, longer ones first."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(map(re.escape, ordered)) + ")"
