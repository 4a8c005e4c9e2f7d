"""How many values JSON holds, before anybody makes objects of them.

The same count bounds what is written to a log and what is read from one, so that a reader is never
stricter than what we write.
"""

import numpy as np

_PIECE = 1 << 20
_QUOTE = ord('"')


def count_values(content: bytes, enough: int) -> int:
    """Return about how many values some JSON holds, at least as many as there are.

    Each value but the first stands after a comma, or opens what it stands in. What stands in texts
    is taken off only where there may be more than `enough`: that reads the content once more.

    Example:
        >>> count_values(b'[{}, ",,,,", 1]', 2), count_values(b'[{}, ",,,,", 1]', 10)
        (5, 9)
    """
    rough = _count_signs(content)
    if rough < enough:
        return rough
    # What is escaped ends no text. Of two backslashes the first escapes the second.
    plain = np.frombuffer(content.replace(b"\\\\", b"").replace(b'\\"', b""), dtype=np.uint8)
    count, inside = 1, 0
    for start in range(0, len(plain), _PIECE):
        piece = plain[start : start + _PIECE]
        parity = (np.cumsum(piece == _QUOTE, dtype=np.uint8) + inside) & 1
        count += _count_signs(piece[parity == 0].tobytes()) - 1
        inside = int(parity[-1])
    return count


def _count_signs(content: bytes) -> int:
    return 1 + sum(content.count(sign) for sign in (b",", b"[", b"{"))
