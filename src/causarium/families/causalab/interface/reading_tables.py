"""Readings as tables, for the words that open an episode.

Order and number format are those of every list of readings: without quirks neither says anything
about causes.
"""

from collections.abc import Mapping, Sequence

from causarium.families.causalab.config import LabRules
from causarium.families.causalab.instance import FREQUENCY, LabPublic, Reading
from causarium.families.causalab.mechanics.shown_values import Listing, decimals, format_as_original

_GAP = "  "
_UNKNOWN = "?"


def format_constant(value: float) -> str:
    """Print a stated constant in as few characters as it needs.

    Example:
        >>> format_constant(10000.0), format_constant(0.5)
        ('10,000', '0.5')
    """
    return f"{int(value):,}" if value == int(value) else repr(value)


def readings_table(
    public: LabPublic, rules: LabRules, rows: Sequence[tuple[str, Mapping[str, float]]]
) -> str:
    """Print labelled rows of values under the names of the nodes, aligned.

    A node without a value is printed as a question mark.
    """
    nodes = [public.nodes[i] for i in Listing(public, rules).order]
    head = ("", *nodes)
    body = [(label, *(_cell(values.get(n), rules) for n in nodes)) for label, values in rows]
    wide = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    return "\n".join(
        _GAP.join((line[0].ljust(wide[0]), *map(str.rjust, line[1:], wide[1:])))
        for line in (head, *body)
    )


def by_name(public: LabPublic, reading: Reading) -> dict[str, float]:
    """Return a reading's values by node name, frequency included."""
    return {**dict(zip(public.names, reading.values, strict=True)), FREQUENCY: reading.frequency}


def _cell(value: float | None, rules: LabRules) -> str:
    if value is None:
        return _UNKNOWN
    return format_as_original(value, touched=0) if rules.type_leak else decimals(value)
