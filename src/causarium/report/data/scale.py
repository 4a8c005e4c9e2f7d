"""The one scale: where agents stand between the best blind answer and the oracle.

On a set's scale 0 is what the best blind answer earns there, which the card states beside the set's
digest, and 1 is full marks, which the oracle earns. So a place depends on the log alone, whatever
lies beside it. What an agent earns beyond those who are known not to reason is no second scale: it
is the paired difference to the best of them on the same instances.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from pydantic import Field

from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.family_card import (
    FamilyCard,
    Paper,
    PlayerClass,
    SetSpec,
    Tier,
)
from causarium.contract.frozen import Frozen, Names
from causarium.contract.instance import Facet
from causarium.contract.row import Row, mean_per_instance, mechanism_per_instance
from causarium.contract.rules import EDITIONS, Edition
from causarium.contract.verdict import Metric
from causarium.errors import UnknownName
from causarium.report.data.summaries import PLAYING, AgentSummary, RunKey, group_by_agent
from causarium.scoring.intervals import Interval, paired_difference, summarize

FULL = 1.0
"""What the oracle earns: full marks."""


class FamilyFacts(Frozen):
    """What a family says of itself, without its code."""

    name: str
    title: str
    about: str
    short: str = ""
    """What an agent does, in a few words."""
    effort: tuple[str, ...] = ()
    """Metrics that say what an episode took."""
    version: str
    paper: Paper | None = None
    headline: dict[Edition, str]
    """The one metric of each edition."""
    numbers: tuple[str, ...] = ()
    """The metrics that tables show after it."""
    metrics: dict[str, Metric]
    """Every number that a verdict of this family can hold."""
    sets: dict[Edition, dict[str, SetSpec]] = Field(default_factory=dict)
    blind: Names = frozenset()
    """The players that answer without looking."""
    sees_truth: Names = frozenset()
    """The players that are handed the secret; they lead no table."""
    players: Names = frozenset()
    """All of the family's own players."""
    classes: tuple[PlayerClass, ...] = ()
    """The classes of players that the card excludes."""
    reference: str = ""
    """The player without secrets that reaches the stated optimum."""
    not_covered: tuple[str, ...] = ()
    """Who no class covers."""
    tiers: tuple[Tier, ...] = ()
    without_programs: dict[str, Any] = Field(default_factory=dict)
    """The rules under which no agent runs programs; empty where there are none to run."""

    def headline_of(self, edition: Edition) -> str:
        """Return the one metric of an edition."""
        return self.headline.get(edition, next(iter(self.headline.values()), ""))

    def shown(self, edition: Edition) -> tuple[str, ...]:
        """Return the metrics that tables of an edition show, the headline first."""
        return tuple(filter(None, dict.fromkeys((self.headline_of(edition), *self.numbers))))

    def find_tier(self, id_: str) -> Tier | None:
        """Return the tier of an instance, by the level that its id names."""
        level = self._find_level(id_)
        return next((tier for tier in self.tiers if level in tier.levels), None)

    def excludes(self, one: PlayerClass, id_: str) -> bool:
        """Whether a class has a bound below full marks on an instance.

        Where certificates carry the bound, it has one on all levels that are not for practice.
        """
        if one.kind == "exact":
            tier = self.find_tier(id_)
            return tier is None or tier.kind != "practice"
        return one.bounds.get(self._find_level(id_), FULL) < FULL

    def _find_level(self, id_: str) -> str:
        levels = [level for tier in self.tiers for level in tier.levels]
        mine = [level for level in levels if id_.startswith(f"{self.name}-{level}-")]
        return max(mine, key=len, default="")

    def falls(self, metric: str) -> bool:
        """Whether less of this metric is better."""
        return metric in self.metrics and self.metrics[metric].better == "lower"

    @property
    def shares(self) -> frozenset[str]:
        """The metrics with a mean that is a share."""
        return frozenset(name for name, metric in self.metrics.items() if metric.share)


def facts_of(family: AnyFamily) -> FamilyFacts:
    """Return what `family` says of itself."""
    players = family.players.items()
    both = FamilyFacts.model_fields.keys() & FamilyCard.model_fields.keys() - {"blind", "players"}
    return FamilyFacts(
        **{name: getattr(family.card, name) for name in both},
        name=family.name,
        metrics=dict(family.metrics),
        blind=frozenset(name for name, player in players if player.ignores_input),
        sees_truth=frozenset(name for name, player in players if player.sees_truth),
        players=frozenset(family.players),
        without_programs=dict(family.rules.without_programs),
    )


def look_up(rows: Iterable[Row]) -> dict[str, FamilyFacts]:
    """Return the facts of every family in `rows`, bare ones where it is not installed."""
    first = {row.family: row for row in reversed(list(rows))}
    return {name: _find_facts(name) or _bare_facts(row) for name, row in first.items()}


def _find_facts(name: str) -> FamilyFacts | None:
    try:
        return facts_of(families.get(name))
    except UnknownName:
        return None


