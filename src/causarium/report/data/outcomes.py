"""How episodes ended: five ways, counted by agent, in each family's own words."""

from collections import Counter
from collections.abc import Sequence
from functools import cache

from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.frozen import Frozen
from causarium.contract.row import Row
from causarium.contract.views.outcome import Ending, Outcome
from causarium.errors import UnknownName
from causarium.report.data.summaries import group_by_agent

ENDINGS: tuple[Ending, ...] = ("proved", "lucky", "wrong", "unreadable", "silent")
SHADES = {
    "proved": "good",
    "lucky": "half",
    "wrong": "bad",
    "unreadable": "broken",
    "silent": "none",
}
"""The colour of each ending, as `tokens.css` names it."""


class OutcomeCount(Frozen):
    """How many episodes of one agent ended in one way."""

    ending: Ending
    words: str
    count: int


def find_outcome(row: Row) -> Outcome | None:
    """Return how the episode of a row ended; None where its family does not say."""
    family = _get_family(row.family)
    if family is None or family.views.find_outcome is None or row.unscored is not None:
        return None
    return family.views.find_outcome(row)


@cache
def _get_family(name: str) -> AnyFamily | None:
    try:
        return families.get(name)
    except UnknownName:
        return None


def count_outcomes(rows: Sequence[Row]) -> dict[str, tuple[OutcomeCount, ...]]:
    """Count the endings of each agent of one run, best first; those without one are left out."""
    counts = {}
    for agent, mine in group_by_agent(rows).items():
        outcomes = [outcome for row in mine if (outcome := find_outcome(row))]
        words: dict[Ending, Counter[str]] = {}
        for outcome in outcomes:
            words.setdefault(outcome.ending, Counter())[outcome.words] += 1
        counts[agent] = tuple(
            OutcomeCount(
                ending=ending,
                words=" or ".join(dict(words[ending].most_common())),
                count=words[ending].total(),
            )
            for ending in ENDINGS
            if ending in words
        )
    return {agent: counted for agent, counted in counts.items() if counted}


def count_pieces(rows: Sequence[Row]) -> dict[str, tuple[OutcomeCount, ...]]:
    """Count what became of the pieces of each agent's answers, where the family has such."""
    counts = {}
    for agent, mine in group_by_agent(rows).items():
        pieces = Counter[Outcome]()
        for row in mine:
            family = _get_family(row.family)
            if family and family.views.count_pieces and row.unscored is None:
                pieces.update(family.views.count_pieces(row))
        counts[agent] = tuple(
            OutcomeCount(ending=piece.ending, words=piece.words, count=pieces[piece])
            for piece in sorted(pieces, key=lambda piece: ENDINGS.index(piece.ending))
        )
    return {agent: counted for agent, counted in counts.items() if counted}


class ChosenRow(Frozen):
    """An episode worth looking at."""

    why: str
    """`best` or `worst`."""
    row: Row
    outcome: Outcome


def choose_rows(rows: Sequence[Row], metric: str, *, falls: bool = False) -> tuple[ChosenRow, ...]:
    """Choose an agent's worst and best episode; one alone where all ended alike.

    Worst is of the commonest failing ending, then the lowest score, then the first by name. Best is
    proved before lucky, then of the highest score, the longest, and the first by name.

    Args:
        rows: The rows of one agent on one set.
        metric: The headline metric.
        falls: Whether less of it is better.
    """
    ended = [(row, outcome) for row in rows if (outcome := find_outcome(row))]
    failed = [pair for pair in ended if pair[1].ending not in {"proved", "lucky"}]
    common = Counter(outcome.ending for _, outcome in failed).most_common(1)
    sign = -1 if falls else 1

    def score(row: Row) -> float:
        return sign * row.numbers.get(metric, 0.0)

    chosen = []
    if common:
        of_kind = [pair for pair in failed if pair[1].ending == common[0][0]]
        worst = min(of_kind, key=lambda pair: (score(pair[0]), pair[0].id))
        chosen.append(ChosenRow(why="worst", row=worst[0], outcome=worst[1]))
    right = [pair for pair in ended if pair[1].ending in {"proved", "lucky"}] or (
        [pair for pair in ended if score(pair[0]) > 0] if common else []
    )
    if right:
        if not chosen:
            low = min(right, key=lambda pair: (score(pair[0]), pair[0].id))
            if score(low[0]) < max(score(row) for row, _ in right):
                chosen.append(ChosenRow(why="worst", row=low[0], outcome=low[1]))
        best = min(
            right,
            key=lambda pair: (
                pair[1].ending != "proved",
                -score(pair[0]),
                -pair[0].turns,
                pair[0].id,
            ),
        )
        if not chosen or best[0] != chosen[0].row:
            chosen.append(ChosenRow(why="best", row=best[0], outcome=best[1]))
    return tuple(chosen)
