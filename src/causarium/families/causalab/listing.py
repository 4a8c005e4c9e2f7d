"""How values are shown: which order, which names, which decimals.

The certified edition lists the properties in their drawn order and the frequency last, every
number with two decimals. Two quirks of the original change that: `order_leak` lists everything in
an evaluation order, and `type_leak` prints a whole number without decimals until an intervention
has touched it.
"""

from collections.abc import Sequence

from causarium.families.causalab.config import LabRules
from causarium.families.causalab.instance import FREQUENCY, FREQUENCY_DISPLAY, LabPublic, Reading


class Listing:
    """The order and the names in which one instance's values are shown."""

    def __init__(self, public: LabPublic, rules: LabRules) -> None:
        index = {name: i for i, name in enumerate(public.nodes)}
        leak = rules.order_leak and public.printed_order
        self.order = [index[name] for name in (public.printed_order if leak else public.nodes)]
        self.frequency = index[FREQUENCY]
        displays = [*(p.display for p in public.properties), FREQUENCY_DISPLAY]
        self._shown = [(node, displays[node]) for node in self.order]
        self._typed = rules.type_leak

    def lines(self, values: Sequence[float], touched: int = 0) -> str:
        """List `values` (the frequency last) one a line; `touched` is a mask of nodes."""
        if self._typed:
            return "\n".join(f"{n}: {typed(values[i], touched >> i & 1)}" for i, n in self._shown)
        return "\n".join([f"{name}: {values[i]:.2f}" for i, name in self._shown])

    def line(self, reading: Reading) -> str:
        """List one reading on one line, separated by commas."""
        return self.lines((*reading.values, reading.frequency)).replace("\n", ", ")


def typed(value: float, touched: int) -> str:
    """Print a number as the original does: whole and untouched values without a decimal point.

    Example:
        >>> typed(109.0, 0), typed(150.0, 1)
        ('109', '150.0')
    """
    return str(value) if touched or value != int(value) else str(int(value))
