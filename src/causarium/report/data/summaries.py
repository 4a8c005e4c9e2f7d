"""Rows to summaries: who scored what, on how many instances, and how sure that is.

Epochs of one instance are averaged before anything else, because they are not independent. An
unscored row is in no mean; it is counted, with its reason.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Literal, NamedTuple

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Facet
from causarium.contract.row import Row, mean_per_instance
from causarium.contract.rules import Edition
from causarium.report.data.usage_summary import Spending, spending
from causarium.scoring.intervals import Interval, summarize

Role = Literal["model", "player", "floor", "ceiling"]

FLOORS = ("player/silent", "player/random")
CEILINGS = ("player/oracle",)
MOST_FACET_VALUES = 12
MOST_LABEL_VALUES = 8


class RunKey(NamedTuple):
    """What must agree for rows to stand in one table."""

    family: str
    version: str
    edition: Edition
    set: str


class AgentSummary(Frozen):
    """One agent's outcome on one set."""

    agent: str
    """The name shown, with the interface where there are several."""
    name: str
    """The name in the rows."""
    role: Role
    interface: str
    rows: int
    n: int
    """Scored instances."""
    unscored: int
    reasons: dict[str, int]
    """Why rows are unscored, and how often."""
    metrics: dict[str, Interval]
    turns: float
    """Mean turns an episode."""
    spending: Spending | None = None
    """None where no model was asked."""


class Line(Frozen):
    """One agent's line of a breakdown."""

    agent: str
    role: Role
    cells: tuple[Interval, ...]


class Breakdown(Frozen):
    """One metric by the values of one facet."""

    facet: str
    metric: str
    values: tuple[str, ...]
    lines: tuple[Line, ...]


class LabelLine(Frozen):
    """How often one agent's episodes carry each label."""

    agent: str
    role: Role
    counts: tuple[int, ...]

    @property
    def n(self) -> int:
        """How many episodes carry a label of this name."""
        return sum(self.counts)


class LabelTable(Frozen):
    """The values of one label, by agent."""

    label: str
    values: tuple[str, ...]
    lines: tuple[LabelLine, ...]


PLAYING: frozenset[Role] = frozenset({"model", "player"})
"""The roles whose scores are read against the bounds."""


def role_of(agent: str) -> Role:
    """Return what part an agent plays in a report."""
    if agent in FLOORS:
        return "floor"
    if agent in CEILINGS:
        return "ceiling"
    return "player" if agent.startswith("player/") else "model"


def by_run(rows: Iterable[Row]) -> dict[RunKey, list[Row]]:
    """Group rows by what must agree for them to stand in one table, in order of appearance."""
    found: dict[RunKey, list[Row]] = {}
    for row in rows:
        found.setdefault(RunKey(row.family, row.version, row.edition, row.set), []).append(row)
    return found


