"""Reports of logs or rows: one page, Markdown, JSON and the rows behind them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from causarium.api.rows import Places, Rows, as_paths, check_folder
from causarium.errors import UsageError
from causarium.report import FORMATS

if TYPE_CHECKING:
    from causarium.api.read_run import Run
    from causarium.engine.logbook.log_book import LogBook
    from causarium.report.data.report_data import Report as ReportData


@dataclass(frozen=True, repr=False)
class Report:
    """A report that was made."""

    data: "ReportData"
    """All that the page says, as data."""
    rows: Rows
    """The rows that it was made of, those of reference players and earlier runs included."""
    files: Mapping[str, Path] = field(default_factory=dict)
    """The files that were written, by format; empty if none were."""
    problems: tuple[str, ...] = ()
    """One sentence for each log that could not be read, or is of another version."""
    missing_shards: tuple[str, ...] = ()
    """One sentence for each run that lacks shards."""

    def __repr__(self) -> str:
        from causarium.report.output.short_form import write_text

        return write_text(self.data, self.files.get("html"))

    def _repr_html_(self) -> str:
        from causarium.report.output.short_form import write_table

        return write_table(self.data, self.files.get("html"))


def write_report(
    logs_or_rows: Places | Rows,
    *,
    out: str | Path | None = "reports",
    against: Places = (),
    episode: str | None = None,
    formats: Sequence[str] = FORMATS,
    commands: Sequence[str] = (),
    unverified: bool = False,
) -> Report:
    """Make a report and write it to a folder.

    Args:
        logs_or_rows: Logs, folders of logs, or rows. Only logs have run cards and episodes to draw.
        out: The folder to write to; None only makes the data.
        against: Logs of earlier runs to compare with; only where logs are given.
        episode: The instance shown in detail; by default one on which agents differ.
        formats: Some of `html`, `md`, `json`, and `figures` for the charts as SVG and PNG; the
            rows are always written, as a Parquet table too where pyarrow is installed.
        commands: How these rows were made, in place of the commands worked out from them.
        unverified: Also count rows that failed verification. They are marked in either case.

    Raises:
        UnknownName: There is no such format.
        UsageError: There is nothing to report, or a file cannot be written.
    """
    from causarium.report.data.build_report import build_report
    from causarium.report.output.write_report import check_formats, write_built

    check_formats(formats)
    if out is not None:
        check_folder(out)
    missing: tuple[str, ...] = ()
    if isinstance(logs_or_rows, Rows):
        material, problems = list(logs_or_rows), logs_or_rows.problems
        if not material:
            raise UsageError("There are no rows to report.")
        data = build_report(material, notes=problems, commands=commands, doubtful_count=unverified)
    else:
        from causarium.engine.logbook.log_book import LogBook
        from causarium.report.output.report_logs import report_logs

        book = _leave_out_stale(LogBook.read(as_paths(logs_or_rows)))
        earlier = {name: LogBook.read([at]) for name, at in _name_places(as_paths(against))}
        data, material = report_logs(
            book, against=earlier, episode=episode, commands=commands, doubtful_count=unverified
        )
        problems, missing = book.problems, book.missing_shards
    rows = Rows(material)
    files = {} if out is None else write_built(data, material, Path(out), formats=formats)
    if out is not None and find_spec("pyarrow") is not None:
        files["parquet"] = Path(out) / "rows.parquet"
        rows.to_parquet(files["parquet"])
    return Report(data, rows, files, problems, missing)


def _name_places(places: Iterable[Path]) -> list[tuple[str, Path]]:
    """Name places by as few of their last folders as tell them apart."""
    whole = list(dict.fromkeys(place.resolve() for place in places))
    length = 1
    while len({place.parts[-length:] for place in whole}) < len(whole):
        length += 1
    return [("/".join(place.parts[-length:]), place) for place in whole]


def _leave_out_stale(book: "LogBook") -> "LogBook":
    """Return the logs of installed versions; of the others `problems` says what was left out.

    Raises:
        UsageError: There are no others.
    """
    from causarium import families
    from causarium.engine.logbook.log_book import LogBook
    from causarium.engine.record.episode_record import tell_stale

    known = families.names()
    stale = {
        (row.family, row.version): words
        for row in book.rows
        if row.family in known
        and (words := tell_stale(row.family, row.version, families.card(row.family).version))
    }
    if not stale:
        return book
    counts = Counter((row.family, row.version) for row in book.rows)
    if counts.keys() <= stale.keys():
        raise UsageError(f"Every row {next(iter(stale.values()))}.")
    left_out = [
        f"Left out: {counts[run]} rows of {run[0]} {run[1]}; each {words}."
        for run, words in stale.items()
    ]
    logs = [log for log in book.logs if (log.card.family, log.card.version) not in stale]
    samples = [one for one in book.samples if (one.row.family, one.row.version) not in stale]
    return LogBook(logs, samples, [*book.problems, *left_out], book.parts)


def add_reference_rows(run: "Run") -> Rows:
    """Return the rows of a run, and those of the reference players on the same instances."""
    from causarium import families
    from causarium.engine.logbook.reference_rows import reference_rows

    return run.rows + reference_rows(run.book, families.get)
