"""Rows to summaries: who scored what, on how many instances, and how sure that is.

Epochs of one instance are averaged before anything else, because they are not independent; for
the same reason intervals draw whole mechanisms, which several instances may share. An unscored row
is in no mean; it is counted, with its reason.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Literal, NamedTuple

from pydantic import Field

from causarium.contract.frozen import Frozen, Names
from causarium.contract.instance import Facet
from causarium.contract.row import (
    MECHANISM,
    Row,
    Usage,
    mean_per_instance,
    mechanism_per_instance,
)
from causarium.contract.rules import Edition
from causarium.contract.rungs import RUNG
from causarium.engine.record.episode_record import HUMAN, HUMAN_SEEN
from causarium.scoring.intervals import Interval, summarize
from causarium.scoring.reach import Reach, find_reach


class Spending(Frozen):
    """What an agent's episodes took; means are over the episodes in which a model was asked."""

    episodes: int
    """So many they are."""
    input: float
    """Mean tokens read an episode."""
    cached: float
    """The share of them that came from the provider's cache."""
    output: float
    """Mean tokens written an episode."""
    per_turn: float
    """Mean tokens, read and written, a turn."""
    replies: float
    """Mean replies an episode; nan where a log does not tell."""
    first: float
    """Mean tokens read for the first reply of an episode."""
    last: float
    """Mean tokens read for the last one: how far the conversation grew."""
    seconds: float
    """Mean seconds an episode."""
    helpers: float
    """Mean tokens an episode that judges and other helpers read and wrote."""
    cost: float
    """All episodes together, helpers included, in US dollars; nan where no price is known."""


class FaultTable(Frozen):
    """Unusable replies, by agent and kind."""

    kinds: tuple[str, ...]
    lines: tuple[tuple[str, int, tuple[int, ...]], ...]
    """Of each agent: its name, all its turns, and how many replies were of each kind."""


def summarize_spending(rows: Sequence[Row]) -> Spending | None:
    """Return what episodes took; None where no model was asked."""
    taken = [(row.usage, row.turns) for row in rows if row.usage is not None]
    if not taken:
        return None
    read = sum(usage.agent.input for usage, _ in taken)
    written = sum(usage.agent.output for usage, _ in taken)
    turns = sum(turns for _, turns in taken)
    helpers = [tokens for usage, _ in taken for tokens in usage.helpers.values()]
    told = [usage.replies for usage, _ in taken if usage.replies]
    return Spending(
        episodes=len(taken),
        input=read / len(taken),
        cached=sum(usage.agent.cached for usage, _ in taken) / read if read else math.nan,
        output=written / len(taken),
        per_turn=(read + written) / turns if turns else math.nan,
        replies=_mean(len(replies) for replies in told),
        first=_mean(replies[0][0] for replies in told),
        last=_mean(replies[-1][0] for replies in told),
        seconds=_mean(usage.seconds for usage, _ in taken if usage.seconds is not None),
        helpers=sum(tokens.input + tokens.output for tokens in helpers) / len(taken),
        cost=_cost([usage for usage, _ in taken]),
    )


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return fmean(numbers) if numbers else math.nan


def _cost(usages: Iterable[Usage]) -> float:
    everyone = [one for usage in usages for one in (usage.agent, *usage.helpers.values())]
    asked = [one for one in everyone if one.input or one.output or one.cost is not None]
    # A price that is not known for one is not known for all.
    costs = [math.nan if one.cost is None else one.cost for one in asked]
    return sum(costs) if costs else math.nan


def count_faults(grouped: Mapping[str, Sequence[Row]]) -> FaultTable | None:
    """Count the unusable replies, by agent; None if there is none."""
    counted = {agent: _sum_faults(rows) for agent, rows in grouped.items()}
    every: Counter[str] = sum(counted.values(), Counter())
    if not every:
        return None
    kinds = tuple(kind for kind, _ in every.most_common())
    lines = [
        (agent, sum(row.turns for row in grouped[agent]), tuple(faults[kind] for kind in kinds))
        for agent, faults in counted.items()
        if faults
    ]
    return FaultTable(kinds=kinds, lines=tuple(lines))


def _sum_faults(rows: Iterable[Row]) -> Counter[str]:
    faults: Counter[str] = Counter()
    for row in rows:
        faults.update(row.faults)
    return faults


