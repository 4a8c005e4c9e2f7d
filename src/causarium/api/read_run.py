"""How a run came out: read from its logs, and summed up as `run --json` and `score --json` do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from causarium import families
from causarium.api.rows import Places, Rows, as_paths
from causarium.contract.frozen import nan_to_null
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.logbook.log_files import fetch_logs, find_logs, read_header
from causarium.engine.logbook.reference_rows import Lookup
from causarium.engine.logbook.run_card import RunCard
from causarium.engine.verify.rescore import rescore
from causarium.engine.verify.verify_runs import RunProof, prove_book
from causarium.report.data.summaries import InstanceScores


@dataclass(frozen=True)
class RescoredRun:
    """One run, scored again."""

    logs: tuple[Path, ...]
    rows: Rows
    """As they are scored now, the newest where a sample is in several logs."""
    changed: tuple[str, ...]
    """The ids of the instances with another verdict than the log says."""
    repeated: int
    """How many samples are in several of the logs."""
    proof: RunProof
    """What of it is verified."""

    def summary(self) -> dict[str, Any]:
        """Return the run as `causarium score --json` prints it."""
        several = {"logs": [str(log) for log in self.logs]} if len(self.logs) > 1 else {}
        result = summarize_run(self.rows, self.logs[-1])
        proof = {
            "verified": self.proof.verified,
            "not_verified": self.proof.reasons,
            "problems": list(self.proof.problems),
        }
        return {**result, **several, "changed": list(self.changed), **proof}


def read_run_cards(logs: Places) -> dict[Path, RunCard]:
    """Return the exact settings of the run that each log is of.

    Raises:
        UsageError: A place does not exist, holds no log, or holds one that cannot be read.
    """
    return {path: read_header(path).card for path in find_logs(as_paths(logs))}


def rescore_runs(
    logs: Places,
    *,
    release: str | Path | None = None,
    release_anyway: bool = False,
) -> Iterator[RescoredRun]:
    """Score logs again from their recorded turns, without a model; yields one run at a time.

    Args:
        logs: Logs, or folders of them. Logs of one run are put together.
        release: A clone of the release that they were played from, so that its words count too.
        release_anyway: Whether an unknown state of it will do.

    Raises:
        UsageError: The release is another.
    """
    book = LogBook.read(as_paths(logs))
    book.require_whole()
    played = {row.family for row in book.rows}
    lookup = families.find_played(played, release, anyway=release_anyway)
    for run in dict.fromkeys(header.run for header in book.logs):
        yield _rescore_run(book, run, lookup)


def _rescore_run(book: LogBook, run: str, lookup: Lookup) -> RescoredRun:
    logs = [header for header in book.logs if header.run == run]
    mine = LogBook(logs, [sample for sample in book.samples if sample.header.run == run])
    pairs = dict(zip(mine.newest, rescore(mine.newest.values(), lookup), strict=True))
    flaws = {key: pair.after.proof for key, pair in pairs.items()}
    (proof,) = prove_book(mine, flaws, lookup).runs
    return RescoredRun(
        logs=tuple(header.path for header in logs),
        rows=Rows(pair.after for pair in pairs.values()),
        changed=tuple(pair.after.id for pair in pairs.values() if not pair.same),
        repeated=len(mine.samples) - len(pairs),
        proof=proof,
    )


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
    """Return how a run came out, from the folders with the logs of its shards.

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


def _find_reach(rows: Rows) -> dict[str, Any] | None:
    """Return the reach of scored rows as plain data; None where they are of no ladder."""
    first = rows[0] if rows else None
    headlines = families.card(first.family).headline if first else {}
    headline = headlines.get(first.edition, "") if first else ""
    reach = InstanceScores(rows).find_reach(headline)
    return nan_to_null(asdict(reach)) if reach else None


def summarize_run(rows: Rows, log: Path) -> dict[str, Any]:
    """Summarize the rows of one run; a number that nothing says anything about is None."""
    first = rows[0] if rows else None
    scored = Rows(row for row in rows if row.unscored is None)
    means = {name: scored.mean(name) for name in scored.metrics}
    ends = ("value", "low", "high")
    intervals = {name: {end: getattr(mean, end) for end in ends} for name, mean in means.items()}
    return {
        **{name: getattr(first, name, None) for name in ("family", "edition", "set", "agent")},
        "reach": _find_reach(scored),
        "n": len(scored),
        "unscored": len(rows) - len(scored),
        "metrics": nan_to_null(intervals),
        "log": str(log),
    }
