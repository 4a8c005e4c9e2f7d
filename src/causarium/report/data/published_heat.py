"""Published values as a grid: who down the side, the settings across, one metric in per cent."""

from collections.abc import Sequence

from causarium.contract.frozen import Frozen
from causarium.report.data.published_rows import PublishedValue, describe_setting

MOST_LINES = 16
MOST_COLUMNS = 16
_WIDE_COLUMNS = 7
"""With more columns than this, names are cut to a few letters."""
_CHOSEN = {"strategy", "pick", "start"}
"""What a paper picked for a model or kept fixed within a table: it makes no column."""


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
