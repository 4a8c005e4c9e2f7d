"""How few worlds of a pool could suffice: a bound that anybody can check by adding up.

Give each bit that has to be shown a weight, so that no world of the pool shows more than 1 in all.
Whatever is chosen from the pool then has at least as many worlds as all weights together come to.
Good weights are found by multiplying: the world that shows most makes its bits lighter.
"""

from math import ceil

import numpy as np
from numpy.typing import NDArray

from causarium.scm.boolean.short_evidence import Pool

_STEPS = 150
_MOST_BITS = 3_000
"""So many bits get a weight, those that the fewest worlds show."""
_UNIT = 1 << 24
"""Weights are whole numbers of this part of 1, so that adding them up is exact."""


def fewest_worlds(pool: Pool) -> int:
    """Return how many worlds of a pool are needed at least, the start not counted."""
    holds = _lacking_bits(pool)
    if not holds.shape[1]:
        return 0
    weights = _weights(holds)
    heaviest = int((holds @ weights).max())
    return ceil(int(weights.sum()) / heaviest) if heaviest else 0


def _lacking_bits(pool: Pool) -> NDArray[np.int64]:
    """Return which world shows which of the bits that are to be shown, one line a world."""
    lacking = pool.duties.lacking(pool.start)
    parts = []
    for bit in range(32):
        pairs = np.flatnonzero(lacking >> np.uint32(bit) & np.uint32(1))
        parts.append(pool.by_pair[pairs] >> np.uint32(bit) & np.uint32(1))
    found = np.concatenate(parts)
    rarest = np.argsort(found.sum(axis=1), kind="stable")[:_MOST_BITS]
    holds: NDArray[np.int64] = found[rarest].T.astype(np.int64)
    return holds


def _weights(holds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return weights, as whole numbers, whose sum against the heaviest world is large."""
    shares = holds.astype(np.float64)
    weights = np.full(holds.shape[1], 1.0 / holds.shape[1])
    best, found = 0.0, weights
    for step in range(_STEPS):
        load = shares @ weights
        heaviest = int(load.argmax())
        if (value := weights.sum() / load[heaviest]) > best:
            best, found = value, weights / load[heaviest]
        weights = weights * np.exp(-0.5 / (1 + 0.02 * step) * shares[heaviest])
        weights /= weights.sum()
    whole: NDArray[np.int64] = np.floor(found * _UNIT).astype(np.int64)
    return whole
