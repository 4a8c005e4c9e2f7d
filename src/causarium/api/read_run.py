"""How a run came out: read from its logs, and summed up as `run --json` and `score --json` do."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from causarium import families
from causarium.api.rows import Rows
from causarium.contract.row import Row, mean_per_instance, mechanism_per_instance
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.logbook.log_files import fetch_logs, find_logs
from causarium.scoring.intervals import summarize


@dataclass(frozen=True)
class Run:
    """How a run came out."""

    folder: Path
    log: Path
    """The run's newest log."""
    rows: Rows
    complete: bool
    """Whether every instance has a score; if not, the same call tries the others again."""
    metrics: Mapping[str, Mapping[str, float | None]]
    """By name: `value`, `low` and `high`; None where nothing is known."""
    expected: int
    """How many episodes the run has, epochs included."""
    book: LogBook = field(repr=False, compare=False)
    """All that was read of the log."""
    places: tuple[str, ...] = ()
    """Where the run's logs are, as one names them: folders, or URLs."""

    @property
    def unscored(self) -> int:
        """How many episodes have no score."""
        return sum(row.unscored is not None for row in self.rows)

    @property
    def missing(self) -> int:
        """How many episodes were not run."""
        return max(0, self.expected - len(self.rows))

    def describe_missing(self) -> str:
        """Return in words how much has no score."""
        return (
            f"Incomplete: {self.unscored} unscored, {self.missing} not run, of {self.expected}. "
            "Run the same command to retry."
        )

    def summary(self) -> dict[str, Any]:
        """Return the run as `causarium run --json` prints it."""
        return summarize_run(self.rows, self.log)


def read_run(folders: Sequence[str]) -> Run:
    """Return how a run came out whose shards have left logs in these folders.

    Raises:
        UsageError: A folder has no log, or a damaged one.
    """
    here = [fetch_logs(folder) for folder in folders]
    newest = [find_logs([folder])[-1] for folder in here]
    book = LogBook.read(newest)
    book.require_whole()
    rows = Rows(book.rows)
    unscored = sum(row.unscored is not None for row in rows)
    expected = sum(header.expected for header in book.logs)
    ended = all(header.status == "success" for header in book.logs)
    complete = ended and not unscored and len(rows) >= expected
    metrics = summarize_run(rows, newest[-1])["metrics"]
    return Run(here[-1], newest[-1], rows, complete, metrics, expected, book, tuple(folders))


def summarize_run(rows: Sequence[Row], log: Path) -> dict[str, Any]:
    """Summarize the rows of one run; a number that nothing says anything about is None."""
    first = rows[0] if rows else None
    metrics = families.get(first.family).metrics if first else {}
    scored = [row for row in rows if row.unscored is None]
    names = dict.fromkeys(name for row in scored for name in row.numbers)
    mechanisms = mechanism_per_instance(scored)
    intervals = {}
    for name in names:
        values = mean_per_instance(scored, name)
        interval = summarize(
            values.values(),
            clusters=[mechanisms[instance] for instance in values],
            share=name in metrics and metrics[name].share,
        )
        intervals[name] = {
            "value": _nan_to_none(interval.value),
            "low": _nan_to_none(interval.low),
            "high": _nan_to_none(interval.high),
        }
    return {
        "family": first.family if first else None,
        "edition": first.edition if first else None,
        "set": first.set if first else None,
        "agent": first.agent if first else None,
        "n": len(scored),
        "unscored": len(rows) - len(scored),
        "metrics": intervals,
        "log": str(log),
    }


def _nan_to_none(value: float) -> float | None:
    return None if math.isnan(value) else value
