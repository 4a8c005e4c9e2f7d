"""Trains a probe's classifier: boosted stumps, small enough to train in seconds, with no library.

A stump asks whether one feature lies above a threshold; AdaBoost (Freund and Schapire 1997) weighs
a hundred of them. Whoever finds more in the public part than this finds is welcome to show it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from causarium.contract.companions import AnyProbe, Examples
from causarium.contract.family import AnyInstance
from causarium.errors import ContractError
from causarium.scoring.intervals import Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_ROUNDS = 100
_THRESHOLDS = 16
_SURE = 1e-9


@dataclass(frozen=True, slots=True)
class Stump:
    """One question to one feature, and how much its answer weighs."""

    feature: int
    threshold: float
    weight: float
    """Negative where a value above the threshold speaks against the truth of the question."""


def measure_probe(
    probe: AnyProbe, training: Sequence[AnyInstance], testing: Sequence[AnyInstance]
) -> Interval:
    """Train a probe on some instances and measure it on others.

    Args:
        probe: What to tell, and the features that may tell it.
        training: The instances to learn from.
        testing: Other instances. Those of one instance count as one cluster.

    Returns:
        Accuracy or AUC, as the probe says, with an interval of two standard errors.
    """
    import numpy as np

    features, truths, _ = _stack([probe.examples(one) for one in training])
    stumps = _boost(features, truths)
    features, truths, owners = _stack([probe.examples(one) for one in testing])
    scores = _score(stumps, features)
    if probe.metric == "accuracy":
        # A score of exactly nought tells nothing: it is right half of the time.
        right = np.where(scores == 0, 0.5, (scores > 0) == truths).astype(float)
        value, shares = float(right.mean()), (right - right.mean()) / len(right)
    else:
        value, shares = _area_under_curve(scores, truths)
    error = float(np.sqrt((np.bincount(owners, weights=shares) ** 2).sum()))
    return Interval(value, value - 2 * error, value + 2 * error, len(testing))


def _stack(examples: Sequence[Examples]) -> "tuple[Floats, NDArray[np.bool_], NDArray[np.intp]]":
    import numpy as np

    rows = [(f, truth, n) for n, mine in enumerate(examples) for f, truth in mine]
    if not rows:
        raise ContractError("the probe asks nothing about these instances")
    features = np.asarray([row[0] for row in rows], dtype=np.float64)
    return features, np.asarray([r[1] for r in rows], dtype=bool), np.asarray([r[2] for r in rows])


def _boost(features: "Floats", truths: "NDArray[np.bool_]") -> list[Stump]:
    import numpy as np

    signs = np.where(truths, 1.0, -1.0)
    weights = np.full(len(signs), 1.0 / len(signs))
    levels = np.linspace(0, 1, _THRESHOLDS + 2)[1:-1]
    thresholds = np.quantile(features, levels, axis=0)
    above = np.where(features[None] > thresholds[:, None, :], 1.0, -1.0)
    stumps = []
    for _ in range(_ROUNDS):
        edges = np.einsum("n,tnf->tf", weights * signs, above)
        place = np.unravel_index(np.abs(edges).argmax(), edges.shape)
        edge = float(np.clip(edges[place], -1 + _SURE, 1 - _SURE))
        weight = 0.5 * float(np.log((1 + edge) / (1 - edge)))
        stumps.append(Stump(int(place[1]), float(thresholds[place]), weight))
        weights *= np.exp(-weight * signs * above[place[0], :, place[1]])
        weights /= weights.sum()
    return stumps


def _score(stumps: Sequence[Stump], features: "Floats") -> "Floats":
    import numpy as np

    total = np.zeros(len(features))
    for stump in stumps:
        total += np.where(features[:, stump.feature] > stump.threshold, stump.weight, -stump.weight)
    return total


def _area_under_curve(scores: "Floats", truths: "NDArray[np.bool_]") -> "tuple[float, Floats]":
    """Return the area and what each question adds to its error (DeLong and others 1988)."""
    import numpy as np

    if truths.all() or not truths.any():
        raise ContractError("all questions of the probe have the same answer: there is no area")
    true, false = np.sort(scores[truths]), np.sort(scores[~truths])
    shares = np.where(truths, _share_below(false, scores), 1 - _share_below(true, scores))
    area = float(shares[truths].mean())
    sizes = np.where(truths, len(true), len(false))
    return area, (shares - area) / sizes


def _share_below(ordered: "Floats", scores: "Floats") -> "Floats":
    import numpy as np

    below = np.searchsorted(ordered, scores, side="left")
    upto = np.searchsorted(ordered, scores, side="right")
    shares: Floats = (below + upto) / (2 * len(ordered))
    return shares
