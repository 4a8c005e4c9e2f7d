"""How much an agent used, against the least that would have done.

| used | optimum | `effort` |
|------|---------|----------|
| 6    | 3       | 2        |
| 2    | 3       | 2/3      |
| 0    | 3       | 0        |
| any  | 0       | nan      |
| any  | unknown | nan      |

The optimum is the least that suffices in the worst case, so a lucky agent can use less and have an
effort below 1; so has one that answers without looking. Effort therefore says something only beside
accuracy. Where nothing is needed the ratio has nothing beneath it: it is nan and left out of means.
"""

import math

from causarium.errors import ContractError


def effort(used: float, optimum: float | None) -> float:
    """Return `used` as a multiple of `optimum`; nan where the optimum is 0 or unknown.

    Raises:
        ContractError: A quantity is negative or not finite.
    """
    for name, amount in (("amount used", used), ("optimum", optimum)):
        if amount is not None and not (math.isfinite(amount) and amount >= 0):
            raise ContractError(f"the {name} is {amount}; it must be a count, 0 or more")
    return used / optimum if optimum else math.nan
