"""Scores before and after a model's knowledge cutoff: has it met the documents in training?

A document from before the cutoff may have been read in training, one from after it cannot. A
model that does better before may remember; documents of different years differ in other ways too.
Documents without a date, and those of the cutoff's own month, count on neither side.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from causarium.contract.row import Row, per_instance
from causarium.scoring.uncertainty import Interval, bootstrap
from causarium.seeds import stream

PUBLISHED_CUTOFFS = {
    "Llama 3.1 8B": "2023-12",
    "DeepSeek R1": "2024-07",
    "Qwen 2.5 32B": "2024-09",
}
"""Months that the publication takes for the cutoffs of three models."""

_RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Split:
    """One model's scores on both sides of its cutoff."""

    agent: str
    cutoff: str
    before: Interval
    after: Interval
    difference: float
    """After less before; nan where one side is empty."""
    low: float
    high: float
    """The 95 % interval of the difference, from resampling documents on each side."""
    undated: int
    """Documents without a date, or from the month itself."""


def side(date: str, cutoff: str) -> str | None:
    """Say on which side of a month a date lies; None where that cannot be said.

    Example:
        >>> side("2024-01-09", "2023-12"), side("2023", "2023-12"), side("", "2023-12")
        ('after', None, None)
    """
    if len(date) < len("2024-01"):
        return "after" if date[:4] > cutoff[:4] else "before" if "" < date < cutoff[:4] else None
    month = date[:7]
    return "after" if month > cutoff[:7] else "before" if month < cutoff[:7] else None


def by_cutoff(
    rows: Sequence[Row],
    cutoffs: Mapping[str, str],
    dates: Mapping[str, str] | None = None,
    metric: str = "f1",
) -> list[Split]:
    """Compare each model's scores on documents from before and after its cutoff.

    Args:
        rows: Rows of any agents; those without a cutoff are left out.
        cutoffs: A month, `YYYY-MM`, for each agent.
        dates: When each instance's document was published; by default only the year is known.
        metric: The number to compare.
    """
    splits = []
    for agent in sorted({row.agent for row in rows} & cutoffs.keys()):
        mine = [row for row in rows if row.agent == agent]
        known = {
            row.id: (dates or {}).get(row.id) or str(row.facets.get("year", "")) for row in mine
        }
        values: dict[str | None, list[float]] = {"before": [], "after": [], None: []}
        for id_, value in per_instance(mine, metric).items():
            if not math.isnan(value):
                values[side(known[id_], cutoffs[agent])].append(value)
        low, high = _interval(agent, values["before"], values["after"])
        before, after = bootstrap(values["before"]), bootstrap(values["after"])
        splits.append(
            Split(
                agent=agent,
                cutoff=cutoffs[agent],
                before=before,
                after=after,
                difference=after.value - before.value,
                low=low,
                high=high,
                undated=len(values[None]),
            )
        )
    return splits


def _interval(agent: str, before: Sequence[float], after: Sequence[float]) -> tuple[float, float]:
    if len(before) < 2 or len(after) < 2:
        return math.nan, math.nan
    rng = stream(0, "recite", "cutoff", agent)
    draws = sorted(
        fmean(rng.choices(after, k=len(after))) - fmean(rng.choices(before, k=len(before)))
        for _ in range(_RESAMPLES)
    )
    return draws[int(0.025 * _RESAMPLES)], draws[int(0.975 * _RESAMPLES) - 1]
