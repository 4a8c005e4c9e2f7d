"""How a log is drawn, and the world behind it.

Every condition looks at the log alone. Only when a log is settled is the truth drawn, evenly over
all worlds that fit, so that nothing in the draw says anything more about it.

Where everything is seen, a seed world gives the rows their outcomes, so that at least one world
fits. Rows are kept while they rule worlds out, until some background is decisive in all worlds that
are left: a *sure run* exists.

With screens a *design* comes first: rows without outcomes, in twos that differ in the cells of two
pairs of parts, which change places. So the design does not say which part of a pair is which, and
only the target does. Then all ways in which the target may have fared are gone through, and one is
taken that leaves a sure run, and of which copiers, rules on columns, fits of two columns and those
who do not look at the target earn at most one half.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple

import numpy as np

from causarium.families.causallink.evidence.log_bounds import LogBounds, rename
from causarium.families.causallink.mechanics import Machine, Row, World, list_masks

KEPT_SHARE = 0.92
"""A row that leaves more of the worlds than this is not kept."""
ROWS_SHOWN = 6
"""A log without screens is filled up to so many rows."""
MOST_ROWS = 12
TWOS = 4
"""How many twos of rows a log with screens has; in half of them the suspects move."""
DESIGNS = 32
"""How many designs are gone through together: one in five hundred has a log that will do."""
LEAST_WORLDS = 4
SWAP = (1, 0, 3, 2, 4, 5)
"""Where each of six parts goes when two pairs of them change places."""


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
            row = _draw_row(machine, rng, world)
            now = left & machine.fit(row)
            if now.bit_count() < KEPT_SHARE * left.bit_count():
                log, left = [*log, row], now
            if machine.has_sure(left):
                break
        else:
            continue
        log = _drop_idle(machine, log)
        while len(log) < ROWS_SHOWN:
            if (row := _draw_row(machine, rng, world)) not in log:
                log.append(row)
        return _draw_truth(machine, rng, log)


def draw_screened(machine: Machine, rng: Random) -> DrawnLog:
    """Draw a log of rows that each have one or two parts behind the screen."""
    screens = tuple(list_masks(machine.law.others, (1, 2)))
    while True:
        designs = [_draw_design(machine, rng, screens) for _ in range(DESIGNS)]
        logs = list(_list_logs(machine, designs))
        for log in rng.sample(logs, len(logs)):
            if LogBounds(machine, log, machine.fit_all(log)).meet_bars:
                return _draw_truth(machine, rng, log)


def _draw_row(machine: Machine, rng: Random, world: World) -> Row:
    suspects = rng.random() < 0.65
    background = rng.getrandbits(machine.law.others)
    return Row(suspects, background, 0, world.moves(background, live=suspects))


def _draw_design(machine: Machine, rng: Random, screens: tuple[int, ...]) -> list[Row]:
    """Draw rows that stay the same rows when pairs change places; targets are yet to come."""
    rows: set[Row] = set()
    while len(rows) < 2 * TWOS:
        unseen = rng.choice(screens)
        moved = rng.getrandbits(machine.law.others) & ~unseen
        row = Row(len(rows) < TWOS, moved, unseen, target=False)
        other = row._replace(moved=rename(moved, SWAP), unseen=rename(unseen, SWAP))
        if other != row:
            rows |= {row, other}
    return sorted(rows)


def _list_logs(machine: Machine, designs: list[list[Row]]) -> Iterator[list[Row]]:
    """Yield the logs of designs that leave a sure run which tells parts with equal columns apart.

    In each the target moved at least once with the suspects. Arrays have an axis for designs, one
    for the ways in which the target may have fared, one bit a row, and one for parts or pairs.
    """
    suspects, moved, unseen, _ = np.moveaxis(np.array(designs), 2, 0)
    rows = np.arange(2 * TWOS)
    targets = np.arange(1 << 2 * TWOS)[:, None] >> rows & 1
    others = np.arange(machine.law.others)
    first, second = np.triu_indices(len(others), 1)
    states = np.where(unseen[..., None] >> others & 1, 2, moved[..., None] >> others & 1)
    # A column as one number: a digit to count rows for each state, with suspects and without.
    cells = 16 ** (states + 3 * suspects[..., None])
    every, moving = cells.sum(axis=1)[:, None, :], targets @ cells
    equal = (every[..., first] == every[..., second]) & (moving[..., first] == moving[..., second])
    worked = suspects @ targets.T > 0
    design, number = np.nonzero(equal.any(axis=2) & worked)
    fitting = _list_fitting(machine)[suspects, moved, unseen]
    left = np.bitwise_and.reduce(fitting[design[:, None], rows, targets[number]], axis=1)
    enough = np.bitwise_count(left).sum(axis=1) >= LEAST_WORLDS
    design, number, left = design[enough], number[enough], left[enough]
    backgrounds, undecided = _list_undecided(machine)
    sure = ~(left[:, None, :] & undecided).any(axis=2)
    splits = (backgrounds >> first[:, None] ^ backgrounds >> second[:, None]) & 1
    good = (sure & (equal[design, number] @ splits > 0)).any(axis=1)
    for chosen, way in zip(design[good], targets[number[good]], strict=True):
        yield [
            row._replace(target=bool(moves))
            for row, moves in zip(designs[chosen], way, strict=True)
        ]


@lru_cache(maxsize=1)
def _list_fitting(machine: Machine) -> np.ndarray:
    """Return the worlds that fit each row with one or two parts unseen, packed.

    The axes are suspects, moved, unseen and target; it takes 20 ms, and every log asks again.
    """
    size = 1 << machine.law.others
    table = np.zeros((2, size, size, 2, len(_pack(machine, 0))), dtype="<u8")
    for unseen in list_masks(machine.law.others, (1, 2)):
        for suspects, moved, target in product((0, 1), range(size), (0, 1)):
            if not moved & unseen:
                row = Row(bool(suspects), moved, unseen, bool(target))
                table[suspects, moved, unseen, target] = _pack(machine, machine.fit(row))
    return table


def _list_undecided(machine: Machine) -> tuple[np.ndarray, np.ndarray]:
    """Return the backgrounds that hold two parts, each with the worlds that it does not decide.

    No other run is sure where copiers earn as little as they must, so none is looked for.
    """
    backgrounds = list(list_masks(machine.law.others, (machine.law.others - 2,)))
    undecided = [machine.every & ~machine.decisive[background] for background in backgrounds]
    return np.array(backgrounds), np.array([_pack(machine, worlds) for worlds in undecided])


def _pack(machine: Machine, worlds: int) -> np.ndarray:
    words = -(-len(machine.worlds) // 64)
    return np.frombuffer(worlds.to_bytes(8 * words, "little"), dtype="<u8")


def _drop_idle(machine: Machine, log: list[Row]) -> list[Row]:
    """Return the rows without those that a sure run can do without."""
    for row in list(log):
        rest = [other for other in log if other is not row]
        if machine.has_sure(machine.fit_all(rest)):
            log = rest
    return log


def _draw_truth(machine: Machine, rng: Random, log: list[Row]) -> DrawnLog:
    left = machine.fit_all(log)
    return DrawnLog(tuple(log), left, rng.choice(list(machine.list_fitting(left))))
