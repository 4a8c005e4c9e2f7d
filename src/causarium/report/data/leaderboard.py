"""A leaderboard as data: how far up each family's ladder each entry comes, and who is ahead.

Every number comes from verified logs. The overall number is the plain mean of the reaches, for
entries that climbed the ladder of every family; ranks are ranges, by paired differences of it.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations
from statistics import fmean
from typing import Literal, NamedTuple

from pydantic import Field

from causarium import families
from causarium.contract.frozen import Frozen
from causarium.contract.instance import Facet
from causarium.contract.row import CUT, Row, mean_per_instance, mechanism_per_instance
from causarium.contract.rungs import RUNG, list_rungs
from causarium.report.data.build_report import build_report
from causarium.report.data.compare_agents import split_by_rung
from causarium.report.data.summaries import (
    AgentSummary,
    InstanceScores,
    leave_out_doubtful,
    summarize_spending,
)
from causarium.scoring.intervals import Interval
from causarium.scoring.reach import Reach, average_intervals, average_reaches, compare_reaches

Kind = Literal["open", "closed", "agent"]


class Facts(Frozen):
    """What a submission says of the one who played."""

    name: str
    """As the page shows it."""
    kind: Kind = "open"
    """Open weights, a closed model, or an agent of one's own around a model."""
    about: str = Field(default="", max_length=500)
    """One sentence: hardware, settings, whatever a reader must know."""
    maker: str = Field(default="", max_length=60)
    size: float | None = Field(default=None, gt=0, lt=1e6)
    """Weights, in billions; None where it is not known."""
    licence: str = Field(default="", max_length=60)
    decoding: str = Field(default="", max_length=60)
    """How replies were decoded, as in `free` or `JSON schema`."""
    trained: bool | None = None
    """Whether it was trained on these families; None where the submitter does not say."""


class Entry(Frozen):
    """One line of the page."""

    facts: Facts
    agent: str = ""
    """Who played, as the logs say; the facts are the submitter's own."""
    folder: str = ""
    """The folder of its logs among all submissions; empty for logs without one."""
    date: str = ""
    """The day of its newest run, as in `2026-11-19`; empty where no log says."""
    rules: tuple[str, ...] = ()
    """Rules that are not the edition's own, with the families where they hold."""
    signed: str = ""
    """Who vouches for all of its logs, in words; empty where nobody does."""
    reproduced: bool = False
    """Whether somebody else ran all of it again and signed that."""
    reaches: dict[str, Reach] = Field(default_factory=dict)
    """By family; each has the mean scores by rung."""
    mean: Interval | None = None
    """The mean of the reaches; None unless the whole ladder of every family was climbed, all with
    the same rungs."""
    rank: tuple[int, int] | None = None
    """The best and the worst rank that paired differences allow; None without a mean."""
    tokens: dict[str, float] = Field(default_factory=dict)
    """By family: the mean tokens written on an instance, reasoning included."""
    dollars: float | None = None
    """What 100 instances cost; None where no price is known."""
    cut: float | None = None
    """The share of replies that ended at the token limit before any object was whole."""

    @property
    def is_above_guessing(self) -> bool:
        """Whether the interval of its mean lies above 0."""
        return self.mean is not None and self.mean.low > 0


class Program(Frozen):
    """A program that played the same instances."""

    name: str
    reach: Reach


class Column(Frozen):
    """One family."""

    family: str
    title: str
    metric: str
    instances: int
    rungs: tuple[int, ...]
    """Empty where the set is no ladder; nobody has a reach on it then."""
    reference: Program | None = None
    """The reference solver; None where nothing was played."""
    program: Program | None = None
    """The strongest other program without secrets."""


class Difference(Frozen):
    """Two entries on the instances that both played."""

    ours: str
    theirs: str
    by_family: dict[str, Interval]
    """The reach of `ours` minus that of `theirs`."""
    mean: Interval | None = None
    """The mean of the differences; None unless both entries have a mean."""


class Leaderboard(Frozen):
    """All of the page."""

    set: str
    columns: tuple[Column, ...]
    entries: tuple[Entry, ...]
    """The highest mean first, then those without one."""
    differences: tuple[Difference, ...] = ()
    left_out: tuple[str, ...] = ()
    """One sentence for everything that was given and is not on the page."""


class _Climb(NamedTuple):
    """One entry on one ladder."""

    reach: Reach
    rungs: tuple[int, ...]
    """Those of the whole ladder, played or not."""
    scores: Mapping[int, Mapping[str, float]]
    """By rung and instance."""


def list_columns(set_name: str) -> tuple[Column, ...]:
    """Return the families that have a certified set of this name, from their cards alone."""
    columns = []
    for name in families.FAMILIES:
        card = families.card(name)
        spec = card.sets.get("certified", {}).get(set_name)
        if spec is not None:
            column = Column(
                family=name,
                title=card.title,
                metric=card.headline["certified"],
                instances=spec.size,
                rungs=list_rungs(part.level for part in spec.parts),
            )
            columns.append(column)
    return tuple(columns)