Role = Literal["model", "human", "player", "floor", "ceiling"]

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
    instances: int
    """Instances that it has a row of, scored or not."""
    n: int
    """Scored instances."""
    mechanisms: int
    """How many mechanisms they are of; as many as instances where they share none."""
    unscored: int
    reasons: dict[str, int]
    """Why rows are unscored, and how often."""
    metrics: dict[str, Interval]
    reach: Reach | None = None
    """The sum of its mean scores by rung; None where the set is no ladder."""
    turns: float
    """Mean turns an episode."""
    spending: Spending | None = None
    """None where no model was asked."""
    programs: bool | None = None
    """Whether the agent could run programs; None where no log says."""
    digests: Names = frozenset()
    """The digests of the set that its logs state."""
    doubtful: dict[str, int] = Field(default_factory=dict)
    """Why rows are not verified, and how often; they are in no mean unless the user wants that."""

    @property
    def unverified(self) -> int:
        """How many rows are not verified."""
        return sum(self.doubtful.values())


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


PLAYING: frozenset[Role] = frozenset({"model", "human", "player"})
"""The roles that are compared with the bounds."""


def role_of(agent: str, sees_truth: Collection[str] = ()) -> Role:
    """Return what part an agent plays in a report; who `sees_truth` is a ceiling."""
    if agent in FLOORS:
        return "floor"
    if agent in CEILINGS or agent.removeprefix("player/") in sees_truth:
        return "ceiling"
    if agent in {HUMAN, HUMAN_SEEN}:
        return "human"
    return "player" if agent.startswith("player/") else "model"


class InstanceScores:
    """The scored instances of one agent: its value of every metric on each, epochs averaged."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Gather the scored rows of one agent by instance."""
        self.rows = [row for row in rows if row.unscored is None]
        self.mechanisms = mechanism_per_instance(self.rows)
        """By instance."""
        self._values: dict[str, list[float]] = {}
        self._clusters = list(self.mechanisms.values())
        self._facets = [row.facets for row in {row.id: row for row in self.rows}.values()]

    def per_instance(self, metric: str) -> list[float]:
        """Return a metric's value on each instance; nan where it does not apply."""
        if metric not in self._values:
            if len(self.rows) == len(self.mechanisms):
                values = [row.numbers.get(metric, math.nan) for row in self.rows]
            else:
                values = list(mean_per_instance(self.rows, metric).values())
            self._values[metric] = values
        return self._values[metric]

    def summarize(
        self, metric: str, *, share: bool, places: Sequence[int] | None = None
    ) -> Interval:
        """Return a metric's mean over all instances, or over those at `places`."""
        values, clusters = self.per_instance(metric), self._clusters
        if places is not None:
            values, clusters = [values[i] for i in places], [clusters[i] for i in places]
        return summarize(values, clusters=clusters, share=share)

    def find_reach(self, metric: str) -> Reach | None:
        """Return the reach by a metric; None unless every instance has a rung."""
        if not self._facets or not all(RUNG in facets for facets in self._facets):
            return None
        rungs = [int(facets[RUNG]) for facets in self._facets]
        return find_reach(zip(rungs, self.per_instance(metric), self._clusters, strict=True))

    def places_by_value(self, facet: str) -> dict[tuple[type, Facet], list[int]]:
        """Return where the instances of each value of a facet are.

        By type too, for True == 1 in Python.
        """
        places: dict[tuple[type, Facet], list[int]] = {}
        for place, facets in enumerate(self._facets):
            if facet in facets:
                value = facets[facet]
                places.setdefault((type(value), value), []).append(place)
        return places


def group_by_run(rows: Iterable[Row]) -> dict[RunKey, list[Row]]:
    """Group rows by what must agree for them to stand in one table, in order of appearance."""
    runs: dict[RunKey, list[Row]] = {}
    for row in rows:
        runs.setdefault(RunKey(row.family, row.version, row.edition, row.set), []).append(row)
    return runs


def name_agent(agent: str) -> str:
    """Return an agent's name without the way it was asked: an API of a kind, or a record."""
    return agent.removeprefix("openai-api/").removeprefix("recorded/")


