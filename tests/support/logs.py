"""Logs by their paths, as tests read them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from causarium.contract.row import Row
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.logbook.log_files import find_logs, read_header
from causarium.engine.verify import rescore as rescoring
from causarium.engine.verify.rescore import Lookup, ScoreChange

__all__ = ["find_logs", "newest_rows", "read_header", "read_rows", "rescore"]


def newest_rows(places: Sequence[Path]) -> list[Row]:
    """Return the rows of all logs in some places, the newest where a sample was run twice."""
    book = LogBook.read(places)
    book.require_rows()
    return list(book.rows)


def read_rows(path: Path) -> Iterator[Row]:
    """Yield a row for each finished sample of a log."""
    book = LogBook.read([path])
    book.require_whole()
    return (sample.row for sample in book.samples)


def rescore(path: Path, lookup: Lookup) -> Iterator[ScoreChange]:
    """Score every sample of a log again."""
    book = LogBook.read([path])
    book.require_whole()
    return rescoring.rescore(book.samples, lookup)
