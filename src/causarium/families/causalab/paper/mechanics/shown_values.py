"""How the paper edition shows values: which order, which names, which decimals.

Without quirks it lists the properties in their drawn order and the frequency last, every number
with two decimals. Two quirks of the original change that: `order_leak` lists everything in an
evaluation order, and `type_leak` prints a whole number without decimals until an intervention has
touched it.
"""

from collections.abc import Sequence

from ..levels import LabRules
from ..model.instance import FREQUENCY, FREQUENCY_DISPLAY, LabPublic


class Listing:
    """The order and the names in which one instance's values are shown."""

    def __init__(self, public: LabPublic, rules: LabRules) -> None:
        index = public.index
        leak = rules.order_leak and public.printed_order
        self.order = [index[name] for name in (public.printed_order if leak else public.nodes)]
        self.frequency = index[FREQUENCY]
        displays = [*(p.display for p in public.properties), FREQUENCY_DISPLAY]
        self._shown = [(node, displays[node]) for node in self.order]
        self._typed = rules.type_leak

    def lines(self, values: Sequence[float], touched: int = 0) -> str:
        """List `values` (the frequency last) one a line; `touched` is a mask of nodes."""
        if self._typed:
            return "\n".join(
                f"{n}: {format_as_original(values[i], touched >> i & 1)}" for i, n in self._shown
            )
        return "\n".join([f"{name}: {decimals(values[i])}" for i, name in self._shown])


def decimals(value: float) -> str:
    """Print a reading with two decimals; there is no negative zero.

    Example:
        >>> decimals(-0.0), decimals(-0.001), decimals(7.5)
        ('0.00', '0.00', '7.50')
    """
    return f"{round(value, 2) + 0.0:.2f}"


def format_reading(value: float, rules: LabRules) -> str:
    """Print a reading that no intervention has touched, as the rules have it."""
    return format_as_original(value, touched=0) if rules.type_leak else decimals(value)


def format_entered(value: float) -> str:
    """Print a number that somebody chose, with every digit that matters.

    Example:
        >>> format_entered(9999.999), format_entered(-0.0), format_entered(7.0)
        ('9999.999', '0', '7')
    """
    return f"{value + 0.0:.12g}"


def brief(value: float) -> str:
    """Print a number of the mechanism for people: three decimals, or four digits if it is small.

    Example:
        >>> brief(613.2237064), brief(0.00412345), brief(20.0)
        ('613.224', '0.004123', '20')
    """
    text = f"{value:.3f}" if abs(value) >= 1 else f"{value:.4g}"
    return (text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text) or "0"


def format_as_original(value: float, touched: int) -> str:
    """Print a number as the original does: whole and untouched values without a decimal point.

    Example:
        >>> format_as_original(109.0, 0), format_as_original(150.0, 1)
        ('109', '150.0')
    """
    value += 0.0  # Makes a negative zero a plain one.
    return str(value) if touched or value != int(value) else str(int(value))
