"""What models and worlds of the paper edition are drawn like: the eight strata of the release.

How many problems of the published sets come from each stratum is not known. With equal shares far
more problems would show every local pattern than the published 2 in 100, so sizes have shares of
their own here, and the strata of one size are alike.
"""

from typing import NamedTuple

from causarium.families.replayscm.model.config import FAMILY_NAME, Pool
from causarium.seeds import stream

_SIZES = {6: 3, 7: 7, 8: 35, 9: 25, 10: 30}
"""How often models have so many variables, in percent."""


class Stratum(NamedTuple):
    """How one problem is drawn."""

    n: int
    """How many variables there are."""
    units: int
    """How many rows a world has."""
    window: int
    """From how many variables before it a variable draws its parents at most."""
    sizes: tuple[int, int]
    """How many operators and names a mechanism has at least and at most, as it is drawn."""
    candidates: tuple[int, int]
    """From how many random worlds training worlds are chosen."""
    reduction: float
    """Which share of the shortcuts that fit the first worlds must be ruled out by the others."""
    targets: dict[int, int]
    """How often a world sets so many variables, in percent."""
    constant: float
    """How often a world that sets something holds it at one value."""


def _make_released_stratum(
    n: int, units: int, window: int, sizes: tuple[int, int], candidates: int, reduction: float
) -> Stratum:
    targets, constant = _RELEASED_TARGETS[n, window]
    return Stratum(n, units, window, sizes, (candidates, candidates), reduction, targets, constant)


_RELEASED_TARGETS: dict[tuple[int, int], tuple[dict[int, int], float]] = {
    (6, 2): ({1: 20, 2: 55, 3: 25}, 0.30),
    (7, 3): ({1: 10, 2: 50, 3: 40}, 0.25),
    (8, 4): ({1: 8, 2: 50, 3: 42}, 0.25),
    (8, 5): ({1: 5, 2: 50, 3: 45}, 0.25),
    (9, 4): ({1: 5, 2: 50, 3: 45}, 0.25),
    (9, 5): ({1: 4, 2: 46, 3: 50}, 0.20),
    (10, 4): ({1: 4, 2: 46, 3: 50}, 0.20),
    (10, 5): ({1: 3, 2: 42, 3: 55}, 0.15),
}

RELEASED = (
    _make_released_stratum(6, 10, 2, (4, 8), 180, 0.75),
    _make_released_stratum(7, 10, 3, (5, 10), 200, 0.85),
    _make_released_stratum(8, 10, 4, (6, 11), 220, 0.88),
    _make_released_stratum(8, 10, 5, (6, 12), 240, 0.88),
    _make_released_stratum(9, 10, 4, (6, 12), 240, 0.88),
    _make_released_stratum(9, 11, 5, (7, 13), 260, 0.90),
    _make_released_stratum(10, 10, 4, (7, 13), 250, 0.90),
    _make_released_stratum(10, 11, 5, (8, 14), 280, 0.92),
)
"""The strata of the release."""


def draw_stratum(pool: Pool, seed: int, index: int) -> Stratum:
    """Return how the problem at an address is drawn."""
    rng = stream(seed, FAMILY_NAME, "size", pool, index)
    n = rng.choices(list(_SIZES), list(_SIZES.values()))[0]
    return rng.choice([stratum for stratum in RELEASED if stratum.n == n])
