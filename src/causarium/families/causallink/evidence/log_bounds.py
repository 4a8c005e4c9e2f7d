"""What can be earned from a log by those who do less than weigh all worlds that fit it.

Given all that is shown, the truth is even over the worlds that fit the log, so whoever plays a
background earns exactly the share of them in which it is decisive, however it came to be chosen.
Each bound here is the greatest such share over what a class of players can choose.
"""

from collections.abc import Sequence
from math import comb
from statistics import fmean

from causarium.families.causallink.mechanics import Log, Machine


def bound_without_log(machine: Machine, left: int) -> float:
    """Return what the best number of others earns, if which of them move is chance.

    Args:
        machine: The machine.
        left: The worlds that fit the log, at least one.
    """
    sums = [0.0] * (machine.law.others + 1)
    for background in machine.backgrounds:
        sums[background.bit_count()] += machine.share(left, background)
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
