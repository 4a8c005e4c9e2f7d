"""How episodes ended: five ways, the same in every family, counted by agent."""

from collections import Counter
from collections.abc import Sequence

from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.frozen import Frozen
from causarium.contract.row import Row
from causarium.contract.views.outcome import ENDINGS, Ending, Outcome, Piece, tell_outcome
from causarium.errors import UnknownName
from causarium.report.data.summaries import group_by_agent

SHADES: dict[Ending, str] = {
    "right": "good",
    "wrong": "bad",
    "ran out of budget": "out",
    "unreadable": "broken",
    "unscored": "none",
}
"""The colour of each ending, as `tokens.css` names it."""
_SHADES = tuple(Piece.model_fields["shade"].annotation.__args__)  # type: ignore[union-attr]


class OutcomeCount(Frozen):
    """How many episodes of one agent ended in one way."""

    ending: Ending
    count: int
    words: dict[str, int]
    """The same in the family's own words, the commonest first."""

    @property
    def shade(self) -> str:
        """Its colour."""
        return SHADES[self.ending]


class PieceCount(Frozen):
    """How many pieces of one agent's answers became the same."""

    shade: str
    ending: str
    """The words for it."""
    count: int


def find_outcome(row: Row, headline: str = "") -> Outcome:
    """Return how the episode of a row ended.

    Args:
        row: The row.
        headline: The metric that counts; if it is empty, the card's for the edition.
    """
    family = _get_family(row.family)
    if family is None:
        return tell_outcome(row, headline, share=True)
    metric = headline or family.card.headline.get(row.edition, "")
    if row.unscored is None and family.views.find_outcome is not None:
        told = family.views.find_outcome(row)
        if told is not None:
            return told
    share = metric in family.metrics and family.metrics[metric].share
    return tell_outcome(row, metric, share=share)


def _get_family(name: str) -> AnyFamily | None:
    try:
        return families.get(name)
    except UnknownName:
        return None


def count_outcomes(rows: Sequence[Row], headline: str = "") -> dict[str, tuple[OutcomeCount, ...]]:
    """Count the endings of each agent of one run, best first; they add up to its rows.

    Args:
        rows: The rows of one run.
        headline: The metric that counts; if it is empty, the card's for the edition.
    """
    counts = {}
    for agent, mine in group_by_agent(rows).items():
        words: dict[Ending, Counter[str]] = {}
        for row in mine:
            outcome = find_outcome(row, headline)
            words.setdefault(outcome.ending, Counter())[outcome.words] += 1
        counts[agent] = tuple(
            OutcomeCount(
                ending=ending, count=words[ending].total(), words=dict(words[ending].most_common())
            )
            for ending in ENDINGS
            if ending in words
        )
    return counts


def count_pieces(rows: Sequence[Row]) -> dict[str, tuple[PieceCount, ...]]:
    """Count what became of the pieces of each agent's answers, where the family has such."""
    counts = {}
    for agent, mine in group_by_agent(rows).items():
        pieces = Counter[Piece]()
        for row in mine:
            family = _get_family(row.family)
            if family and family.views.count_pieces and row.unscored is None:
                pieces.update(family.views.count_pieces(row))
        counts[agent] = tuple(
            PieceCount(shade=piece.shade, ending=piece.words, count=pieces[piece])
            for piece in sorted(pieces, key=lambda piece: _SHADES.index(piece.shade))
        )
    return {agent: counted for agent, counted in counts.items() if counted}


class ChosenRow(Frozen):
    """An episode worth looking at."""

    why: str
    """`best` or `worst`."""
    row: Row
    outcome: Outcome


def choose_rows(rows: Sequence[Row], metric: str, *, falls: bool = False) -> tuple[ChosenRow, ...]:
    """Choose an agent's worst and best scored episode; one alone where all ended alike.

    Worst is of the commonest failing ending, then the lowest score, then the first by name. Best is
    right, then of the highest score, the longest, and the first by name.

    Args:
        rows: The rows of one agent on one set.
        metric: The headline metric.
        falls: Whether less of it is better.
    """
    ended = [(row, find_outcome(row, metric)) for row in rows if row.unscored is None]
    failed = [pair for pair in ended if pair[1].ending != "right"]
    common = Counter(outcome.ending for _, outcome in failed).most_common(1)
    sign = -1 if falls else 1

    def score(row: Row) -> float:
        return sign * row.numbers.get(metric, 0.0)

    chosen = []
    if common:
        of_kind = [pair for pair in failed if pair[1].ending == common[0][0]]
        worst = min(of_kind, key=lambda pair: (score(pair[0]), pair[0].id))
        chosen.append(ChosenRow(why="worst", row=worst[0], outcome=worst[1]))
    right = [pair for pair in ended if pair[1].ending == "right"] or (
        [pair for pair in ended if score(pair[0]) > 0] if common else []
    )
    if right:
        if not chosen:
            low = min(right, key=lambda pair: (score(pair[0]), pair[0].id))
            if score(low[0]) < max(score(row) for row, _ in right):
                chosen.append(ChosenRow(why="worst", row=low[0], outcome=low[1]))
        best = min(right, key=lambda pair: (-score(pair[0]), -pair[0].turns, pair[0].id))
        if not chosen or best[0] != chosen[0].row:
            chosen.append(ChosenRow(why="best", row=best[0], outcome=best[1]))
    return tuple(chosen)
