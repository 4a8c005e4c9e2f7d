"""How episodes ended: five outcomes, the same in every family, counted by agent."""

from collections import Counter
from collections.abc import Sequence

from pydantic import Field

from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.frozen import Frozen
from causarium.contract.row import Row
from causarium.contract.views.outcome import ENDINGS, Outcome, OutcomeKind, Piece, tell_outcome
from causarium.errors import UnknownName
from causarium.report.data.summaries import group_by_agent

SHADES: dict[OutcomeKind, str] = {
    "correct": "good",
    "incorrect": "bad",
    "malformed": "broken",
    "limit": "out",
    "error": "none",
}
"""The colour of each ending, as `tokens.css` names it."""
_SHADES = tuple(Piece.model_fields["shade"].annotation.__args__)  # type: ignore[union-attr]


class OutcomeCount(Frozen):
    """How many episodes of one agent ended in one way."""

    ending: OutcomeKind
    count: int
    words: dict[str, int]
    """Why, the commonest first."""

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


class Refusals(Frozen):
    """Why replies were refused, and how many of how many."""

    replies: int = 0
    """All replies, those that could be used included."""
    kinds: dict[str, int] = Field(default_factory=dict)
    """By why they were refused, the commonest first."""

    def __add__(self, other: "Refusals") -> "Refusals":
        kinds = Counter(self.kinds) + Counter(other.kinds)
        return Refusals(replies=self.replies + other.replies, kinds=dict(kinds.most_common()))

    def __str__(self) -> str:
        words, often = next(iter(self.kinds.items()), ("", 0))
        return f"{words} ({often:,} of {self.replies:,} replies)" if often else ""


def count_refusals(rows: Sequence[Row]) -> dict[str, Refusals]:
    """Count why the replies of each agent of one run were refused."""
    counts = {}
    for agent, mine in group_by_agent(rows).items():
        refused = (Refusals(replies=row.turns, kinds=row.refusals) for row in mine)
        counts[agent] = sum(refused, Refusals())
    return {agent: found for agent, found in counts.items() if found.kinds}


def find_outcome(row: Row, headline: str = "") -> Outcome:
    """Return how the episode of a row ended, by a metric or else by the card's headline."""
    family = _get_family(row)
    if family is None:
        return tell_outcome(row, headline, share=True)
    metric = headline or family.card.headline.get(row.edition, "")
    share = metric in family.metrics and family.metrics[metric].share
    outcome = tell_outcome(row, metric, share=share)
    if row.unscored is None and family.views.explain_outcome is not None:
        words = family.views.explain_outcome(row, outcome.ending)
        return outcome.model_copy(update={"words": words}) if words else outcome
    return outcome


def _get_family(row: Row) -> AnyFamily | None:
    try:
        return families.get(row.family, row.edition)
    except UnknownName:
        return None


def count_outcomes(rows: Sequence[Row], headline: str = "") -> dict[str, tuple[OutcomeCount, ...]]:
    """Count the endings of each agent of one run, best first; they add up to its rows."""
    counts = {}
    for agent, mine in group_by_agent(rows).items():
        words: dict[OutcomeKind, Counter[str]] = {}
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
            family = _get_family(row)
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
    """Choose an agent's worst and best scored episode; one alone where all are alike.

    Worst is of the commonest failing ending, then the lowest score, then the first by name. Best is
    the highest score, then the longest, then the first by name; one that earned nothing is none.
    """
    ended = [(row, find_outcome(row, metric)) for row in rows if row.unscored is None]
    failed = Counter[str](outcome.ending for _, outcome in ended if outcome.ending != "correct")

    def score(row: Row) -> float:
        return (-1 if falls else 1) * row.numbers.get(metric, 0.0)

    order = sorted(ended, key=lambda pair: (-failed[pair[1].ending], score(pair[0]), pair[0].id))
    best = min(ended, key=lambda p: (-score(p[0]), -p[0].turns, p[0].id), default=None)
    chosen = [("worst", *order[0])] if order else []
    if best and best[0] != order[0][0] and (score(best[0]) > score(order[0][0])):
        chosen.append(("best", *best))
    elif best and best[1].ending == "correct":
        chosen = [("best", *best)]
    return tuple(ChosenRow(why=why, row=row, outcome=outcome) for why, row, outcome in chosen)
