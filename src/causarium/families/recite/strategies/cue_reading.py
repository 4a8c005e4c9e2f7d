"""Reading by cues alone: causal words, naming words, negations, and what *it* may stand for.

It knows no wording of made documents: what is here holds of English at large. Names that a text
gives a thing ("called …", "known as …") are learned as it goes, and *it* is the first thing that a
paragraph speaks of.
"""

import re
from collections.abc import Sequence

from causarium.families.recite.strategies.mentions import Finder, Mention, connectives, sentences
from causarium.scoring.graph_scores import Edge

_NAMING = re.compile(
    r"\b(?:called|known as|named|nicknamed|dubbed|referred to as|(?:by|of) the name(?: of)?|"
    r"stands for|labelled|termed)\s+[“\"‘]?(?P<alias>the [\w-]+(?: [\w-]+)?)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|no|never|nothing|neither|nor|untrue|den(?:y|ies|ied))\b", re.IGNORECASE
)
_PRONOUN = re.compile(r"\b(?:it|this|that)\b", re.IGNORECASE)


def edges_by_cues(text: str, names: Sequence[str]) -> list[Edge]:
    """Return the edges that cues alone give away, in the order of the text."""
    finder = Finder(text, names, 0)
    aliases = _learned_names(text, finder)
    edges: dict[Edge, None] = {}
    for paragraph in text.split("\n"):
        first = ""
        for sentence in sentences(paragraph):
            mentions = _mentions(sentence, finder, aliases, first)
            first = first or (mentions[0].name if mentions else "")
            if not _NEGATED.search(sentence):
                edges |= dict.fromkeys(_join_mentions(sentence, mentions))
    return list(edges)


def _learned_names(text: str, finder: Finder) -> dict[str, str]:
    aliases: dict[str, str] = {}
    for paragraph in text.split("\n"):
        last = ""
        for sentence in sentences(paragraph):
            named = finder.mentions(sentence)
            last = named[-1].name if named else last
            found = _NAMING.search(sentence)
            if found and last:
                aliases.setdefault(found.group("alias").casefold(), last)
    return aliases


def _mentions(sentence: str, finder: Finder, aliases: dict[str, str], first: str) -> list[Mention]:
    found = list(finder.mentions(sentence))
    folded = sentence.casefold()
    for alias, name in aliases.items():
        place = folded.find(alias)
        if place >= 0:
            found.append(Mention(name, place, place + len(alias)))
    if first and len(found) == 1:
        found += [Mention(first, m.start(), m.end()) for m in _PRONOUN.finditer(sentence)][:1]
    return sorted(found, key=lambda mention: (mention.start, mention.end))


def _join_mentions(sentence: str, mentions: Sequence[Mention]) -> list[Edge]:
    edges = []
    for word in connectives(sentence):
        left = [mention for mention in mentions if mention.end <= word.start]
        right = [mention for mention in mentions if mention.start >= word.end]
        if left and right and left[-1].name != right[0].name:
            pair = (left[-1].name, right[0].name)
            edges.append((pair[1], pair[0]) if word.backward else pair)
    return edges
