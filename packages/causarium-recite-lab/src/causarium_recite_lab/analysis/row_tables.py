"""Many rows as tables: what became of edges, how judges agree, what a cutoff does.

Where scores come from the rule judge, its agreement with documents that list their
aliases is measured and printed with them.

A document from before a model's knowledge cutoff may have been read in training, one from after it
cannot. A model that does better before may remember; documents of different years differ in other
ways too. Documents without a date, and those of the cutoff's own month, count on neither side.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from causarium.charts.palette import INK, SOFT
from causarium.charts.svg import make_svg, text
from causarium.contract.row import Row, agents_of, mean_per_instance
from causarium.contract.views.figure import Figure
from causarium.errors import UsageError
from causarium.families.recite.paper.generation.written_documents import mini_document, mini_keys
from causarium.families.recite.paper.scoring.score import BY_RULE, BY_RULE_AND_VECTORS
from causarium.families.recite.paper.views.row_charts import (
    FACETS,
    by_facet,
    values_of,
)
from causarium.scoring.intervals import Interval, summarize
from causarium.seeds import stream
from causarium_recite_lab.analysis.judge_reliability import (
    difference_interval,
    kin_bias,
    mean_of,
    opinions,
    pairwise_agreement,
    rank_agreement,
)
from causarium_recite_lab.analysis.match_agreement import MatchAgreement, match_agreement
from causarium_recite_lab.encoder.encoder_judge import load_model

PUBLISHED_CUTOFFS = {
    "Llama 3.1 8B": "2023-12",
    "DeepSeek R1": "2024-07",
    "Qwen 2.5 32B": "2024-09",
}
"""Months that the publication takes for the cutoffs of three models."""


@dataclass(frozen=True, slots=True)
class Split:
    """One model's scores on both sides of its cutoff."""

    agent: str
    cutoff: str
    before: Interval
    after: Interval
    difference: float
    """After less before; nan where one side is empty."""
    low: float
    high: float
    """The 95 % interval of the difference, from resampling documents on each side."""
    undated: int
    """Documents without a date, or from the month itself."""


def side(date: str, cutoff: str) -> str | None:
    """Say on which side of a month a date lies; None where that cannot be said.

    Example:
        >>> side("2024-01-09", "2023-12"), side("2023", "2023-12"), side("", "2023-12")
        ('after', None, None)
    """
    if len(date) < len("2024-01"):
        return "after" if date[:4] > cutoff[:4] else "before" if "" < date < cutoff[:4] else None
    month = date[:7]
    return "after" if month > cutoff[:7] else "before" if month < cutoff[:7] else None


def by_cutoff(rows: Sequence[Row], cutoffs: Mapping[str, str]) -> list[Split]:
    """Compare each model's F1 on documents from before and after its cutoff.

    Args:
        rows: Rows of any agents; those without a cutoff are left out.
        cutoffs: A month, `YYYY-MM`, for each agent.
    """
    splits = []
    for agent in sorted({row.agent for row in rows} & cutoffs.keys()):
        mine = [row for row in rows if row.agent == agent]
        known = {row.id: str(row.facets.get("month") or row.facets.get("year", "")) for row in mine}
        values: dict[str | None, list[float]] = {"before": [], "after": [], None: []}
        for id_, value in mean_per_instance(mine, "f1").items():
            if not math.isnan(value):
                values[side(known[id_], cutoffs[agent])].append(value)
        rng = stream(0, "recite", "cutoff", agent)
        low, high = difference_interval(rng, values["after"], values["before"])
        before, after = (
            summarize(values["before"], share=False),
            summarize(values["after"], share=False),
        )
        splits.append(
            Split(
                agent=agent,
                cutoff=cutoffs[agent],
                before=before,
                after=after,
                difference=after.value - before.value,
                low=low,
                high=high,
                undated=len(values[None]),
            )
        )
    return splits


