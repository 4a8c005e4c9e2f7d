"""Putting names in the place of ids, where a task gives both."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Named:
    """Relationships in names, where ids were asked for."""

    edges: tuple[tuple[str, str], ...]
    slips: Counter[str]


def name_ids(pairs: Iterable[tuple[str | int, str | int]], names: Sequence[str]) -> Named:
    """Put names in the place of ids; the first name has id 1.

    An id that names no node stays as its digits, and a word that is no node as it is: an edge with
    it is wrong, and not lost.

    Example:
        >>> name_ids([(1, "2"), (1, 9)], ["rain", "floods"])
        Named(edges=(('rain', 'floods'), ('rain', '9')), slips=Counter({'id as a string': 1, \
'id out of range': 1}))
    """
    slips: Counter[str] = Counter()
    known = set(names)

    def resolve_name(said: str | int) -> str:
        if isinstance(said, str):
            if said in known:
                slips["name for an id"] += 1
                return said
            if not (said.isascii() and said.isdigit() and len(said) < 10):
                slips["unknown name"] += 1
                return said
            slips["id as a string"] += 1
            said = int(said)
        if 1 <= said <= len(names):
            return names[said - 1]
        slips["id out of range"] += 1
        return str(said)

    return Named(tuple((resolve_name(a), resolve_name(b)) for a, b in pairs), slips)
