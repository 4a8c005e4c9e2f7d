"""What can be earned from a log by those who do less than weigh all worlds that fit it.

Given all that is shown, the truth is even over the worlds that fit the log, so whoever plays a
background earns exactly the share of them in which it is decisive, however it came to be chosen.
Each bound here is the greatest such share over the backgrounds that a class of players can choose.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import comb
from statistics import fmean

import numpy as np

from causarium.families.causallink.mechanics import Log, Machine

MOST_EARNED = 0.5
"""What any of these classes may earn on a log with screens."""


@dataclass(frozen=True)
class LogBounds:
    """The bounds of one log, each worked out when it is asked for."""

    machine: Machine
    log: Log
    left: int
    """The worlds that fit the log, at least one."""

    @property
    def meet_bars(self) -> bool:
        """Whether all are low enough for a log with screens; `ignores_log` always is."""
        # Cheapest first: most logs that are drawn fail the first.
        names = ("copiers", "product", "columns", "ignores_target")
        return all(getattr(self, name) <= MOST_EARNED for name in names)

    def _earn(self, background: int) -> float:
        return self.machine.share(self.left, background)

    @cached_property
    def copiers(self) -> float:
        """The best row, with the best filling of what was not seen, known only in hindsight."""
        return max(self._earn(c) for row in self.log for c in row.fillings())

    @cached_property
    def columns(self) -> float:
        """The best rule that treats parts alike that have the same column."""
        return max(map(self._earn, list_even_backgrounds(self.machine, self.log)))

    @cached_property
    def product(self) -> float:
        """The best of the fits of the target by two columns; among equal fits chance decides."""
        everything = (1 << self.machine.law.others) - 1
        return max(
            fmean(self._earn(everything & ~(1 << x | 1 << y)) for x, y in pairs)
            for pairs in list_product_fits(self.machine, self.log)
        )

    @cached_property
    def ignores_target(self) -> float:
        """The best choice that does not look at the target.

        Renamings of the parts that leave the rows the same rows, but for the target, cannot be told
        from one another, so a background earns the mean of what it earns under all of them.
        """
        renamings = list(list_renamings(self.machine, self.log))
        shares = [self._earn(background) for background in self.machine.backgrounds]
        return max(
            fmean(shares[rename(background, places)] for places in renamings)
            for background in self.machine.backgrounds
        )

    @cached_property
    def ignores_log(self) -> float:
        """The best choice of how many others move; which ones is chance."""
        sums = [0.0] * (self.machine.law.others + 1)
        for background in self.machine.backgrounds:
            sums[background.bit_count()] += self._earn(background)
        return max(total / comb(len(sums) - 1, size) for size, total in enumerate(sums))


def bound_without_law(machines: Sequence[Machine], log: Log) -> float:
    """Return what the best run earns on average over laws, if it is chosen without the law.

    Args:
        machines: The machines of the laws under which the log is shown.
        log: The log, which fits some world of each.
    """
    pairs = [(machine, machine.fit_all(log)) for machine in machines]
    return max(
        fmean(machine.share(left, background) for machine, left in pairs)
        for background in machines[0].backgrounds
    )


def list_product_fits(machine: Machine, log: Log) -> Iterator[list[tuple[int, int]]]:
    """Yield, for each way to weigh the rows, the pairs x, y of which x and not y fits best.

    How near the product lies to the target is measured by squares, with what was not seen as one
    half. Rows with the suspects count like the others, half, or not at all; and once the
    correlation is taken instead.
    """
    values = {"0": 0.0, "1": 1.0, "?": 0.5}
    others = range(machine.law.others)
    cells = np.array([[values[row.state(x)] for row in log] for x in others])
    target = np.array([float(row.target) for row in log])
    suspects = np.array([float(row.suspects) for row in log])
    pairs = list(permutations(others, 2))
    products = np.array([cells[x] * (1 - cells[y]) for x, y in pairs])
    squares = (products - target) ** 2
    spread = products - products.mean(axis=1, keepdims=True)
    along = spread @ (target - target.mean())
    steep = along / np.sqrt((spread**2).sum(axis=1) + 1e-9)
    weighed = [squares @ (1 - less * suspects) for less in (0.0, 0.5, 1.0)]
    for misfit in (*weighed, -steep):
        yield [pairs[place] for place in np.flatnonzero(misfit <= misfit.min() + 1e-9)]


def list_renamings(machine: Machine, log: Log) -> Iterator[tuple[int, ...]]:
    """Yield where each part goes when the rows stay the same rows, but for the target."""
    rows = Counter((row.suspects, row.moved, row.unseen) for row in log)
    columns = [
        sorted((row.suspects, row.state(other)) for row in log)
        for other in range(machine.law.others)
    ]
    for places in permutations(range(machine.law.others)):
        if all(columns[x] == columns[place] for x, place in enumerate(places)) and all(
            rows[row[0], rename(row[1], places), rename(row[2], places)] == count
            for row, count in rows.items()
        ):
            yield places


def rename(mask: int, places: Sequence[int]) -> int:
    """Return a set of parts after each went to its place."""
    return sum(1 << place for x, place in enumerate(places) if mask >> x & 1)


def list_even_backgrounds(machine: Machine, log: Log) -> Iterator[int]:
    """Yield the backgrounds that move all or none of the parts with the same column.

    A column is what was seen of a part in each row, with what the row's suspects and target did, in
    no order.
    """
    alike: defaultdict[tuple[tuple[bool, bool, str], ...], int] = defaultdict(int)
    for other in range(machine.law.others):
        cells = sorted((row.suspects, row.target, row.state(other)) for row in log)
        alike[tuple(cells)] |= 1 << other
    groups = list(alike.values())
    for chosen in range(1 << len(groups)):
        yield sum(group for place, group in enumerate(groups) if chosen >> place & 1)
