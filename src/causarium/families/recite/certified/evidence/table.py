"""The table that the cells of some passages make: figures, levels, and which figures count."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from causarium.errors import ContractError
from .marks import Cell

EVERY = "*"
"""Stands for every time."""
_MOST_STEPS = 20


@dataclass(frozen=True, order=True)
class Row:
    """A figure that counts, and what was the case there."""

    place: str
    case: str
    time: str
    value: int
    levels: tuple[tuple[str, int], ...]
    """The variables that are not at 0, by name."""

    def level(self, variable: str) -> int:
        """Return the level of a variable."""
        return dict(self.levels).get(variable, 0)


@dataclass(frozen=True)
class Table:
    """The figures that count, and the variables that people chose for themselves."""

    rows: tuple[Row, ...]
    chosen: frozenset[str]

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables that differ somewhere, by name."""
        return tuple(sorted({name for row in self.rows for name, _ in row.levels}))


def make_table(cells: Iterable[Cell], figures: Mapping[int, int] | None = None) -> Table:
    """Return the table of some cells, with other figures in the place of some.

    Raises:
        ContractError: An address has two values, or names go round in a circle.
    """
    every = tuple(cells)
    same = _join_names(every)
    values: dict[tuple[str, str, str], int] = {}
    levels: dict[tuple[str, str, str], int] = {}
    for cell in every:
        if cell[0] == "fig":
            place, time = _resolve(cell[1], same), _follow(cell[2], same)
            book = _follow(cell[4], same) if len(cell) == 5 else place.partition("/")[0]
            number = int(cell[3])
            _put(values, (place, time, book), (figures or {}).get(number, number))
        elif cell[0] == "set":
            place, time = _resolve(cell[1], same), _follow(cell[2], same)
            level = int(cell[4]) if len(cell) == 5 else 1
            _put(levels, (place, time, cell[3].replace("_", " ")), level)
    unsound = {_follow(cell[1], same) for cell in every if cell[0] == "unsound"}
    unsound |= {_resolve(cell[2], same) for cell in every if cell[0] == "chosen" and len(cell) == 3}
    rows = []
    for (place, time, book), value in values.items():
        if not unsound.isdisjoint({book, place, place.partition("/")[0]}):
            continue
        found = {
            variable: level
            for (where, when, variable), level in levels.items()
            if where in {place, place.partition("/")[0]} and when in {time, EVERY} and level
        }
        head, _, case = place.partition("/")
        rows.append(Row(head, case, time, value, tuple(sorted(found.items()))))
    chosen = frozenset(
        cell[1].replace("_", " ") for cell in every if cell[0] == "chosen" and len(cell) == 2
    )
    return Table(tuple(sorted(rows)), chosen)


def _join_names(cells: Iterable[Cell]) -> dict[str, str]:
    same: dict[str, str] = {}
    for cell in cells:
        if cell[0] == "is":
            _put(same, cell[1], cell[2])
    return same


def _follow(name: str, same: Mapping[str, str]) -> str:
    for _ in range(_MOST_STEPS):
        if name not in same:
            return name
        name = same[name]
    raise ContractError(f"the names of {name!r} go round in a circle")


def _resolve(place: str, same: Mapping[str, str]) -> str:
    """Return a place under its last name; a case is named with its place, or stands for one."""
    whole = _follow(place, same)
    head, slash, case = whole.partition("/")
    return f"{_follow(head, same)}{slash}{_follow(case, same)}"


def _put(values: dict, key: object, value: object) -> None:  # type: ignore[type-arg]
    if values.setdefault(key, value) != value:
        said = " ".join(key) if isinstance(key, tuple) else key
        raise ContractError(f"{said!r} has two values, {values[key]} and {value}")
