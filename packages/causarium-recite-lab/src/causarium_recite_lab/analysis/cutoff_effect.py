"""Scores before and after a model's knowledge cutoff: has it met the documents in training?

A document from before the cutoff may have been read in training, one from after it cannot. A
model that does better before may remember; documents of different years differ in other ways too.
Documents without a date, and those of the cutoff's own month, count on neither side.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from causarium.contract.row import Row, mean_per_instance
from causarium.errors import UsageError
from causarium.scoring.intervals import Interval, summarize
from causarium.seeds import stream
from causarium_recite_lab.analysis.judge_reliability import difference_interval

PUBLISHED_CUTOFFS = {
    "Llama 3.1 8B": "2023-12",
    "DeepSeek R1": "2024-07",
    "Qwen 2.5 32B": "2024-09",
}
"""Months that the publication takes for the cutoffs of three models."""


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


def by_cutoff(rows: Sequence[Row], cutoffs: Mapping[str, str]) -> list[Split]:
    """Compare each model's F1 on documents from before and after its cutoff.

    Args:
        rows: Rows of any agents; those without a cutoff are left out.
        cutoffs: A month, `YYYY-MM`, for each agent.
    """
    splits = []
    for agent in sorted({row.agent for row in rows} & cutoffs.keys()):
        mine = [row for row in rows if row.agent == agent]
        known = {row.id: str(row.facets.get("month") or row.facets.get("year", "")) for row in mine}
        values: dict[str | None, list[float]] = {"before": [], "after": [], None: []}
        for id_, value in mean_per_instance(mine, "f1").items():
            if not math.isnan(value):
                values[side(known[id_], cutoffs[agent])].append(value)
        rng = stream(0, "recite", "cutoff", agent)
        low, high = difference_interval(rng, values["after"], values["before"])
        before, after = (
            summarize(values["before"], share=False),
            summarize(values["after"], share=False),
        )
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


def cutoffs_of(agents: Sequence[str], told: Sequence[str] = ()) -> dict[str, str]:
    """Return the cutoffs of agents: as told, or as published for a model that its name holds.

    Args:
        agents: The agents' names.
        told: `NAME=YYYY-MM`, the name or a part of it, letters and figures alone.

    Raises:
        UsageError: A cutoff has another form, or holds for none of the agents.

    Example:
        >>> cutoffs_of(["openrouter/deepseek/deepseek-r1", "player/oracle"])
        {'openrouter/deepseek/deepseek-r1': '2024-07'}
    """
    found: dict[str, str] = {}
    for model, month in PUBLISHED_CUTOFFS.items():
        found |= dict.fromkeys(_agents_called(model, agents), month)
    for one in told:
        model, _, month = one.rpartition("=")
        if not _letters(model) or not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", month):
            raise UsageError(f"a cutoff is given as NAME=YYYY-MM, not {one!r}")
        mine = _agents_called(model, agents)
        if not mine:
            raise UsageError(f"no agent is called {model!r}; there are {', '.join(agents)}")
        found |= dict.fromkeys(mine, month)
    return found


def _agents_called(model: str, agents: Sequence[str]) -> list[str]:
    return [agent for agent in agents if _letters(model) in _letters(agent)]


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
