"""Paired comparisons: two agents on the same instances, and what may be said about them."""

from collections.abc import Mapping, Sequence
from typing import Literal

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Facet
from causarium.contract.row import Row, mean_per_instance, mechanism_per_instance
from causarium.contract.rungs import RUNG
from causarium.report.data.number_format import show
from causarium.report.data.summaries import PLAYING, AgentSummary, group_by_agent
from causarium.scoring.intervals import Interval, paired_difference
from causarium.scoring.reach import compare_reaches

Saying = Literal["ahead", "behind", "not told apart", "too few to tell"]

FEWEST_THAT_DIFFER = 6
"""With fewer mechanisms on which two agents differ, even a clean sweep is 5 % chance or more."""


MOST_CHANGES = 12
"""So many instances on which two agents differ are named."""


class Change(Frozen):
    """An instance on which two agents scored differently."""

    id: str
    score: float
    other: float
    lost: bool
    """Whether the agent did worse here than the other."""


class Comparison(Frozen):
    """One agent against another, on the instances that both were scored on."""

    metric: str
    agent: str
    other: str
    difference: Interval
    """The agent's mean, or its reach, minus the other's."""
    wins: int
    ties: int
    losses: int
    verdict: Saying
    """What may be said of the agent."""
    words: str
    """The same in a sentence, with what it rests on."""
    changes: tuple[Change, ...] = ()
    """Where they differ, losses first, the widest gap first; at most `MOST_CHANGES`."""

    @property
    def n(self) -> int:
        """How many instances both were scored on."""
        return self.wins + self.ties + self.losses


def compare_agents(
    rows: Sequence[Row], metric: str, agents: Sequence[AgentSummary], *, falls: bool = False
) -> tuple[Comparison, ...]:
    """Compare each agent with its earlier runs, and the leader with every other agent.

    The leader is the first of `agents`, which are sorted with models before players, best
    first. One reference for all keeps the number of comparisons, and of chance findings, small.
    Bounds are left out.
    """
    grouped = group_by_agent(rows)
    playing = [agent.agent for agent in agents if agent.role in PLAYING]
    leaders = [name for name in playing if not grouped[name][0].run]
    earlier = [name for name in playing if grouped[name][0].run]
    pairs = [
        (name, before)
        for name in leaders
        for before in earlier
        if grouped[name][0].agent == grouped[before][0].agent
    ]
    pairs += [(leaders[0], other) for other in leaders[1:]] if leaders else []
    mechanisms = mechanism_per_instance(rows)
    rungs = {row.id: int(row.facets[RUNG]) for row in rows if RUNG in row.facets}
    comparisons = []
    for name, other in pairs:
        mine = mean_per_instance(grouped[name], metric)
        theirs = mean_per_instance(grouped[other], metric)
        mine, theirs = _add_unplayed(mine, theirs, rungs), _add_unplayed(theirs, mine, rungs)
        comparison = _compare_pair(
            metric, (name, other), mine, theirs, mechanisms, rungs, falls=falls
        )
        if comparison.n:
            comparisons.append(comparison)
    return tuple(comparisons)


def _add_unplayed(
    mine: Mapping[str, float], theirs: Mapping[str, float], rungs: Mapping[str, int]
) -> dict[str, float]:
    """Return scores with 0 on the rungs above the last one played, where the climb ended."""
    last = max((rungs.get(id_, 0) for id_ in mine), default=0)
    above = (id_ for id_ in theirs if rungs.get(id_, 0) > last > 0)
    return {**mine, **dict.fromkeys(above, 0.0)}


def split_by_rung(
    scores: Mapping[str, float], rungs: Mapping[str, int]
) -> dict[int, dict[str, float]]:
    """Return the scores on each rung, given the rung of each instance."""
    split: dict[int, dict[str, float]] = {}
    for id_, score in scores.items():
        split.setdefault(rungs[id_], {})[id_] = score
    return split


def _compare_pair(
    metric: str,
    names: tuple[str, str],
    mine: Mapping[str, float],
    theirs: Mapping[str, float],
    mechanisms: Mapping[str, Facet],
    rungs: Mapping[str, int],
    *,
    falls: bool,
) -> Comparison:
    gaps = {id_: mine[id_] - theirs[id_] for id_ in mine.keys() & theirs.keys()}
    wins = sum((gap < 0) if falls else (gap > 0) for gap in gaps.values())
    ties = sum(gap == 0 for gap in gaps.values())
    differ = {mechanisms[id_] for id_, gap in gaps.items() if abs(gap) > 0}
    if rungs and {*mine, *theirs} <= rungs.keys():
        split = (split_by_rung(mine, rungs), split_by_rung(theirs, rungs))
        difference = compare_reaches(*split, mechanisms)
    else:
        difference = paired_difference(mine, theirs, clusters=mechanisms)
    comparison = Comparison(
        metric=metric,
        agent=names[0],
        other=names[1],
        difference=difference,
        wins=wins,
        ties=ties,
        losses=difference.n - wins - ties,
        verdict=_verdict(difference, len(differ), falls=falls),
        words="",
        changes=_list_changes(mine, theirs, falls=falls),
    )
    return comparison.model_copy(update={"words": _describe(comparison, len(differ))})


def _list_changes(
    mine: Mapping[str, float], theirs: Mapping[str, float], *, falls: bool
) -> tuple[Change, ...]:
    changes = [
        Change(
            id=id_,
            score=mine[id_],
            other=theirs[id_],
            lost=(mine[id_] > theirs[id_]) if falls else (mine[id_] < theirs[id_]),
        )
        for id_ in mine.keys() & theirs.keys()
        if abs(mine[id_] - theirs[id_]) > 0
    ]
    changes.sort(key=lambda change: (not change.lost, -abs(change.score - change.other), change.id))
    return tuple(changes[:MOST_CHANGES])


def _verdict(gap: Interval, differ: int, *, falls: bool) -> Saying:
    if differ < FEWEST_THAT_DIFFER:
        return "too few to tell"
    if gap.low <= 0 <= gap.high:
        return "not told apart"
    return "ahead" if (gap.value > 0) != falls else "behind"


def _describe(comparison: Comparison, mechanisms: int) -> str:
    agent, other, differ = comparison.agent, comparison.other, comparison.wins + comparison.losses
    if comparison.verdict == "too few to tell":
        few = f", of {mechanisms} mechanism{'s' * (mechanisms > 1)}" if mechanisms < differ else ""
        shared = f"{comparison.n} shared instances{few}"
        return f"{agent} and {other}: too few to tell; they differ on {differ} of {shared}."
    won = f"it wins {comparison.wins} of the {differ} instances on which they differ"
    if comparison.verdict == "not told apart":
        return f"{agent} and {other} cannot be told apart: {won}."
    where = "ahead of" if comparison.verdict == "ahead" else "behind"
    return f"{agent} is {where} {other} by {show(abs(comparison.difference.value))}: {won}."
