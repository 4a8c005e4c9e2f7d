"""Reading prose: which names a sentence speaks of, and which way its words make them act.

It holds of English at large and of no document: names are found by the stems of their words, also
in part, and a pair counts for more the nearer its two names stand and the rarer they are. A pair
acts in the order in which it is named, unless the words between say that the effect comes first.
Its numbers were chosen on every second written document; `bench/recite_prose.py` prints what it
earns on those and on the others.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from causarium.scoring.graph_scores import Edge

LEAST_PART = 0.33
"""The part of a name's words, weighed by how few names share them, that makes a mention."""
MOST_APART = 6
"""How many words may stand between two words of a mention."""
NEXT_PAIR = 0.5
"""What a pair counts for each further mention between its two."""
CUE, BOTH_CUES, NO_CUE = 1.0, 0.7, 0.5
"""What a pair counts that has words of effect between, of both directions, or none."""
NEXT_SENTENCE = 0.2
"""What a pair counts if one is named in a sentence and the other in the next."""
COMMONNESS = 0.3
"""The power of the two names' mentions that a pair's count is divided by."""
WEAKER_DIRECTION = 0.7
"""A pair is drawn in its weaker direction too if that has this part of the stronger one."""

_WORD = re.compile(r"[A-Za-z]+")
_SENTENCE_END = re.compile(r"(?<=[.!?;])[\"”’)]*\s+")
_NO_PART = frozenset(
    [
        *("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "per", "the", "to"),
        *("with", "its", "their", "his", "her", "amount", "degree", "extent", "level", "number"),
        *("quantity", "rate", "share"),
    ]
)
_ENDINGS = (
    *("ations", "ation", "ingly", "ments", "ment", "ness", "ings", "ing", "ions", "ion", "edly"),
    *("ies", "ied", "ers", "er", "ed", "es", "ly", "ity", "al", "s", "y", "e"),
)
_LEAST_STEM = 4
_EFFECT_FIRST = re.compile(
    r"\b(?:because|(?:due|owing|thanks) to|as a result of|on account of|in consequence of|"
    r"depend(?:s|ed|ing)? (?:up)?on|follow(?:s|ed|ing)?(?! by)|results? (?:of|from)|caused by|"
    r"resulted from|resulting from|(?:comes?|came) (?:of|from)|stem(?:s|med)? from|"
    r"arise[sn]? from|since|attributed to|traced (?:back )?to|in (?:the )?wake of|down to|"
    r"when(?:ever)?|if|where(?:ver)?|unless|once|as long as|reflect(?:s|ed|ing)?|"
    r"respond(?:s|ed)? to|(?:is|are|was|were|been|being|be|gets?|got) (?:\w+ly )?"
    r"\w+(?:ed|en|n|t|ung|nk|id) (?:\w+ )?by|a matter of|"
    r"the (?:work|fruit|price|product|effect|consequence|result) of|under|after|with)\b",
    re.IGNORECASE,
)
_CAUSE_FIRST = re.compile(
    r"\b(?:lead(?:s|ing)? to|led to|caus(?:e[sd]?|ing)|bring(?:s|ing)?|brought|"
    r"result(?:s|ed|ing)? in|rais(?:e[sd]?|ing)|increas(?:e[sd]?|ing)|reduc(?:e[sd]?|ing)|"
    r"lower(?:s|ed|ing)?|mak(?:es?|ing)|made|giv(?:es?|ing)|gave|driv(?:e[sn]?|ing)|drove|"
    r"push(?:es|ed|ing)?|so|so that|therefore|hence|thus|means?|meant|keep(?:s|ing)?|kept|"
    r"put(?:s|ting)?|send(?:s|ing)?|sent|feed(?:s|ing)?|fed|affect(?:s|ed|ing)?|"
    r"influenc(?:e[sd]?|ing)|determin(?:e[sd]?|ing)|decid(?:e[sd]?|ing)|creat(?:e[sd]?|ing)|"
    r"produc(?:e[sd]?|ing)|encourag(?:e[sd]?|ing)|worsen(?:s|ed|ing)?|improv(?:e[sd]?|ing)|"
    r"weaken(?:s|ed|ing)?|strengthen(?:s|ed|ing)?|cut(?:s|ting)?|add(?:s|ed|ing)? to|"
    r"contribut(?:e[sd]?|ing) to|let(?:s|ting)?|allow(?:s|ed|ing)?|turn(?:s|ed|ing)?|until|"
    r"and then|is why|how|take[sn]?|took|lift(?:s|ed|ing)?|spoil(?:s|ed|t)?|costs?|leaves?|"
    r"left)\b",
    re.IGNORECASE,
)
_CLAUSE_FIRST = re.compile(
    r"^\W*(?:because|due to|owing to|thanks to|as a result of|on account of|since|when(?:ever)?|"
    r"if|where(?:ver)?|unless|once|as|with|without|under|after|from|in|the (?:more|less))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PartMention:
    """A name where a sentence speaks of it, perhaps by some of its words."""

    start: int
    end: int
    name: str
    part: float
    """The part of the name's words that stand there, as they weigh."""


def edges_in_prose(text: str, names: Sequence[str], count: int) -> list[Edge]:
    """Return the likeliest edges between names, the likeliest first.

    Args:
        text: A document in markdown, a paragraph a line.
        names: What may be a cause or an effect.
        count: How many edges to return at most.

    Example:
        >>> text = "Floods are caused by long rain. The floods bring losses."
        >>> edges_in_prose(text, ["Rain", "Floods", "Losses"], 2)
        [('Floods', 'Losses'), ('Rain', 'Floods')]
    """
    finder = NameStems(names)
    counts: dict[Edge, float] = defaultdict(float)
    mentioned: dict[str, float] = defaultdict(float)
    for paragraph in text.split("\n"):
        before: dict[str, float] = {}
        for sentence in _SENTENCE_END.split(paragraph):
            mentions = finder.mentions(sentence)
            here = {mention.name: mention.part for mention in mentions}
            for mention in mentions:
                mentioned[mention.name] += mention.part
            for pair, weight in _weigh_pairs(sentence, mentions):
                counts[pair] += weight
            for first, first_part in before.items():
                for second, second_part in here.items():
                    counts[first, second] += NEXT_SENTENCE * first_part * second_part
            before = here
    # Rounded, so that the last bits of another machine's powers decide nothing.
    odds = {
        (a, b): round(value / (mentioned[a] * mentioned[b]) ** COMMONNESS, 9)
        for (a, b), value in counts.items()
        if a != b
    }
    likely = [e for e in odds if odds[e] >= WEAKER_DIRECTION * odds.get((e[1], e[0]), 0.0)]
    return sorted(likely, key=lambda edge: (-odds[edge], edge))[:count]


class NameStems:
    """Finds names by the stems of their words; a word that few names have tells most."""

    def __init__(self, names: Sequence[str]) -> None:
        self._stems = {name: _stems_of(name) for name in names}
        held = Counter(stem for stems in self._stems.values() for stem in stems)
        self._weights = {stem: 1 / count for stem, count in held.items()}

    def mentions(self, sentence: str) -> list[PartMention]:
        """Return the mentions in a sentence, in order; where two meet, the fuller one is taken."""
        places: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
        for number, word in enumerate(_WORD.finditer(sentence)):
            stem = _stem_of(word.group())
            if stem in self._weights:
                places[stem].append((number, word.start(), word.end()))
        if not places:
            return []
        every = [m for name in self._stems for m in self._find_mentions(name, places)]
        chosen: list[PartMention] = []
        for mention in sorted(every, key=lambda m: (-m.part, m.start - m.end)):
            if all(
                mention.end <= other.start
                or mention.start >= other.end
                or mention.part == other.part == 1
                for other in chosen
            ):
                chosen.append(mention)
        return sorted(chosen, key=lambda m: (m.start, m.end, m.name))

    def _find_mentions(
        self, name: str, places: Mapping[str, Sequence[tuple[int, int, int]]]
    ) -> list[PartMention]:
        """Return the mentions of a name around each place of its most telling word."""
        there = [stem for stem in self._stems[name] if stem in places]
        if not there:
            return []
        weights = self._weights
        anchor = min(there, key=lambda stem: (-weights[stem], -len(stem), stem))
        whole = sum(weights[stem] for stem in self._stems[name])
        mentions = []
        for anchored in places[anchor]:
            nearest = {
                stem: min(places[stem], key=lambda place: (abs(place[0] - anchored[0]), place))
                for stem in there
            } | {anchor: anchored}
            near = {s: p for s, p in nearest.items() if abs(p[0] - anchored[0]) <= MOST_APART}
            part = sum(weights[stem] for stem in near) / whole
            if part >= LEAST_PART:
                start, end = min(p[1] for p in near.values()), max(p[2] for p in near.values())
                full = len(near) == len(self._stems[name])
                mentions.append(PartMention(start, end, name, 1.0 if full else part))
        return mentions


def _weigh_pairs(sentence: str, mentions: Sequence[PartMention]) -> Iterator[tuple[Edge, float]]:
    """Yield each pair of names in the direction of a sentence's words, and what these count."""
    for place, first in enumerate(mentions):
        for between, second in enumerate(mentions[place + 1 :]):
            weight, effect_first = _weigh_words_between(sentence, first, second)
            weight *= NEXT_PAIR**between * first.part * second.part
            pair = (first.name, second.name)
            yield (pair[1], pair[0]) if effect_first else pair, weight


def _weigh_words_between(
    sentence: str, first: PartMention, second: PartMention
) -> tuple[float, bool]:
    """Return what the words between two mentions count, and whether the effect comes first."""
    before, between = sentence[: first.start], sentence[first.end : second.start]
    effect_first = [cue.end() for cue in _EFFECT_FIRST.finditer(between)]
    cause_first = [cue.end() for cue in _CAUSE_FIRST.finditer(between)]
    clause_first = _CLAUSE_FIRST.search(before) is not None
    if not cause_first and (not effect_first or (clause_first and "," in between)):
        return CUE if clause_first and "," in between else NO_CUE, False
    if effect_first and cause_first:
        return BOTH_CUES, effect_first[-1] > cause_first[-1] and not clause_first
    return CUE, bool(effect_first)


def _stems_of(name: str) -> tuple[str, ...]:
    words = _WORD.findall(name)
    telling = [word for word in words if word.lower() not in _NO_PART]
    return tuple(dict.fromkeys(_stem_of(word) for word in telling or words))


def _stem_of(word: str) -> str:
    """Return a word without its ending, so that `flooding` and `floods` are one."""
    stem = word.lower()
    for ending in _ENDINGS:
        if stem.endswith(ending) and len(stem) - len(ending) >= _LEAST_STEM:
            stem = stem[: -len(ending)]
            break
    else:
        stem = stem[:-1] if len(stem) > 3 and stem.endswith("s") and stem[-2] != "s" else stem
    return stem[:-1] if len(stem) > _LEAST_STEM and stem[-1] == stem[-2] else stem
