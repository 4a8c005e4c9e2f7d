"""How a log is drawn, and the world behind it.

Every condition looks at the log alone. Only when a log is settled is the truth drawn, evenly over
all that fit, so that nothing in the draw says anything more about it.

With one law for all a seed world gives the rows their outcomes, so that at least one world fits.
Rows are kept while they rule worlds out, until some background is decisive in all worlds that are
left: a *sure run* exists.

For several laws three worlds come first, each of another law, so that no background is decisive in
two of them. Rows are taken from the runs that come out alike in all three. In each world another
one of these rows is decisive, so that nobody can tell without the law which one it is; and under
each law no world but the one fits all rows. Which of the three laws a case tells is drawn last.
"""

from itertools import combinations
from math import comb, prod
from random import Random
from typing import NamedTuple

import numpy as np

from causarium.families.causallink.mechanics import Law, Machine, Row, World, build_machine
from causarium.families.causallink.model.config import LAWS_SHOWN
from causarium.families.causallink.model.instance import Need, Needs

LAWS = {
    "log": Law(others=5, helpers=(1, 2), rivals=(1, 2), brakes=(1,)),
    "laws": Law(others=6, helpers=(2,), rivals=(2,), brakes=(2,)),
}
"""What is said of the machines of the log levels."""
_MIRROR: dict[Need, Need] = {
    "all": "none",
    "none": "all",
    "one": "one",
    "some": "not all",
    "not all": "some",
}
_HALF: tuple[Needs, ...] = (
    ("all", "some", "all"),
    ("all", "some", "none"),
    ("all", "some", "one"),
    ("all", "some", "some"),
    ("all", "some", "not all"),
    ("all", "not all", "none"),
    ("all", "one", "none"),
    ("all", "all", "none"),
    ("all", "none", "none"),
    ("some", "some", "all"),
    ("not all", "some", "all"),
    ("one", "some", "all"),
)
NEEDS = (*_HALF, *((_MIRROR[a], _MIRROR[b], _MIRROR[c]) for a, b, c in _HALF))
"""The laws that may be told: those under which no run is decisive in more than a tenth of the
worlds, and their mirror images, in which moving and being held change places."""

KEPT_SHARE = 0.92
"""A row that leaves more of the worlds than this is not kept."""
ROWS_SHOWN = 6
"""A log under one law is filled up to so many rows."""
MOST_ROWS = 12
HALF = 5
"""In a log for several laws the suspects move in so many rows, and are held in as many."""
THREES = 8_192
"""How many threes of worlds are looked at together: one in twenty thousand will do."""
LEAST_WAYS = 100_000
"""Three worlds are passed over if rows for them can be taken in fewer ways: the same logs would
come again and again, and could be learnt by heart."""
TRIES = 100
"""How often rows are taken for three worlds before others are looked at."""


class DrawnLog(NamedTuple):
    """A log of a machine, the worlds that fit it, and the one that is true."""

    machine: Machine
    log: tuple[Row, ...]
    left: int
    truth: World


def draw_logs(kind: str, rng: Random) -> tuple[DrawnLog, ...]:
    """Draw a log of a level, under each of its laws if it has several.

    Args:
        kind: The kind of the level.
        rng: Where chance comes from.
    """
    return draw_under_laws(rng) if kind == "laws" else (draw_plain(rng),)


def draw_plain(rng: Random) -> DrawnLog:
    """Draw a log under the one law that is the same in all cases."""
    machine = build_machine(LAWS["log"])
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
        left = machine.fit_all(log)
        truth = rng.choice(list(machine.list_fitting(left)))
        return DrawnLog(machine, tuple(log), left, truth)


def _draw_row(machine: Machine, rng: Random, world: World) -> Row:
    suspects = rng.random() < 0.65
    background = rng.getrandbits(machine.law.others)
    return Row(suspects, background, world.moves(background, live=suspects))


def _drop_idle(machine: Machine, log: list[Row]) -> list[Row]:
    """Return the rows without those that a sure run can do without."""
    for row in list(log):
        rest = [other for other in log if other is not row]
        if machine.has_sure(machine.fit_all(rest)):
            log = rest
    return log


