"""The papers' result tables as tidy data, each number with its source and its caveats."""

from causarium.published.result_tables import (
    Drawing,
    PlaySetting,
    PublishedRow,
    Table,
    families,
    find_table,
    play_settings,
    rows,
    tables,
)
from causarium.published.table_grid import Grid, grid

__all__ = [
    "Drawing",
    "Grid",
    "PlaySetting",
    "PublishedRow",
    "Table",
    "families",
    "find_table",
    "grid",
    "play_settings",
    "rows",
    "tables",
]
