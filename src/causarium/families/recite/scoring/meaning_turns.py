"""What turns the meaning of one of two names round, counted by kind, for the judge with an encoder.

An encoder takes opposites for the same. `opposites.py`, the guard of the judge by words, says yes
or no; here words of lack, words at the low end of a scale, prefixes and pairs of opposite words
(`meaning_turns.txt`) are counted each by itself, and the judge's model weighs them.
"""

from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from causarium.families.recite.scoring.opposites import find_root, find_words, is_undone

_PAIRS = Path(__file__).with_suffix(".txt")
_LACKING = frozenset(
    [
        *("absence", "absent", "decline", "declining", "decrease", "decreasing", "diminished"),
        *("drop", "falling", "few", "insufficient", "lack", "lacking", "less", "limited", "little"),
        *("loss", "low", "minimal", "missing", "neglect", "no", "non", "none", "not", "nothing"),
        *("poor", "reduced", "reduction", "scarce", "scarcity", "short", "shortage", "without"),
        *("zero", "never", "nobody", "hardly", "free", "stopped", "ceased", "avoided", "prevented"),
    ]
)
_LOW_END = frozenset(
    [
        *("small", "slow", "weak", "cold", "thin", "narrow", "shallow", "cheap", "bad", "brief"),
        *("rare", "scant", "sparse", "tiny", "faint", "slight", "young", "new", "mild", "idle"),
        *("empty", "bare", "dry", "unused", "smallness", "slowness", "weakness", "shortness"),
        *("cheapness", "newness", "thinness", "brevity", "bankrupt", "dead", "dull", "ill"),
    ]
)


class Turns(NamedTuple):
    """How often one of two names turns the other round, by kind."""

    by_lack: int
    """Words of lack that only one of them has."""
    by_low_end: int
    """Words for little of a thing that only one has."""
    by_prefix: int
    """Words that are one of the other's with `un-`, `dis-` and the like, or `-less`."""
    by_pair: int
    """Words whose opposite the other has."""

    @property
    def is_odd(self) -> bool:
        """Whether the meaning is turned round in the end; the low end of a scale is no proof."""
        return (self.by_lack + self.by_prefix + self.by_pair) % 2 != 0


@lru_cache(maxsize=20_000)
def count_turns(name: str, form: str) -> Turns:
    """Return how often one of two names turns the other round.

    Example:
        >>> count_turns("no warm winters", "cold winters")
        Turns(by_lack=1, by_low_end=1, by_prefix=0, by_pair=1)
    """
    left, right = find_words(name), find_words(form)
    ours, theirs = sorted(left - right), sorted(right - left)
    paired = {word for word in ours if any(_are_paired(word, other) for other in theirs)}
    paired_too = {word for word in theirs if any(_are_paired(word, other) for other in ours)}
    undone = sum(any(_is_undone_pair(word, other) for other in theirs) for word in ours)
    # A word of lack that is also one of a pair is counted once.
    ours = [word for word in ours if word not in paired]
    theirs = [word for word in theirs if word not in paired_too]
    return Turns(
        abs(sum(w in _LACKING for w in ours) - sum(w in _LACKING for w in theirs)),
        abs(sum(w in _LOW_END for w in left - right) - sum(w in _LOW_END for w in right - left)),
        undone,
        len(paired),
    )


@cache
def _load_pairs() -> dict[str, frozenset[str]]:
    """Return the roots of each root's opposites."""
    lines = _PAIRS.read_text("utf-8").splitlines()
    opposites: dict[str, set[str]] = {}
    for pair in " ".join(line for line in lines if not line.startswith("#")).split():
        one, other = (find_root(word) for word in pair.split("/"))
        opposites.setdefault(one, set()).add(other)
        opposites.setdefault(other, set()).add(one)
    return {root: frozenset(others) for root, others in opposites.items()}


def _are_paired(word: str, other: str) -> bool:
    return find_root(other) in _load_pairs().get(find_root(word), frozenset())


def _is_undone_pair(one: str, other: str) -> bool:
    return not _are_paired(one, other) and (
        is_undone(one, find_root(other)) or is_undone(other, find_root(one))
    )
