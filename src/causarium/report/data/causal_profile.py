"""The causal profile: every family's score on one scale, so that a model has a shape.

On this scale 0 is the best that anyone earned without looking (silence, chance, a constant
answer), and 1 is the oracle. Between them stand two marks: the best shortcut, which is what can be
earned without causal inference, and the causal player, which knows no secret and wins by
inference. `skill` is the way from the one to the other: 0 at the best shortcut, 1 at the causal
player. All were played on the same instances, or stand on the card.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Facet
from causarium.contract.row import Row, mean_per_instance, mechanism_per_instance
from causarium.report.data.family_facts import FamilyFacts
from causarium.report.data.summaries import (
    PLAYING,
    RunKey,
    group_by_agent,
    group_by_run,
    role_of,
)
from causarium.scoring.intervals import Interval, paired_difference, summarize
from causarium.scoring.rater_agreement import spearman

FEWEST_MODELS = 3
"""Ranks of fewer agents correlate by necessity."""
_LEAST_SPAN = 1e-9
"""Two players whose means are no further apart than this coincide."""
LEAST_SPREAD = 0.05
"""With guess and oracle closer than this, there is no scale to stand on."""


class Mark(Frozen):
    """Where a reference player stands."""

    player: str
    value: float
    """Its mean of the scale's metric."""
    place: float
    """The same on the scale; nan where the scale's ends coincide."""


class Scale(Frozen):
    """Where one run's 0 and 1 are, and what stands between them."""

    metric: str
    blind: str
    """The best player that does not look."""
    zero: float
    one: float
    played: bool
    """Whether both were played on these instances; otherwise the card says them."""
    shortcut: Mark | None = None
    """The best of those that earn without causal inference."""
    causal: Mark | None = None
    """The player without secrets that wins by inference."""


class Spoke(Frozen):
    """One run's place in a profile."""

    run: str
    """The family's title, with edition and set."""
    scale: Scale
    scores: dict[str, Interval]
    """The rescaled score of every agent that played."""
    skills: dict[str, Interval] = Field(default_factory=dict)
    """Their skill; nan where shortcut and causal player coincide, empty where none is known."""


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


class _Anchor(NamedTuple):
    """A player that scores are measured from or to."""

    name: str
    mean: float
    values: dict[str, float] | None
    """Its score on each instance; None when it is known from the card alone."""


def build_profile(spokes: Iterable[Spoke]) -> Profile:
    """Join the runs of a report."""
    runs = tuple(spokes)
    agents = dict.fromkeys(agent for spoke in runs for agent in spoke.scores)
    models = [agent for agent in agents if role_of(agent) == "model"]
    return Profile(
        agents=(*models, *(agent for agent in agents if agent not in models)),
        spokes=runs,
        correlations=tuple(_correlate(runs)),
    )


def place_runs(rows: Iterable[Row], known: Mapping[str, FamilyFacts]) -> dict[RunKey, Spoke]:
    """Put every run with a floor and a ceiling on the scale."""
    spokes = {}
    for key, mine in group_by_run(rows).items():
        spoke = _place_run(key, mine, known[key.family])
        if spoke is not None:
            spokes[key] = spoke
    return spokes


