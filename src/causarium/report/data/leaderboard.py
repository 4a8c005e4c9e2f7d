"""A leaderboard as data: who stands where on each family's scale, and who beats whom.

Every number comes from verified logs. There is no overall rank: families measure
different things, and a mean over them would measure none.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from statistics import fmean
from typing import Literal

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Facet
from causarium.contract.row import Row, mean_per_instance, mechanism_per_instance
from causarium.errors import MissingExtra
from causarium.report.data.build_report import build_report
from causarium.report.data.outcomes import find_outcome
from causarium.report.data.report_data import Section
from causarium.report.data.scale import FULL, Scale, find_difference, find_shortcuts
from causarium.scoring.intervals import Interval
from causarium.scoring.item_model import Level, Outcome, fit_item_model

Kind = Literal["open", "closed", "agent"]


class Facts(Frozen):
    """What a submission says of the one who played."""

    name: str
    """As the page shows it."""
    kind: Kind = "open"
    """Open weights, a closed model, or an agent of one's own around a model."""
    about: str = Field(default="", max_length=500)
    """One sentence: decoding, hardware, whatever a reader must know."""


class Entry(Frozen):
    """One line of the page."""

    facts: Facts
    agent: str = ""
    """Who played, as the logs say; name and description are the submitter's own."""
    rules: tuple[str, ...] = ()
    """Rules that are not the edition's own, with the families where they hold."""
    signed: str = ""
    """Who vouches for all of its logs, in words; empty where nobody does."""
    reproduced: bool = False
    """Whether somebody else ran all of it again and signed that."""
    dollars: float | None = None
    """What 100 episodes cost; None where no price is known."""
    scores: dict[str, Interval] = Field(default_factory=dict)
    """By family: the place on its scale."""
    tokens: dict[str, float] = Field(default_factory=dict)
    """By family: the tokens written in an episode, on average."""
    tiers: dict[str, dict[str, Interval]] = Field(default_factory=dict)
    """By family and tier: the headline metric."""


class Column(Frozen):
    """One family."""

    family: str
    title: str
    metric: str
    instances: int
    scale: Scale
    tiers: tuple[str, ...] = ()
    shortcuts: dict[str, float] = Field(default_factory=dict)
    """By tier: what the best member of an excluded class earns, where the class has a bound."""
    reference: dict[str, float] = Field(default_factory=dict)
    """By tier: what the player earns that reaches the stated optimum."""
    difficulties: dict[str, Level] = Field(default_factory=dict)
    """By tier; empty where scipy is not installed."""


class Duel(Frozen):
    """Two entries on the instances of one family that both played."""

    family: str
    ours: str
    theirs: str
    difference: Interval
    """Of their places on the scale: above 0 where `ours` earns more."""
    counts: tuple[int, ...]
    """Of the instances that both played: those that `ours` alone got right, both, neither, and
    `theirs` alone."""


class Leaderboard(Frozen):
    """All of the page."""

    set: str
    columns: tuple[Column, ...]
    entries: tuple[Entry, ...]
    duels: tuple[Duel, ...]
    left_out: tuple[str, ...] = ()
    """One sentence for everything that was given and is not on the page."""


def build_leaderboard(
    entries: Sequence[tuple[Entry, Sequence[Row]]],
    players: Sequence[Row],
    *,
    set_name: str = "standard",
    left_out: Sequence[str] = (),
) -> Leaderboard:
    """Put entries on the scales of their families.

    Args:
        entries: Of each, under a name of its own: what is known, and the verified rows.
        players: The rows of reference players on the same instances.
        set_name: The set that counts.
        left_out: What was given and does not count, in sentences.
    """
    ordered = sorted(entries, key=lambda pair: pair[0].facts.name)
    # The name on the page is the submitter's choice; no row is known by it.
    own = {
        f"entry {number}": [
            row.model_copy(update={"agent": f"entry {number}", "variant": ""}) for row in rows
        ]
        for number, (_, rows) in enumerate(ordered)
    }
    sections = build_report([*chain.from_iterable(own.values()), *players]).sections
    names = {key: entry.facts.name for key, (entry, _) in zip(own, ordered, strict=True)}
    columns, duels, notes = [], [], list(left_out)
    for section in sections:
        scale = section.placement.scale
        if scale is None:
            notes.append(f"{section.facts.title}: {section.placement.why}")
            continue
        mine = {
            key: [r for r in rows if r.family == section.facts.name] for key, rows in own.items()
        }
        try:
            difficulties = _place_tiers(section, mine)
        except MissingExtra as missing:
            difficulties = {}
            notes.append(f"how hard tiers are: {missing}")
        theirs = [row for row in players if row.family == section.facts.name]
        columns.append(_make_column(section, scale, difficulties, theirs))
        duels += _list_duels(section, scale, mine, names)
    placed = [
        entry.model_copy(update={**_place_entry(key, sections), "tokens": _count_tokens(own[key])})
        for key, (entry, _) in zip(own, ordered, strict=True)
    ]
    return Leaderboard(
        set=set_name,
        columns=tuple(columns),
        entries=tuple(placed),
        duels=tuple(duels),
        left_out=tuple(dict.fromkeys(notes)),
    )


