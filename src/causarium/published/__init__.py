"""The papers' result tables as tidy data, each number with its source and its caveats."""

from causarium.published.tables import PublishedRow, Table, families, rows, tables

__all__ = ["PublishedRow", "Table", "families", "rows", "tables"]
