"""Records to data frames and Parquet files."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from causarium.contract.places import write_atomically
from causarium.errors import MissingExtra

Records = Sequence[Mapping[str, Any]]
"""One mapping a row, all with the same columns."""


def to_pandas(records: Records) -> Any:  # noqa: ANN401 - pandas is an extra
    """Return records as a pandas data frame.

    Raises:
        MissingExtra: pandas is not installed.
    """
    return import_extra("pandas", extra="pandas").DataFrame.from_records(list(records))


def to_parquet(records: Records, path: str | Path) -> None:
    """Write records to a Parquet file, whole or not at all.

    Raises:
        MissingExtra: pyarrow is not installed.
        BadFile: The file cannot be written.
    """
    arrow = import_extra("pyarrow", extra="parquet")
    names = list(records[0]) if records else []
    columns = {name: _as_one_kind([record[name] for record in records]) for name in names}
    sink = BytesIO()
    import_extra("pyarrow.parquet", extra="parquet").write_table(arrow.table(columns), sink)
    write_atomically(Path(path), sink.getvalue())


def import_extra(module: str, *, extra: str) -> Any:  # noqa: ANN401
    """Import a package that comes with an extra of ours.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        return import_module(module)
    except ImportError as wrong:
        raise MissingExtra(f"a table in {module.partition('.')[0]}", extra) from wrong


def _as_one_kind(values: Sequence[Any]) -> list[Any]:
    """Return values of one kind, as a column must be: texts where kinds are mixed."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) <= 1 or kinds <= {int, float}:
        return list(values)
    return [None if value is None else str(value) for value in values]
