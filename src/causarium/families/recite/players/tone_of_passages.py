"""Telling a denial by its tone: what words alone give away about the version of a passage.

Each attack here is handed the passage of a slot and its pair, which no reader of a whole text is,
and says whether the passage sounds as if it told the pair. What it earns is a contrast: how often
it believes a version that tells more, less how often it believes the other one.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from ..generation.slot_documents import FORMS, Form, SlotDocument

MOST_CONTRAST = 0.35
"""What tone may earn on the near slots of a file, by any of these attacks but the next."""
BY_FIGURES = "repeated figures"
"""Believes a passage unless a figure stands in it twice. That is a part of rule 5, like compared
with like, so it earns more: .25 on the near and .65 on the far slots of all documents."""
DOUBT = re.compile(
    r"\b(?:not|no|never|nothing|nobody|none|neither|nor|without|cannot|hardly|little|but|though|"
    r"although|however|yet|instead|rather|said to|is blamed|are blamed|believed|supposed|thought|"
    r"whatever|whether|same|anyway|either|equal|already|before|long before|by chance|"
    r"coincidence|mistake[ns]?|wrong|false|withdraw|retract|take back|has to go|in fact|"
    r"\w+n['’]t)\b",
    re.IGNORECASE,
)
"""Words of denial and doubt."""
ALIKE, UNLIKE = 0.03, 1.25
"""Two figures are the same within this part, and differ from this ratio on."""
_WORD = re.compile(r"[a-z]+|\d")
_SMALL = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = {word: number for number, word in enumerate(_SMALL)} | {
    word: 10 * number for number, word in enumerate(_TENS, 2)
}
_MANY = {"hundred": 100, "thousand": 1000}
_FIGURE = re.compile(
    rf"\d[\d,]*|(?:\b(?:{'|'.join(sorted({*_VALUES, *_MANY}, key=len, reverse=True))})\b"
    r"(?:[- ]|and )*)+"
)
_PART = re.compile(r"\d[\d,]*|[a-z]+")

Believes = Callable[[str], bool]


class VersionPair(NamedTuple):
    """The two versions of a passage; one tells more than the other."""

    slot: str
    kind: Form
    told: str
    denied: str


class ToneResult(NamedTuple):
    """What an attack earns on some passages."""

    attack: str
    kind: Form
    contrast: float
    slots: int


def list_version_pairs(document: SlotDocument) -> list[VersionPair]:
    """Return the passages of a document with one version that tells more edges.

    Two passages that decide together are left out: one of them alone says nothing.
    """
    pairs = []
    for key, slot in document.slots.items():
        decided = (slot.near, slot.far if not slot.parity else None)
        for form, versions in zip(FORMS, decided, strict=True):
            if versions is not None and slot.weight:
                told, denied = versions if slot.weight > 0 else versions[::-1]
                pairs.append(VersionPair(key, form, told, denied))
    return pairs


def sounds_sure(passage: str) -> bool:
    """Say whether a passage has no word of doubt."""
    return DOUBT.search(passage) is None


def weigh_figures(text: str) -> int:
    """Return -1 where a figure stands twice, 1 where neighbours differ, 0 without either.

    Example:
        >>> weigh_figures("212 before, 90 after"), weigh_figures("thirty-one before, 31 after")
        (1, -1)
    """
    found = _read_figures(text)
    for place, one in enumerate(found):
        if any(abs(one - other) <= ALIKE * max(one, other) for other in found[place + 1 :]):
            return -1
    return int(any(max(a, b) >= UNLIKE * min(a, b) for a, b in pairwise(found)))


def _read_figures(text: str) -> list[float]:
    """Return the figures of a text in digits or words, without small ones and years."""
    found = []
    for run in _FIGURE.findall(text.lower()):
        value = 0.0
        for word in _PART.findall(run):
            if word[0].isdigit():
                value = float(word.replace(",", ""))
            elif word in _MANY:
                value = (value or 1) * _MANY[word]
            else:
                value += _VALUES.get(word, 0)
        if value >= 3 and not 1700 < value < 2100:
            found.append(value)
    return found


def train_tone(examples: Iterable[VersionPair]) -> Believes:
    """Learn from words, and pairs of words, what a passage that tells its pair sounds like."""
    told: Counter[str] = Counter()
    denied: Counter[str] = Counter()
    for pair in examples:
        told.update(set(_grams(pair.told)))
        denied.update(set(_grams(pair.denied)))
    odds = {gram: math.log((told[gram] + 0.5) / (denied[gram] + 0.5)) for gram in {*told, *denied}}

    def believes(passage: str) -> bool:
        return sum(odds.get(gram, 0.0) for gram in sorted(set(_grams(passage)))) > 0

    return believes


def _grams(passage: str) -> list[str]:
    words = _WORD.findall(passage.lower())
    return [*words, *(f"{a} {b}" for a, b in pairwise(words))]


def attack_tone(document: SlotDocument, others: Iterable[SlotDocument]) -> list[ToneResult]:
    """Return what each attack by tone earns on a document.

    Args:
        document: The document.
        others: Documents to learn from, but this one.
    """
    # A copy of a document under another key would know its answers.
    learned_from = [one for one in others if document.title != one.title]
    believes = train_tone(pair for one in learned_from for pair in list_version_pairs(one))
    results = []
    for kind in FORMS:
        pairs = [pair for pair in list_version_pairs(document) if pair.kind == kind]
        if not pairs:
            continue
        typical = fmean(len(text) for pair in pairs for text in (pair.told, pair.denied))

        def is_short(passage: str, typical: float = typical) -> bool:
            return len(passage) < typical

        attacks: dict[str, Believes] = {
            "words of doubt": sounds_sure,
            "short passages": is_short,
            "learned tone": believes,
            BY_FIGURES: lambda passage: weigh_figures(passage) >= 0,
        }
        for name, attack in attacks.items():
            earned = [attack(pair.told) - attack(pair.denied) for pair in pairs]
            results.append(ToneResult(name, kind, fmean(earned), len(pairs)))
    return results
