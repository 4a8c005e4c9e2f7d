"""What can be earned from a log by those who do less than weigh all worlds that fit it.

Given all that is shown, the truth is even over the worlds that fit the log, so whoever plays a
background earns exactly the share of them in which it is decisive, however it came to be chosen.
Each bound here is the greatest such share over the backgrounds that a class of players can choose.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import comb
from statistics import fmean
from typing import NamedTuple

import numpy as np

from causarium.families.causallink.mechanics import Log, Machine

MOST_EARNED = 0.5
"""What any of these classes may earn on a log with screens."""


class LogBounds(NamedTuple):
    """The bounds of one log."""

    copier: float
    """The best row, with the best filling of what was not seen, known only in hindsight."""
    column: float
    """The best rule that treats parts alike that have the same column."""
    product: float
    """The best of the fits of the target by two columns."""
    outcome: float
    """The best choice that does not look at the target."""
    blind: float
    """The best choice of how many others move; which ones is chance."""

    @property
    def meet_bars(self) -> bool:
        """Whether they are low enough for a log with screens."""
        return max(self) <= MOST_EARNED


def find_bounds(machine: Machine, log: Log, left: int) -> LogBounds:
    """Return the bounds of a log.

    Args:
        machine: The machine that the log is of.
        log: Its rows.
        left: The worlds that fit it.
    """
    return LogBounds(
        copier=find_copier_bound(machine, log, left),
        column=find_column_bound(machine, log, left),
        product=find_product_bound(machine, log, left),
        outcome=find_outcome_bound(machine, log, left),
        blind=max(find_blind_shares(machine, left)),
    )


def find_copier_bound(machine: Machine, log: Log, left: int) -> float:
    """Return what the best row earns with the best filling.

    Args:
        machine: The machine that the log is of.
        log: Its rows.
        left: The worlds that fit it.
    """
    return max(machine.share(left, c) for row in log for c in row.fillings())


def find_column_bound(machine: Machine, log: Log, left: int) -> float:
    """Return what the best rule on single columns earns.

    Args:
        machine: The machine that the log is of.
        log: Its rows.
        left: The worlds that fit it.
    """
    return max(machine.share(left, c) for c in list_even_backgrounds(machine, log))


def find_product_bound(machine: Machine, log: Log, left: int) -> float:
    """Return what the best of the fits by two columns earns; among equal fits chance decides.

    Args:
        machine: The machine that the log is of.
        log: Its rows.
        left: The worlds that fit it.
    """
    everything = (1 << machine.law.others) - 1
    return max(
        fmean(machine.share(left, everything & ~(1 << x | 1 << y)) for x, y in pairs)
        for pairs in list_product_fits(machine, log)
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


def find_outcome_bound(machine: Machine, log: Log, left: int) -> float:
    """Return what can be earned without looking at the target.

    Renamings of the parts that leave the rows the same rows, but for the target, cannot be told
    from one another, so a background earns the mean of what it earns under all of them.

    Args:
        machine: The machine that the log is of.
        log: Its rows.
        left: The worlds that fit it.
    """
    renamings = list(list_renamings(machine, log))
    shares = [machine.share(left, background) for background in machine.backgrounds]
    return max(
        fmean(shares[rename(background, places)] for places in renamings)
        for background in machine.backgrounds
    )


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


def find_blind_shares(machine: Machine, left: int) -> list[float]:
    """Return, for each size, what a background of so many parts drawn by chance earns."""
    sums = [0.0] * (machine.law.others + 1)
    for background in machine.backgrounds:
        sums[background.bit_count()] += machine.share(left, background)
    return [total / comb(machine.law.others, size) for size, total in enumerate(sums)]
