"""Paired comparisons: two agents on the same instances, and what may be said about them."""

from collections.abc import Sequence
from typing import Literal

from causarium.contract.frozen import Frozen
from causarium.contract.row import Row, mean_per_instance
from causarium.report.data.number_format import show
from causarium.report.data.summaries import PLAYING, AgentSummary, by_agent
from causarium.scoring.intervals import Interval, paired_difference

Saying = Literal["ahead", "behind", "not told apart", "too few to tell"]

FEWEST_THAT_DIFFER = 6
"""With fewer instances on which two agents differ, even a clean sweep is 5 % chance or more."""


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
    """The agent's mean minus the other's."""
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


def compare(
    rows: Sequence[Row], metric: str, agents: Sequence[AgentSummary], *, falls: bool = False
) -> tuple[Comparison, ...]:
    """Compare each agent with its earlier runs, and the leader with every other agent.

    The leader is the first of `agents`, which are sorted with models before players, best
    first. One reference for all keeps the number of comparisons, and of chance findings, small.
    Bounds are left out.
    """
    grouped = by_agent(rows)
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
    found = []
    for name, other in pairs:
        mine = mean_per_instance(grouped[name], metric)
        theirs = mean_per_instance(grouped[other], metric)
        one = _compared(metric, (name, other), mine, theirs, falls=falls)
        if one.n:
            found.append(one)
    return tuple(found)


def _compared(
    metric: str,
    names: tuple[str, str],
    mine: dict[str, float],
    theirs: dict[str, float],
    *,
    falls: bool,
) -> Comparison:
    gaps = [mine[id_] - theirs[id_] for id_ in mine.keys() & theirs.keys()]
    wins = sum((gap < 0) if falls else (gap > 0) for gap in gaps)
    ties = sum(gap == 0 for gap in gaps)
    difference = paired_difference(mine, theirs)
    losses = difference.n - wins - ties
    one = Comparison(
        metric=metric,
        agent=names[0],
        other=names[1],
        difference=difference,
        wins=wins,
        ties=ties,
        losses=losses,
        verdict=_verdict(difference, wins + losses, falls=falls),
        words="",
        changes=_changes(mine, theirs, falls=falls),
    )
    return one.model_copy(update={"words": _words(one)})


def _changes(
    mine: dict[str, float], theirs: dict[str, float], *, falls: bool
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
    changes.sort(key=lambda one: (not one.lost, -abs(one.score - one.other), one.id))
    return tuple(changes[:MOST_CHANGES])


def _verdict(gap: Interval, differ: int, *, falls: bool) -> Saying:
    if differ < FEWEST_THAT_DIFFER:
        return "too few to tell"
    if gap.low <= 0 <= gap.high:
        return "not told apart"
    return "ahead" if (gap.value > 0) != falls else "behind"


def _words(one: Comparison) -> str:
    differ = one.wins + one.losses
    if one.verdict == "too few to tell":
        return f"Too few to tell: they differ on {differ} of {one.n} shared instances."
    won = f"it wins {one.wins} of the {differ} instances on which they differ"
    if one.verdict == "not told apart":
        return f"{one.agent} and {one.other} cannot be told apart: {won}."
    where = "ahead of" if one.verdict == "ahead" else "behind"
    return f"{one.agent} is {where} {one.other} by {show(abs(one.difference.value))}: {won}."
