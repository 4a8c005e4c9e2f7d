"""Random intervention worlds by the hundred, as arrays.

A unit has a threshold for each root, the same in every world; a world has a level for each root,
and a root that is not a target is 1 in the units whose threshold lies below the level. Targets take
one value for the whole world, or values of their own in each row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import cast

import numpy as np
from numpy.typing import NDArray

from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Evidence, Flags, Rows
from causarium.scm.dag import bits, mask_of

_Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class World:
    """The rows of one unit each under one intervention."""

    rows: tuple[int, ...]
    targets: int

    @property
    def constant(self) -> bool:
        """Whether every target has one value in all rows."""
        return len({row & self.targets for row in self.rows}) == 1

    def evidence(self, n: int) -> Evidence:
        """Return what is seen of this world, among `n` variables."""
        return Evidence.of(n, self.rows, [self.targets] * len(self.rows))


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """Many worlds of equal size."""

    rows: Rows
    """For each world, its rows."""
    targets: Rows
    """For each world, its targets."""

    def __getitem__(self, place: int) -> World:
        return World(tuple(self.rows[place].tolist()), int(self.targets[place]))


@dataclass(frozen=True)
class Design:
    """How worlds are drawn."""

    thresholds: tuple[tuple[float, ...], ...]
    """For each unit its threshold for each root, roots by number."""
    levels: tuple[float, ...] = (0.2, 0.35, 0.5, 0.65, 0.8)
    biases: tuple[float, ...] = (0.3, 0.5, 0.7)
    """How likely a value of its own is 1."""
    target_counts: tuple[tuple[int, int], ...] = ((1, 4), (2, 46), (3, 50))
    """How often a world has so many targets."""
    assigned: float = 0.78
    """How often targets have values of their own in each row."""

    @classmethod
    def draw(cls, roots: int, units: int, rng: Random) -> "Design":
        """Draw the thresholds of some units."""
        return cls(tuple(tuple(rng.random() for _ in range(roots)) for _ in range(units)))

    def widen(self, most: int) -> "Design":
        """Return the same with any number of targets up to `most`."""
        counts = tuple((count, 1) for count in range(1, most + 1))
        return Design(self.thresholds, self.levels, self.biases, counts, self.assigned)


def observe(scm: BooleanScm, design: Design) -> World:
    """Return the world without targets in which all levels are in the middle."""
    rows = []
    for unit in design.thresholds:
        ones = [root for root, t in zip(bits(scm.roots), unit, strict=True) if t < 0.5]
        rows.append(scm.run(mask_of(ones)))
    return World(tuple(rows), 0)


def propose(
    scm: BooleanScm,
    design: Design,
    rng: Random,
    count: int,
    focus: Sequence[int] = (),
    *,
    matched: bool = False,
) -> Worlds:
    """Draw worlds at random.

    Args:
        scm: The model that says what follows.
        design: How worlds are drawn.
        rng: Where chance comes from.
        count: How many worlds to draw.
        focus: Masks; every second world takes its targets from one of them where it can.
        matched: Whether all worlds have as many roots among their targets as one random choice of
            targets has. Whoever takes the best of them then takes no fewer roots than chance does.
    """
    draws = _draws(scm.n, rng, count, focus)
    if matched:
        targets = _choose_matched_row(scm, design, rng, draws)
    else:
        targets = _mask_lowest(draws, _sizes(design, rng, count))
    # Targets that leave nothing that follows from anything show nothing.
    targets = np.where(np.uint32(scm.endogenous) & ~targets, targets, np.uint32(0))
    rows = _roots(scm, design, rng, count) & ~targets[:, None]
    rows = rows | _values(scm.n, design, rng, count) & targets[:, None]
    return Worlds(scm.replay(rows, targets[:, None]), targets)


def _sizes(design: Design, rng: Random, count: int) -> NDArray[np.int64]:
    counts, weights = zip(*design.target_counts, strict=True)
    return np.array(rng.choices(counts, weights, k=count), np.int64)


def _draws(n: int, rng: Random, count: int, focus: Sequence[int]) -> _Reals:
    """Return a number for each variable of each world; those with the lowest are its targets."""
    draws = _draw_uniform(rng, count * n).reshape(count, n)
    if focus:
        pools = np.array(focus, np.uint32)[(_draw_uniform(rng, count) * len(focus)).astype(np.intp)]
        pools[::2] = (1 << n) - 1
        draws = draws + (~pools[:, None] >> np.arange(n, dtype=np.uint32) & np.uint32(1))
    return draws


def _choose_matched_row(scm: BooleanScm, design: Design, rng: Random, draws: _Reals) -> Rows:
    like = mask_of(rng.sample(range(scm.n), min(scm.n, int(_sizes(design, rng, 1)[0]))))
    chosen = np.zeros(len(draws), np.uint32)
    for kind in (scm.roots, scm.endogenous):
        other = np.array([not kind >> v & 1 for v in range(scm.n)])
        size = np.full(len(draws), (like & kind).bit_count(), np.int64)
        chosen |= _mask_lowest(draws + 2.0 * other, size)
    return chosen


def _mask_lowest(draws: _Reals, size: NDArray[np.int64]) -> Rows:
    """Return, for each row of draws, the mask of so many of its lowest."""
    ranks = draws.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    return _pack_rows(ranks < size[:, None])


def _pack_rows(values: Flags) -> Rows:
    weights = np.uint32(1) << np.arange(values.shape[-1], dtype=np.uint32)
    return cast("Rows", (values @ weights))


def _roots(scm: BooleanScm, design: Design, rng: Random, count: int) -> Rows:
    thresholds = np.array(design.thresholds)
    roots = np.zeros((count, len(thresholds)), np.uint32)
    for j, root in enumerate(bits(scm.roots)):
        level = _choices(rng, design.levels, count)[:, None]
        roots |= (thresholds[:, j] < level).astype(np.uint32) << np.uint32(root)
    return roots


def _values(n: int, design: Design, rng: Random, count: int) -> Rows:
    """Return values for every variable; those that have their own in each row have both."""
    units = len(design.thresholds)
    own = _draw_uniform(rng, count)[:, None] < design.assigned
    bias = (_choices(rng, design.biases, count * n) * 256).astype(np.uint8).reshape(count, 1, n)
    draws = np.frombuffer(rng.randbytes(count * units * n), np.uint8)
    ones: Flags = draws.reshape(count, units, n) < bias
    flip = (_draw_uniform(rng, count * n) * units).astype(np.intp).reshape(count, n)
    constant = ones.all(axis=1) | ~ones.any(axis=1)
    world, variable = np.nonzero(constant & own & (units > 1))
    ones[world, flip[world, variable], variable] ^= True
    same = (_draw_uniform(rng, count * n) < 0.5).reshape(count, 1, n)
    return _pack_rows(np.where(own[:, :, None], ones, same))


def _draw_uniform(rng: Random, count: int) -> _Reals:
    # From bytes, for numpy's own generators may draw otherwise in another version.
    words = np.frombuffer(rng.randbytes(4 * count), "<u4")
    return words * 2.0**-32


def _choices(rng: Random, options: Sequence[float], count: int) -> _Reals:
    return np.array(options)[(_draw_uniform(rng, count) * len(options)).astype(np.intp)]
