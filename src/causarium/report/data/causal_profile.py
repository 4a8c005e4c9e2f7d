"""The causal profile: every family's score on one scale, so that a model has a shape.

On this scale 0 is the best that anyone earned without looking (silence, chance, a constant
answer), and 1 is the oracle. Both were played on the same instances, or stand on the card.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from causarium.contract.frozen import Frozen
from causarium.contract.row import Row, mean_per_instance
from causarium.report.data.family_facts import FamilyFacts
from causarium.report.data.summaries import PLAYING, RunKey, by_agent, by_run, role_of
from causarium.scoring.intervals import Interval, paired_difference, summarize
from causarium.scoring.rater_agreement import spearman

FEWEST_MODELS = 3
"""Ranks of fewer agents correlate by necessity."""


class Scale(Frozen):
    """Where one run's 0 and 1 are."""

    metric: str
    blind: str
    """The best player that does not look."""
    zero: float
    one: float
    played: bool
    """Whether both were played on these instances; otherwise the card says them."""


class Spoke(Frozen):
    """One run's place in a profile."""

    run: str
    """The family's title, with edition and set."""
    scale: Scale
    scores: dict[str, Interval]
    """The rescaled score of every agent that played."""


class Correlation(Frozen):
    """How far two runs rank the same agents alike."""

    one: str
    other: str
    spearman: float
    n: int
    """How many agents played both."""


class Profile(Frozen):
    """All runs of a report on one scale."""

    agents: tuple[str, ...]
    spokes: tuple[Spoke, ...]
    correlations: tuple[Correlation, ...]


class _Blind(NamedTuple):
    name: str
    values: dict[str, float] | None
    """Its score on each instance; None when it is known from the card alone."""
    mean: float


def build_profile(rows: Iterable[Row], known: Mapping[str, FamilyFacts]) -> Profile:
    """Put every run with a floor and a ceiling on one scale."""
    spokes = tuple(
        spoke
        for key, mine in by_run(rows).items()
        if (spoke := _spoke(key, mine, known[key.family])) is not None
    )
    agents = dict.fromkeys(agent for spoke in spokes for agent in spoke.scores)
    models = [agent for agent in agents if role_of(agent) == "model"]
    return Profile(
        agents=(*models, *(agent for agent in agents if agent not in models)),
        spokes=spokes,
        correlations=tuple(_correlations(spokes)),
    )


def _spoke(key: RunKey, rows: Sequence[Row], facts: FamilyFacts) -> Spoke | None:
    if not facts.headline:
        return None
    metric = facts.headline[0]
    # A bound is found by its own name, whatever interfaces it and others played through.
    bounds: dict[str, list[Row]] = {}
    for row in rows:
        bounds.setdefault(row.agent, []).append(row)
    scores = {name: mean_per_instance(mine, metric) for name, mine in bounds.items()}
    blind = _best_blind(key, scores, facts, metric)
    one = _ceiling(key, scores, facts, metric)
    if blind is None or math.isnan(one) or blind.mean == one:
        return None
    played = blind.values is not None and "player/oracle" in scores
    scale = Scale(metric=metric, blind=blind.name, zero=blind.mean, one=one, played=played)
    rescaled = {
        shown: _rescaled(mean_per_instance(mine, metric), blind, one)
        for shown, mine in by_agent(rows).items()
        if role_of(mine[0].agent) in PLAYING
    }
    return Spoke(
        run=f"{facts.title}, {key.edition}, {key.set}",
        scale=scale,
        scores={agent: found for agent, found in rescaled.items() if found.n},
    )


def _best_blind(
    key: RunKey, scores: Mapping[str, dict[str, float]], facts: FamilyFacts, metric: str
) -> _Blind | None:
    found = []
    for player in sorted(facts.blind):
        values = scores.get(f"player/{player}")
        if values is not None:
            found.append(_Blind(player, values, summarize(values.values()).value))
        elif (stated := facts.stated(key.edition, key.set, player, metric)) is not None:
            found.append(_Blind(player, None, stated))
    found = [blind for blind in found if not math.isnan(blind.mean)]
    sign = -1 if facts.falls(metric) else 1
    # Of two that earn the same, the one that played the very instances.
    found.sort(key=lambda blind: (sign * blind.mean, blind.values is not None))
    return found[-1] if found else None


def _ceiling(
    key: RunKey, scores: Mapping[str, dict[str, float]], facts: FamilyFacts, metric: str
) -> float:
    if "player/oracle" in scores:
        return summarize(scores["player/oracle"].values()).value
    stated = facts.stated(key.edition, key.set, "oracle", metric)
    return math.nan if stated is None else stated


def _rescaled(scores: dict[str, float], blind: _Blind, one: float) -> Interval:
    """Return how far above the blind player an agent is, in units of the way to the ceiling.

    Where the blind player played the same instances, the difference is taken instance by
    instance, so that what is hard for everybody cancels out.
    """
    theirs = blind.values or dict.fromkeys(scores, blind.mean)
    gap = paired_difference(scores, theirs)
    span = one - blind.mean
    ends = sorted((gap.low / span, gap.high / span))
    return Interval(gap.value / span, ends[0], ends[1], gap.n, gap.left_out)


def _correlations(spokes: Sequence[Spoke]) -> Iterable[Correlation]:
    for one, other in combinations(spokes, 2):
        shared = [a for a in one.scores if a in other.scores and role_of(a) == "model"]
        if len(shared) >= FEWEST_MODELS:
            ranks = [[spoke.scores[agent].value for agent in shared] for spoke in (one, other)]
            yield Correlation(
                one=one.run, other=other.run, spearman=spearman(*ranks), n=len(shared)
            )
