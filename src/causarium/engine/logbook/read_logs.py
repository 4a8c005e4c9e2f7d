"""Old names of `log_files`, `log_book` and `rescore`, for callers that give a path."""

from collections.abc import Iterator
from pathlib import Path

from causarium.contract.row import Row
from causarium.engine.logbook import rescore as _rescore
from causarium.engine.logbook.log_book import LogBook, newest_rows
from causarium.engine.logbook.log_files import (
    find_logs,
    read_header,
)
from causarium.engine.logbook.log_files import read_run_card as read_card
from causarium.engine.logbook.log_files import write_run_card as keep_card
from causarium.engine.logbook.rescore import Lookup, Rescored

__all__ = [
    "Lookup",
    "Rescored",
    "find_logs",
    "keep_card",
    "newest_rows",
    "read_card",
    "read_header",
    "read_rows",
    "rescore",
]


def read_rows(path: Path) -> Iterator[Row]:
    """Yield a row for each finished sample of a log."""
    book = LogBook.read([path])
    book.require_whole()
    return (sample.row for sample in book.samples)


def rescore(path: Path, lookup: Lookup) -> Iterator[Rescored]:
    """Score every sample of a log again."""
    book = LogBook.read([path])
    book.require_whole()
    return _rescore.rescore(book.samples, lookup)
