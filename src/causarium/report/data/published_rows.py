"""Published numbers that belong beside a run, and whether they may be compared with it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from causarium import published
from causarium.contract.frozen import Frozen
from causarium.published import PublishedRow
from causarium.report.data.summaries import RunKey

MOST_LINES = 16
MOST_COLUMNS = 16
_WIDE_COLUMNS = 7
"""With more columns than this, names are cut to a few letters."""
_CHOSEN = {"strategy", "pick", "start"}
"""What a paper picked for a model or kept fixed within a table: it makes no column."""


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


class HeatColumn(Frozen):
    """One setting: the group that it stands in, its name, and the name in a few letters."""

    group: str
    name: str
    short: str

    @property
    def coded(self) -> bool:
        """Whether the few letters stand for words that they do not show."""
        rest = self.name.removeprefix(self.group).strip(" ,")
        return self.short not in {rest, self.name, "base"}


class HeatGrid(Frozen):
    """The published values of one metric in the settings of one table or mode."""

    title: str
    columns: tuple[HeatColumn, ...]
    lines: tuple[tuple[str, tuple[float | None, ...]], ...]
    share: bool

    @property
    def groups(self) -> list[tuple[str, int]]:
        """The groups across the top with how many columns each has; empty where there is one."""
        spans: list[tuple[str, int]] = []
        for column in self.columns:
            if spans and spans[-1][0] == column.group:
                spans[-1] = (column.group, spans[-1][1] + 1)
            else:
                spans.append((column.group, 1))
        return spans if any(name for name, _ in spans) else []

    @property
    def values(self) -> list[float]:
        """All numbers of the grid."""
        return [value for _, cells in self.lines for value in cells if value is not None]


def build_heat(values: Sequence[PublishedValue], metric: str) -> tuple[HeatGrid, ...]:
    """Return the published values of a metric as grids; one is enough unless settings are many."""
    mine = [value for value in values if value.row.metric == metric]
    return tuple(_build_grid(part, title) for title, part in _split(mine).items())


def _split(values: Sequence[PublishedValue]) -> dict[str, list[PublishedValue]]:
    """Split values with too many settings for one grid by what takes the fewest values."""
    settings = {describe_setting(value.row.setting) for value in values}
    if len(settings) <= MOST_COLUMNS:
        return {"": list(values)} if values else {}
    kinds: dict[str, set[str]] = {}
    for value in values:
        for key, setting in value.row.setting.items():
            kinds.setdefault(key, set()).add(setting)
    several = {key: found for key, found in kinds.items() if len(found) > 1}
    if not several:
        return {"": list(values)}
    key = min(several, key=lambda name: len(several[name]))
    parts: dict[str, list[PublishedValue]] = {}
    for value in values:
        parts.setdefault(value.row.setting.get(key, ""), []).append(value)
    return {f"{key} {name}".strip(): part for name, part in parts.items()}


def _build_grid(values: Sequence[PublishedValue], title: str) -> HeatGrid:
    settings = [value.row.setting for value in values]
    common = {k for k in settings[0] if all(s.get(k) == settings[0][k] for s in settings)}
    keys = list(dict.fromkeys(key for setting in settings for key in setting if key not in common))
    shared = [key for key in keys if all(key in setting for setting in settings)]
    names: dict[str, None] = {}
    table: dict[str, dict[str, float]] = {}
    for value in values:
        name = _name_setting(value.row.setting, keys, shared)
        names.setdefault(name)
        table.setdefault(value.row.agent, {})[name] = value.row.value
    order = list(names)
    lines = sorted(
        table.items(),
        key=lambda line: (line[1].get(order[0]) is None, -line[1].get(order[0], 0.0), line[0]),
    )
    return HeatGrid(
        title=title,
        columns=_head_columns(order),
        lines=tuple((agent, tuple(cells.get(name) for name in order)) for agent, cells in lines),
        share=all(value.row.unit == "share" for value in values),
    )


def _name_setting(setting: dict[str, str], keys: Sequence[str], shared: Sequence[str]) -> str:
    own = {key: setting[key] for key in keys if key in setting}
    own = {k: v for k, v in own.items() if k not in _CHOSEN} or own
    if len(own) > 1 and "set" in shared:
        own = {k: v for k, v in own.items() if k != "set"}
    return describe_setting(own).replace("_", " ") or "all"


def _head_columns(names: Sequence[str]) -> tuple[HeatColumn, ...]:
    """Group names that begin alike, and shorten what is left of them."""
    heads: dict[str, list[str]] = {}
    for name in names:
        heads.setdefault(name.split()[0], []).append(name)
    columns = []
    for name in names:
        head = name.split()[0]
        prefix = _common_words(heads[head]) if len(heads[head]) > 1 else ""
        rest = name.removeprefix(prefix).strip(" ,")
        columns.append(
            HeatColumn(
                group=prefix,
                name=name,
                short=_shorten(rest or "base", 12 if len(names) <= _WIDE_COLUMNS else 4),
            )
        )
    return tuple(columns)


def _common_words(names: Sequence[str]) -> str:
    parts = [name.split() for name in names]
    words = []
    for column in zip(*parts, strict=False):
        if len(set(column)) > 1:
            break
        words.append(column[0])
    return " ".join(words)


def _shorten(name: str, most: int) -> str:
    if len(name) <= most:
        return name
    words = name.split()
    return "".join(word[0] for word in words) if len(words) > 1 else name[:most]


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
