"""What is likely by the law of the draw, after one intervention at most and all that is shown.

Mechanisms are sampled from the law. Each is bent to the total effects that were read, exactly: one
coefficient of every node that moved is solved for, and must be one that the law has. What is left,
weighted by how much the bending stretched, is a sample of the posterior. It uses which nodes moved
and by how much, to the last digit; of squares it uses only which nodes moved.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from causarium.families.causalab.generation.coefficients import (
    CERTIFIED_LINEAR,
    CERTIFIED_LINEAR_INTO_FREQUENCY,
)
from causarium.families.causalab.generation.mechanism_law import sample_mechanisms
from causarium.families.causalab.instance import Form, LabPublic
from causarium.scm.dag import bits, is_acyclic, mask_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Whole = NDArray[np.int64]

SAMPLE = 2000
"""How many mechanisms are sampled."""
ENOUGH = 30
"""With fewer that agree, those that nearly do are taken in their place."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What one intervention did."""

    node: int
    """The property that was put to a value."""
    total: tuple[float, ...]
    """How far each node moved for each unit of that; 1 for itself, 0 where it did not."""

    @property
    def moved(self) -> int:
        """The mask of the other nodes that moved."""
        return mask_of(n for n, effect in enumerate(self.total) if effect and n != self.node)


@dataclass(frozen=True, slots=True)
class _Sample:
    """Mechanisms as arrays: the first axis counts them."""

    linear: "Floats"
    """By mechanism, effect and cause."""
    square: "Floats"
    arrows: "Floats"
    """1 where there is an arrow."""
    below: "Whole"
    """By mechanism and node, the mask of its descendants."""
    coins: "Floats"
    """By mechanism, effect and cause, what decides which coefficient is solved for."""


@lru_cache(maxsize=12)
def _sample(nodes: int, form: Form, frequency_parent: bool) -> _Sample:  # noqa: FBT001
    import numpy as np

    drawn = sample_mechanisms(nodes, form, frequency_parent=frequency_parent, count=SAMPLE)
    linear, square, arrows = (np.zeros((SAMPLE, nodes, nodes)) for _ in range(3))
    for number, mechanism in enumerate(drawn):
        for node, terms in enumerate(mechanism.terms):
            for term in terms:
                linear[number, node, term.parent] = term.linear
                square[number, node, term.parent] = term.square
                arrows[number, node, term.parent] = 1.0
    below = np.array([mechanism.dag.descendants for mechanism in drawn], dtype=np.int64)
    coins = np.random.default_rng(0).random(linear.shape)
    return _Sample(linear, square, arrows, below, coins)


class Posterior:
    """A weighted sample of mechanisms that agree with what was read."""

    def __init__(self, public: LabPublic, effects: Effects | None = None) -> None:
        import numpy as np

        self._public = public
        sample = _sample(len(public.nodes), public.form, public.frequency_may_cause)
        chosen, weights = np.arange(SAMPLE), np.ones(SAMPLE)
        linear = sample.linear[:, -1]
        if effects is not None:
            agreeing, bent, stretch = _bend(sample, effects, linear=public.form == "linear")
            if len(agreeing) >= ENOUGH:
                chosen, linear, weights = agreeing, bent, stretch
            else:
                chosen = _find_nearest_mechanisms(sample, effects)
                linear, weights = linear[chosen], weights[chosen]
        self._weights = weights / weights.sum()
        self._arrows = sample.arrows[chosen]
        self._linear, self._square = linear, sample.square[chosen, -1]

    def likeliest_arrows(self) -> list[tuple[int, int]]:
        """Return arrows without a cycle whose expected F1 is as high as single shares can tell."""
        import numpy as np

        shares = np.tensordot(self._weights, self._arrows, axes=1)
        order = np.argsort(-shares, axis=None, kind="stable").tolist()
        arrows: list[tuple[int, int]] = []
        count, best, matched, nodes = 0, 0.0, 0.0, len(shares)
        for effect, cause in (divmod(place, nodes) for place in order):
            if not shares[effect, cause] or _has_cycle([*arrows, (cause, effect)], nodes):
                continue
            arrows.append((cause, effect))
            matched += float(shares[effect, cause])
            f1 = 2 * matched / (len(arrows) + float(shares.sum()))
            if f1 > best:
                count, best = len(arrows), f1
        return arrows[:count]

    def likeliest_frequency(self) -> float:
        """Return the middle of the window, as wide as the tolerance allows, that weighs most."""
        import numpy as np

        start, width = self._public.manipulator, 2 * self._public.tolerance
        here, there = np.array((*start.values, 0.0)), np.array((*self._public.reactor, 0.0))
        targets = self._linear @ (there - here) + self._square @ (there**2 - here**2)
        order = np.argsort(targets)
        targets, heavy = targets[order], np.concatenate([[0.0], self._weights[order].cumsum()])
        last = np.searchsorted(targets, targets + width, side="right")
        first = int((heavy[last] - heavy[:-1]).argmax())
        return start.frequency + float(targets[first] + targets[last[first] - 1]) / 2


def _bend(sample: _Sample, effects: Effects, *, linear: bool) -> "tuple[Whole, Floats, Floats]":
    """Return the mechanisms that agree, their frequency's coefficients then, and their weights."""
    import numpy as np

    chosen = np.flatnonzero(sample.below[:, effects.node] == effects.moved)
    total, outcome = np.array(effects.total), len(effects.total) - 1
    weights, coefficients = np.ones(len(chosen)), sample.linear[chosen, outcome].copy()
    if not linear or not len(chosen):
        return chosen, coefficients, weights
    rows = np.arange(len(chosen))
    for node in bits(effects.moved):
        terms = sample.linear[chosen, node]
        coins = sample.coins[chosen, node] * (sample.arrows[chosen, node] > 0) * (total != 0)
        parent = coins.argmax(axis=1)
        rest = terms @ total - terms[rows, parent] * total[parent]
        solved = (total[node] - rest) / total[parent]
        low, high = CERTIFIED_LINEAR_INTO_FREQUENCY if node == outcome else CERTIFIED_LINEAR
        weights *= ((low <= np.abs(solved)) & (np.abs(solved) <= high)) / np.abs(total[parent])
        if node == outcome:
            coefficients[rows, parent] = solved
    able = weights > 0
    return chosen[able], coefficients[able], weights[able]


def _find_nearest_mechanisms(sample: _Sample, effects: Effects) -> "Whole":
    """Return the mechanisms in which nearly the same nodes move."""
    import numpy as np

    differing = sample.below[:, effects.node] ^ effects.moved
    count = sum(differing >> node & 1 for node in range(len(effects.total)))
    return np.argsort(count, kind="stable")[: 2 * ENOUGH]


def _has_cycle(arrows: list[tuple[int, int]], size: int) -> bool:
    masks = [0] * size
    for cause, effect in arrows:
        masks[effect] |= 1 << cause
    return not is_acyclic(tuple(masks))
