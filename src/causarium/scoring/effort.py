"""How much an agent used, against the least that would have done.

| used | optimum | `effort` | `excess` |
|------|---------|----------|----------|
| 6    | 3       | 2        | 3        |
| 2    | 3       | 2/3      | -1       |
| 0    | 3       | 0        | -3       |
| 0    | 0       | nan      | 0        |
| 4    | 0       | nan      | 4        |
| any  | unknown | nan      | nan      |

The optimum is the least that suffices in the worst case, so a lucky agent can use less and have an
effort below 1; so has one that answers without looking. Effort therefore says something only beside
accuracy. Where nothing is needed the ratio has nothing beneath it: it is nan and left out of means,
and `excess` still tells what was wasted.
"""

import math

from causarium.errors import ContractError


def effort(used: float, optimum: float | None) -> float:
    """Return `used` as a multiple of `optimum`; nan where the optimum is 0 or unknown.

    Raises:
        ContractError: A quantity is negative or not finite.
    """
    _insist(used, optimum)
    return used / optimum if optimum else math.nan


def excess(used: float, optimum: float | None) -> float:
    """Return how much more than `optimum` was used; nan where the optimum is unknown.

    Raises:
        ContractError: A quantity is negative or not finite.
    """
    _insist(used, optimum)
    return math.nan if optimum is None else used - optimum


def _insist(used: float, optimum: float | None) -> None:
    for name, amount in (("amount used", used), ("optimum", optimum)):
        if amount is not None and not (math.isfinite(amount) and amount >= 0):
            raise ContractError(f"the {name} is {amount}; it must be a count, 0 or more")
