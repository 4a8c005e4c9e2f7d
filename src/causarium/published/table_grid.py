"""A published table in the shape of a table again: who down the side, what across the top."""

from collections.abc import Iterable

from causarium.contract.frozen import Frozen
from causarium.published.result_tables import PublishedRow, Table, rows

MOST_COLUMNS = 18
"""A setting with more values than this goes down the side."""


class Cell(Frozen):
    """One number with its interval, if it has one, and which of the grid's notes belong to it."""

    value: float
    low: float | None = None
    high: float | None = None
    notes: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.value:g}"
        return f"{self.value:g} [{self.low:g}, {self.high:g}]"


class Grid(Frozen):
    """A table as a paper prints it."""

    table: Table
    common: dict[str, str]
    """What is the same in every line: a setting, or the only metric."""
    sides: tuple[str, ...]
    """What stands down the side: the agent, and settings that vary."""
    columns: tuple[str, ...]
    lines: tuple[tuple[tuple[str, ...], dict[str, Cell]], ...]
    """For each line what stands at its side, and its numbers by column."""
    notes: tuple[str, ...]
    """Numbered from 1."""


def grid(
    table: Table, beside: Iterable[PublishedRow] = (), *, most_columns: int = MOST_COLUMNS
) -> Grid:
    """Put a table into shape.

    Metrics stand across the top where there are several; else the setting that varies most
    readably does, which is the last one with not too many values.

    Args:
        table: The table.
        beside: Numbers of one's own that belong below the published ones.
        most_columns: A setting with more values goes down the side.
    """
    found = [*rows(table.family, table.name), *beside]
    varying = {
        key: len({row.setting.get(key, "") for row in found})
        for key in dict.fromkeys(key for row in found for key in row.setting)
    }
    settings = [key for key, count in varying.items() if count > 1]
    metrics = list(dict.fromkeys(row.metric for row in found))
    fitting = [key for key in settings if varying[key] <= most_columns]
    across = "metric" if len(metrics) > 1 or not fitting else fitting[-1]
    sides = [key for key in settings if key != across]
    notes = {note: at for at, note in enumerate(dict.fromkeys(r.note for r in found if r.note), 1)}
    lines: dict[tuple[str, ...], dict[str, Cell]] = {}
    for row in found:
        side = (row.agent, *(row.setting.get(key, "") for key in sides))
        column = row.metric if across == "metric" else row.setting.get(across, "")
        marks = (notes[row.note],) if row.note else ()
        cell = Cell(value=row.value, low=row.low, high=row.high, notes=marks)
        lines.setdefault(side, {})[column] = cell
    return Grid(
        table=table,
        common=_find_common_setting(found, settings, metrics, across),
        sides=("agent", *sides),
        columns=tuple(dict.fromkeys(column for cells in lines.values() for column in cells)),
        lines=tuple(lines.items()),
        notes=tuple(notes),
    )


def _find_common_setting(
    found: list[PublishedRow], varying: list[str], metrics: list[str], across: str
) -> dict[str, str]:
    if not found:
        return {}
    same = {key: value for key, value in found[0].setting.items() if key not in varying}
    return same if across == "metric" and len(metrics) > 1 else {**same, "metric": metrics[0]}