def by_agent(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Group the rows of one run by the agent's shown name."""
    several = len({row.interface for row in rows}) > 1
    found: dict[str, list[Row]] = {}
    for row in rows:
        marks = ", ".join(filter(None, (row.interface if several else "", row.variant, row.run)))
        found.setdefault(f"{row.agent} ({marks})" if marks else row.agent, []).append(row)
    return found


def summarise_agents(
    rows: Sequence[Row], headline: str, *, falls: bool = False, shares: Collection[str] = ()
) -> tuple[AgentSummary, ...]:
    """Summarise every agent of one run: models first, best first, the bounds last."""
    found = [_summary(name, mine, shares) for name, mine in by_agent(rows).items()]
    return tuple(sorted(found, key=lambda agent: _rank(agent, headline, falls=falls)))


def _rank(agent: AgentSummary, headline: str, *, falls: bool) -> tuple[int, float, str]:
    value = agent.metrics[headline].value if headline in agent.metrics else math.nan
    order: tuple[Role, ...] = ("model", "player", "ceiling", "floor")
    worst_last = math.inf if math.isnan(value) else value if falls else -value
    return (order.index(agent.role), worst_last, agent.agent)


def _summary(name: str, rows: Sequence[Row], shares: Collection[str]) -> AgentSummary:
    scored = [row for row in rows if row.unscored is None]
    metrics = dict.fromkeys(metric for row in scored for metric in row.numbers)
    return AgentSummary(
        agent=name,
        name=rows[0].agent,
        role=role_of(rows[0].agent),
        interface=rows[0].interface,
        rows=len(rows),
        n=len({row.id for row in scored}),
        unscored=len(rows) - len(scored),
        reasons=dict(Counter(row.unscored for row in rows if row.unscored is not None)),
        metrics={
            m: summarize(mean_per_instance(scored, m).values(), share=m in shares) for m in metrics
        },
        turns=fmean(row.turns for row in scored) if scored else math.nan,
        spending=spending(rows),
    )


def break_down(
    rows: Sequence[Row],
    metrics: Sequence[str],
    agents: Sequence[AgentSummary],
    shares: Collection[str] = (),
) -> tuple[Breakdown, ...]:
    """Split metrics by every facet that has at least two values and not too many."""
    split = {
        facet: values
        for facet in dict.fromkeys(name for row in rows for name in row.facets)
        if 2 <= len(values := _values(rows, facet)) <= MOST_FACET_VALUES
    }
    return tuple(
        _breakdown(by_agent(rows), metric, agents, facet, values, share=metric in shares)
        for metric in metrics
        for facet, values in split.items()
    )


def _breakdown(
    grouped: Mapping[str, Sequence[Row]],
    metric: str,
    agents: Sequence[AgentSummary],
    facet: str,
    values: Sequence[Facet],
    *,
    share: bool,
) -> Breakdown:
    lines = []
    for agent in agents:
        cells = []
        for value in values:
            mine = [row for row in grouped[agent.agent] if _same(row.facets.get(facet), value)]
            cells.append(summarize(mean_per_instance(mine, metric).values(), share=share))
        lines.append(Line(agent=agent.agent, role=agent.role, cells=tuple(cells)))
    shown = tuple(show_facet(value) for value in values)
    return Breakdown(facet=facet, metric=metric, values=shown, lines=tuple(lines))


def _values(rows: Sequence[Row], facet: str) -> list[Facet]:
    # By type too: True == 1 in Python, and a facet may hold both kinds.
    found = {(type(row.facets[facet]), row.facets[facet]) for row in rows if facet in row.facets}
    return sorted((value for _, value in found), key=_order)


def _same(one: Facet | None, other: Facet) -> bool:
    return type(one) is type(other) and one == other


def _order(value: Facet) -> tuple[int, float, tuple[tuple[int, str], ...]]:
    """Order numbers by size, then texts so that `2o8i` comes before `2o12i`."""
    if not isinstance(value, str):
        return (0, float(value), ((0, type(value).__name__),))
    parts = re.findall(r"\d+|\D+", value)
    return (1, 0.0, tuple((int(p), "") if p.isdecimal() else (-1, p) for p in parts))


def show_facet(value: Facet) -> str:
    """Write a facet's value for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def count_labels(rows: Sequence[Row], agents: Sequence[AgentSummary]) -> tuple[LabelTable, ...]:
    """Count every label's values by agent; rare values are joined as `other`."""
    grouped = by_agent(rows)
    found = []
    for label in dict.fromkeys(name for row in rows for name in row.labels):
        total = Counter(row.labels[label] for row in rows if label in row.labels)
        kept = [value for value, _ in total.most_common(MOST_LABEL_VALUES)]
        rest = len(total) > len(kept)
        lines = []
        for agent in agents:
            mine = Counter(r.labels[label] for r in grouped[agent.agent] if label in r.labels)
            counts = [mine.pop(value, 0) for value in kept] + [mine.total()] * rest
            lines.append(LabelLine(agent=agent.agent, role=agent.role, counts=tuple(counts)))
        values = (*kept, *(["other"] * rest))
        found.append(LabelTable(label=label, values=values, lines=tuple(lines)))
    return tuple(found)