def _place_run(key: RunKey, rows: Sequence[Row], facts: FamilyFacts) -> Spoke | None:
    if not facts.headline:
        return None
    parts = facts.separation
    metric = parts.metric if parts else facts.headline[0]
    # A reference player is found by its own name, whatever interfaces it and others played through.
    players: dict[str, list[Row]] = {}
    for row in rows:
        if row.agent.startswith("player/"):
            players.setdefault(row.agent.removeprefix("player/"), []).append(row)
    values = {name: mean_per_instance(mine, metric) for name, mine in players.items()}

    def find_best(names: Iterable[str]) -> _Anchor | None:
        anchors = [_find_anchor(key, name, values, facts, metric) for name in sorted({*names})]
        sign = -1 if facts.falls(metric) else 1
        # Of two that earn the same, the one that played the very instances.
        return max(
            (anchor for anchor in anchors if anchor is not None),
            key=lambda anchor: (sign * anchor.mean, anchor.values is not None),
            default=None,
        )

    blind_names = {*facts.blind, *([parts.blind] if parts else ())}
    blind, oracle = find_best(blind_names), find_best(["oracle"])
    if blind is None or oracle is None or abs(oracle.mean - blind.mean) < LEAST_SPREAD:
        return None
    without = find_best([*blind_names, parts.passive, *parts.shortcuts]) if parts else None
    causal = find_best([parts.causal]) if parts else None
    mechanisms = mechanism_per_instance(rows)
    scores = {
        shown: mean_per_instance(mine, metric)
        for shown, mine in group_by_agent(rows).items()
        if role_of(mine[0].agent, facts.sees_truth) in PLAYING
    }
    placed = {agent: _rescale(mine, blind, oracle, mechanisms) for agent, mine in scores.items()}
    skills = {}
    if without is not None and causal is not None:
        apart = (causal.mean - without.mean) * (-1 if facts.falls(metric) else 1) >= _LEAST_SPAN
        skills = {
            agent: _rescale(mine, without, causal, mechanisms) if apart else _no_interval(mine)
            for agent, mine in scores.items()
        }
    return Spoke(
        run=f"{facts.title}, {key.edition}, {key.set}",
        scale=Scale(
            metric=metric,
            blind=blind.name,
            zero=blind.mean,
            one=oracle.mean,
            played=blind.values is not None and oracle.values is not None,
            shortcut=_mark(without, blind, oracle),
            causal=_mark(causal, blind, oracle),
        ),
        scores={agent: place for agent, place in placed.items() if place.n},
        skills={agent: skill for agent, skill in skills.items() if placed[agent].n},
    )


def _find_anchor(
    key: RunKey,
    player: str,
    values: Mapping[str, dict[str, float]],
    facts: FamilyFacts,
    metric: str,
) -> _Anchor | None:
    scored = [value for value in values.get(player, {}).values() if not math.isnan(value)]
    if scored:
        return _Anchor(player, fmean(scored), values[player])
    stated = facts.find_stated(key.edition, key.set, player, metric)
    return None if stated is None else _Anchor(player, stated, None)


def _mark(anchor: _Anchor | None, blind: _Anchor, oracle: _Anchor) -> Mark | None:
    if anchor is None:
        return None
    place = (anchor.mean - blind.mean) / (oracle.mean - blind.mean)
    return Mark(player=anchor.name, value=anchor.mean, place=place)


def _rescale(
    scores: Mapping[str, float], zero: _Anchor, one: _Anchor, mechanisms: Mapping[str, Facet]
) -> Interval:
    """Return how far beyond `zero` an agent is, in units of the way from `zero` to `one`.

    Where the two played the same instances, differences are taken instance by instance, so that
    what is hard for everybody cancels out.
    """
    low = zero.values or dict.fromkeys(scores, zero.mean)
    high = one.values or dict.fromkeys(scores, one.mean)
    gap = paired_difference(scores, low, clusters=mechanisms)
    spans = [
        high[id_] - low[id_]
        for id_, score in scores.items()
        if not math.isnan(score + high.get(id_, math.nan) + low.get(id_, math.nan))
    ]
    span = fmean(spans) if spans else math.nan
    if math.isnan(span) or abs(span) < _LEAST_SPAN:
        return _no_interval(scores)
    if gap.low == gap.high:
        # Differences that are all equal have no spread; the score itself has an interval still.
        whole = summarize([score for score in scores.values() if not math.isnan(score)])
        ends = sorted((end - whole.value + gap.value) / span for end in (whole.low, whole.high))
    else:
        ends = sorted((gap.low / span, gap.high / span))
    return Interval(gap.value / span, ends[0], ends[1], gap.n, gap.left_out, gap.clusters)


def _no_interval(scores: Mapping[str, float]) -> Interval:
    return Interval(math.nan, math.nan, math.nan, len(scores))


def _correlate(spokes: Sequence[Spoke]) -> Iterable[Correlation]:
    for spoke, other in combinations(spokes, 2):
        shared = [a for a in spoke.scores if a in other.scores and role_of(a) == "model"]
        if len(shared) >= FEWEST_MODELS:
            ranks = [[each.scores[agent].value for agent in shared] for each in (spoke, other)]
            yield Correlation(
                one=spoke.run, other=other.run, spearman=spearman(*ranks), n=len(shared)
            )
