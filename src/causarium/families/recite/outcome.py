"""What the arrows of an answer are beside the true ones."""

from math import isnan

from causarium.contract.row import Row
from causarium.contract.views.outcome import Piece

RIGHT = Piece(shade="good", words="arrows right")
REVERSED = Piece(shade="half", words="the wrong way round")
EXTRA = Piece(shade="bad", words="not in the graph")
MISSED = Piece(shade="none", words="missed")


def count_arrows(row: Row) -> dict[Piece, int]:
    """Return how many arrows of an answer are right, turned round or wrong, and how many it misses.

    Things that an answer names twice are one where a rule judges it, and so are their arrows.
    """
    true = row.facets.get("n_edges")
    if not isinstance(true, int):
        return {}
    proposed, right, turned = (
        _read_number(row, name) for name in ("edges_proposed", "edges_correct", "edges_reversed")
    )
    if row.labels.get("judged") == "by rule" and right:
        proposed = _read_number(row, "edge_recall") * true / right
    correct, reversed_ = round(right * proposed), round(turned * proposed)
    return {
        RIGHT: correct,
        REVERSED: reversed_,
        EXTRA: max(0, round(proposed) - correct - reversed_),
        MISSED: max(0, true - correct - reversed_),
    }


def _read_number(row: Row, name: str) -> float:
    value = row.numbers.get(name, 0.0)
    return 0.0 if isnan(value) else value