def _make_column(
    section: Section, scale: Scale, difficulties: dict[str, Level], players: Sequence[Row]
) -> Column:
    known = _take_tiers(section, f"player/{section.facts.reference}")
    return Column(
        family=section.facts.name,
        title=section.facts.title,
        metric=section.metric,
        instances=section.set_size,
        scale=scale,
        tiers=tuple(line.tier.name for line in section.tiers),
        shortcuts=find_shortcuts(section.facts, players, section.metric),
        reference={tier: cell.value for tier, cell in known.items() if cell.n},
        difficulties=difficulties,
    )


def _take_tiers(section: Section, agent: str) -> dict[str, Interval]:
    """Return the headline of one agent by tier."""
    return {line.tier.name: line.cells[agent] for line in section.tiers if agent in line.cells}


def _place_tiers(section: Section, rows: Mapping[str, Sequence[Row]]) -> dict[str, Level]:
    """Return how hard the tiers are for the entries, by a two-parameter item model."""
    shared = mechanism_per_instance(chain.from_iterable(rows.values()))
    scores: dict[tuple[str, str, Facet], list[float]] = {}
    for key, mine in rows.items():
        for id_, score in mean_per_instance(mine, section.metric).items():
            tier = section.facts.find_tier(id_)
            if tier is not None and not math.isnan(score):
                # A wrong answer may cost more than none; for difficulty both are a miss.
                kept = min(max(score, 0.0), 1.0)
                scores.setdefault((key, tier.name, shared[id_]), []).append(kept)
    # Instances of one mechanism are one outcome, as they are in every interval.
    outcomes = [Outcome(key, tier, fmean(own)) for (key, tier, _), own in scores.items()]
    return fit_item_model(outcomes) if outcomes else {}


def _place_entry(name: str, sections: Sequence[Section]) -> dict[str, object]:
    scores, tiers, cost, episodes = {}, {}, 0.0, 0
    for section in sections:
        agent = next((one for one in section.agents if one.name == name), None)
        if agent is None or section.placement.scale is None:
            continue
        if agent.agent in section.placement.scores:
            scores[section.facts.name] = section.placement.scores[agent.agent]
        tiers[section.facts.name] = _take_tiers(section, agent.agent)
        cost += agent.spending.cost if agent.spending else math.nan
        episodes += agent.rows
    dollars = None if math.isnan(cost) or not episodes else 100 * cost / episodes
    return {"scores": scores, "tiers": tiers, "dollars": dollars}


def _count_tokens(rows: Sequence[Row]) -> dict[str, float]:
    written: dict[str, list[int]] = {}
    for row in rows:
        if row.usage is not None:
            written.setdefault(row.family, []).append(row.usage.agent.output)
    return {family: fmean(counts) for family, counts in written.items() if any(counts)}


def _list_duels(
    section: Section, scale: Scale, rows: Mapping[str, Sequence[Row]], names: Mapping[str, str]
) -> list[Duel]:
    played = [key for key, mine in rows.items() if mine]
    values = {key: mean_per_instance(rows[key], section.metric) for key in played}
    shared = mechanism_per_instance(chain.from_iterable(rows.values()))
    right = {key: _list_right(rows[key], section.metric) for key in played}
    kind = section.facts.metrics[section.metric]
    duels = []
    for ours, theirs in combinations(played, 2):
        gap = find_difference(values[ours], values[theirs], shared, kind, FULL - scale.zero)
        if gap is not None:
            both = right[ours].keys() & right[theirs].keys()
            pairs = Counter((right[ours][id_], right[theirs][id_]) for id_ in both)
            order = ((True, False), (True, True), (False, False), (False, True))
            counts = tuple(pairs[pair] for pair in order)
            pair = {"ours": names[ours], "theirs": names[theirs]}
            duels.append(Duel(family=section.facts.name, **pair, difference=gap, counts=counts))
    return duels


def _list_right(rows: Sequence[Row], metric: str) -> dict[str, bool]:
    """Say of each scored instance whether its first episode was correct."""
    first = {row.id: row for row in reversed(rows) if row.unscored is None}
    return {id_: find_outcome(row, metric).ending == "correct" for id_, row in first.items()}
