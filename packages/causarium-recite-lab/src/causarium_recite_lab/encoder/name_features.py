"""How near a name is to each node of a document: what the judge with an encoder decides by.

Nearness by the encoder (whole names, deeper layers, word by word), by stems and by letters, each to
the node and beside the next one; and what speaks for an opposite: words that turn a meaning round,
and whether the name is nearer to "lack of …" than to the node itself.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from causarium.families.recite.paper.model.names import strip_name
from causarium.families.recite.paper.scoring.match_nodes import (
    LACKING,
    find_root,
    find_words,
    is_undone,
)
from causarium_recite_lab.encoder.sentence_encoder import Meaning

_PAIRS = Path(__file__).with_suffix(".txt")
_LACKING = LACKING.union(
    ("never", "nobody", "hardly", "free", "stopped", "ceased", "avoided", "prevented")
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
    """Words with an opposite in the other."""

    @property
    def is_odd(self) -> bool:
        """Whether the meaning is turned round in the end; the low end of a scale is no proof."""
        return (self.by_lack + self.by_prefix + self.by_pair) % 2 != 0


def count_turns(name: str, form: str) -> Turns:
    """Return how often one of two names turns the other round.

    Example:
        >>> count_turns("no warm winters", "cold winters")
        Turns(by_lack=1, by_low_end=1, by_prefix=0, by_pair=1)
    """
    left, right = find_words(name), find_words(form)
    ours = {word: find_root(word) for word in left - right}
    theirs = {word: find_root(word) for word in right - left}
    pairs = {
        (one, other) for one in ours for other in theirs if _are_paired(ours[one], theirs[other])
    }
    undone = {
        one
        for one in ours
        for other in theirs
        if (one, other) not in pairs
        and (is_undone(one, theirs[other]) or is_undone(other, ours[one]))
    }
    paired = {word for pair in pairs for word in pair}
    return Turns(
        # A word of lack that is also one of a pair is counted once.
        abs(len((ours.keys() - paired) & _LACKING) - len((theirs.keys() - paired) & _LACKING)),
        abs(len(ours.keys() & _LOW_END) - len(theirs.keys() & _LOW_END)),
        len(undone),
        len({one for one, _ in pairs}),
    )


def _load_pairs() -> dict[str, frozenset[str]]:
    """Return the roots of each root's opposites."""
    lines = _PAIRS.read_text("utf-8").splitlines()
    opposites: dict[str, set[str]] = {}
    for pair in " ".join(line for line in lines if not line.startswith("#")).split():
        one, other = (find_root(word) for word in pair.split("/"))
        opposites.setdefault(one, set()).add(other)
        opposites.setdefault(other, set()).add(one)
    return {root: frozenset(others) for root, others in opposites.items()}


_OPPOSITES = _load_pairs()


def _are_paired(root: str, other: str) -> bool:
    return other in _OPPOSITES.get(root, frozenset())


Column = npt.NDArray[np.float64]

TURNED = ("lack of {}", "no {}", "opposite of {}", "more {}", "less {}", "high {}", "low {}")
"""What a node's name is put into, to see whether a name means the opposite."""
SHARPNESS, MIXED_SHARPNESS = 15.0, 5.0
"""How far the nearest node takes all, where nearness is shared out over the nodes."""
_LETTERS = (3, 4)


class Encoder(Protocol):
    """Whoever turns names into meanings."""

    def encode_names(self, names: Sequence[str]) -> list[Meaning]:
        """Return the meaning of each name."""


def compute_features(
    encoder: Encoder, name: str, nodes: Mapping[str, Sequence[str]]
) -> dict[str, Column]:
    """Return the features of a name with each node, by what they are called.

    Args:
        encoder: Who turns names into meanings.
        name: The name in an answer.
        nodes: Every word for each node, the name first.
    """
    forms = list(nodes.values())
    near = _compare_meanings(encoder, name, forms)
    near |= _compare_words(name, forms)
    columns = {f"{kind}": column for kind, column in near.items()}
    for kind in ("meaning", "deep", "word by word", "stems", "letters", "cover"):
        columns[f"lead in {kind}"] = _lead(near[kind])
    mixed = near["meaning"] + near["deep"] + near["word by word"]
    mixed = mixed + (near["stems"] + near["letters"]) / 2
    first = (_lead(mixed) >= 0).astype(float)
    columns |= {
        "mixed": mixed,
        "lead in mixed": _lead(mixed),
        "first in mixed": first,
        "mixed if first": mixed * first,
        "first in meaning": (_lead(near["meaning"]) >= 0).astype(float),
        "share of meaning": _share(near["meaning"], SHARPNESS),
        "share of mixed": _share(mixed, MIXED_SHARPNESS),
        "meaning squared": near["meaning"] ** 2,
        "standing in meaning": _standing(near["meaning"]),
        "standing in mixed": _standing(mixed),
    }
    return columns | _compare_opposites(encoder, name, forms, near["meaning to the name"])


