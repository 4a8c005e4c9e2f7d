"""The noise of a fleet: what chance brings to each drone, apart from what anyone does.

Every structural variable has draws of its own, addressed by the seed and the variable's name.
Two fleets flown on the same draws differ only by what was done to them, so that designs and
interventions are compared drone by drone.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from causarium.seeds import entropy

Floats = NDArray[np.float64]
Bits = NDArray[np.uint16]
BITS = 65_536
"""How many values a short draw has."""
BLOCK = 8
"""Rows are drawn so many at a time: whole words of the generator, so that none is thrown away
and rows come out the same however they are asked for."""


class Draws:
    """The noise of `count` drones; drawn when asked for, and kept."""

    def __init__(self, seed: int, count: int) -> None:
        self.seed = seed
        self.count = count
        self._uniforms: dict[str, Floats] = {}
        self._rows: dict[str, tuple[np.random.Generator, Bits]] = {}

    def uniform(self, name: str) -> Floats:
        """Return one number in [0, 1) for each drone."""
        if name not in self._uniforms:
            self._uniforms[name] = self._generator(name).random(self.count)
        return self._uniforms[name]

    def between(self, name: str, low: float | Floats, high: float | Floats) -> Floats:
        """Return one number in [low, high) for each drone."""
        found: Floats = low + (high - low) * self.uniform(name)
        return found

    def rows(self, name: str, size: int) -> Bits:
        """Return `size` rows of short draws, each row with one for each drone.

        More rows of the same name begin with the same rows.
        """
        if name not in self._rows:
            nothing = np.empty((0, self.count), dtype=np.uint16)
            self._rows[name] = (self._generator(name), nothing)
        generator, kept = self._rows[name]
        if len(kept) < size:
            missing = -(-(size - len(kept)) // BLOCK) * BLOCK
            more = generator.integers(0, BITS, (missing, self.count), dtype=np.uint16)
            kept = np.concatenate((kept, more)) if len(kept) else more
            self._rows[name] = (generator, kept)
        return kept[:size]

    def _generator(self, name: str) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(entropy(self.seed, name)))


@lru_cache(maxsize=512)
def lot(weights: tuple[float, ...]) -> NDArray[np.uint8]:
    """Return a table from a short draw to an index, each index as likely as its weight."""
    edges = np.rint(np.cumsum(weights) / sum(weights) * BITS).astype(np.int64)
    return np.repeat(np.arange(len(weights), dtype=np.uint8), np.diff(edges, prepend=0))