def draw_under_laws(rng: Random) -> tuple[DrawnLog, ...]:
    """Draw a log that leaves one world under each of three laws."""
    machines = [build_machine(LAWS["laws"]._replace(needs=needs)) for needs in NEEDS]
    # Of each world, the backgrounds on which the target moves, without and with the suspects, as
    # one number: worlds of all laws in a row, as many of one law as of another.
    flags = np.packbits([machine.moves for machine in machines], axis=2, bitorder="little")
    moves = np.ascontiguousarray(flags.transpose(1, 0, 3, 2)).view("<u8")[..., 0]
    while True:
        threes = _draw_threes(moves.reshape(2, -1), rng)
        for laws, worlds in zip(*np.divmod(threes, moves.shape[2]), strict=True):
            # By law and by world, the runs that come out differently than in the chosen world.
            differ = moves[:, laws] ^ moves[:, laws, worlds][..., None]
            log = _take_rows(moves[:, laws, worlds], differ, rng)
            if log is not None:
                return tuple(
                    DrawnLog(machines[law], log, 1 << world, machines[law].worlds[world])
                    for law, world in zip(laws.tolist(), worlds.tolist(), strict=True)
                )


def _draw_threes(moves: np.ndarray, rng: Random) -> np.ndarray:
    """Draw worlds in threes, each of which has a decisive run that also works in the other two."""
    chance = np.frombuffer(rng.randbytes(2 * LAWS_SHOWN * THREES), dtype="<u2")
    threes = chance.reshape(THREES, LAWS_SHOWN) % moves.shape[1]
    held, moved = moves[:, threes]
    decisive = moved & ~held
    shown = decisive & np.bitwise_and.reduce(moved, axis=1)[:, None]
    good = (shown > 0).all(axis=1)
    for one, other in combinations(range(LAWS_SHOWN), 2):
        good &= decisive[:, one] & decisive[:, other] == 0
    found: np.ndarray = threes[good]
    return found


def _take_rows(moves: np.ndarray, differ: np.ndarray, rng: Random) -> tuple[Row, ...] | None:
    """Take rows that come out alike in three worlds, and in no other world of their laws.

    Args:
        moves: On which backgrounds the target moves in each of the three worlds, without and with
            the suspects.
        differ: Where it does not fare so, by world of each law.
        rng: Where chance comes from.

    Returns:
        The rows, or None where none were found.
    """
    held, moved = moves
    alike = ~(np.bitwise_or.reduce(moves, axis=1) & ~np.bitwise_and.reduce(moves, axis=1))
    decisive = moved & ~held
    if not _single_out(differ, alike):
        return None
    telling = [_list_bits(one & alike[1]) for one in decisive]
    idle = _list_bits(alike[1] & ~np.bitwise_or.reduce(decisive))
    without = _list_bits(alike[0])
    ways = prod(map(len, telling)) * comb(len(idle), HALF - LAWS_SHOWN) * comb(len(without), HALF)
    if ways < LEAST_WAYS:
        return None
    for _ in range(TRIES):
        runs = [*map(rng.choice, telling), *rng.sample(idle, HALF - LAWS_SHOWN)]
        rest = rng.sample(without, HALF)
        masks = np.array([sum(1 << c for c in chosen) for chosen in (rest, runs)], dtype="<u8")
        worked = any(int(held[0]) >> c & 1 for c in rest)
        if worked and len({*runs, *rest}) == 2 * HALF and _single_out(differ, masks):
            pairs = [(True, c) for c in runs] + [(False, c) for c in rest]
            return tuple(
                Row(suspects, c, bool(int(moves[int(suspects), 0]) >> c & 1))
                for suspects, c in sorted(pairs)
            )
    return None


def _single_out(differ: np.ndarray, masks: np.ndarray) -> bool:
    """Say whether rows leave one world under each law."""
    fits = ((differ & masks[:, None, None]) == 0).all(axis=0)
    return bool((fits.sum(axis=1) == 1).all())


def _list_bits(mask: np.ndarray) -> list[int]:
    return [place for place in range(64) if int(mask) >> place & 1]