def cutoffs_of(agents: Sequence[str], told: Sequence[str] = ()) -> dict[str, str]:
    """Return the cutoffs of agents: as told, or as published for a model that its name holds.

    Args:
        agents: The agents' names.
        told: `NAME=YYYY-MM`, the name or a part of it, letters and figures alone.

    Raises:
        UsageError: A cutoff has another form, or holds for none of the agents.

    Example:
        >>> cutoffs_of(["openrouter/deepseek/deepseek-r1", "player/oracle"])
        {'openrouter/deepseek/deepseek-r1': '2024-07'}
    """
    found: dict[str, str] = {}
    for model, month in PUBLISHED_CUTOFFS.items():
        found |= dict.fromkeys(_agents_called(model, agents), month)
    for one in told:
        model, _, month = one.rpartition("=")
        if not _letters(model) or not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", month):
            raise UsageError(f"a cutoff is given as NAME=YYYY-MM, not {one!r}")
        mine = _agents_called(model, agents)
        if not mine:
            raise UsageError(f"no agent is called {model!r}; there are {', '.join(agents)}")
        found |= dict.fromkeys(mine, month)
    return found


def _agents_called(model: str, agents: Sequence[str]) -> list[str]:
    return [agent for agent in agents if _letters(model) in _letters(agent)]


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


_ERRORS = {
    "edges_matched": "matched",
    "edges_correct": "right way",
    "edges_reversed": "reversed",
    "edges_supported": "text supports",
    "shd": "edges to mend",
    "shd_norm": "of all pairs",
    "chance": "F1 by chance",
    "ceiling": "ceiling",
    "edge_skill": "skill",
}


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers as they are shown."""

    title: str
    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    caption: str


def draw_tables(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw every table that the scored rows have something for."""
    return tuple(map(_draw_table, tables(rows)))


def tables(rows: Sequence[Row], cutoffs: Sequence[str] = ()) -> list[Table]:
    """Return every table that the scored rows have something for.

    Args:
        rows: Rows with a score.
        cutoffs: Knowledge cutoffs beside the published ones, as `NAME=YYYY-MM`.
    """
    found = (
        _errors(rows),
        _rule(rows),
        _judges(rows),
        _kin(rows),
        _ranks(rows),
        _cutoffs(rows, cutoffs),
    )
    return [table for table in found if table.lines]


def facet_tables(rows: Sequence[Row], metric: str = "f1") -> list[Table]:
    """Return a metric by each facet that has at least two values in the scored rows."""
    found = []
    for facet, about in FACETS.items():
        columns = values_of(rows, facet)
        if len(columns) > 1:
            means = by_facet(rows, facet, metric)
            lines = tuple(
                (agent, *(_spread(means[agent].get(column)) for column in columns))
                for agent in agents_of(rows)
                if agent in means
            )
            caption = "Means over documents with their 95 % intervals and how many there are."
            found.append(Table(f"{metric} by {about}", (facet, *columns), lines, caption))
    return found


def _spread(mean: Interval | None) -> str:
    if mean is None or math.isnan(mean.value):
        return ""
    between = "" if math.isnan(mean.low) else f" [{mean.low:.3f}, {mean.high:.3f}]"
    return f"{mean.value:.3f}{between} ({mean.n})"


def _errors(rows: Sequence[Row]) -> Table:
    lines = []
    for agent in agents_of(rows):
        mine = [row for row in rows if row.agent == agent]
        means = [mean_of(mine, name) for name in _ERRORS]
        if any(not math.isnan(value) for value in means):
            lines.append((agent, str(len(mine)), *map(write_number, means)))
    return Table(
        "What became of the edges",
        ("agent", "answers", *_ERRORS.values()),
        tuple(lines),
        "Shares of the edges of an answer, averaged over answers. Text support is only known "
        "where a judge was asked. Turning an edge round counts as one edge to mend. Chance is "
        "the edge F1 of as many edges drawn at random between the true nodes.",
    )


@cache
def measure_match_agreement() -> MatchAgreement:
    """Return how far shared words agree with the written documents."""
    return match_agreement([mini_document(key) for key in mini_keys()])


def _trust(*, vectors: bool) -> tuple[tuple[str, ...], str]:
    if vectors:
        measured = load_model().agreement
        own, kappa = write_number(measured.own), write_number(measured.kappa)
        return (str(measured.words), own, "", kappa), str(measured)
    found = measure_match_agreement()
    numbers = map(write_number, (found.recall, found.precision, found.kappa))
    return (str(found.words + found.foreign), *numbers), str(found)


