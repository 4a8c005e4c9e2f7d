"""The papers' result tables as tidy data, each number with its source and its caveats."""

from causarium.published.result_tables import PublishedRow, Table, families, rows, tables
from causarium.published.table_grid import Grid, grid

__all__ = ["Grid", "PublishedRow", "Table", "families", "grid", "rows", "tables"]
