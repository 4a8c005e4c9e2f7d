"""Many rows as tables: what became of edges, how judges agree, what a cutoff does.

Where scores come from the judge without a key, how far that one agrees with the documents whose
aliases are known is measured and printed with them.
"""

import math
import re
from collections.abc import Sequence
from functools import cache
from statistics import fmean

from causarium.contract.picture import Picture
from causarium.contract.row import Row, per_instance
from causarium.drawing.svg import INK, SOFT, drawing, words
from causarium.families.recite.cutoff import PUBLISHED_CUTOFFS, by_cutoff
from causarium.families.recite.match_agreement import MatchAgreement, match_agreement
from causarium.families.recite.mini import mini_document, mini_keys
from causarium.families.recite.reliability import kin_bias, opinions, pairwise_agreement

_ERRORS = {
    "edges_matched": "matched",
    "edges_correct": "right way",
    "edges_reversed": "reversed",
    "edges_supported": "text supports",
    "shd": "edges to mend",
    "shd_norm": "of all pairs",
    "chance_edge_f1": "F1 by chance",
}


def draw_tables(rows: Sequence[Row]) -> tuple[Picture, ...]:
    """Draw every table that the scored rows have something for."""
    found = (_errors(rows), _rule(rows), _judges(rows), _kin(rows), _cutoffs(rows))
    return tuple(table for table in found if table is not None)


def agents_of(rows: Sequence[Row]) -> list[str]:
    """Return the agents of rows, models before players."""
    found = {row.agent for row in rows}
    return sorted(found, key=lambda agent: (agent.startswith("player/"), agent))


def _errors(rows: Sequence[Row]) -> Picture | None:
    lines = []
    for agent in agents_of(rows):
        mine = [row for row in rows if row.agent == agent]
        means = [_mean(mine, name) for name in _ERRORS]
        if any(not math.isnan(value) for value in means):
            lines.append([agent, str(len(mine)), *map(_number, means)])
    return _tabled(
        "What became of the edges",
        ["agent", "answers", *_ERRORS.values()],
        lines,
        "Shares of the edges of an answer, averaged over answers. Text support is only known "
        "where a judge was asked. Turning an edge round counts as one edge to mend. Chance is "
        "the edge F1 of as many edges drawn at random between the true nodes.",
    )


@cache
def _measured() -> MatchAgreement:
    return match_agreement([mini_document(key) for key in mini_keys()])


def _rule(rows: Sequence[Row]) -> Picture | None:
    count = sum(row.labels.get("judged") == "by rule" for row in rows)
    if not count:
        return None
    found = _measured()
    numbers = (found.recall, found.precision, found.kappa)
    line = ["words on recite-mini", f"{found.words + found.foreign}", *map(_number, numbers)]
    return _tabled(
        "How far the judge without a key agrees with the documents",
        ["measured with", "decisions", "recall", "precision", "kappa"],
        [line],
        f"{count} answers were scored by rule, which is approximate: {found}. It seldom takes one "
        "thing for another and misses most wordings that nobody wrote down, so that its scores "
        "are low for an agent that chooses its own words. A model in the role `judge` takes its "
        "place.",
    )


def _judges(rows: Sequence[Row]) -> Picture | None:
    lines = [
        [
            f"{one.first} and {one.second}",
            str(one.n),
            *map(_number, (one.pearson, one.spearman, one.difference, one.deviation)),
        ]
        for one in pairwise_agreement(opinions(rows))
    ]
    return _tabled(
        "How far judges agree",
        ["judges", "answers", "r", "rank r", "mean difference", "its deviation"],
        lines,
        "F1 of the same answers by two judges. A positive difference means that the first one "
        "is more generous.",
    )


def _kin(rows: Sequence[Row]) -> Picture | None:
    lines = [
        [
            one.judge,
            str(one.kin.n),
            _number(one.kin.value),
            str(one.others.n),
            _number(one.others.value),
            *map(_number, (one.bias, one.low, one.high)),
        ]
        for one in kin_bias(opinions(rows))
    ]
    return _tabled(
        "Whether judges favour their kin",
        ["judge", "kin", "above others", "not kin", "above others", "bias", "low", "high"],
        lines,
        "How much higher a judge's F1 is than the other judges', on answers of models of its own "
        "maker and on all others, and the difference of the two with its 95 % interval. Generosity "
        "alone is no bias.",
    )


def _cutoffs(rows: Sequence[Row]) -> Picture | None:
    lines = [
        [
            one.agent,
            one.cutoff,
            str(one.before.n),
            _number(one.before.value),
            str(one.after.n),
            _number(one.after.value),
            *map(_number, (one.difference, one.low, one.high)),
        ]
        for one in by_cutoff(rows, known_cutoffs(agents_of(rows)))
        if one.before.n and one.after.n
    ]
    return _tabled(
        "Before and after the knowledge cutoff",
        ["agent", "cutoff", "before", "F1", "after", "F1", "difference", "low", "high"],
        lines,
        "F1 on documents from years before and after a model's knowledge cutoff, as far as that is "
        "published. Documents of the cutoff's own year are left out, as rows only know the year.",
    )


def known_cutoffs(agents: Sequence[str]) -> dict[str, str]:
    """Return the cutoffs of agents whose names hold that of a model with a published one.

    Example:
        >>> known_cutoffs(["openrouter/deepseek/deepseek-r1", "player/oracle"])
        {'openrouter/deepseek/deepseek-r1': '2024-07'}
    """
    found = {}
    for agent in agents:
        for model, month in PUBLISHED_CUTOFFS.items():
            if _letters(model) in _letters(agent):
                found[agent] = month
    return found


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _mean(rows: Sequence[Row], metric: str) -> float:
    kept = [v for v in per_instance(rows, metric).values() if not math.isnan(v)]
    return fmean(kept) if kept else math.nan


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _tabled(
    title: str, header: Sequence[str], lines: Sequence[Sequence[str]], caption: str
) -> Picture | None:
    if not lines:
        return None
    wide = [max(len(row[i]) for row in (header, *lines)) * 6.8 + 20 for i in range(len(header))]
    parts = [words((28, 42), title, size=16, weight="600")]
    for number, row in enumerate((header, *lines)):
        x, y = 28.0, 84.0 + 19 * number
        for place, text in enumerate(row):
            x += wide[place]
            at, anchor = ((28.0, y), "start") if place == 0 else ((x - 20, y), "end")
            fill = INK if number else SOFT
            parts.append(words(at, text, size=11.5, fill=fill, anchor=anchor))
    size = max(sum(wide) + 40, 9.0 * len(title) + 56), 84.0 + 19 * len(lines) + 20
    return Picture(
        title=title, svg=drawing(*size, "".join(parts), title=title, about=title), caption=caption
    )