def _rule(rows: Sequence[Row]) -> Table:
    lines, said = [], []
    for label, vectors in ((BY_RULE, False), (BY_RULE_AND_VECTORS, True)):
        count = sum(row.labels.get("judged") == label for row in rows)
        if count:
            numbers, about = _trust(vectors=vectors)
            lines.append((label, str(count), *numbers))
            said.append(f"{label}: {about}.")
    return Table(
        "How far the rule judge agrees with the documents",
        ("answers scored", "answers", "words put to it", "recall", "precision", "kappa"),
        tuple(lines),
        "Scoring by rule is approximate. Measured with words of recite-mini, "
        + " ".join(said)
        + " It seldom takes one thing for another and misses most wordings that nobody wrote "
        "down, so that its scores are low for an agent that chooses its own words. A model in the "
        "role `judge` takes its place.",
    )


def _judges(rows: Sequence[Row]) -> Table:
    lines = (
        (
            f"{one.first} and {one.second}",
            str(one.n),
            *map(write_number, (one.pearson, one.spearman, one.difference, one.deviation)),
        )
        for one in pairwise_agreement(opinions(rows))
    )
    return Table(
        "How far judges agree",
        ("judges", "answers", "r", "rank r", "mean difference", "its deviation"),
        tuple(lines),
        "F1 of the same answers by two judges. A positive difference means that the first one "
        "is more generous.",
    )


def _kin(rows: Sequence[Row]) -> Table:
    lines = (
        (
            one.judge,
            str(one.kin.n),
            write_number(one.kin.value),
            str(one.others.n),
            write_number(one.others.value),
            *map(write_number, (one.bias, one.low, one.high)),
        )
        for one in kin_bias(opinions(rows))
    )
    return Table(
        "Whether judges favour their kin",
        ("judge", "kin", "above others", "not kin", "above others", "bias", "low", "high"),
        tuple(lines),
        "How much higher a judge's F1 is than the other judges', on answers of models of its own "
        "maker and on all others, and the difference of the two with its 95 % interval. Generosity "
        "alone is no bias.",
    )


def _ranks(rows: Sequence[Row]) -> Table:
    """Compare agents' orders with and without weights, where there are at least three."""
    lines = []
    for kind in ("node", "edge"):
        found = rank_agreement(rows, f"{kind}_f1", f"unweighted_{kind}_f1")
        if found.agents > 2:
            numbers = map(write_number, (found.spearman, found.kendall))
            lines.append((f"{kind} F1", str(found.agents), *numbers))
    return Table(
        "Whether weights and partial credit change the order of agents",
        ("metric", "agents", "Spearman", "Kendall"),
        tuple(lines),
        "Agents in order of their means, by the metric and by the unweighted one, in which an item "
        "that is met in part, or turned round, counts whole. The metric weighs labels in the paper "
        "edition where names are not given; elsewhere it counts directed edges and their nodes.",
    )


def _cutoffs(rows: Sequence[Row], told: Sequence[str]) -> Table:
    lines = (
        (
            one.agent,
            one.cutoff,
            str(one.before.n),
            write_number(one.before.value),
            str(one.after.n),
            write_number(one.after.value),
            str(one.undated),
            *map(write_number, (one.difference, one.low, one.high)),
        )
        for one in by_cutoff(rows, cutoffs_of(agents_of(rows), told))
        if one.before.n or one.after.n
    )
    return Table(
        "Before and after the knowledge cutoff",
        ("agent", "cutoff", "before", "F1", "after", "F1", "neither", "difference", "low", "high"),
        tuple(lines),
        "F1 on documents from before and after the month of a model's knowledge cutoff, and the "
        "difference with its 95 % interval. Neither: documents without a date, or of that month.",
    )


def write_number(value: float) -> str:
    """Return a number for a table; nothing where it is nan."""
    return "" if math.isnan(value) else f"{value:.3f}"


def _draw_table(table: Table) -> Figure:
    rows = (table.header, *table.lines)
    wide = [max(map(len, column)) * 6.8 + 20 for column in zip(*rows, strict=True)]
    parts = [text((28, 42), table.title, size=16, weight="600")]
    for number, row in enumerate(rows):
        x, y = 28.0, 84.0 + 19 * number
        for place, content in enumerate(row):
            x += wide[place]
            at, anchor = ((28.0, y), "start") if place == 0 else ((x - 20, y), "end")
            fill = INK if number else SOFT
            parts.append(text(at, content, size=11.5, fill=fill, anchor=anchor))
    size = max(sum(wide) + 40, 9.0 * len(table.title) + 56), 84.0 + 19 * len(table.lines) + 20
    svg = make_svg(*size, "".join(parts), title=table.title, about=table.title)
    return Figure(title=table.title, svg=svg, caption=table.caption)
