"""The crystals that no experiment can tell from a given one.

They depend on the given crystal only by names, and on the part that is played by the property that
cannot be held. So they are listed once for each such part, in symbols that are put in place later.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product

import numpy as np

from ..mechanics.respond import LOOSE, Array, respond
from ..model.skeleton import FIXED, Skeleton
from .fits import Fits

_FEW = 2
"""Experiments with at most so many holds are tried first: they leave few crystals."""
_AT_ONCE = 2_000
UNHELD = -1
"""The symbol of the property that acts and cannot be held."""


@lru_cache(maxsize=64)  # up to .1 s each, and every instance of a rung asks for one of a few
def list_alike(skeleton: Skeleton, holds: int, fixed_part: int | None) -> Array:
    """Return the crystals that experiments with at most so many holds cannot tell from one.

    Symbols stand for the properties of the given crystal: i for what plays part i, `UNHELD` for
    what acts and cannot be held, and the number of parts and above for different idle properties.
    """
    parts = len(skeleton.parts)
    small = skeleton.model_copy(update={"idle": parts + FIXED})
    acting = [part for part in range(parts) if part != fixed_part]
    fits = Fits.of(small)
    given = np.arange(parts, dtype=np.int8)[None]
    if fixed_part is not None:
        given[0, fixed_part] = fits.holdable + 1
    for settings in list_experiments(fits.holdable, acting, _FEW):
        reading = int(respond(small, given, fits.widen(settings)[None])[0, 0])
        fits = fits.keep(settings, reading)
    rows = fits.rows.copy()
    idle = np.arange(parts, fits.holdable, dtype=np.int8)
    for row in rows:
        blanks = np.flatnonzero(row == fits.untouched)
        row[blanks] = idle[: len(blanks)]
    shown = sorted({*acting, *rows[rows < fits.holdable].tolist()})
    rest = list_experiments(fits.holdable, shown, holds)
    while batch := [settings for settings, _ in zip(rest, range(_AT_ONCE), strict=False)]:
        settings = fits.widen(np.stack(batch))
        seen = respond(small, rows, settings) == respond(small, given, settings)
        rows = rows[seen.all(axis=0)]
    rows[rows > fits.holdable] = UNHELD
    return rows


def list_experiments(holdable: int, among: Sequence[int], holds: int) -> Iterator[Array]:
    """Yield the settings of all experiments that hold some properties, at most so many."""
    for number in range(1, min(holds, len(among)) + 1):
        for held in combinations(among, number):
            for levels in product((-1, 0, 1), repeat=number):
                settings = np.full(holdable, LOOSE, dtype=np.int8)
                settings[list(held)] = levels
                yield settings
