"""Named random streams: every draw has an address, and nothing else decides it.

`stream(seed, "causallink", "core", 17)` is the same generator whatever was drawn before it, in
whatever order, on whatever machine. There is no process-wide generator in causarium.
"""

import hashlib
from random import Random

Address = str | int


def entropy(seed: int, *address: Address) -> int:
    """Return 256 bits that depend on `seed` and `address` alone.

    Parts are typed and delimited, so `("a", 1)` and `("a1",)` differ, and so do `1` and `"1"`.

    Example:
        >>> entropy(0, "graph", 1) == entropy(0, "graph", 1) != entropy(0, "graph", "1")
        True
    """
    parts = "\x1f".join(f"{type(part).__name__}:{part}" for part in (seed, *address))
    return int.from_bytes(hashlib.sha256(parts.encode()).digest(), "big")


def stream(seed: int, *address: Address) -> Random:
    """Return the generator that lives at `address` under `seed`."""
    return Random(entropy(seed, *address))