def _bare_facts(row: Row) -> FamilyFacts:
    return FamilyFacts(
        name=row.family,
        title=row.family,
        about="This family is not installed here; the report knows its rows alone.",
        version=row.version,
        headline=dict.fromkeys(EDITIONS, next(iter(row.numbers), "")),
        metrics={name: Metric("", share=True) for name in row.numbers},
    )


MOST_ZERO = 0.95
"""With a blind answer that earns more, there is no scale to stand on."""


class Mark(Frozen):
    """Where a reference player stands on the instances that were played.

    One that stands for a class counts on the instances that its class has a bound on.
    """

    player: str
    value: float
    """Its mean of the headline metric."""
    place: float
    """The same on the scale."""
    says: str = ""
    """Who belongs to its class, where it stands for one."""


class Scale(Frozen):
    """Where a set's 0 and 1 are, and what stands between them."""

    metric: str
    zero: float
    """What the best blind answer earns, as the card states."""
    least: float = 0.0
    """What the worst answer earns; below 0 where a wrong one costs more than none."""
    shortcut: Mark | None = None
    """The best member of an excluded class that played these instances."""
    reference: Mark | None = None
    """The player without secrets that reaches the stated optimum."""

    @property
    def marks(self) -> dict[str, Mark]:
        """What stands on the scale, by name, from the best guess to the oracle."""
        named = {
            "guess": Mark(player="", value=self.zero, place=0.0),
            "shortcut": self.shortcut,
            "reference": self.reference,
            "oracle": Mark(player="oracle", value=FULL, place=1.0),
        }
        return {name: mark for name, mark in named.items() if mark is not None}

    def place(self, value: float) -> float:
        """Return where a mean of the headline metric stands."""
        return (value - self.zero) / (FULL - self.zero)

    def place_interval(self, score: Interval) -> Interval:
        """Return where a score stands; its interval stays within what can be earned."""
        least, most = min(self.least, score.value), max(FULL, score.value)
        ends = (min(max(end, least), most) for end in (score.low, score.high))
        low, high = (self.place(end) if not math.isnan(end) else end for end in ends)
        place = self.place(score.value)
        return Interval(place, low, high, score.n, score.left_out, score.clusters)


class Gap(Frozen):
    """What an agent earns beyond the best known member of an excluded class."""

    player: str
    says: str
    difference: Interval
    """Of the headline metric on the instances that both played; on the scale where there is one."""

    @property
    def is_above(self) -> bool:
        """Whether the whole interval lies above 0."""
        return self.difference.low > 0


class Placement(Frozen):
    """Everybody who played one set, on its scale and beside the excluded classes."""

    scale: Scale | None
    """None where the card states no zero for this set."""
    scores: dict[str, Interval] = Field(default_factory=dict)
    """Every playing agent's place on the scale."""
    gaps: dict[str, Gap] = Field(default_factory=dict)
    """Every playing agent beside the best member of an excluded class; without one it is empty."""
    lead: Gap | None = None
    """The reference player beside the best member of an excluded class, where both played."""
    why: str = ""
    """Why there is no scale, or somebody not on it, in words."""


def place_run(
    key: RunKey,
    rows: Sequence[Row],
    agents: Sequence[AgentSummary],
    facts: FamilyFacts,
) -> Placement:
    """Put everybody who played one set on its scale."""
    metric = facts.headline_of(key.edition)
    kind = facts.metrics.get(metric, Metric(metric))
    zero, why = find_zero(key, facts, frozenset().union(*(agent.digests for agent in agents)))
    values = {name: mean_per_instance(mine, metric) for name, mine in group_by_agent(rows).items()}
    players = _find_players(rows, metric)
    playing = [agent for agent in agents if agent.role in PLAYING and metric in agent.metrics]
    mechanisms = mechanism_per_instance(rows)
    span = FULL if zero is None else FULL - zero
    gaps = {}
    for agent in playing:
        others = {name: mine for name, mine in players.items() if agent.name != f"player/{name}"}
        gap = _find_gap(values[agent.agent], others, facts, mechanisms, kind, span)
        if gap is not None:
            gaps[agent.agent] = gap
    others = {name: mine for name, mine in players.items() if name != facts.reference}
    mine = players.get(facts.reference, {})
    lead = _find_gap(mine, others, facts, mechanisms, kind, span)
    if zero is None:
        return Placement(scale=None, gaps=gaps, lead=lead, why=why)
    bare = Scale(metric=metric, zero=zero, least=kind.least)
    best = _find_best(facts, players, {row.id for row in rows})
    shortcut = _mark(bare, best.name, best.scores, best.says) if best else None
    reference = _mark(bare, facts.reference, players.get(facts.reference, {}))
    scale = bare.model_copy(update={"shortcut": shortcut, "reference": reference})
    scores = {}
    for agent in playing:
        # Each by its own log: one that played other instances has no place here.
        own, other = find_zero(key, facts, agent.digests)
        if own is None:
            why = f"{agent.agent}: {other}"
        elif agent.metrics[metric].n:
            scores[agent.agent] = scale.place_interval(agent.metrics[metric])
    return Placement(scale=scale, scores=scores, gaps=gaps, lead=lead, why=why)


