"""The papers' result tables as tidy data, each number with its source and its caveats."""

from causarium.published.grid import Grid, grid
from causarium.published.tables import PublishedRow, Table, families, rows, tables

__all__ = ["Grid", "PublishedRow", "Table", "families", "grid", "rows", "tables"]
