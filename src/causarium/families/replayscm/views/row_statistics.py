"""What many rows say together: the same latent models compared, and rates given a condition.

Rows are paired by the latent model that their problems were made from, which the facet `latent`
names; intervals come from resampling latent models whole. A rate that rests on one to five rows is
kept back and shown as `*`, one that rests on none as a dash, as in the published tables.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from causarium.contract.row import Row
from causarium.scoring.intervals import Interval, bootstrap_interval, paired_difference

LADDER = ("ordered", "block_order", "hidden_order", "hidden_roots")
"""The settings that ask for a model, the most disclosed first."""
SUPPORTS = (
    "original",
    "extra",
    "counterexample",
    "certified",
)
"""How much evidence there is, the least first."""
FEW = 5
"""Rates that rest on so few rows, or fewer, are kept back."""


class Cell(NamedTuple):
    """Where a row stands: a setting, and how much support its worlds give."""

    setting: str
    support: str

    def __str__(self) -> str:
        return f"{self.setting.replace('_', ' ')}, {self.support}"


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of some rows."""

    hits: float
    n: int

    @property
    def value(self) -> float:
        """The rate; nan if it rests on nothing."""
        return self.hits / self.n if self.n else math.nan

    @property
    def kept_back(self) -> bool:
        """Whether it rests on so few rows that it is not shown."""
        return 1 <= self.n <= FEW

    def __str__(self) -> str:
        if not self.n:
            return "–"
        return "*" if self.kept_back else f"{self.value:.3f}"


def cell_of(row: Row) -> Cell:
    """Return where a row stands."""
    return Cell(str(row.facets.get("setting", "")), str(row.facets.get("support", "")))


def cells(rows: Iterable[Row]) -> list[Cell]:
    """Return where rows stand, in the order of settings and supports."""
    return sorted({cell_of(row) for row in rows}, key=_order)


def _order(cell: Cell) -> tuple[int, int, str]:
    support = SUPPORTS.index(cell.support) if cell.support in SUPPORTS else len(SUPPORTS)
    setting = LADDER.index(cell.setting) if cell.setting in LADDER else len(LADDER)
    return support, setting, cell.setting


def conditional_rate(rows: Iterable[Row], metric: str) -> Rate:
    """Return the mean of a metric that is nan where its condition fails."""
    values = [row.numbers.get(metric, math.nan) for row in rows if row.unscored is None]
    kept = [value for value in values if not math.isnan(value)]
    return Rate(sum(kept), len(kept))


def by_latent(rows: Iterable[Row], metric: str) -> dict[str, float]:
    """Return a metric's mean for each latent model; nan where it does not apply."""
    found: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.unscored is None:
            found[str(row.facets.get("mechanism", row.id))].append(
                row.numbers.get(metric, math.nan)
            )
    return {latent: _mean(values) for latent, values in found.items()}


def _mean(values: Iterable[float]) -> float:
    kept = [value for value in values if not math.isnan(value)]
    return fmean(kept) if kept else math.nan


def ladder(rows: Iterable[Row], metric: str) -> dict[str, dict[Cell, Interval]]:
    """Return, for each agent and cell, a metric's mean with a bootstrap by latent model."""
    grouped = _by_agent_and_cell(rows)
    return {
        agent: {
            cell: bootstrap_interval(by_latent(mine, metric).values())
            for cell, mine in sorted(parts.items(), key=lambda item: _order(item[0]))
        }
        for agent, parts in grouped.items()
    }


