"""The noise of a fleet: what chance brings to each drone, apart from what anyone does.

Every structural variable has draws of its own, addressed by the seed and the variable's name.
Two fleets flown on the same draws differ only by what was done to them, so that designs and
interventions are compared drone by drone.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from causarium.seeds import entropy

Floats = NDArray[np.float64]
Bits = NDArray[np.uint16]
Words = NDArray[np.uint64]
BITS = 65_536
"""How many values a short draw has."""
BLOCK = 8
"""Rows are drawn so many at a time."""


class Draws:
    """The noise of `count` drones; drawn when asked for, and kept."""

    def __init__(self, seed: int, count: int) -> None:
        self.seed = seed
        self.count = count
        self._source = np.random.PCG64DXSM(seed_words(entropy(seed, "draws")))
        self._at = 0
        self._generator = np.random.Generator(self._source)
        self._uniforms: dict[str, Floats] = {}
        self._blocks: dict[tuple[str, int], Words] = {}

    def draw_uniform(self, name: str) -> Floats:
        """Return one number in [0, 1) for each drone."""
        if name not in self._uniforms:
            self._go_to(_place(name, 0), self.count)
            self._uniforms[name] = self._generator.random(self.count)
        return self._uniforms[name]

    def draw_between(self, name: str, low: float | Floats, high: float | Floats) -> Floats:
        """Return one number in [low, high) for each drone."""
        found: Floats = low + (high - low) * self.draw_uniform(name)
        return found

    def words(self, name: str, block: int, rows: int = BLOCK) -> Words:
        """Return the first rows of a block, each with a word of 64 bits for every drone."""
        return self._block(name, block, rows * self.count).reshape(rows, self.count)

    def bits(self, name: str, rows: int) -> Bits:
        """Return rows of short draws; more rows of the same name begin with the same rows."""
        found = []
        for block, start in enumerate(range(0, rows, BLOCK)):
            size = min(BLOCK, rows - start) * self.count
            found.append(self._block(name, block, -(-size // 4)).view("<u2")[:size])
        joined = np.concatenate(found) if len(found) > 1 else found[0]
        return joined.reshape(rows, self.count)

    def _block(self, name: str, block: int, size: int) -> Words:
        """Return the first words of a block; no more are drawn than are asked for."""
        kept = self._blocks.get((name, block))
        if kept is None or kept.size < size:
            self._go_to(_place(name, block), size)
            kept = self._source.random_raw(size).astype("<u8", copy=False)
            self._blocks[name, block] = kept
        return kept[:size]

    def _go_to(self, place: int, size: int) -> None:
        """Set the generator to a place, from which so many words are going to be drawn."""
        self._source.advance(place - self._at)
        self._at = place + size


def seed_words(seed: int) -> NDArray[np.uint32]:
    """Return the words that numpy would make of a seed, in a third less time."""
    size = -(-seed.bit_length() // 32)
    return np.frombuffer(seed.to_bytes(4 * size, "little"), dtype="<u4")


@cache
def _place(name: str, block: int) -> int:
    """Return where the draws of this name are."""
    # Odd, so that no two places share the generator's low bits.
    return entropy(block, name) >> 128 | 1
