"""What can be earned from a log by those who do less than weigh all worlds that fit it.

Given all that is shown, the truth is even over the worlds that fit the log, so whoever plays a
background earns exactly the share of them in which it is decisive, however it came to be chosen.
Each bound here is the greatest such share over the backgrounds that a class of players can choose.
"""

from collections import defaultdict
from collections.abc import Iterator
from math import comb
from typing import NamedTuple

from causarium.families.causallink.mechanics import Log, Machine


class LogBounds(NamedTuple):
    """The bounds of one log."""

    copier: float
    """The best row, with the best filling of what was not seen, known only in hindsight."""
    column: float
    """The best rule that treats parts alike that have the same column."""
    blind: float
    """The best choice of how many others move; which ones is chance."""


def find_bounds(machine: Machine, log: Log, left: int) -> LogBounds:
    """Return the bounds of a log.

    Args:
        machine: The machine that the log is of.
        log: Its rows.
        left: The worlds that fit it.
    """
    return LogBounds(
        copier=max(machine.share(left, c) for row in log for c in row.fillings()),
        column=max(machine.share(left, c) for c in list_even_backgrounds(machine, log)),
        blind=max(find_blind_shares(machine, left)),
    )


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
