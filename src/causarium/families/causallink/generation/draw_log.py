"""How a log is drawn, and the world behind it.

A seed world gives the rows their outcomes, so that at least one world fits. Rows are kept while
they rule worlds out, until some background is decisive in all worlds that are left: a *sure run*
exists. Every condition looks at the log alone. Only then is the truth drawn, evenly over all
worlds that fit, so that the seed world says nothing about it.

On the level with screens rows come in twos: the second has the same suspects and the same target,
and the cells of two pairs of parts change places. So columns alone do not tell these parts apart,
and only with whom they moved does. A log is drawn again unless every copy of a row, whatever stood
behind its screen, and every rule on columns earns at most `MOST_EARNED`.
"""

from random import Random
from typing import NamedTuple

from causarium.families.causallink.evidence.log_bounds import find_bounds
from causarium.families.causallink.mechanics import Log, Machine, Row, World, list_masks

MOST_EARNED = 0.5
"""What copiers and rules on columns may earn on a log with screens."""
KEPT_SHARE = 0.92
"""A row, or two, that leaves more of the worlds than this is not kept."""
MOST_LEFT = 30
"""While more worlds are left no sure run is looked for: nearly every look would be in vain."""
ROWS_SHOWN = 6
"""A log without screens is filled up to so many rows."""
MOST_ROWS = 12
MOST_TWOS = 4
MOST_IDLE = 12
"""After how many twos that are not kept in a row a draw is given up."""
LEAST_WORLDS = 4


class DrawnLog(NamedTuple):
    """A log, the worlds that fit it, and the one that is true."""

    log: tuple[Row, ...]
    left: int
    truth: World


def draw_plain(machine: Machine, rng: Random) -> DrawnLog:
    """Draw a log in which everything is seen."""
    while True:
        world = rng.choice(machine.worlds)
        log: list[Row] = []
        left = machine.every
        for _ in range(MOST_ROWS):
            row = _draw_row(machine, rng, world, 0)
            now = left & machine.fit(row)
            if now.bit_count() < KEPT_SHARE * left.bit_count():
                log, left = [*log, row], now
            if machine.has_sure(left):
                break
        else:
            continue
        log = _drop_idle(machine, [[row] for row in log])
        while len(log) < ROWS_SHOWN:
            if (row := _draw_row(machine, rng, world, 0)) not in log:
                log.append(row)
        return _draw_truth(machine, rng, log)


def draw_screened(machine: Machine, rng: Random) -> DrawnLog:
    """Draw a log of rows in twos, each with one or two parts behind the screen."""
    screens = tuple(list_masks(machine.law.others, (1, 2)))
    fits: dict[Row, int] = {}
    while True:
        twos = _draw_twos(machine, rng, screens, fits)
        if twos is None:
            continue
        log = _drop_idle(machine, twos)
        left = machine.fit_all(log)
        if left.bit_count() >= LEAST_WORLDS and meets_bars(machine, log, left):
            return _draw_truth(machine, rng, log)


def meets_bars(machine: Machine, log: Log, left: int) -> bool:
    """Say whether copiers and rules on columns earn little enough of a log.

    Args:
        machine: The machine that the log is of.
        log: Its rows.
        left: The worlds that fit it.
    """
    bounds = find_bounds(machine, log, left)
    return max(bounds.copier, bounds.column) <= MOST_EARNED


def _draw_row(machine: Machine, rng: Random, world: World, unseen: int) -> Row:
    suspects = rng.random() < 0.65
    background = rng.getrandbits(machine.law.others)
    return Row(suspects, background & ~unseen, unseen, world.moves(background, live=suspects))


def _draw_twos(
    machine: Machine, rng: Random, screens: tuple[int, ...], fits: dict[Row, int]
) -> list[list[Row]] | None:
    """Draw rows in twos until a sure run exists; None if that takes too many.

    One try in some hundreds comes to a good end, so a row's worlds are kept in `fits` for the next.
    """
    world = rng.choice(machine.worlds)
    a, b, c, d = rng.sample(range(machine.law.others), 4)
    paired = 1 << a | 1 << b | 1 << c | 1 << d
    twos: list[list[Row]] = []
    left, idle = machine.every, 0
    while len(twos) < MOST_TWOS and idle < MOST_IDLE:
        idle += 1
        suspects = rng.random() < 0.5
        first = rng.getrandbits(machine.law.others)
        second = rng.getrandbits(machine.law.others) & ~paired
        screen, other_screen = rng.choice(screens), rng.choice(screens) & ~paired
        for one, other in ((a, b), (c, d)):
            second |= (first >> one & 1) << other | (first >> other & 1) << one
            other_screen |= (screen >> one & 1) << other | (screen >> other & 1) << one
        target = world.moves(first, live=suspects)
        if target != world.moves(second, live=suspects) or other_screen not in screens:
            continue
        two = [
            Row(suspects, first & ~screen, screen, target),
            Row(suspects, second & ~other_screen, other_screen, target),
        ]
        now = left
        for row in two:
            if row not in fits:
                fits[row] = machine.fit(row)
            now &= fits[row]
        if now.bit_count() < KEPT_SHARE * left.bit_count():
            twos, left, idle = [*twos, two], now, 0
            if left.bit_count() <= MOST_LEFT and machine.has_sure(left):
                return twos
    return None


def _drop_idle(machine: Machine, bundles: list[list[Row]]) -> list[Row]:
    """Return the rows without those bundles that a sure run can do without."""
    for bundle in list(bundles):
        rest = [other for other in bundles if other is not bundle]
        if machine.has_sure(machine.fit_all([row for other in rest for row in other])):
            bundles = rest
    return [row for bundle in bundles for row in bundle]


def _draw_truth(machine: Machine, rng: Random, log: list[Row]) -> DrawnLog:
    left = machine.fit_all(log)
    return DrawnLog(tuple(log), left, rng.choice(list(machine.list_fitting(left))))
