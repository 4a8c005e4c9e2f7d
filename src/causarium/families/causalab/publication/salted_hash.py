"""The original's crystals, exactly: base values seeded by Python's string hash.

The released environment seeds each property's base value with `hash(name)`, which Python salts anew
in every process unless PYTHONHASHSEED is set. Given that seed the hash is a fixed function
(SipHash-1-3, Python 3.11 and later), computed here without starting a process, so that a run made
under a known PYTHONHASHSEED can be played again.
"""

from dataclasses import dataclass
from random import Random

_WORD = (1 << 64) - 1
_REACTOR_OFFSET = 50_000
_BASES = (0, 100)


@dataclass(frozen=True, slots=True)
class Salt:
    """The two numbers that fix a released episode's crystals."""

    env_seed: int
    hash_seed: int
    """PYTHONHASHSEED; 0 means that the hash is not salted."""

    def bases(self, names: tuple[str, ...], *, reactor: bool) -> tuple[float, ...]:
        """Return the base values of the manipulator's or the reactor's crystal."""
        start = self.env_seed * 1000 + (_REACTOR_OFFSET if reactor else 0)
        return tuple(
            float(Random(start + string_hash(name, self.hash_seed) % 1000).randint(*_BASES))
            for name in names
        )


def string_hash(text: str, hash_seed: int) -> int:
    """Return `hash(text)` as Python computes it under PYTHONHASHSEED=`hash_seed`, ASCII only."""
    value = _siphash13(text.encode("ascii"), *_keys(hash_seed))
    signed = value - (1 << 64) if value >> 63 else value
    return -2 if signed == -1 else signed


def _keys(hash_seed: int) -> tuple[int, int]:
    if hash_seed == 0:
        return 0, 0
    state, octets = hash_seed, bytearray()
    for _ in range(16):
        state = (state * 214013 + 2531011) & 0xFFFFFFFF
        octets.append(state >> 16 & 0xFF)
    return int.from_bytes(octets[:8], "little"), int.from_bytes(octets[8:], "little")


def _turn(word: int, places: int) -> int:
    return (word << places | word >> (64 - places)) & _WORD


def _round(v: list[int]) -> None:
    v[0] = (v[0] + v[1]) & _WORD
    v[2] = (v[2] + v[3]) & _WORD
    v[1] = _turn(v[1], 13) ^ v[0]
    v[3] = _turn(v[3], 16) ^ v[2]
    v[0] = _turn(v[0], 32)
    v[2] = (v[2] + v[1]) & _WORD
    v[0] = (v[0] + v[3]) & _WORD
    v[1] = _turn(v[1], 17) ^ v[2]
    v[3] = _turn(v[3], 21) ^ v[0]
    v[2] = _turn(v[2], 32)


def _siphash13(octets: bytes, key0: int, key1: int) -> int:
    v = [
        key0 ^ 0x736F6D6570736575,
        key1 ^ 0x646F72616E646F6D,
        key0 ^ 0x6C7967656E657261,
        key1 ^ 0x7465646279746573,
    ]
    whole = len(octets) - len(octets) % 8
    last = (len(octets) & 0xFF) << 56 | int.from_bytes(octets[whole:], "little")
    words = [int.from_bytes(octets[at : at + 8], "little") for at in range(0, whole, 8)]
    for word in (*words, last):
        v[3] ^= word
        _round(v)
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(3):
        _round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]
