"""Whether two names speak of one thing and say the opposite of it.

Encoders and shared words take `lack of trust` for `trust`. The guard counts what turns a meaning
round: words of lack, prefixes such as `un-`, and pairs of opposite words. Two names of which one is
turned an odd number of times more than the other are opposites.
"""

import re
from functools import lru_cache

_LACKING = frozenset(
    [
        "absence",
        "absent",
        "decline",
        "declining",
        "decrease",
        "decreasing",
        "diminished",
        "drop",
        "falling",
        "few",
        "insufficient",
        "lack",
        "lacking",
        "less",
        "limited",
        "little",
        "loss",
        "low",
        "minimal",
        "missing",
        "neglect",
        "no",
        "non",
        "none",
        "not",
        "nothing",
        "poor",
        "reduced",
        "reduction",
        "scarce",
        "scarcity",
        "short",
        "shortage",
        "without",
        "zero",
    ]
)
_PREFIXES = ("un", "in", "im", "ir", "dis", "mis", "non", "de")
_SUFFIX = "less"
_ENDINGS = (
    "ation",
    "ness",
    "ment",
    "ence",
    "ance",
    "ing",
    "ity",
    "ion",
    "ed",
    "ly",
    "al",
    "y",
    "e",
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
    turns = sum(word in _LACKING for word in left - right) - sum(
        word in _LACKING for word in right - left
    )
    turns += sum(_is_turned(a, b) for a in left - right for b in right - left)
    return turns % 2 != 0


def _is_turned(one: str, other: str) -> bool:
    if frozenset((one, other)) in _OPPOSITE:
        # A word of lack that is also one of a pair is counted once.
        return not ({one, other} & _LACKING)
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


@lru_cache(maxsize=20_000)
def find_root(word: str) -> str:
    """Return a word without its ending, so that `heating` is in `unheated`."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_ROOT:
            return word[: -len(ending)]
    return word
