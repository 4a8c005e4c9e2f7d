"""Adjusting for columns: the back-door formula, right where the columns are an adjustment set."""

import numpy as np
from numpy.typing import NDArray

from .identify import Law


def adjust(
    law: Law, chosen: tuple[int, ...], stratum: tuple[int, int] | None
) -> NDArray[np.float64]:
    """Return the difference that the module makes when some columns are adjusted for."""
    if stratum is not None:
        law = law.take([stratum[1]], axis=1 + stratum[0])
    module, result = law.ndim - 3, law.ndim - 2
    others = tuple(1 + c for c in range(module) if c not in chosen)
    small = law.sum(axis=others, keepdims=True) if others else law
    weight = small.sum(axis=(1 + module, 1 + result), keepdims=True)
    share = small.take([1], axis=1 + result) / small.sum(axis=1 + result, keepdims=True)
    columns = tuple(range(1, module + 1))
    value = (share * weight).sum(axis=columns) / weight.sum(axis=columns)
    effect: NDArray[np.float64] = (value[:, 1] - value[:, 0]).reshape(len(law))
    return effect
