"""All ways to put properties in the place of the labels of a form, and what each then answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from ..evidence.naive import add_effects
from ..evidence.settle import place_alike, settle_many
from ..model.instance import Question
from ..model.skeleton import Skeleton
from .forms import UNHELD, list_labels

Crystal = tuple[int, ...]
Numbers = NDArray[np.intp]


@dataclass(frozen=True)
class Ways:
    """The ways to name one form on one crystal.

    Properties that act are numbered by the order in which the crystal has them; idle ones come
    after them, and are taken in order.
    """

    rows: Numbers
    """For each way the property of each label."""
    by_answer: Mapping[str, Numbers]
    """The ways that have an answer, as places in `rows`."""
    acting: int
    """The number of properties that can be held and act."""

    @cached_property
    def needed(self) -> Numbers:
        """For each way the properties that act, as bits."""
        bits = np.append(1 << np.arange(self.acting), np.zeros(self.rows.shape[1], dtype=np.intp))
        found: Numbers = bits[self.rows].sum(axis=1)
        return found

    @cached_property
    def masks(self) -> dict[str, list[int]]:
        """For each answer the sets of properties that act, each in some way, as bits."""
        return {
            word: np.unique(self.needed[places]).tolist() for word, places in self.by_answer.items()
        }


def keep_least(masks: list[int]) -> list[int]:
    """Return the masks that contain no other.

    Example:
        >>> keep_least([3, 1, 6, 4])
        [1, 4]
    """
    least: list[int] = []
    for mask in sorted(masks, key=int.bit_count):
        if not any(one & mask == one for one in least):
            least.append(mask)
    return least


def list_plain_crystals(skeleton: Skeleton) -> list[Crystal]:
    """Return a crystal for each part that may be played by a property that cannot be held.

    Properties that can be held play the other parts in their order, so that the last are idle.
    """
    parts = len(skeleton.parts)
    if not skeleton.fixed:
        return [tuple(range(parts))]
    return [(*range(part), skeleton.holdable, *range(part, parts - 1)) for part in range(parts)]


def list_ways(skeleton: Skeleton, holds: int, form: Question, *, deep: bool) -> tuple[Ways, ...]:
    """Return all ways to name a form on each plain crystal.

    Of deep ones only those are listed in which adding up single effects is wrong.
    """
    return _list_ways(skeleton, holds, form.model_dump_json(), deep)


@lru_cache(maxsize=2_000)  # 10 to 50 ms each; the forms of a rung are a few hundred
def _list_ways(skeleton: Skeleton, holds: int, form: str, deep: bool) -> tuple[Ways, ...]:  # noqa: FBT001
    question = Question.model_validate_json(form)
    return tuple(
        _name_form(skeleton, holds, crystal, question, deep=deep)
        for crystal in list_plain_crystals(skeleton)
    )


def _name_form(
    skeleton: Skeleton, holds: int, crystal: Crystal, form: Question, *, deep: bool
) -> Ways:
    labels = list_labels(form)
    acting = len(crystal) - skeleton.fixed
    idle = min(len(labels), skeleton.holdable - acting)
    rows = _list_namings(acting, idle, len(labels))
    words = np.empty(len(rows), dtype=object)
    used = (rows >= acting).sum(axis=1)
    for unused in range(idle + 1):
        chosen = np.flatnonzero(used == unused)
        if not len(chosen):
            continue
        places = {label: rows[chosen, number] for number, label in enumerate(labels)}
        for number, label in enumerate(UNHELD):
            places[label] = np.full(len(chosen), skeleton.holdable + number)
        alike = place_alike(skeleton, holds, crystal, range(acting, acting + unused))
        said = settle_many(skeleton, alike, form, places)
        if deep:
            naive = add_effects(skeleton, np.array([crystal], dtype=np.int8), form, places)
            said = [word if word != other else "" for word, other in zip(said, naive, strict=True)]
        words[chosen] = said
    by_answer = {str(word): np.flatnonzero(words == word) for word in sorted({*words.tolist()})}
    return Ways(rows, by_answer, acting)


@lru_cache(maxsize=64)  # up to 20 ms each, and every question of a rung asks for one of a few
def _list_namings(acting: int, idle: int, labels: int) -> Numbers:
    """Return the ways to name labels, the idle properties in each in their order."""
    last = range(acting, acting + idle)
    found = [
        way
        for way in permutations(range(acting + idle), labels)
        if (unused := [one for one in way if one >= acting]) == [*last[: len(unused)]]
    ]
    return np.array(found, dtype=np.intp).reshape(len(found), labels)
