"""The papers' numbers, as rows that can be filtered and put into a data frame."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, overload

from causarium.api.rows import to_pandas, to_parquet
from causarium.errors import UnknownName
from causarium.published import PublishedRow, families, rows, tables

COLUMNS = ("family", "table", "agent", "metric", "value", "low", "high", "unit", "n", "note")
"""The first columns of a record; what was varied follows as `setting.*`."""


class PublishedRows(Sequence[PublishedRow]):
    """Published numbers, in the papers' order: each is a mean already, so they have none.

    Example:
        >>> import causarium as cm
        >>> rows = cm.published_rows("causallink").where(table="Figure 3", agent="GPT-4o")
        >>> [row.value for row in rows]
        [0.604, 0.547, 0.51, 0.447]
    """

    def __init__(self, rows: Iterable[PublishedRow] = ()) -> None:
        self._rows = tuple(rows)

    @overload
    def __getitem__(self, index: int) -> PublishedRow: ...
    @overload
    def __getitem__(self, index: slice) -> "PublishedRows": ...
    def __getitem__(self, index: int | slice) -> "PublishedRow | PublishedRows":
        if isinstance(index, slice):
            return PublishedRows(self._rows[index])
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[PublishedRow]:
        return iter(self._rows)

    def where(self, **wanted: object) -> "PublishedRows":
        """Return the rows that have these values of fields or settings.

        Raises:
            UnknownName: No row has a field or setting of that name.
        """
        records, names = self.to_records(), self.columns
        indexes = list(range(len(records)))
        for name, value in wanted.items():
            column = name if name in COLUMNS else f"setting.{name.removeprefix('setting.')}"
            if column not in names:
                raise UnknownName("field or setting", name, names, plural="names")
            indexes = [index for index in indexes if records[index][column] == value]
        return PublishedRows(self._rows[index] for index in indexes)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of `to_records`, in order."""
        varied = dict.fromkeys(name for row in self._rows for name in row.setting)
        return (*COLUMNS, *(f"setting.{name}" for name in varied))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat dictionary a number, all with the same keys."""
        settings = [name.removeprefix("setting.") for name in self.columns[len(COLUMNS) :]]
        return [
            {
                **{name: getattr(row, name) for name in COLUMNS},
                **{f"setting.{name}": row.setting.get(name) for name in settings},
            }
            for row in self._rows
        ]

    def to_pandas(self) -> Any:  # noqa: ANN401 - pandas is an extra
        """Return a pandas data frame of `to_records`.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return to_pandas(self.to_records())

    def to_parquet(self, path: str | Path) -> None:
        """Write `to_records` to a Parquet file.

        Raises:
            MissingExtra: pyarrow is not installed.
            BadFile: The file cannot be written.
        """
        to_parquet(self.to_records(), path)


def published_rows(family: str | None = None) -> PublishedRows:
    """Return the papers' numbers, of one family or of all.

    Raises:
        UnknownName: There are no published numbers of that family.
    """
    names = families() if family is None else (family,)
    return PublishedRows(
        row for name in names for table in tables(name) for row in rows(name, table.name)
    )