def group_by_agent(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Group the rows of one run by the agent's shown name, which is short where it is unique."""
    several = len({row.interface for row in rows}) > 1
    names = {row.agent: name_agent(row.agent) for row in rows}
    count = Counter(names.values())
    agents: dict[str, list[Row]] = {}
    for row in rows:
        marks = ", ".join(filter(None, (row.interface if several else "", row.variant, row.run)))
        name = names[row.agent] if count[names[row.agent]] == 1 else row.agent
        agents.setdefault(f"{name} ({marks})" if marks else name, []).append(row)
    return agents


def summarize_agents(
    rows: Sequence[Row],
    headline: str,
    *,
    falls: bool = False,
    shares: Collection[str] = (),
    sees_truth: Collection[str] = (),
) -> tuple[AgentSummary, ...]:
    """Summarise every agent of one run: models first, best first, the bounds last."""
    agents = [
        _summarize_agent(name, mine, headline, shares, role_of(mine[0].agent, sees_truth))
        for name, mine in group_by_agent(rows).items()
    ]
    return tuple(sorted(agents, key=lambda agent: _rank(agent, headline, falls=falls)))


def _rank(agent: AgentSummary, headline: str, *, falls: bool) -> tuple[int, float, str]:
    value = agent.metrics[headline].value if headline in agent.metrics else math.nan
    order: tuple[Role, ...] = ("model", "human", "player", "ceiling", "floor")
    worst_last = math.inf if math.isnan(value) else value if falls else -value
    return (order.index(agent.role), worst_last, agent.agent)


def _summarize_agent(
    name: str, rows: Sequence[Row], headline: str, shares: Collection[str], role: Role
) -> AgentSummary:
    scores = InstanceScores(rows)
    metrics = dict.fromkeys(metric for row in scores.rows for metric in row.numbers)
    return AgentSummary(
        agent=name,
        name=rows[0].agent,
        role=role,
        interface=rows[0].interface,
        rows=len(rows),
        instances=len({row.id for row in rows}),
        n=len(scores.mechanisms),
        mechanisms=len(set(scores.mechanisms.values())),
        unscored=len(rows) - len(scores.rows),
        reasons=dict(Counter(row.unscored for row in rows if row.unscored is not None)),
        metrics={m: scores.summarize(m, share=m in shares) for m in metrics},
        reach=scores.find_reach(headline),
        turns=fmean(row.turns for row in scores.rows) if scores.rows else math.nan,
        spending=summarize_spending(rows),
        doubtful=count_doubtful(rows),
    )


def break_down(
    rows: Sequence[Row],
    metrics: Sequence[str],
    agents: Sequence[AgentSummary],
    shares: Collection[str] = (),
) -> tuple[Breakdown, ...]:
    """Split metrics by every facet that has at least two values and not too many."""
    facets = {
        facet: values
        for facet in dict.fromkeys(name for row in rows for name in row.facets)
        if facet != MECHANISM and 2 <= len(values := _values(rows, facet)) <= MOST_FACET_VALUES
    }
    scores = {name: InstanceScores(mine) for name, mine in group_by_agent(rows).items()}
    places = {
        facet: {name: mine.places_by_value(facet) for name, mine in scores.items()}
        for facet in facets
    }
    breakdowns = []
    for metric in metrics:
        for facet, values in facets.items():
            lines = []
            for agent in agents:
                mine, chosen = scores[agent.agent], places[facet][agent.agent]
                cells = [
                    mine.summarize(
                        metric, share=metric in shares, places=chosen.get((type(value), value), ())
                    )
                    for value in values
                ]
                lines.append(Line(agent=agent.agent, role=agent.role, cells=tuple(cells)))
            shown = tuple(show_facet(value) for value in values)
            breakdowns.append(
                Breakdown(facet=facet, metric=metric, values=shown, lines=tuple(lines))
            )
    return tuple(breakdowns)


def _values(rows: Sequence[Row], facet: str) -> list[Facet]:
    # By type too: True == 1 in Python, and a facet may hold both kinds.
    typed = {(type(row.facets[facet]), row.facets[facet]) for row in rows if facet in row.facets}
    return sorted((value for _, value in typed), key=_order)


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
    grouped = group_by_agent(rows)
    tables = []
    for label in dict.fromkeys(name for row in rows for name in row.labels):
        total = Counter(row.labels[label] for row in rows if label in row.labels)
        common = [value for value, _ in total.most_common(MOST_LABEL_VALUES)]
        rest = len(total) > len(common)
        lines = []
        for agent in agents:
            mine = Counter(r.labels[label] for r in grouped[agent.agent] if label in r.labels)
            counts = [mine.pop(value, 0) for value in common] + [mine.total()] * rest
            lines.append(LabelLine(agent=agent.agent, role=agent.role, counts=tuple(counts)))
        values = (*common, *(["other"] * rest))
        tables.append(LabelTable(label=label, values=values, lines=tuple(lines)))
    return tuple(tables)


NOT_VERIFIED = "not verified"


def leave_out_doubtful(rows: Iterable[Row]) -> list[Row]:
    """Return rows, those that are doubtful without their score and with the reason for it."""
    return [
        row.model_copy(update={"numbers": {}, "unscored": f"{NOT_VERIFIED}: {row.proof}"})
        if row.is_doubtful
        else row
        for row in rows
    ]


def count_doubtful(rows: Iterable[Row]) -> dict[str, int]:
    """Count the doubtful rows, by reason."""
    return dict(Counter(row.proof for row in rows if row.is_doubtful))
