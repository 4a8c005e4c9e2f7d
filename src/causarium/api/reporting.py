"""Reports of logs or rows: one page, Markdown, JSON and the rows behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from causarium.api.rows import Places, Rows, as_paths
from causarium.contract.row import Row
from causarium.errors import BadFile, UsageError

if TYPE_CHECKING:
    from causarium.engine.logbook.run_card import RunCard
    from causarium.report.data.family_facts import Panel
    from causarium.report.data.report_data import Report as ReportData

FORMATS = ("html", "md", "json")
"""What a report can be written as."""


@dataclass(frozen=True)
class Report:
    """A report that was made."""

    data: "ReportData"
    """All that the page says, as data."""
    rows: Rows
    """The rows that it was made of, those of reference players and earlier runs included."""
    files: Mapping[str, Path] = field(default_factory=dict)
    """The files that were written, by format; empty if none were."""
    problems: tuple[str, ...] = ()
    """One sentence for each log that could not be read."""


@dataclass
class _Material:
    """What a report is made of."""

    rows: list[Row]
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cards: "list[RunCard]" = field(default_factory=list)
    figures: "list[Panel]" = field(default_factory=list)


def write_report(
    logs_or_rows: Places | Rows,
    *,
    out: str | Path | None = "reports",
    against: Places = (),
    episode: str | None = None,
    formats: Sequence[str] = FORMATS,
    commands: Sequence[str] = (),
) -> Report:
    """Make a report and write it to a folder.

    Args:
        logs_or_rows: Logs, folders of logs, or rows. Only logs have run cards and episodes to draw.
        out: The folder to write to; None only makes the data.
        against: Logs of earlier runs to compare with.
        episode: The instance shown in detail; by default one on which agents differ.
        formats: Some of `html`, `md` and `json`; the rows are always written.
        commands: How these rows were made, in place of the commands worked out from them.

    Raises:
        UnknownName: There is no such format.
        UsageError: There is nothing to report, or a file cannot be written.
    """
    from causarium.report.data.report_data import build_report
    from causarium.report.output.write_report import known_formats, write_built

    known_formats(formats)
    if isinstance(logs_or_rows, Rows):
        material = _Material(list(logs_or_rows), list(logs_or_rows.problems))
        material.notes += material.problems
    else:
        material = _read_material(as_paths(logs_or_rows), episode)
    if not material.rows:
        raise UsageError("There are no rows to report.")
    _add_earlier(material, as_paths(against))
    data = build_report(
        material.rows,
        panels=material.figures,
        notes=material.notes,
        cards=material.cards,
        commands=commands,
    )
    rows, problems = Rows(material.rows), tuple(material.problems)
    if out is None:
        return Report(data, rows, problems=problems)
    files = write_built(data, material.rows, Path(out), formats=formats)
    return Report(data, rows, files, problems)


def _read_material(paths: Sequence[Path], episode: str | None) -> _Material:
    from causarium import families
    from causarium.engine.logbook.read_logs import find_logs, read_places, unfinished
    from causarium.engine.logbook.reference_rows import rows_beside
    from causarium.report.figures.family_figures import panels

    reading = read_places(paths)
    if not reading.rows and reading.problems:
        raise BadFile(f"No readable logs: {reading.problems[0].removeprefix('Skipped: ')}")
    logs = find_logs(paths)
    rows = [*reading.rows, *rows_beside(logs, reading.rows, families.get)]
    return _Material(
        rows,
        problems=list(reading.problems),
        notes=[*reading.problems, *unfinished(logs)],
        cards=list(reading.cards),
        figures=panels(paths, rows, episode),
    )


def _add_earlier(material: _Material, places: Sequence[Path]) -> None:
    """Add the rows of earlier runs, each under the name of its folder."""
    from causarium.engine.logbook.read_logs import read_places

    for place in places:
        reading = read_places([place])
        run = {"run": place.name}
        material.rows += (row.model_copy(update=run) for row in reading.rows)
        material.cards += (card.model_copy(update=run) for card in reading.cards)
        material.notes += reading.problems


def add_reference_rows(log: Path, rows: Rows) -> Rows:
    """Return the rows of a log, and those of the reference players on the same instances."""
    from causarium import families
    from causarium.engine.logbook.reference_rows import rows_beside

    return rows + rows_beside([log], rows, families.get)
