"""Which questions settle what is open, and the fewest that do so whatever the truth is.

A question splits the systems that still fit by what they would show. The search is exact: it goes
through all splits, leaves out none, and gives up only above a fixed number of nodes.
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from .systems import Cases

_MOST_NODES = 20_000


@lru_cache(maxsize=16)  # the same for all systems of a size; 1 ms a time
def list_settings(size: int) -> tuple[dict[int, int], ...]:
    """Return every setting of one or two variables."""
    chosen = [*combinations(range(size), 1), *combinations(range(size), 2)]
    return tuple(
        dict(zip(names, values, strict=True))
        for names in chosen
        for values in product((0, 1), repeat=len(names))
    )


class _Layout(NamedTuple):
    """The cases that set a variable, and those that set it to 1."""

    ones: int
    fixed: tuple[int, ...]
    to_1: tuple[int, ...]


def _lay_out(size: int, settings: Sequence[Mapping[int, int]]) -> _Layout:
    fixed, to_1 = [0] * size, [0] * size
    for place, setting in enumerate(settings):
        for v, value in setting.items():
            fixed[v] |= 1 << place
            to_1[v] |= value << place
    return _Layout((1 << len(settings)) - 1, tuple(fixed), tuple(to_1))


@lru_cache(maxsize=16)  # as list_settings; 3 ms a time, and needed for each system
def _lay_out_all(size: int) -> _Layout:
    return _lay_out(size, list_settings(size))


def lay_cases(
    size: int,
    outside: Mapping[int, int],
    settings: Sequence[Mapping[int, int]] | None = None,
) -> Cases:
    """Return the cases of one unit in which one setting after another is made; None: every one."""
    ones, fixed, to_1 = _lay_out_all(size) if settings is None else _lay_out(size, settings)
    values = [to_1[v] | (ones & ~fixed[v] if outside.get(v) else 0) for v in range(size)]
    return Cases(ones, fixed, tuple(values))


class TooLongError(Exception):
    """The fewest questions are not found within the limit."""


class Split(NamedTuple):
    """A question, and the systems in which its reading is that of the first system."""

    question: int
    part: int


class Planner:
    """Finds questions for a number of systems that fit."""

    def __init__(
        self,
        splits: Sequence[Split],
        answers: Sequence[Hashable],
        *,
        most_nodes: int = _MOST_NODES,
    ) -> None:
        """Know how questions split the systems and what each system says.

        Args:
            splits: The questions, of those that split alike only one.
            answers: For each system, its answers to the items.
            most_nodes: The number of nodes above which a search gives up.
        """
        self._most_nodes = most_nodes
        self.splits = splits
        self.count = len(answers)
        self.all = (1 << self.count) - 1
        classes: dict[Hashable, int] = {}
        for m, answer in enumerate(answers):
            classes[answer] = classes.get(answer, 0) | 1 << m
        self.classes = list(classes.values())
        self._counts: dict[int, int] = {}
        self._known: dict[tuple[int, int], int | None] = {}
        self._nodes = 0

    def count_answers(self, systems: int) -> int:
        """Return the number of different answers of some systems."""
        if systems not in self._counts:
            self._counts[systems] = sum(1 for one in self.classes if one & systems)
        return self._counts[systems]

    def _exceeds(self, systems: int, most: int) -> bool:
        return systems.bit_count() > most and self.count_answers(systems) > most

    def can_settle(self) -> bool:
        """Tell whether all questions together settle every item."""
        alike = [self.all]
        for split in self.splits:
            cut = [(one & split.part, one & ~split.part) for one in alike]
            alike = [part for parts in cut for part in parts if part]
            if len(alike) >= self.count:
                return True
        return all(self.count_answers(one) == 1 for one in alike)

    def find_fewest(self, most: int) -> int | None:
        """Return the fewest questions that settle every item whatever is true; None above `most`.

        Raises:
            TooLongError: The limit of nodes was met.
        """
        for number in range(most + 1):
            if self._settles(self.all, number):
                return number
        return None

    def choose(self, systems: int, most: int) -> int | None:
        """Return the first question of a shortest plan for some systems; None if it has none."""
        for number in range(most + 1):
            if self._settles(systems, number):
                return self._known.get((systems, number))
        return None

    def find_least_for(self, system: int, most: int) -> int | None:
        """Return the fewest questions that settle every item where this system is the true one.

        Whoever knew the truth would need so many to prove it. None: more than `most`.
        """
        mine = next(one for one in self.classes if one >> system & 1)
        rivals = self.all & ~mine
        ruled_out = {
            rivals & (~split.part if split.part >> system & 1 else split.part)
            for split in self.splits
        }
        useful = sorted(ruled_out - {0}, key=int.bit_count, reverse=True)
        covers: list[int] = []
        for one in useful:
            if not any(one & other == one for other in covers):
                covers.append(one)
        for number in range(most + 1):
            if _can_cover(rivals, covers, number):
                return number
        return None

    def _settles(self, systems: int, left: int) -> bool:
        if not self._exceeds(systems, 1):
            return True
        if left == 0 or self._exceeds(systems, 1 << left):
            return False
        key = (systems, left)
        if key not in self._known:
            self._nodes += 1
            if self._nodes > self._most_nodes:
                raise TooLongError
            self._known[key] = self._find_question(systems, left)
        return self._known[key] is not None

    def _find_question(self, systems: int, left: int) -> int | None:
        tried: dict[int, int] = {}
        for question, part in self.splits:
            cut = part & systems
            if cut and cut != systems:
                tried.setdefault(min(cut, systems & ~cut), question)
        rated = []
        for cut, question in tried.items():
            most = max(self.count_answers(cut), self.count_answers(systems & ~cut))
            if most <= 1 << (left - 1):
                rated.append((most, question, cut))
        for _, question, cut in sorted(rated):
            if all(self._settles(part, left - 1) for part in (systems & ~cut, cut)):
                return question
        return None


def _can_cover(rivals: int, covers: Sequence[int], number: int) -> bool:
    """Tell whether so many of some sets hold all rivals together."""
    if not rivals:
        return True
    if not number:
        return False
    left, hardest = rivals, list(covers)
    while left:  # the rival that the fewest questions rule out
        lowest = left & -left
        here = [one for one in covers if one & lowest]
        hardest = min(hardest, here, key=len)
        left &= left - 1
    return any(_can_cover(rivals & ~one, covers, number - 1) for one in hardest)


def list_splits(shown: Sequence[int]) -> list[Split]:
    """Return one question for each way in which questions split the systems.

    Args:
        shown: For each system, a column of bits: what is read after each question.
    """
    first = shown[0] if shown else 0
    changes = [first ^ column for column in shown]
    width = max((change.bit_length() for change in changes), default=0)
    if not width:
        return []
    data = b"".join(change.to_bytes((width + 7) // 8, "little") for change in changes)
    rows = np.frombuffer(data, np.uint8).reshape(len(shown), -1)
    seen = np.unpackbits(rows, axis=1, bitorder="little")
    masks = np.packbits(seen.T, axis=1, bitorder="little")
    met: dict[bytes, int] = {}
    for question, mask in enumerate(masks):
        met.setdefault(mask.tobytes(), question)
    every = (1 << len(shown)) - 1
    found = {int.from_bytes(mask, "little"): question for mask, question in met.items()}
    return [Split(question, every & ~mask) for mask, question in found.items() if mask]
