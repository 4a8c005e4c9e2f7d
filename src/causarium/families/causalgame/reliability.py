"""How far two judges agree: on the grades of single criteria, and on how they order sessions.

`kappa` corrects the agreement on grades for what chance would give; weighted, it forgives half of
a miss by one step. `spearman` says whether both judges put sessions in the same order, whatever
their strictness. All are nan where nothing can be said: no sessions, or no spread.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from causarium.errors import ContractError
from causarium.families.causalgame.rubric import WORTH, Grades, criteria, points

_STEPS = tuple(WORTH.values())


@dataclass(frozen=True, slots=True)
class Reliability:
    """How two judges agree over some sessions."""

    sessions: int
    agreement: float
    """The share of grades that are the same."""
    kappa: float
    """Cohen's, over all criteria together."""
    weighted_kappa: float
    """The same with linear weights."""
    by_criterion: dict[str, float]
    """Cohen's kappa for each criterion on its own."""
    spearman_full: float
    """Rank correlation of `rubric_full` over the sessions."""
    spearman_headline: float
    """Rank correlation of `rubric_headline`."""


def reliability(pairs: Sequence[tuple[Grades, Grades]]) -> Reliability:
    """Compare two judges; each pair is both judges' grades of one session."""
    graded = {
        one.id: [(WORTH[first[one.id]], WORTH[second[one.id]]) for first, second in pairs]
        for one in criteria()
    }
    every = [pair for of_one in graded.values() for pair in of_one]
    totals = [(points(first), points(second)) for first, second in pairs]

    def correlated(name: str) -> float:
        return spearman([(first[name], second[name]) for first, second in totals])

    return Reliability(
        sessions=len(pairs),
        agreement=fmean(a == b for a, b in every) if every else math.nan,
        kappa=kappa(every),
        weighted_kappa=kappa(every, weighted=True),
        by_criterion={name: kappa(of_one) for name, of_one in graded.items()},
        spearman_full=correlated("rubric_full"),
        spearman_headline=correlated("rubric_headline"),
    )


def kappa(pairs: Sequence[tuple[float, float]], *, weighted: bool = False) -> float:
    """Return Cohen's kappa of grades given in pairs; nan if both judges use one grade alone.

    Example:
        >>> kappa([(1.0, 1.0), (0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
        0.0
    """
    if not pairs:
        return math.nan
    if strange := {value for pair in pairs for value in pair} - set(_STEPS):
        raise ContractError(f"grades are worth {_STEPS}, not {sorted(strange)}")
    first = [fmean(a == step for a, _ in pairs) for step in _STEPS]
    second = [fmean(b == step for _, b in pairs) for step in _STEPS]
    seen = fmean(_miss(a, b, weighted=weighted) for a, b in pairs)
    by_chance = sum(
        p * q * _miss(a, b, weighted=weighted)
        for a, p in zip(_STEPS, first, strict=True)
        for b, q in zip(_STEPS, second, strict=True)
    )
    return 1 - seen / by_chance if by_chance else math.nan


def kappa_from_shares(agreement: float, first: Sequence[float], second: Sequence[float]) -> float:
    """Return Cohen's kappa, given how often two judges agree and how often each gives each grade.

    Example:
        >>> kappa_from_shares(0.7, (0.5, 0.5), (0.6, 0.4))
        0.4
    """
    by_chance = sum(p * q for p, q in zip(first, second, strict=True))
    return round((agreement - by_chance) / (1 - by_chance), 12) if by_chance < 1 else math.nan


def _miss(a: float, b: float, *, weighted: bool) -> float:
    return abs(a - b) if weighted else float(a != b)


def spearman(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the rank correlation of pairs; tied values share their mean rank.

    Example:
        >>> spearman([(1, 10), (2, 20), (3, 15)])
        0.5
    """
    first = _ranks([a for a, _ in pairs])
    second = _ranks([b for _, b in pairs])
    spread = math.sqrt(_covariance(first, first) * _covariance(second, second))
    return _covariance(first, second) / spread if spread else math.nan


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [(ordered.index(v) + len(ordered) - ordered[::-1].index(v) + 1) / 2 for v in values]


def _covariance(first: Sequence[float], second: Sequence[float]) -> float:
    if not first:
        return 0.0
    middle, other = fmean(first), fmean(second)
    return sum((a - middle) * (b - other) for a, b in zip(first, second, strict=True))