def build_leaderboard(
    entries: Sequence[tuple[Entry, Sequence[Row]]],
    players: Sequence[Row] = (),
    *,
    set_name: str = "standard",
    columns: Sequence[Column] | None = None,
    left_out: Sequence[str] = (),
) -> Leaderboard:
    """Put entries on the ladders of their families.

    Args:
        entries: Of each, what is known, and the verified rows.
        players: The rows of programs on the same instances.
        set_name: The set that counts.
        columns: The families; None takes them from their cards.
        left_out: What was given and does not count, in sentences.
    """
    known = list_columns(set_name) if columns is None else tuple(columns)
    flat = [column.title for column in known if not column.rungs]
    notes = [f"{title}: its set {set_name} is no ladder, so there is no reach" for title in flat]
    rows = [leave_out_doubtful(mine) for _, mine in entries]
    mechanisms = mechanism_per_instance(chain.from_iterable(rows))
    made = []
    for (entry, _), mine in zip(entries, rows, strict=True):
        climbs = _climb(mine, known)
        made.append((_measure(entry, mine, climbs), climbs))
    made.sort(key=lambda pair: _order(pair[0]))
    differences = [_compare(ours, theirs, mechanisms) for ours, theirs in combinations(made, 2)]
    return Leaderboard(
        set=set_name,
        columns=_add_programs(known, players),
        entries=_add_ranks([entry for entry, _ in made], differences),
        differences=tuple(differences),
        left_out=(*left_out, *notes),
    )


def _climb(rows: Sequence[Row], columns: Sequence[Column]) -> dict[str, _Climb]:
    """Return how one agent fared on each ladder that it played."""
    climbs = {}
    for column in columns:
        mine = [row for row in rows if row.family == column.family]
        reach = InstanceScores(mine).find_reach(column.metric)
        if reach is not None and not math.isnan(reach.value):
            rungs = {row.id: int(row.facets[RUNG]) for row in mine if row.unscored is None}
            scores = split_by_rung(mean_per_instance(mine, column.metric), rungs)
            climbs[column.family] = _Climb(reach, column.rungs, scores)
    return climbs


def _measure(entry: Entry, rows: Sequence[Row], climbs: Mapping[str, _Climb]) -> Entry:
    """Return an entry with its numbers, but for its rank."""
    spending, turns = summarize_spending(rows), sum(row.turns for row in rows)
    cost = spending.cost if spending else math.nan
    reaches = {family: climb.reach for family, climb in climbs.items()}
    found = {
        "reaches": reaches,
        "mean": average_reaches(reaches.values()) if _is_whole(climbs) else None,
        "tokens": _count_tokens(rows),
        "dollars": None if math.isnan(cost) else 100 * cost / len(rows),
        "cut": sum(row.faults.get(CUT, 0) for row in rows) / turns if turns else None,
    }
    return entry.model_copy(update=found)


def _is_whole(climbs: Mapping[str, _Climb]) -> bool:
    """Say whether the ladders of all our families were climbed, with the same rungs."""
    ladders = {climbs[name].rungs if name in climbs else () for name in families.FAMILIES}
    return len(ladders) == 1 and () not in ladders


def _count_tokens(rows: Iterable[Row]) -> dict[str, float]:
    written: dict[str, list[int]] = {}
    for row in rows:
        if row.usage is not None:
            written.setdefault(row.family, []).append(row.usage.agent.output)
    return {family: fmean(counts) for family, counts in written.items() if any(counts)}


def _order(entry: Entry) -> tuple[bool, float, str]:
    reaches = (reach.value for reach in entry.reaches.values())
    value = entry.mean.value if entry.mean else math.fsum(reaches)
    return (entry.mean is None, -value, entry.facts.name)


def _compare(
    ours: tuple[Entry, Mapping[str, _Climb]],
    theirs: tuple[Entry, Mapping[str, _Climb]],
    mechanisms: Mapping[str, Facet],
) -> Difference:
    """Return how far apart two entries are, on the instances that both played."""
    (first, mine), (second, other) = ours, theirs
    found = {
        family: compare_reaches(mine[family].scores, other[family].scores, mechanisms)
        for family in mine
        if family in other
    }
    both = first.mean is not None and second.mean is not None
    return Difference(
        ours=first.facts.name,
        theirs=second.facts.name,
        by_family=found,
        mean=average_intervals(found[name] for name in families.FAMILIES) if both else None,
    )


def _add_ranks(entries: Sequence[Entry], differences: Sequence[Difference]) -> tuple[Entry, ...]:
    """Return entries with the ranks that their differences allow, in the order of the pairs."""
    ahead, behind = Counter[int](), Counter[int]()
    for (ours, theirs), one in zip(combinations(range(len(entries)), 2), differences, strict=True):
        if one.mean is not None and not one.mean.low <= 0 <= one.mean.high:
            won, lost = (ours, theirs) if one.mean.value > 0 else (theirs, ours)
            ahead[lost] += 1
            behind[won] += 1
    last = sum(entry.mean is not None for entry in entries)
    return tuple(
        entry.model_copy(update={"rank": (1 + ahead[place], last - behind[place])})
        if entry.mean is not None
        else entry
        for place, entry in enumerate(entries)
    )


def _add_programs(columns: Sequence[Column], players: Sequence[Row]) -> tuple[Column, ...]:
    """Return columns with what the reference solver and the strongest other program reach."""
    sections = {one.facts.name: one for one in build_report(players).sections}
    return tuple(
        column.model_copy(
            update={
                "reference": _name_program(section.reference_agent),
                "program": _name_program(section.strongest_program),
            }
        )
        if (section := sections.get(column.family))
        else column
        for column in columns
    )


def _name_program(agent: AgentSummary | None) -> Program | None:
    if agent is None or agent.reach is None:
        return None
    return Program(name=agent.name.removeprefix("player/"), reach=agent.reach)
