"""The plain words of a name, by which names are compared, and the ends of sentences."""

import re
import unicodedata
from functools import lru_cache

SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’)]*\s+|\n+")
_MOST_WORDS = 30
_FILLERS = frozenset(
    [
        *("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "per", "the", "to"),
        "with",
    ]
)
_MEASURES = frozenset(["amount", "degree", "extent", "level", "number", "quantity"])
"""Words that only say that a thing can be more or less, which every node can."""


@lru_cache(maxsize=20_000)  # 10 µs each, a fifth of playing and scoring otherwise
def strip_name(name: str) -> frozenset[str]:
    """Return the words of a name that tell it from others, in their plain forms.

    Example:
        >>> sorted(strip_name("The Number of fishing-boats"))
        ['boat', 'fishing']
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    words = [_make_singular(word) for word in re.findall(r"[^\W_]+", plain)[:_MOST_WORDS]]
    telling = [word for word in words if word not in _FILLERS]
    bare_ = [word for word in telling if word not in _MEASURES]
    return frozenset(bare_ or telling or words)


def _make_singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
