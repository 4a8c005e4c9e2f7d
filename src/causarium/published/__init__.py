"""The papers' result tables as tidy data, each number with its source and its caveats.

One CSV file a family, one number a line, so that any tool can read them; `tables.toml` says what
each table holds. Metrics carry our names where they are the same quantity, and the paper's
where they are not. Shares run from 0 to 1 whatever the paper prints.
"""

import csv
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.errors import UnknownName

DATA = Path(__file__).parent / "data"


class PlaySetting(Frozen):
    """A run that plays what numbers of a table are about, in the paper edition."""

    set: str
    rules: dict[str, str] = Field(default_factory=dict)
    released: dict[str, str] = Field(default_factory=dict)
    """Rules in the place of those, for a release that has no words for them."""
    roles: tuple[str, ...] = ()
    """Roles that the paper gave to models of their own, such as `judge`."""
    covers: dict[str, str] = Field(default_factory=dict)
    """The settings of the table that the run is about; its other ones are facets of instances."""
    file: str = ""
    """The published instances, where the package does not hold them; the set has their number."""
    first: tuple[str, ...] = ()
    """The commands that get that file."""
    only: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Facets with the values that count; what has others is played and left out."""

    @property
    def play(self) -> tuple[object, ...]:
        """What is played, whoever judges it."""
        return (self.set, tuple(sorted(self.rules.items())), self.file)

    @property
    def run(self) -> tuple[object, ...]:
        """What sets its run apart: settings that agree in it are played once."""
        return (*self.play, self.roles)


class Drawing(Frozen):
    """What a figure draws and the paper does not print: only numbers of one's own stand there."""

    metric: str
    by: tuple[str, ...]
    """Facets, labels or `turn`: each combination of their values is a line."""


class Table(Frozen):
    """One table or figure of a paper."""

    family: str
    name: str
    """As the paper calls it: `Table 4`."""
    about: str
    main: bool = False
    """Whether a report sets it beside a run."""
    note: str = ""
    """What to bear in mind about every number in it."""
    plays: tuple[PlaySetting, ...] | None = None
    """The runs that would give its numbers anew; None: those of the sets that its rows name."""
    shows: tuple[str, ...] = ()
    """Of a figure: the tables that print its numbers."""
    metrics: tuple[str, ...] = ()
    """Which of their numbers; none: all."""
    draws: tuple[Drawing, ...] = ()
    counts: tuple[PlaySetting, ...] = ()
    """The sets that its numbers about instances are of; nobody has to play them."""

    def is_called(self, wanted: str) -> bool:
        """Return whether it is called so: `Table 7`, `table 7` or `7`."""
        name = self.name.casefold()
        return wanted.casefold() in {name, name.partition(" ")[2]}


class PublishedRow(Frozen):
    """One published number."""

    family: str
    table: str
    setting: dict[str, str]
    """What was varied: `{"set": "core", "strategy": "basic"}`."""
    agent: str
    metric: str
    value: float
    low: float | None = None
    """The ends of its 95 % interval, where the paper gives one."""
    high: float | None = None
    unit: str
    """`share` (0 to 1), `count`, `mean count`, …"""
    n: int | None = None
    """How many cases the number rests on, where the paper says so."""
    note: str = ""
    """What to bear in mind about this very number."""


def families() -> tuple[str, ...]:
    """Return the families that have tables of a paper here."""
    return tuple(_TABLES)


def tables(family: str) -> tuple[Table, ...]:
    """Return what the paper's tables are, in the paper's order.

    Raises:
        UnknownName: No tables of such a family are at hand.
    """
    if family not in _TABLES:
        raise UnknownName("published family", family, _TABLES, plural="published families")
    return _TABLES[family]


def rows(family: str, table: str | None = None) -> list[PublishedRow]:
    """Return the published numbers of a family, all of them or those of one table.

    Example:
        >>> [row.value for row in rows("causallink", "Figure 3") if row.agent == "GPT-4o"]
        [0.604, 0.547, 0.51, 0.447]

    Raises:
        UnknownName: There is no such family, or the paper has no such table.
    """
    known = {known.name: known for known in tables(family)}
    if table is None:
        return list(_read(family))
    if table not in known:
        raise UnknownName(f"{family} table", table, known, plural="tables")
    printed, metrics = known[table].shows or (table,), known[table].metrics
    return [
        row.model_copy(update={"table": table})
        for row in _read(family)
        if row.table in printed and (not metrics or row.metric in metrics)
    ]


def find_table(family: str, wanted: str) -> Table:
    """Return a table by what it is called, in full or without `Table`.

    Example:
        >>> find_table("causalab", "7").name
        'Table 7'

    Raises:
        UnknownName: There is no such family, or the paper has no such table.
    """
    known = tables(family)
    # A bare number is a table's where both a table and a figure have it.
    for table in sorted(known, key=lambda table: not table.name.startswith("Table")):
        if table.is_called(wanted):
            return table
    raise UnknownName(f"{family} table", wanted, [table.name for table in known], plural="tables")


def play_settings(table: Table) -> tuple[PlaySetting, ...]:
    """Return the runs that would give a table's numbers anew; none where it is about no agent."""
    if table.plays is not None:
        return table.plays
    if table.shows:
        shown = [play_settings(find_table(table.family, name)) for name in table.shows]
        return tuple({str(one): one for settings in shown for one in settings}.values())
    sets = dict.fromkeys(row.setting.get("set") for row in rows(table.family, table.name))
    return tuple(PlaySetting(set=name) for name in sets if name is not None)


def _describe_tables() -> dict[str, tuple[Table, ...]]:
    found = tomllib.loads((DATA / "tables.toml").read_text(encoding="utf-8"))
    return {
        family: tuple(Table(family=family, name=name, **about) for name, about in named.items())
        for family, named in found.items()
    }


_TABLES = _describe_tables()


@lru_cache(maxsize=8)  # five files: 30 ms each, for every table otherwise
def _read(family: str) -> tuple[PublishedRow, ...]:
    with (DATA / f"{family}.csv").open(encoding="utf-8", newline="") as lines:
        return tuple(_row(family, fields) for fields in csv.DictReader(lines))


def _row(family: str, fields: dict[str, str]) -> PublishedRow:
    given = {name: value for name, value in fields.items() if value}
    pairs = (pair.partition("=") for pair in fields["setting"].split(";") if pair)
    setting = {key: value for key, _, value in pairs}
    return PublishedRow.model_validate({**given, "family": family, "setting": setting})


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
    first = found[0].setting if found else {}
    common = {key: value for key, value in first.items() if key not in settings}
    if found and (across != "metric" or len(metrics) == 1):
        common["metric"] = metrics[0]
    return Grid(
        table=table,
        common=common,
        sides=("agent", *sides),
        columns=tuple(dict.fromkeys(column for cells in lines.values() for column in cells)),
        lines=tuple(lines.items()),
        notes=tuple(notes),
    )
