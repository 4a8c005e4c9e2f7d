"""Which questions settle what is open, and the fewest that do so whatever the truth is.

A question splits the systems that still fit by what they would show. The search is exact: it goes
through all splits, leaves out none, and gives up only above a fixed number of nodes.
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from .systems import Cases

_MOST_NODES = 6_000


@lru_cache(maxsize=16)  # the same for all systems of a size; 1 ms a time
def list_settings(size: int) -> tuple[dict[int, int], ...]:
    """Return every setting of one or two variables."""
    chosen = [*combinations(range(size), 1), *combinations(range(size), 2)]
    return tuple(
        dict(zip(names, values, strict=True))
        for names in chosen
        for values in product((0, 1), repeat=len(names))
    )


def lay_cases(size: int, outside: Mapping[int, int], settings: Sequence[Mapping[int, int]]) -> Cases:
    """Return the cases of one unit in which one setting after another is made."""
    ones = (1 << len(settings)) - 1
    fixed, values = [0] * size, [ones * outside.get(v, 0) for v in range(size)]
    for place, setting in enumerate(settings):
        for v, value in setting.items():
            fixed[v] |= 1 << place
            values[v] = values[v] & ~(1 << place) | value << place
    return Cases(ones, tuple(fixed), tuple(values))


class TooLongError(Exception):
    """The fewest questions are not found within the limit."""


class Split(NamedTuple):
    """What a question does: the systems by what they would show."""

    question: int
    parts: tuple[int, ...]


class Planner:
    """Finds questions for a number of systems that fit."""

    def __init__(self, shown: Sequence[Sequence[int]], answers: Sequence[Hashable]) -> None:
        """Know what each system would show and what it says.

        Args:
            shown: For each system, one column of bits over the questions for each gauge.
            answers: For each system, its answers to the items.
        """
        self.shown = shown
        self.count = len(shown)
        self.all = (1 << self.count) - 1
        classes: dict[Hashable, int] = {}
        for m, answer in enumerate(answers):
            classes[answer] = classes.get(answer, 0) | 1 << m
        self.classes = list(classes.values())
        self.splits = _list_splits(shown)
        self.widest = max((len(split.parts) for split in self.splits), default=1)
        self._known: dict[tuple[int, int], int | None] = {}
        self._nodes = 0

    def count_answers(self, systems: int) -> int:
        """Return how many different answers some systems give."""
        return sum(1 for one in self.classes if one & systems)

    def can_settle(self) -> bool:
        """Tell whether all questions together settle every item."""
        alike = [self.all]
        for split in self.splits:
            alike = [part & one for one in alike for part in split.parts if part & one]
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

    def _settles(self, systems: int, left: int) -> bool:
        open_answers = self.count_answers(systems)
        if open_answers <= 1:
            return True
        if left == 0 or open_answers > self.widest**left:
            return False
        key = (systems, left)
        if key not in self._known:
            self._nodes += 1
            if self._nodes > _MOST_NODES:
                raise TooLongError
            self._known[key] = self._find_question(systems, left)
        return self._known[key] is not None

    def _find_question(self, systems: int, left: int) -> int | None:
        tried: dict[tuple[int, ...], int] = {}
        for question, parts in self.splits:
            cut = tuple(sorted(part & systems for part in parts if part & systems))
            if len(cut) > 1:
                tried.setdefault(cut, question)
        limit = self.widest ** (left - 1)
        rated = []
        for cut, question in tried.items():
            sizes = sorted((self.count_answers(part) for part in cut), reverse=True)
            if sizes[0] <= limit:
                rated.append((sizes, question, cut))
        for _, question, cut in sorted(rated):
            parts = sorted(cut, key=self.count_answers, reverse=True)
            if all(self._settles(part, left - 1) for part in parts):
                return question
        return None


def _list_splits(shown: Sequence[Sequence[int]]) -> list[Split]:
    """Return one question for each way in which questions split the systems."""
    width = max((column.bit_length() for columns in shown for column in columns), default=0)
    gauges = len(shown[0]) if shown else 0
    # A column as text, the last question first: question q is character -1 - q.
    texts = [[f"{column:0{width}b}" for column in columns] for columns in shown]
    found: dict[tuple[int, ...], int] = {}
    for question in range(width):
        parts: dict[str, int] = {}
        for m, text in enumerate(texts):
            seen = "".join(text[g][-1 - question] for g in range(gauges))
            parts[seen] = parts.get(seen, 0) | 1 << m
        if len(parts) > 1:
            found.setdefault(tuple(sorted(parts.values())), question)
    return [Split(question, parts) for parts, question in found.items()]