def _compare_meanings(
    encoder: Encoder, name: str, forms: Sequence[Sequence[str]]
) -> dict[str, Column]:
    (own,) = encoder.encode_names([name])
    every = [encoder.encode_names(words) for words in forms]
    whole = [[float(own.whole @ other.whole) for other in row] for row in every]
    deep = [[float(own.deep @ other.deep) for other in row] for row in every]
    aligned = [[_align_words(own, other) for other in row] for row in every]
    return {
        "meaning": _column(whole, max),
        "meaning to the name": _column(whole, lambda row: row[0]),
        "mean meaning": _column(whole, lambda row: sum(row) / len(row)),
        "deep": _column(deep, max),
        "deep to the name": _column(deep, lambda row: row[0]),
        "mean deep": _column(deep, lambda row: sum(row) / len(row)),
        "word by word": _column([[(a + b) / 2 for a, b in row] for row in aligned], max),
        "own words met": _column([[a for a, _ in row] for row in aligned], max),
        "its words met": _column([[b for _, b in row] for row in aligned], max),
    }


def _align_words(own: Meaning, other: Meaning) -> tuple[float, float]:
    """Return how near each word of one name has one in the other, on average, both ways."""
    both = own.words @ other.words.T
    return float(both.max(axis=1).mean()), float(both.max(axis=0).mean())


def _compare_words(name: str, forms: Sequence[Sequence[str]]) -> dict[str, Column]:
    """Compare stems and letters; a stem weighs the less the more nodes have it."""
    told = _tell_parts(name)
    others = [[_tell_parts(word) for word in words] for words in forms]
    own, every = told.stems, [[other.stems for other in row] for row in others]
    held = Counter(stem for row in every for stem in frozenset().union(*row))

    def weigh(stems: frozenset[str]) -> float:
        return sum(1 / held.get(stem, 1) for stem in sorted(stems))

    return {
        "stems": _column(
            [[weigh(own & o) / (weigh(own | o) or 1) for o in row] for row in every], max
        ),
        "cover": _column([[weigh(own & o) / (weigh(own) or 1) for o in row] for row in every], max),
        "letters": _column(
            [[_shared_letters(told.letters, other.letters) for other in row] for row in others], max
        ),
        "is part of": _column([[float(own < o or own > o) for o in row] for row in every], max),
        "unlike length": _column([[float(abs(len(own) - len(row[0])))] for row in every], max),
    }


def _compare_opposites(
    encoder: Encoder, name: str, forms: Sequence[Sequence[str]], to_the_name: Column
) -> dict[str, Column]:
    (own,) = encoder.encode_names([name])
    every = [encoder.encode_names(words) for words in forms]
    nearest = [
        words[max(range(len(words)), key=lambda n: float(own.whole @ row[n].whole))]
        for words, row in zip(forms, every, strict=True)
    ]
    columns: dict[str, Column] = {}
    turned = {word: count_turns(name, word) for words in forms for word in words}
    for whom, words in (("nearest", nearest), ("name", [words[0] for words in forms])):
        turns = [turned[word] for word in words]
        for kind, field in zip(("lack", "low end", "prefix", "pair"), Turns._fields, strict=True):
            columns[f"turned by {kind}, {whom}"] = np.array(
                [float(getattr(one, field) > 0) for one in turns]
            )
        columns[f"turned, {whom}"] = np.array([float(one.is_odd) for one in turns])
    columns["share turned"] = _column(
        [[float(turned[word].is_odd) for word in words] for words in forms],
        lambda row: sum(row) / len(row),
    )
    put = {
        form: np.array([float(own.whole @ one.whole) for one in encoder.encode_names(texts)])
        for form in TURNED
        if (texts := [form.format(words[0][:1].lower() + words[0][1:]) for words in forms])
    }
    for form in TURNED[:3]:
        columns[f"nearer to {form.format('it')}"] = put[form] - to_the_name
    columns["more than less"] = put["more {}"] - put["less {}"]
    columns["high than low"] = put["high {}"] - put["low {}"]
    return columns


def _column(rows: Sequence[Sequence[float]], choose: Callable[[Sequence[float]], float]) -> Column:
    # Rounded, so that the last bits of another machine's sums decide nothing.
    return np.round(np.array([choose(row) for row in rows], dtype=float), 4)


def _lead(column: Column) -> Column:
    """Return how far each node is before the best other one."""
    if len(column) == 1:
        return column.copy()
    best, second = np.sort(column)[::-1][:2]
    lead: Column = column - np.where(column == best, second, best)
    return lead


def _share(column: Column, sharpness: float) -> Column:
    odds = np.exp((column - column.max()) * sharpness)
    share: Column = odds / odds.sum()
    return share


def _standing(column: Column) -> Column:
    """Return how many standard deviations above the mean node each one is."""
    standing: Column = (column - column.mean()) / (column.std() + 1e-6)
    return standing


class _NameParts(NamedTuple):
    """What of a name is compared letter by letter."""

    stems: frozenset[str]
    letters: Counter[str]
    """The runs of three and four letters of its words, which are put in order."""


@lru_cache(maxsize=20_000)  # each name is held against every node of a graph
def _tell_parts(name: str) -> _NameParts:
    words = strip_name(name)
    text = f" {' '.join(sorted(words))} "
    runs = (text[at : at + n] for n in _LETTERS for at in range(len(text) - n + 1))
    return _NameParts(frozenset(map(find_root, words)), Counter(runs))


def _shared_letters(ours: Counter[str], theirs: Counter[str]) -> float:
    size = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / size if size else 0.0
