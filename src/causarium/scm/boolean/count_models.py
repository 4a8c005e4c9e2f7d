"""How many models fit all rows, exactly.

A mechanism of `v` that reads just the set `P` can be chosen in as many ways as there are functions
that fit and depend on all of `P`. Weighted so, acyclic graphs are counted by their sinks with
inclusion and exclusion. Counting the models that fit further rows as well gives the exact chance
that a model drawn uniformly among those that fit the first gets the further ones right.
"""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from causarium.scm.boolean.row_evidence import ModelFacts
from causarium.scm.dag import bits, mask_of

Ways = NDArray[np.int64]


def count_models(known: ModelFacts) -> dict[int, int]:
    """Return how many models fit what is known, by each root set that is feasible."""
    ways = _count_mechanisms(known)
    return {roots: _count_graphs(ways, roots) for roots in known.feasible_roots}


def _count_mechanisms(known: ModelFacts) -> Ways:
    """Return, for each variable and mask of parents, how many fitting functions read just these."""
    layout, n = known.admissible.layout, known.admissible.n
    counts = np.zeros((n, 1 << n), np.int64)
    free = (np.int64(1) << (layout.sizes - 1)) - np.bitwise_count(known.seen).astype(np.int64)
    for v in range(n):
        fits = known.explains[v]
        counts[v, layout.parents[v, fits]] = np.int64(1) << free[v, fits]
    for v in range(n):
        pairs = counts.reshape(n, -1, 2, 1 << v)
        pairs[:, :, 1] -= pairs[:, :, 0]
    masks = np.arange(1 << n, dtype=np.uint32)
    outside = ~np.array(known.admissible.allowed, np.uint32)[:, None]
    barred = (masks & outside != 0) | (np.bitwise_count(masks) > layout.k)
    return cast("Ways", np.where(barred, 0, counts))


def _count_graphs(ways: Ways, roots: int) -> int:
    """Return how many models there are with one root set.

    Sets of variables are masks over the variables with mechanisms alone, counted from 0.
    """
    n = len(ways)
    variables = [v for v in range(n) if not roots >> v & 1]
    summed = ways[variables]
    for v in range(n):
        pairs = summed.reshape(len(summed), -1, 2, 1 << v)
        pairs[:, :, 1] += pairs[:, :, 0]
    inner = range(1 << len(variables))
    sets = [mask_of(variables[i] for i in bits(s)) | roots for s in inner]
    # For each variable and set, the ways to read within this set and the roots.
    within = cast("list[list[int]]", summed[:, sets].tolist())
    totals = [1] + [0] * (len(sets) - 1)
    for below, count in enumerate(totals):
        signed = [(0, -count)] if count else []
        for i, inside in enumerate(within):
            if not below >> i & 1 and inside[below]:
                signed += [(sinks | 1 << i, -number * inside[below]) for sinks, number in signed]
        for sinks, number in signed:
            if sinks:
                totals[below | sinks] += number
    return totals[-1]
