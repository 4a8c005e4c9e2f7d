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

For several laws rows come first too, different ones in which everything is seen. Of the ways in
which the target may have fared one is taken that fits exactly one world under each of three laws,
so that no run is decisive under two of them, none of the log is, and none that treats equal columns
alike. No law is looked at before the others, and which of them a case tells is chosen by its place.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import NamedTuple

import numpy as np

from causarium.families.causallink.evidence.log_bounds import LogBounds, rename
from causarium.families.causallink.mechanics import (
    Law,
    Machine,
    Row,
    World,
    build_machine,
    list_masks,
)
from causarium.families.causallink.model.config import LAWS_SHOWN
from causarium.families.causallink.model.instance import Need, Needs

LAWS = {
    "log": Law(others=5, helpers=(1, 2), rivals=(1, 2), brakes=(1,)),
    "screens": Law(others=6, helpers=(2,), rivals=(1, 2), brakes=(1,)),
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
"""A log without screens is filled up to so many rows."""
MOST_ROWS = 12
TWOS = 4
"""How many twos of rows a log with screens has; in half of them the suspects move."""
DESIGNS = 32
"""How many designs are gone through together: one in five hundred has a log that will do."""
LEAST_WORLDS = 4
SIZE = 6
"""How many others a machine with a design has."""
SWAP = (1, 0, 3, 2, 4, 5)
"""Where each of six parts goes when two pairs of them change places."""

_FIRST, _SECOND = np.triu_indices(SIZE, 1)
"""All pairs of parts."""
_SPLITS = (np.arange(1 << SIZE) >> _FIRST[:, None] ^ np.arange(1 << SIZE) >> _SECOND[:, None]) & 1
"""By pair, the backgrounds that move one of the two and hold the other."""


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
    if kind == "laws":
        return draw_under_laws(rng)
    draw = draw_plain if kind == "log" else draw_screened
    return (draw(build_machine(LAWS[kind]), rng),)


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


def draw_under_laws(rng: Random) -> tuple[DrawnLog, ...]:
    """Draw a log that leaves one world under each of three laws."""
    machines = [build_machine(LAWS["laws"]._replace(needs=needs)) for needs in NEEDS]
    moves = np.stack([machine.moves for machine in machines])
    # The runs that are decisive in each world of each law, one bit a background.
    flags = np.packbits(moves[:, 1] & ~moves[:, 0], axis=1, bitorder="little")
    decisive = np.ascontiguousarray(flags.transpose(0, 2, 1)).view("<u8")[..., 0]
    while True:
        backgrounds = rng.sample(range(1 << SIZE), 2 * TWOS)
        design = sorted(
            Row(x < TWOS, moved, 0, target=False) for x, moved in enumerate(backgrounds)
        )
        groups = _group_worlds(design, moves, decisive)
        for way in rng.sample(sorted(groups), len(groups)):
            log = [row._replace(target=bool(way >> x & 1)) for x, row in enumerate(design)]
            for three in rng.sample(groups[way], len(groups[way])):
                return tuple(
                    DrawnLog(machines[law], tuple(log), 1 << world, machines[law].worlds[world])
                    for law, world in three
                )


def _group_worlds(
    design: list[Row], moves: np.ndarray, decisive: np.ndarray
) -> dict[int, list[tuple[tuple[int, int], ...]]]:
    """Return the threes of laws, each with its one world, that a design has by its outcomes."""
    suspects, moved, _, _ = np.array(design).T
    # Outcomes are one byte, with a bit for each row, by law and by world.
    outcomes = np.packbits(moves[:, suspects, moved], axis=1, bitorder="little")
    ways = outcomes[:, 0].astype(int)
    numbers = ways + (np.arange(len(moves)) << len(design))[:, None]
    alone = np.bincount(numbers.ravel(), minlength=len(moves) << len(design))[numbers] == 1
    # Both with and without the suspects the target moved at least once.
    good = alone & (ways % (1 << TWOS) > 0) & (ways >> TWOS > 0)
    good &= decisive & np.bitwise_or.reduce(np.uint64(1) << moved.astype("u8")) == 0
    enough = np.flatnonzero(np.bincount(ways[good], minlength=1 << len(design)) >= LAWS_SHOWN)
    if not enough.size:
        return {}
    equal = _find_equal_columns([design], enough[:, None] >> np.arange(2 * TWOS) & 1)[0]
    telling = np.packbits(equal @ _SPLITS > 0, axis=1, bitorder="little").view("<u8")[:, 0]
    allowed = np.zeros(1 << len(design), dtype="u8")
    allowed[enough] = telling
    good &= decisive & ~allowed[ways] == 0
    groups: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for law, world in np.argwhere(good).tolist():
        groups[int(ways[law, world])].append((law, world))
    threes = {
        way: [
            three
            for three in combinations(group, LAWS_SHOWN)
            if not any(decisive[one] & decisive[other] for one, other in combinations(three, 2))
        ]
        for way, group in groups.items()
    }
    return {way: found for way, found in threes.items() if found}


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
    equal = _find_equal_columns(designs, targets)
    worked = suspects @ targets.T > 0
    design, number = np.nonzero(equal.any(axis=2) & worked)
    fitting = _list_fitting(machine)[suspects, moved, unseen]
    left = np.bitwise_and.reduce(fitting[design[:, None], rows, targets[number]], axis=1)
    enough = np.bitwise_count(left).sum(axis=1) >= LEAST_WORLDS
    design, number, left = design[enough], number[enough], left[enough]
    backgrounds, undecided = _list_undecided(machine)
    sure = ~(left[:, None, :] & undecided).any(axis=2)
    good = (sure & (equal[design, number] @ _SPLITS[:, backgrounds] > 0)).any(axis=1)
    for chosen, way in zip(design[good], targets[number[good]], strict=True):
        yield [
            row._replace(target=bool(moves))
            for row, moves in zip(designs[chosen], way, strict=True)
        ]


def _find_equal_columns(designs: list[list[Row]], targets: np.ndarray) -> np.ndarray:
    """Say which two parts have equal columns, by design, by how the target fared, and by pair."""
    suspects, moved, unseen, _ = np.moveaxis(np.array(designs), 2, 0)
    others = np.arange(SIZE)
    states = np.where(unseen[..., None] >> others & 1, 2, moved[..., None] >> others & 1)
    # A column as one number: a digit to count rows for each state, with suspects and without.
    cells = 16 ** (states + 3 * suspects[..., None])
    every, moving = cells.sum(axis=1)[:, None, :], targets @ cells
    both = np.stack(np.broadcast_arrays(every, moving))
    equal: np.ndarray = (both[..., _FIRST] == both[..., _SECOND]).all(axis=0)
    return equal


@lru_cache(maxsize=1)  # 13 ms, and every draw asks
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
    return DrawnLog(machine, tuple(log), left, rng.choice(list(machine.list_fitting(left))))
