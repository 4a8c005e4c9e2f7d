"""How a graph could be read: as asked, with slips, mended after a cut, hardly, or not at all.

And what its arrows are beside the true ones.
"""

from math import isnan

from causarium.contract.row import Row
from causarium.contract.views.outcome import Outcome

RIGHT = Outcome(ending="proved", words="arrows right")
REVERSED = Outcome(ending="lucky", words="the wrong way round")
EXTRA = Outcome(ending="wrong", words="not in the graph")
MISSED = Outcome(ending="silent", words="missed")


def find_outcome(row: Row) -> Outcome:
    """Return how the episode of a row ended."""
    numbers, reading = row.numbers, row.labels.get("reading", "")
    if not numbers.get("answered"):
        silent = reading in {"", "no reply"}
        return (
            Outcome(ending="silent", words="no reply")
            if silent
            else Outcome(ending="unreadable", words="no graph could be read")
        )
    if numbers.get("cut_off") or numbers.get("mended"):
        return Outcome(ending="wrong", words="graph read after mending")
    if reading != "as asked":
        return Outcome(ending="lucky", words="graph read with slips")
    return Outcome(ending="proved", words="graph read as it stood")


def count_arrows(row: Row) -> dict[Outcome, int]:
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
