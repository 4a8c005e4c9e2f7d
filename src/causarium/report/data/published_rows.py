"""Published numbers that belong beside a run, and whether they may be compared with it."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from causarium import published
from causarium.contract.frozen import Frozen
from causarium.published import PublishedRow
from causarium.report.data.summaries import RunKey


class PublishedValue(Frozen):
    """A published number, and what it may be used for."""

    row: PublishedRow
    comparable: bool
    facet: str | None = None
    """The facet by which its table is broken down, when the run has it too."""
    caveats: tuple[str, ...] = ()
    """Notes on this number, and on its table."""

    @property
    def setting(self) -> str:
        """The setting in words."""
        return describe_setting(self.row.setting)


def describe_setting(setting: Mapping[str, str]) -> str:
    """Write a setting for people: a value that says little alone goes with its name.

    Example:
        >>> describe_setting({"set": "core", "nodes": "4"})
        'core, nodes 4'
    """
    return ", ".join(
        f"{key} {value}" if value.isdigit() or value in {"yes", "no"} else value
        for key, value in setting.items()
    )


class PublishedLine(NamedTuple):
    """The published values of one agent in one setting."""

    agent: str
    setting: str
    n: int | None
    values: dict[str, float]
    """By metric."""
    caveats: tuple[str, ...]


class PublishedGroup(NamedTuple):
    """The published lines of one table."""

    table: str
    common: str
    """What is the same in all of its lines."""
    comparable: bool
    lines: list[PublishedLine]

    @property
    def use(self) -> str:
        """What the group may be used for."""
        return "comparable" if self.comparable else "not directly comparable"


def by_table(
    published_: Iterable[PublishedValue], first: str, *, falls: bool = False
) -> list[PublishedGroup]:
    """Gather the numbers that stand beside whole scores, a group a table, best `first` first."""
    tables: dict[str, list[PublishedValue]] = {}
    for value in published_:
        if value.facet is None:
            tables.setdefault(value.row.table, []).append(value)
    return [_group(table, values, first, falls=falls) for table, values in tables.items()]


def _group(table: str, values: list[PublishedValue], first: str, *, falls: bool) -> PublishedGroup:
    settings = [value.row.setting for value in values]
    common = {k: v for k, v in settings[0].items() if all(s.get(k) == v for s in settings)}
    lines: dict[tuple[str, str], PublishedLine] = {}
    for value in values:
        own = {k: v for k, v in value.row.setting.items() if k not in common}
        setting = describe_setting(own)
        line = PublishedLine(value.row.agent, setting, value.row.n, {}, value.caveats)
        stored = lines.setdefault((value.row.agent, setting), line)
        stored.values[value.row.metric] = value.row.value
    sign = 1 if falls else -1
    return PublishedGroup(
        table,
        describe_setting(common),
        values[0].comparable,
        sorted(lines.values(), key=lambda line: sign * line.values.get(first, 0.0)),
    )


class Where(NamedTuple):
    """Whose published number it is, and where it stands."""

    agent: str
    setting: str


def by_facet(
    published_: Iterable[PublishedValue], facet: str, metric: str
) -> dict[Where, dict[str, float]]:
    """Gather the numbers of one facet: whose, and the number at each value of the facet."""
    by_place: dict[Where, dict[str, float]] = {}
    for value in published_:
        if (value.facet, value.row.metric) == (facet, metric):
            rest = {k: v for k, v in value.row.setting.items() if k != facet}
            setting = ", ".join(filter(None, (value.row.table, describe_setting(rest))))
            values = by_place.setdefault(Where(value.row.agent, setting), {})
            values[value.row.setting[facet]] = value.row.value
    return by_place


def find_published(
    key: RunKey, metrics: Collection[str], facets: Mapping[str, Collection[str]]
) -> tuple[PublishedValue, ...]:
    """Return the published numbers of a run's metrics that belong beside it.

    They are those of its own set, and of the main tables where the set is none of the paper's.
    Comparable are those of the same set, and in the paper edition alone: the certified edition
    asks other instances under other rules. A number whose set has no name of its own is of
    the set `paper`, which has the published sizes.

    Args:
        key: The run.
        metrics: The metrics wanted.
        facets: The facets by which the run is broken down, with their values.
    """
    if key.family not in published.families():
        return ()
    about = {table.name: table for table in published.tables(key.family)}
    rows = [row for row in published.rows(key.family) if row.metric in metrics]
    own = [row for row in rows if row.setting.get("set", "paper") == key.set]
    main = [row for row in own or rows if about[row.table].main]
    chosen = main or own
    return tuple(
        PublishedValue(
            row=row,
            comparable=key.edition == "paper" and row.setting.get("set", "paper") == key.set,
            facet=_facet(row, chosen, facets),
            caveats=tuple(filter(None, (about[row.table].note, row.note))),
        )
        for row in chosen
    )


def _facet(
    row: PublishedRow, rows: Collection[PublishedRow], facets: Mapping[str, Collection[str]]
) -> str | None:
    """Return the first facet that varies in the row's table and that the run has values of."""
    table = [other.setting for other in rows if other.table == row.table]
    for facet in row.setting:
        values = {setting[facet] for setting in table if facet in setting}
        if len(values) > 1 and values & set(facets.get(facet, ())):
            return facet
    return None