def find_zero(
    key: RunKey, facts: FamilyFacts, digests: frozenset[str] = frozenset()
) -> tuple[float | None, str]:
    """Return what the best blind answer earns on a set; None and why where nobody says."""
    spec = facts.sets.get(key.edition, {}).get(key.set)
    if spec is None:
        return None, "a set of your own has no stated zero: raw scores"
    if key.version != facts.version:
        return None, f"the card is of version {facts.version}, these of {key.version}: raw scores"
    if digests and spec.digest not in digests:
        return None, "this set is not the card's set of that name: raw scores"
    if spec.zero is None:
        return None, "the card states no zero for this set: raw scores"
    if spec.zero > MOST_ZERO:
        return None, "a blind answer earns nearly full marks here: raw scores"
    return spec.zero, ""


def _find_players(rows: Sequence[Row], metric: str) -> dict[str, dict[str, float]]:
    """Return the scores of the reference players by name, whatever interface they used."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.agent.startswith("player/"):
            found.setdefault(row.agent.removeprefix("player/"), []).append(row)
    return {name: mean_per_instance(mine, metric) for name, mine in found.items()}


class _Member(NamedTuple):
    """A member of an excluded class, and what it earned where the class has a bound."""

    name: str
    says: str
    scores: dict[str, float]


def _find_best(
    facts: FamilyFacts, players: Mapping[str, Mapping[str, float]], ids: Collection[str]
) -> _Member | None:
    """Return the member of an excluded class that earned most where its class has a bound.

    Most in all and not on average: a class may speak of a single instance of a small set, where
    luck alone has full marks.
    """
    members: dict[str, _Member] = {}
    for one in facts.classes:
        mine = {id_ for id_ in ids if facts.excludes(one, id_)}
        for name in one.members:
            earned = {
                id_: score
                for id_, score in players.get(name, {}).items()
                if id_ in mine and not math.isnan(score)
            }
            known = members.get(name, _Member(name, one.says, {}))
            if earned:
                members[name] = known._replace(scores=known.scores | earned)
    return max(
        members.values(),
        key=lambda one: (sum(one.scores.values()), len(one.scores), one.name),
        default=None,
    )


def find_shortcuts(facts: FamilyFacts, rows: Sequence[Row], metric: str) -> dict[str, float]:
    """Return what the best member of an excluded class earns by tier, where it has a bound."""
    ids: dict[str, set[str]] = {}
    for row in rows:
        if tier := facts.find_tier(row.id):
            ids.setdefault(tier.name, set()).add(row.id)
    players = _find_players(rows, metric)
    best = {tier: _find_best(facts, players, mine) for tier, mine in ids.items()}
    return {tier: fmean(one.scores.values()) for tier, one in best.items() if one}


def _mark(scale: Scale, player: str, scores: Mapping[str, float], says: str = "") -> Mark | None:
    earned = [score for score in scores.values() if not math.isnan(score)]
    if not earned:
        return None
    return Mark(player=player, value=fmean(earned), place=scale.place(fmean(earned)), says=says)


def _find_gap(
    scores: Mapping[str, float],
    players: Mapping[str, Mapping[str, float]],
    facts: FamilyFacts,
    mechanisms: Mapping[str, Facet],
    kind: Metric,
    span: float,
) -> Gap | None:
    """Return the paired difference to the best member of an excluded class, if one played."""
    best = _find_best(facts, players, scores.keys())
    if best is None:
        return None
    scores = {id_: score for id_, score in scores.items() if id_ in best.scores}
    difference = find_difference(scores, best.scores, mechanisms, kind, span)
    if difference is None:
        return None
    return Gap(player=best.name, says=best.says, difference=difference)


def find_difference(
    ours: Mapping[str, float],
    theirs: Mapping[str, float],
    mechanisms: Mapping[str, Facet],
    kind: Metric,
    span: float,
) -> Interval | None:
    """Return the paired difference of two on a scale; None where they share no instance.

    Differences that are all equal have no spread; the score itself may have an interval still.

    Args:
        ours: What one earned, by instance.
        theirs: What the other earned.
        mechanisms: By instance.
        kind: What the metric is like.
        span: How much of the metric lies between 0 and 1 of the scale.
    """
    found = paired_difference(ours, theirs, clusters=mechanisms)
    if not found.n:
        return None
    low, high = found.low, found.high
    if low == high:
        shared = [id_ for id_ in ours if not math.isnan(ours[id_] - theirs.get(id_, math.nan))]
        clusters = [mechanisms.get(id_, id_) for id_ in shared]
        whole = summarize([ours[id_] for id_ in shared], clusters=clusters, share=kind.share)
        reach = max(whole.high - whole.value, whole.value - whole.low)
        low, high = found.value - reach, found.value + reach
    most = max(FULL - kind.least, abs(found.value))
    low, high = (min(max(end, -most), most) / span for end in (low, high))
    return Interval(found.value / span, low, high, found.n, found.left_out, found.clusters)
