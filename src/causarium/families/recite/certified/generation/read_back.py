"""Reading the key back from a text as it stands: passages are found by their words, figures read.

Nothing of the draw is used. The text's own figures make the tables that the edges are derived from.
"""

import re
from collections.abc import Iterator

from causarium.errors import ContractError
from ..evidence.estimate import RefusedError
from ..evidence.marks import Cell, Mark, Passage
from ..evidence.numerals import NUMERAL, read_numeral
from ..evidence.table import make_table
from ..model import Edge
from .documents import Document
from .slots import Place, Slot, Tells, derive_edges


def read_edges(document: Document, text: str) -> frozenset[Edge] | None:
    """Return the edges that a text drawn from a document tells; None if it is not such a text."""
    edges = set(document.shared_edges)
    for slot in (one for one in document.slots if one.counted):
        told = read_slot_edges(slot, text)
        if told is None:
            return None
        edges |= told
    return frozenset(edges)


def read_slot_edges(slot: Slot, text: str) -> Tells | None:
    """Return the edges that the passages of a slot tell in a text; None if they are ambiguous."""
    if slot.stated is not None:
        found = [
            told
            for told, words in zip(slot.stated, _list_words(slot), strict=True)
            if words in text
        ]
        return found[0] if len(found) == 1 else None
    cells = read_cells(slot, text)
    if cells is None:
        return None
    try:
        return derive_edges(make_table(cells), slot.edges)
    except (RefusedError, ContractError):
        return None


def read_cells(slot: Slot, text: str) -> list[Cell] | None:
    """Return the cells of a slot's passages with a text's figures; None if one is not there."""
    readings = [_read_place(place, text) for place in slot.places]
    found = [one for one in readings if one is not None]
    return [cell for one in found for cell in one] if len(found) == len(readings) else None


def quote_slot(slot: Slot, text: str) -> list[str]:
    """Return the passages of a slot as they stand in a text; missing ones are left out."""
    found = (_find_passage(place, text) for place in slot.places)
    return [one[1][0] for one in found if one is not None and one[1][0]]


def _list_words(slot: Slot) -> Iterator[str]:
    return (passage.render() for passage in slot.places[0].versions)


def _read_place(place: Place, text: str) -> list[Cell] | None:
    """Return the cells of a passage with the figures that the text has; None if it has none."""
    found = _find_passage(place, text)
    return None if found is None else _put_figures(found[0], found[1].groups())


def _find_passage(place: Place, text: str) -> tuple[Passage, re.Match[str]] | None:
    """Return the version of a passage that a text has, and where; None if it has none."""
    for passage in (*place.versions, *place.turned):
        found = re.search(_make_pattern(passage), text)
        if found is not None:
            return passage, found
    return None


def _make_pattern(passage: Passage) -> str:
    return "".join(
        re.escape(one if isinstance(one, str) else one.words)
        if isinstance(one, str) or one.figure is None
        else f"((?i:{NUMERAL.pattern}))"
        for one in passage.pieces
    )


def _put_figures(passage: Passage, groups: tuple[str, ...]) -> list[Cell]:
    numbers, cells = iter(groups), list[Cell]()
    for mark in (one for one in passage.pieces if isinstance(one, Mark)):
        value = None if mark.figure is None else str(read_numeral(next(numbers)))
        for cell in mark.cells:
            cells.append((*cell[:3], value, *cell[4:]) if value and cell[0] == "fig" else cell)
    return cells
