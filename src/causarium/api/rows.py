"""Rows: one episode each, from logs or from players, or one number of a paper each.

`read_rows` and `rescore` are the only places of the API that read logs into rows.
"""

import math
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, ClassVar, Self, TypeAlias, TypeVar, overload

from causarium import published
from causarium.contract.places import import_extra, write_atomically, write_parquet
from causarium.contract.row import Row, mean_per_instance, mechanism_per_instance
from causarium.errors import BadFile, UnknownName
from causarium.scoring.intervals import Interval, paired_difference, summarize

RowType = TypeVar("RowType")


class RowTable(Sequence[RowType]):
    """Rows in order, which can be filtered and put into tables of other libraries."""

    _fixed: ClassVar[tuple[str, ...]]
    """The columns that every row has."""
    _varied: ClassVar[str]
    """How the columns begin that go by their bare names too."""

    def __init__(self, rows: Iterable[RowType] = ()) -> None:
        self._rows = tuple(rows)

    @overload
    def __getitem__(self, index: int) -> RowType: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> RowType | Self:
        return self._keep(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[RowType]:
        return iter(self._rows)

    def _keep(self, rows: Iterable[RowType]) -> Self:
        """Return some of these rows as a table of the same kind."""
        return type(self)(rows)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of `to_records`, in order."""
        raise NotImplementedError

    def _read(self, row: RowType, column: str) -> Any:  # noqa: ANN401
        """Return a row's value of a column; None where it has none."""
        raise NotImplementedError

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat dictionary a row, all with the same keys, which are `columns`."""
        columns = self.columns
        return [{name: self._read(row, name) for name in columns} for row in self._rows]

    def where(self, **wanted: object) -> Self:
        """Return the rows that have these values.

        Args:
            wanted: Columns of `to_records`; those of facets and settings also by their bare names,
                as in `agent="player/exact"` or `optimum=1`. A list, tuple or set means any of its
                values.

        Raises:
            UnknownName: No row has a column of that name.
        """
        columns, chosen = self.columns, list(self._rows)
        bare = {name.partition(".")[2]: name for name in columns if name.startswith(self._varied)}
        for name, value in wanted.items():
            column = name if name in self._fixed else bare.get(name, name)
            if self._rows and column not in columns:
                raise UnknownName("field", name, {*columns, *bare}, plural="names")
            choices = value if isinstance(value, list | tuple | set | frozenset) else [value]
            chosen = [row for row in chosen if _is_among(self._read(row, column), choices)]
        return self._keep(chosen)

    def to_pandas(self) -> Any:  # noqa: ANN401 - pandas is an extra
        """Return a pandas data frame of `to_records`.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return import_extra("pandas", extra="pandas").DataFrame.from_records(
            self.to_records(), columns=list(self.columns)
        )

    def to_parquet(self, path: str | Path) -> None:
        """Write `to_records` to a Parquet file, whole or not at all.

        Raises:
            MissingExtra: pyarrow is not installed.
            BadFile: The file cannot be written.
        """
        records = self.to_records()
        columns = {name: _as_one_kind([one[name] for one in records]) for name in self.columns}
        write_atomically(Path(path), write_parquet(columns))


def _as_one_kind(values: Sequence[Any]) -> list[Any]:
    """Return values of one kind, as a column must be: texts where kinds are mixed."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) <= 1 or kinds <= {int, float}:
        return list(values)
    return [None if value is None else str(value) for value in values]


Places: TypeAlias = str | Path | Sequence[str | Path]
"""A log, a folder of logs, or several of them; URLs of object stores too, as texts."""

COLUMNS = (
    *("family", "version", "edition", "set", "agent", "interface", "variant", "run"),
    *("id", "epoch", "turns", "unscored", "proof"),
)
"""The first columns of a record; metrics follow under their own names."""
_SHOWN = 8
"""So many agents are named in a short form."""
_SPREAD = {"facet": "facets", "label": "labels", "fault": "faults"}
"""Fields of a row that become columns of their own, by how these columns begin."""


class Rows(RowTable[Row]):
    """Rows of episodes, in order.

    Attributes:
        problems: One sentence for each log that could not be read.

    Example:
        >>> import causarium as cm
        >>> rows = cm.load("causallink").play("always_no", "smoke")
        >>> len(rows.where(rung=1)) == len([row for row in rows if "-rung-1-" in row.id])
        True
        >>> rows.to_records()[0]["agent"]
        'player/always_no'
    """

    _fixed, _varied = COLUMNS, "facet."

    def __init__(self, rows: Iterable[Row] = (), *, problems: Iterable[str] = ()) -> None:
        super().__init__(rows)
        self.problems: tuple[str, ...] = tuple(problems)

    def _keep(self, rows: Iterable[Row]) -> Self:
        return type(self)(rows, problems=self.problems)

    def __add__(self, other: Iterable[Row]) -> "Rows":
        problems = other.problems if isinstance(other, Rows) else ()
        return Rows((*self._rows, *other), problems=(*self.problems, *problems))

    def __repr__(self) -> str:
        agents = list(dict.fromkeys(row.agent[:80] for row in self._rows))
        more = [f"{len(agents) - _SHOWN} more"] if len(agents) > _SHOWN else []
        return f"Rows({len(self)} rows of {', '.join([*agents[:_SHOWN], *more]) or 'nobody'})"

    def to_pandas(self, *, metrics: bool | Collection[str] = False, facets: bool = False) -> Any:  # noqa: ANN401 - pandas is an extra
        """Return a pandas data frame of sixteen columns, the same for every family.

        Args:
            metrics: Also the family's own metrics, all or those named; an empty one never.
            facets: Also what instances are like, and the labels of verdicts.

        Raises:
            UnknownName: No row has such a metric.
            MissingExtra: pandas is not installed.
        """
        from causarium.report.data.row_frame import FRAME, read_frame

        named = self.metrics if metrics is True else tuple(metrics or ())
        if unknown := [name for name in named if name not in self.metrics]:
            raise UnknownName("metric", unknown[0], self.metrics)
        prefixes = ("facet.", "label.") if facets else ()
        more = [name for name in self.columns if name in named or name.startswith(prefixes)]
        columns = {name: [self._read(row, name) for row in self._rows] for name in more}
        told = {name: values for name, values in columns.items() if not all(map(_is_empty, values))}
        frame = {**read_frame(self._rows), **told}
        return import_extra("pandas", extra="pandas").DataFrame(frame, columns=[*FRAME, *told])

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of all metrics that some row has a number for."""
        return tuple(dict.fromkeys(name for row in self._rows for name in row.numbers))

    def mean(self, metric: str) -> Interval:
        """Return the mean of a metric over instances, with its 95 % interval.

        Rows of one instance (epochs, several agents) are averaged first, as they are not
        independent; instances that share a mechanism are resampled together. Unscored rows are
        left out, and so are instances the metric does not apply to.

        Raises:
            UnknownName: No row has that metric.
        """
        values, mechanisms = self._per_instance(metric), self._mechanisms()
        clusters = [mechanisms[key] for key in values]
        return summarize(values.values(), clusters=clusters, share=self._is_share(metric))

    def compare(self, other: "Rows", metric: str) -> Interval:
        """Return the mean of `self - other` over the instances that both have, with its interval.

        Args:
            other: The rows to compare with.
            metric: The number to compare.

        Raises:
            UnknownName: No row of one of them has that metric.
        """
        clusters = {**other._mechanisms(), **self._mechanisms()}
        mine, theirs = self._per_instance(metric), other._per_instance(metric)
        return paired_difference(mine, theirs, clusters=clusters)

    def _per_instance(self, metric: str) -> dict[str, float]:
        if self._rows and metric not in self.metrics:
            raise UnknownName("metric", metric, self.metrics)
        return {
            f"{place} {id_}": value
            for place, rows in self._by_edition().items()
            for id_, value in mean_per_instance(rows, metric).items()
        }

    def _mechanisms(self) -> dict[str, Hashable]:
        """Return what each instance shares with others, by the keys of `_per_instance`."""
        return {
            f"{place} {id_}": (place, mechanism)
            for place, rows in self._by_edition().items()
            for id_, mechanism in mechanism_per_instance(rows).items()
        }

    def _by_edition(self) -> dict[str, list[Row]]:
        # The two editions of a family may use the same ids for different instances.
        groups: dict[str, list[Row]] = {}
        for row in self._rows:
            groups.setdefault(f"{row.family} {row.edition}", []).append(row)
        return groups

    def _is_share(self, metric: str) -> bool:
        from causarium import families

        known = set(families.names())
        editions = {(row.family, row.edition) for row in self._rows if row.family in known}
        metrics = [families.get(*one).metrics for one in editions]
        return bool(metrics) and all(metric in mine and mine[metric].share for mine in metrics)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of `to_records`, in order.

        First `family` to `proof`, then every metric under its own name, then `facet.*`,
        `label.*`, `fault.*`, `tokens_in`, `tokens_out`, `cost` and `seconds`. What a row does not
        have is None; a metric that does not apply is nan.
        """
        spread = [
            f"{prefix}.{name}"
            for prefix, field in _SPREAD.items()
            for name in dict.fromkeys(name for row in self._rows for name in getattr(row, field))
        ]
        return (*COLUMNS, *self.metrics, *spread, *_USAGE)

    def _read(self, row: Row, column: str) -> Any:  # noqa: ANN401
        if column in COLUMNS:
            return getattr(row, column)
        if column in _USAGE:
            return _read_usage(row)[column]
        prefix, dot, rest = column.partition(".")
        if dot and prefix in _SPREAD:
            values: Mapping[str, Any] = getattr(row, _SPREAD[prefix])
            return values.get(rest)
        return row.numbers.get(column)


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _is_among(value: object, choices: Collection[object]) -> bool:
    # True is 1 in Python, and a facet that is 1 is not one that is true.
    return any(
        value == choice and isinstance(value, bool) == isinstance(choice, bool)
        for choice in choices
    )


_USAGE = ("tokens_in", "tokens_out", "cost", "seconds")


def _read_usage(row: Row) -> dict[str, int | float | None]:
    if row.usage is None:
        return dict.fromkeys(_USAGE)
    agent = row.usage.agent
    return {
        "tokens_in": agent.input,
        "tokens_out": agent.output,
        "cost": agent.cost,
        "seconds": row.usage.seconds,
    }


def as_paths(places: Places) -> list[Path]:
    """Return places of logs as paths on this machine; those of object stores are fetched.

    Raises:
        UsageError: A scheme is unknown, or an object store has no log there.
    """
    from causarium.engine.logbook.log_files import fetch_logs

    given = [places] if isinstance(places, str | Path) else places
    return [fetch_logs(place) for place in given]


def check_folder(out: str | Path) -> Path:
    """Return a folder that can be written to, before work begins that would be lost.

    Raises:
        BadFile: Nothing can be written there.
    """
    folder = Path(out)
    nearest = next((place for place in (folder, *folder.parents) if place.exists()), Path())
    try:
        with TemporaryFile(dir=nearest):
            return folder
    except OSError as wrong:
        raise BadFile(
            f"cannot write to {folder}: {wrong.strerror}; choose another folder"
        ) from wrong


def read_rows(logs: Places) -> Rows:
    """Read the rows of all logs in files or folders, the newest where a sample was run twice.

    The rows are as their logs have them; `rescore` works them out anew and verifies them.

    Args:
        logs: A log, a folder, or several of them. A log that cannot be read is named in `problems`.

    Raises:
        UsageError: A place does not exist, or holds no log.
    """
    from causarium.engine.logbook.log_book import LogBook

    book = LogBook.read(as_paths(logs))
    return Rows(book.rows, problems=book.problems)


def rescore(logs: Places) -> Rows:
    """Score the recorded turns of all logs again, without a model, and verify them.

    A row's `proof` says why it is not verified; it is empty where it is.

    Raises:
        UsageError: A place does not exist, or holds no log.
        BadFile: A log is damaged.
    """
    from causarium import families
    from causarium.engine.logbook.log_book import LogBook
    from causarium.engine.verify.rescore import rescore as rescore_samples

    book = LogBook.read(as_paths(logs))
    book.require_whole()
    pairs = rescore_samples(book.newest.values(), families.get)
    # Only the book tells variants of one agent apart.
    return Rows(
        pair.after.model_copy(update={"variant": row.variant})
        for pair, row in zip(pairs, book.rows, strict=True)
    )


_PUBLISHED = ("family", "table", "agent", "metric", "value", "low", "high", "unit", "n", "note")
"""The first columns of a published number's record; what was varied follows as `setting.*`."""


class PublishedRows(RowTable[published.PublishedRow]):
    """Published numbers, in the papers' order: each is a mean already, so they have none.

    Example:
        >>> import causarium as cm
        >>> rows = cm.published_rows("causallink").where(table="Figure 3", agent="GPT-4o")
        >>> [row.value for row in rows]
        [0.604, 0.547, 0.51, 0.447]
    """

    _fixed, _varied = _PUBLISHED, "setting."

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of `to_records`, in order."""
        varied = dict.fromkeys(name for row in self._rows for name in row.setting)
        return (*_PUBLISHED, *(f"setting.{name}" for name in varied))

    def _read(self, row: published.PublishedRow, column: str) -> Any:  # noqa: ANN401
        if column in _PUBLISHED:
            return getattr(row, column)
        return row.setting.get(column.removeprefix("setting."))


def published_rows(family: str | None = None) -> PublishedRows:
    """Return the papers' numbers, of one family or of all.

    Raises:
        UnknownName: There are no published numbers of that family.
    """
    names = published.families() if family is None else (family,)
    return PublishedRows(
        row
        for name in names
        for table in published.tables(name)
        for row in published.rows(name, table.name)
    )
