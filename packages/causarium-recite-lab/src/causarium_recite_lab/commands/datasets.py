"""`causarium recite`, the part about files of the published schema."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.options import AsJson
from causarium.cli.shared import print_json, print_note
from causarium.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from causarium.contract.row import Row
    from causarium.families.recite.paper.model.instance import Task
    from causarium.families.recite.paper.publication.dataset_row import Sample
    from causarium.report.data.report_data import Panel

COMPANIONS = ("responses", "evaluations")
TASKS: "tuple[Task, ...]" = ("given_count", "no_count", "names")

Documents = Annotated[
    Path, typer.Argument(metavar="FILE", help="Documents: .parquet, .jsonl, .json or .csv.")
]

Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="Only documents with NAME: ids, domains, all_domains, source, before, after, until, "
        "or min_ or max_ with nodes, edges or explicitness. Repeatable.",
    ),
]


def fetch(
    out: Annotated[Path, typer.Argument(help="File to write: .parquet, .jsonl or .csv.")],
    *,
    companion: Annotated[
        str | None,
        typer.Option(help="Download `responses` or `evaluations` instead of the documents."),
    ] = None,
) -> None:
    """Download the published dataset."""
    from causarium.families.recite.paper.publication.dataset_files import (
        fetch_rows,
        fetch_samples,
        write_records,
        write_samples,
    )

    if companion is None:
        written = write_samples(out, fetch_samples())
    elif companion in COMPANIONS:
        written = write_records(out, fetch_rows(companion))
    else:
        raise UnknownName("companion", companion, COMPANIONS)
    print_note(f"{written} rows in {out}")


def stats(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Documents (default: the written ones).")
    ] = None,
    *,
    domain: Annotated[
        list[str] | None, typer.Option(help="Only documents of this domain. Repeatable.")
    ] = None,
    source: Annotated[str | None, typer.Option(help="Only documents of this source.")] = None,
    after: Annotated[str | None, typer.Option(help="Only from this date, YYYY-MM-DD.")] = None,
    before: Annotated[str | None, typer.Option(help="Only before this date.")] = None,
    where: Where = None,
    json: AsJson = False,
) -> None:
    """Count documents and print the shape of their graphs, as in the published table."""
    from causarium_recite_lab.analysis.select_documents import statistics
    from causarium_recite_lab.analysis.topology import spreads, topology

    given = {"domains": ",".join(domain or ()), "source": source, "after": after, "before": before}
    conditions = [f"{name}={value}" for name, value in given.items() if value]
    chosen = _select(read_documents(file), [*conditions, *(where or ())])
    shapes = spreads([topology(sample.names, sample.pairs) for sample in chosen])
    counts = statistics(chosen)
    if json:
        print_json({**counts, "topology": shapes})
        return
    for name, value in counts.items():
        print(f"{name}: {_format(value)}")
    print(f"\n{'':18}{'mean':>9}{'std':>9}{'min':>9}{'median':>9}{'max':>9}")
    for name, spread in shapes.items():
        print(f"{name:18}" + "".join(f"{value:9.3f}" for value in spread.values()))


def read_documents(file: Path | None) -> "list[Sample]":
    """Return the documents of a file; without one, those that were written for this package."""
    from causarium.families.recite.paper.generation.generate import generate
    from causarium.families.recite.paper.generation.written_documents import mini_keys
    from causarium.families.recite.paper.levels import LEVELS
    from causarium.families.recite.paper.publication.dataset_files import read_samples
    from causarium.families.recite.paper.publication.dataset_row import sample_of

    if file is not None:
        return read_samples(file)
    written = [generate(LEVELS["paper-mini"], 0, place) for place in range(len(mini_keys()))]
    return [sample_of(document, number) for number, document in enumerate(written, 1)]


def _select(samples: "list[Sample]", conditions: Sequence[str]) -> "list[Sample]":
    from causarium_recite_lab.analysis.select_documents import choice_of, select

    chosen = select(samples, choice_of(conditions))
    if not chosen:
        raise UsageError(f"None of {len(samples)} documents has {' '.join(conditions)}.")
    return chosen


def _format(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items()) or "none"
    return str(value)


def tasks(
    file: Documents,
    *,
    task: Annotated[str, typer.Option(help="given_count, no_count or names.")],
    out: Annotated[Path, typer.Option(help="Set file to write (.jsonl).")],
    where: Where = None,
) -> None:
    """Make a set file from published documents, for `run --file`."""
    from causarium.families.recite.paper import FAMILY
    from causarium.families.recite.paper.publication.dataset_files import read_samples, write_set_of

    for name in TASKS:
        if name == task:
            written = write_set_of(FAMILY, _select(read_samples(file), where or ()), out, name)
            print_note(f"{written} documents in {out}, as {task}")
            return
    raise UnknownName("task", task, TASKS)


def responses(
    file: Documents,
    answers: Annotated[Path, typer.Argument(metavar="RESPONSES", help="File of responses.")],
    *,
    evaluations: Annotated[
        Path | None, typer.Option(help="File of evaluations; its labels score the responses.")
    ] = None,
    beside: Annotated[
        list[Path] | None,
        typer.Option(help="Logs of your own runs on the same file. Repeatable."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("reports"),
    formats: Annotated[
        list[str] | None, typer.Option("--format", help="html or json. Repeatable.")
    ] = None,
) -> None:
    """Score published responses again and report them, with your own runs for comparison."""
    from causarium.families.recite.paper import FAMILY
    from causarium.families.recite.paper.publication.dataset_files import read_samples
    from causarium.report import FORMATS
    from causarium.report.data.build_report import build_report
    from causarium.report.output.write_report import write_built
    from causarium_recite_lab.analysis.published_responses import (
        import_responses,
        read_responses,
        read_stored_evaluations,
    )

    imported = import_responses(
        FAMILY,
        read_samples(file),
        read_responses(answers),
        read_stored_evaluations(evaluations) if evaluations is not None else (),
        name=file.stem,
    )
    if not imported.rows:
        raise UsageError(f"No response in {answers} belongs to a document in {file}.")
    print_note(str(imported))
    rows, figures, notes = with_runs([*imported.rows, *imported.baselines], beside or ())
    labels = ["--evaluations", str(evaluations)] if evaluations is not None else []
    made = shlex.join(["causarium", "recite", "responses", str(file), str(answers), *labels])
    kinds = tuple(formats or FORMATS)
    report = build_report(rows, panels=figures, notes=notes, commands=(made,))
    written = write_built(report, rows, out, formats=kinds)
    for path in written.values():
        print(path)


def with_runs(
    imported: "Sequence[Row]", logs: Sequence[Path]
) -> "tuple[list[Row], list[Panel], tuple[str, ...]]":
    """Return imported rows with those of logs, the figures of both, and what could not be read."""
    if logs:
        from causarium.engine.logbook.log_book import LogBook
        from causarium.report.output.report_logs import draw_family_figures

        book = LogBook.read(list(logs))
        rows = [*imported, *book.rows]
        return rows, draw_family_figures(book, rows), book.problems
    from causarium.families.recite.paper import FAMILY
    from causarium.families.recite.paper.views.row_charts import draw_rows
    from causarium.report.data.report_data import Panel
    from causarium_recite_lab.analysis.row_tables import draw_tables

    scored = [row for row in imported if row.unscored is None]
    figures = [
        Panel(title=figure.title, markup=figure.svg, caption=figure.caption, family=FAMILY.name)
        for figure in (*draw_rows(imported), *draw_tables(scored))
    ]
    return list(imported), figures, ()
