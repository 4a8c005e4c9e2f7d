"""How hard levels are, from whoever played them: a two-parameter item model.

An agent of ability t scores s(a (t - b)) on an instance of a level with discrimination a and
difficulty b, where s is the logistic function; a score between 0 and 1 counts as that share of a
success. Abilities have a standard normal prior, which fixes the scale, and levels wide ones, so
that a level that nobody or everybody masters has a place all the same, and a wide interval. The
estimate is the most likely one, the interval that of a normal curve around it.

Few agents say little: `thin` says when so few played a level, or all fared so alike on it, that its
place is the prior's more than theirs.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from causarium.errors import MissingExtra, UsageError

LEAST_AGENTS = 4
_DIFFICULTY_SPREAD = 2.0
_DISCRIMINATION_SPREAD = 0.5
_NORMAL = 1.959963984540054


class Outcome(NamedTuple):
    """One agent on one instance."""

    agent: str
    level: str
    score: float
    """From 0 to 1."""


class Place(NamedTuple):
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


class Level(NamedTuple):
    """What is known of a level: an agent of ability t has even chances on difficulty t."""

    difficulty: Place
    n: int
    thin: bool
    """Whether the data says too little for an order."""


def fit_item_model(outcomes: Iterable[Outcome]) -> dict[str, Level]:
    """Fit abilities, difficulties and discriminations together; returns the levels by name.

    Raises:
        UsageError: There is no outcome, or a score is not between 0 and 1.
        MissingExtra: scipy is not installed.
    """
    try:
        import numpy as np
        from scipy.optimize import minimize
    except ImportError as missing:
        raise MissingExtra("an item model", "difficulty") from missing
    given = list(outcomes)
    if not given:
        raise UsageError("an item model needs outcomes, and there is none")
    if wrong := [one for one in given if not 0 <= one.score <= 1]:
        raise UsageError(f"a score must be between 0 and 1, not {wrong[0].score}")
    agents = sorted({one.agent for one in given})
    levels = sorted({one.level for one in given})
    who = np.array([agents.index(one.agent) for one in given])
    what = np.array([levels.index(one.level) for one in given])
    score = np.array([one.score for one in given])
    ends = np.cumsum([len(agents), len(levels)])

    def measure(point: Any) -> tuple[float, Any]:  # noqa: ANN401 - an array
        ability, hard, log_steep = np.split(point, ends)
        steep = np.exp(log_steep)
        gap = ability[who] - hard[what]
        logit = steep[what] * gap
        surprise = np.logaddexp(0, logit) - score * logit
        off = 1 / (1 + np.exp(-logit)) - score
        slopes = [
            np.bincount(who, off * steep[what], len(agents)) + ability,
            hard / _DIFFICULTY_SPREAD**2 - np.bincount(what, off * steep[what], len(levels)),
            np.bincount(what, off * logit, len(levels)) + log_steep / _DISCRIMINATION_SPREAD**2,
        ]
        prior = (ability**2).sum() / 2 + (hard**2).sum() / (2 * _DIFFICULTY_SPREAD**2)
        prior += (log_steep**2).sum() / (2 * _DISCRIMINATION_SPREAD**2)
        return float(surprise.sum() + prior), np.concatenate(slopes)

    start = np.zeros(len(agents) + 2 * len(levels))
    found = minimize(measure, start, jac=True, method="L-BFGS-B")
    curvature = _find_curvature(measure, found.x)
    spread = np.sqrt(np.diag(np.linalg.inv(curvature)))
    hard, width = found.x[ends[0] : ends[1]], _NORMAL * spread[ends[0] : ends[1]]
    places = map(Place, hard.tolist(), (hard - width).tolist(), (hard + width).tolist())
    return {
        name: Level(
            difficulty=place,
            n=int((what == number).sum()),
            thin=_is_thin([one for one in given if one.level == name]),
        )
        for number, (name, place) in enumerate(zip(levels, places, strict=True))
    }


def _find_curvature(measure: Any, point: Any) -> Any:  # noqa: ANN401 - arrays
    """Return the second derivatives, by differences of the slopes."""
    import numpy as np

    step = 1e-4
    rows = []
    for place in range(len(point)):
        shift = np.zeros(len(point))
        shift[place] = step
        rows.append((measure(point + shift)[1] - measure(point - shift)[1]) / (2 * step))
    curvature = np.array(rows)
    return (curvature + curvature.T) / 2


def _is_thin(outcomes: list[Outcome]) -> bool:
    scores: dict[str, list[float]] = {}
    for one in outcomes:
        scores.setdefault(one.agent, []).append(one.score)
    means = [sum(mine) / len(mine) for mine in scores.values()]
    return len(means) < LEAST_AGENTS or max(means) - min(means) < 0.1