def _by_agent_and_cell(rows: Iterable[Row]) -> dict[str, dict[Cell, list[Row]]]:
    grouped: dict[str, dict[Cell, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        grouped[row.agent][cell_of(row)].append(row)
    return grouped


@dataclass(frozen=True, slots=True)
class Delta:
    """What changes between two cells on the same latent models."""

    agent: str
    first: Cell
    second: Cell
    difference: Interval
    """The first minus the second, so that what is lost with less disclosure is positive."""


def compute_paired_deltas(
    rows: Sequence[Row], metric: str, pairs: Iterable[tuple[Cell, Cell]] | None = None
) -> list[Delta]:
    """Return the differences between cells for each agent that has rows in both.

    Without `pairs`, settings are compared with the next less disclosed one at the same support.
    """
    wanted = list(pairs) if pairs is not None else _next_pairs(cells(rows))
    found = []
    for agent, parts in _by_agent_and_cell(rows).items():
        for first, second in wanted:
            if first in parts and second in parts:
                ours, theirs = by_latent(parts[first], metric), by_latent(parts[second], metric)
                shared = ours.keys() & theirs.keys()
                difference = paired_difference(
                    {latent: ours[latent] for latent in shared},
                    {latent: theirs[latent] for latent in shared},
                )
                found.append(Delta(agent, first, second, difference))
    return found


def _next_pairs(known: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    pairs = []
    for support in SUPPORTS:
        here = [cell for cell in known if cell.support == support and cell.setting in LADDER]
        pairs += list(pairwise(here))
    return pairs


def discovery(rows: Iterable[Row]) -> dict[tuple[str, Cell], Rate]:
    """Return, for each agent and cell, the share of all answers that are other models that fit."""
    return {
        (agent, cell): _attempts(mine)
        for agent, parts in _by_agent_and_cell(rows).items()
        for cell, mine in parts.items()
        if cell.setting in LADDER
    }


_FOUND, _GIVEN = "alternative_found", "alternative_given_train_exact"


def _attempts(rows: Sequence[Row]) -> Rate:
    scored = [row for row in rows if row.unscored is None]
    return Rate(sum(row.numbers.get(_FOUND, 0) == 1 for row in scored), len(scored))


def any_alternative(rows: Iterable[Row]) -> dict[Cell, Rate]:
    """Return, for each cell, the share of latent models for which some agent found another."""
    found: dict[Cell, dict[str, bool]] = defaultdict(dict)
    for row in rows:
        if row.unscored is None and cell_of(row).setting in LADDER:
            latent = str(row.facets.get("mechanism", row.id))
            have = found[cell_of(row)]
            have[latent] = have.get(latent, False) or row.numbers.get(_FOUND) == 1
    return {cell: Rate(sum(have.values()), len(have)) for cell, have in found.items()}


@dataclass(frozen=True, slots=True)
class Control:
    """Other models that fit, on the latent models that an agent solved in both cells."""

    agent: str
    first: Cell
    second: Cell
    before: Rate
    after: Rate

    @property
    def change(self) -> float:
        """How the rate changes from the first to the second cell."""
        return self.after.value - self.before.value


def compute_solved_intersection(rows: Sequence[Row], first: Cell, second: Cell) -> list[Control]:
    """Return the rates of other models where an agent replays all training worlds both times.

    A rate that falls because fewer problems are solved does not fall here.
    """
    found = []
    for agent, parts in _by_agent_and_cell(rows).items():
        if first not in parts or second not in parts:
            continue
        solved = [by_latent(parts[cell], _GIVEN) for cell in (first, second)]
        both = [
            latent
            for latent in solved[0].keys() & solved[1].keys()
            if not any(math.isnan(values[latent]) for values in solved)
        ]
        before, after = (
            Rate(sum(values[latent] for latent in both), len(both)) for values in solved
        )
        found.append(Control(agent, first, second, before, after))
    return found


def leave_source_out(rows: Iterable[Row]) -> dict[str, tuple[Rate, Rate]]:
    """Return each agent's joint success with a second model: on all tasks, and on others' tasks.

    A task made with a model that an agent itself had found is not fair to the others.
    """
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if "found_by" in row.labels:
            grouped[row.agent].append(row)
    return {
        agent: (
            _compute_joint_rate(mine, lambda _: True),
            _compute_joint_rate(mine, lambda row: not _is_own_model(row)),
        )
        for agent, mine in grouped.items()
    }


def _is_own_model(row: Row) -> bool:
    return row.agent.removeprefix("player/") in row.labels["found_by"].split(", ")


def _compute_joint_rate(rows: Sequence[Row], counts: Callable[[Row], bool]) -> Rate:
    return conditional_rate([row for row in rows if counts(row)], "alternative_joint")


def rate_table(
    rows: Iterable[Row], metrics: Sequence[str]
) -> dict[tuple[str, Cell], Mapping[str, Rate]]:
    """Return conditional rates for each agent and cell."""
    return {
        (agent, cell): {metric: conditional_rate(mine, metric) for metric in metrics}
        for agent, parts in _by_agent_and_cell(rows).items()
        for cell, mine in sorted(parts.items(), key=lambda item: _order(item[0]))
    }
