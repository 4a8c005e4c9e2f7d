"""The same claims by another path: exact elimination, sums in fractions, names found by letters.

Nothing of the estimator or the scoring is used. The effect of a cause is a sum of logarithms of
figures with exact weights, solved for in fractions; where there are none, nothing is told.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import exp, log

from causarium.contract.certificate import Findings
from causarium.errors import ContractError
from ..evidence.table import Row, Table, make_table
from ..generation.documents import Document, find_document
from ..generation.read_back import read_cells
from ..generation.slots import Slot
from ..model import Edge, ReciteInstance
from .claims import Claim, list_proofs

_AN_EFFECT = 0.14
"""Figures show a quarter or more, or three per cent or less: this is between."""


def recheck(instance: ReciteInstance) -> Findings:
    """Check the claims of a text once more."""
    try:
        document = find_document(str(instance.facets["form"]), instance.secret.document)
    except ContractError:
        return Findings(optimum=None, proofs=list_proofs("look-up", dict.fromkeys(Claim, False)))
    secret = instance.secret
    slots = [slot for slot in document.slots if slot.counted]
    read = {slot.name: read_slot(slot, instance.public.text) for slot in slots}
    stored = {record.name: frozenset(record.tells) for record in secret.slots}
    held = {slot.name for slot in document.slots if slot.held}
    told = {*document.shared_edges}.union(*(edges or () for edges in read.values()))
    proofs = {
        Claim.KEY: read == stored and sorted(told) == list(secret.edges),
        Claim.TWIN: all(
            [a == b for a, b in zip(r.versions, r.twin_versions, strict=True)].count(False)
            == int(r.name not in held)
            == int(r.tells != r.twin_tells)
            for r in secret.slots
        ),
        Claim.SIGNED: _sum_of_both(secret.edges, secret.twin_edges) == 0,
        Claim.NAMES: all(_same_letters(document, slot) for slot in document.slots),
        Claim.PASSAGES: all(_is_parity(slot) for slot in slots),
    }
    return Findings(optimum=0.0, proofs=list_proofs("exact elimination", proofs))


def read_slot(slot: Slot, text: str) -> frozenset[Edge] | None:
    """Return the edges that a slot tells in a text, by exact weights; None if it is not there."""
    if slot.stated is not None:
        found = [passage.render() in text for passage in slot.places[0].versions]
        return slot.stated[found.index(True)] if found.count(True) == 1 else None
    cells = read_cells(slot, text)
    if cells is None:
        return None
    table = make_table(cells)
    return frozenset(edge for edge in slot.edges if shows_effect(table, edge[0]))


def shows_effect(table: Table, cause: str) -> bool:
    """Tell whether a table shows an effect of a cause, with exact weights of its figures."""
    if cause in table.chosen or not _is_controlled(table.rows, cause):
        return False
    columns = _list_columns(table, cause)
    weights = solve([[*row] for row in columns], len(columns) - 1)
    if weights is None:
        return False
    span = max(columns[-1]) - min(columns[-1])
    logs = sum(
        float(weight) * log(row.value) for weight, row in zip(weights, table.rows, strict=True)
    )
    return abs(exp(float(span) * logs) - 1) > _AN_EFFECT


def _is_controlled(rows: Sequence[Row], cause: str) -> bool:
    if len({row.time for row in rows}) < len(rows):
        return True
    by_place: dict[str, list[Row]] = {}
    for row in rows:
        by_place.setdefault(row.place, []).append(row)
    for own in by_place.values():
        own.sort(key=lambda row: row.time)
        if sum(a.level(cause) != b.level(cause) for a, b in pairwise(own)) > 2:
            return True
    return False


def _list_columns(table: Table, cause: str) -> list[list[int]]:
    rows = table.rows
    places, times = sorted({r.place for r in rows}), sorted({r.time for r in rows})
    columns = [[int(r.place == place) for r in rows] for place in places]
    if len(times) < len(rows):
        columns += [[int(r.time == time) for r in rows] for time in times]
    else:
        columns.append([times.index(r.time) for r in rows])
    columns += [[r.level(x) for r in rows] for x in table.variables if x != cause]
    return [*columns, [r.level(cause) for r in rows]]


def solve(equations: list[list[int]], wanted: int) -> list[Fraction] | None:
    """Return weights that make 1 of one equation and 0 of all others; None if there are none.

    Example:
        >>> solve([[1, 1], [0, 1]], 1)
        [Fraction(-1, 1), Fraction(1, 1)]
        >>> solve([[0, 1], [0, 1]], 1) is None
        True
    """
    lines = [[*map(Fraction, line), Fraction(int(n == wanted))] for n, line in enumerate(equations)]
    width, done = len(equations[0]), 0
    places = []
    for column in range(width):
        pivot = next((n for n in range(done, len(lines)) if lines[n][column]), None)
        if pivot is None:
            continue
        lines[done], lines[pivot] = lines[pivot], lines[done]
        head = [value / lines[done][column] for value in lines[done]]
        for n, line in enumerate(lines):
            if n != done and line[column]:
                lines[n] = [a - line[column] * b for a, b in zip(line, head, strict=True)]
        lines[done] = head
        places.append(column)
        done += 1
    if any(line[-1] for line in lines[done:]):
        return None
    weights = [Fraction(0)] * width
    for n, column in enumerate(places):
        weights[column] = lines[n][-1]
    return weights


def _sum_of_both(told: Sequence[Edge], twin: Sequence[Edge]) -> int | None:
    """Return the sum of points of one answer on text and twin; None if they do not differ."""
    differing = {*told} ^ {*twin}
    points = {True: 1, False: -1}
    both = [points[e in told] + points[e in twin] for e in differing]  # The answer has every edge.
    return sum(both) if differing else None


def _same_letters(document: Document, slot: Slot) -> bool:
    words = sorted(
        {
            word.casefold()
            for name in document.names
            for word in (name, *document.aliases.get(name, ()))
        }
    )
    for place in slot.places:
        for versions in (place.versions, place.turned):
            found = []
            for passage in versions:
                text = passage.render().casefold()
                hits = [(text.find(word), word) for word in words if _stands_alone(text, word)]
                found.append([word for _, word in sorted(hits)])
            if any(sorted(one) != sorted(found[0]) for one in found):
                return False
    return True


def _stands_alone(text: str, word: str) -> bool:
    start = text.find(word)
    while start >= 0:
        around = f" {text} "[start] + f" {text} "[start + len(word) + 1]
        if not any(letter.isalnum() or letter == "_" for letter in around):
            return True
        start = text.find(word, start + 1)
    return False


def _is_parity(slot: Slot) -> bool:
    """Whether the key is one of two by whether an even or odd number of versions are second."""
    even = {told for versions, told in slot.key.items() if sum(versions) % 2 == 0}
    odd = {told for versions, told in slot.key.items() if sum(versions) % 2}
    return len(even) == len(odd) == 1 and even != odd
