"""`causarium recite`, the part about files of the published schema."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.shared import AsJson, print_json, talk
from causarium.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from causarium.contract.row import Row
    from causarium.families.recite.formats.dataset_row import Sample
    from causarium.families.recite.instance import Task
    from causarium.report.data.family_facts import Panel

COMPANIONS = ("responses", "evaluations")
TASKS: "tuple[Task, ...]" = ("given_count", "no_count", "names")

Documents = Annotated[
    Path, typer.Argument(metavar="FILE", help="Documents: .parquet, .jsonl, .json or .csv.")
]

Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="Only some documents: ids, domains, all_domains, source, before, after, until, or "
        "min_ or max_ and nodes, edges or explicitness; may be given again.",
    ),
]


def fetch(
    out: Annotated[Path, typer.Argument(help="The file to write: .parquet, .jsonl or .csv.")],
    *,
    companion: Annotated[
        str | None, typer.Option(help="Not the documents but `responses` or `evaluations`.")
    ] = None,
) -> None:
    """Get the published dataset from the hub, where there is a network."""
    from causarium.families.recite.formats.dataset_files import (
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
    talk(f"{written} rows in {out}")


def stats(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="By default the written documents.")
    ] = None,
    *,
    domain: Annotated[
        list[str] | None, typer.Option(help="Only documents of this domain; may be given again.")
    ] = None,
    source: Annotated[str | None, typer.Option(help="Only documents of this source.")] = None,
    after: Annotated[str | None, typer.Option(help="Only from this day on, YYYY-MM-DD.")] = None,
    before: Annotated[str | None, typer.Option(help="Only before this day.")] = None,
    where: Where = None,
    json: AsJson = False,
) -> None:
    """Count documents, and print the shape of their graphs as the published table does."""
    from dataclasses import asdict

    from causarium.families.recite.formats.select_documents import statistics
    from causarium.families.recite.mechanics.topology import spreads, topology

    given = {"domains": ",".join(domain or ()), "source": source, "after": after, "before": before}
    wishes = [f"{name}={value}" for name, value in given.items() if value]
    chosen = _chosen(_samples(file), [*wishes, *(where or ())])
    shapes = spreads([topology(sample.names, sample.pairs) for sample in chosen])
    found = statistics(chosen)
    if json:
        table = {name: asdict(spread) for name, spread in shapes.items()}
        print_json({**found, "topology": table})
        return
    for name, value in found.items():
        print(f"{name}: {_short(value)}")
    print(f"\n{'':18}{'mean':>9}{'std':>9}{'min':>9}{'median':>9}{'max':>9}")
    for name, spread in shapes.items():
        print(f"{name:18}" + "".join(f"{value:9.3f}" for value in asdict(spread).values()))


def _samples(file: Path | None) -> "list[Sample]":
    from causarium.families.recite.config import LEVELS
    from causarium.families.recite.formats.dataset_files import read_samples
    from causarium.families.recite.formats.dataset_row import sample_of
    from causarium.families.recite.generate import generate
    from causarium.families.recite.generation.written_documents import mini_keys

    if file is not None:
        return read_samples(file)
    written = [generate(LEVELS["mini"], 0, place) for place in range(len(mini_keys()))]
    return [sample_of(one, number) for number, one in enumerate(written, 1)]


def _chosen(samples: "list[Sample]", wishes: Sequence[str]) -> "list[Sample]":
    from causarium.families.recite.formats.select_documents import choice_of, select

    chosen = select(samples, choice_of(wishes))
    if not chosen:
        raise UsageError(f"none of {len(samples)} documents is left by {' '.join(wishes)}")
    return chosen


def _short(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items()) or "none"
    return str(value)


def tasks(
    file: Documents,
    *,
    task: Annotated[str, typer.Option(help="given_count, no_count or names.")],
    out: Annotated[Path, typer.Option(help="The set file to write, JSON lines.")],
    where: Where = None,
) -> None:
    """Make a set file of published documents, for `run --file`."""
    from causarium.families.recite import FAMILY
    from causarium.families.recite.formats.dataset_files import read_samples, write_set_of

    for known in TASKS:
        if known == task:
            written = write_set_of(FAMILY, _chosen(read_samples(file), where or ()), out, known)
            talk(f"{written} documents in {out}, as {task}")
            return
    raise UnknownName("task", task, TASKS)


def responses(
    file: Documents,
    answers: Annotated[Path, typer.Argument(metavar="RESPONSES", help="A responses file.")],
    *,
    evaluations: Annotated[
        Path | None, typer.Option(help="An evaluations file; its labels judge the responses.")
    ] = None,
    beside: Annotated[
        list[Path] | None,
        typer.Option(help="Logs of your own runs of the same file; may be given again."),
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("reports"),
    formats: Annotated[
        list[str] | None, typer.Option("--format", help="html, md or json; may be given again.")
    ] = None,
) -> None:
    """Score published responses again, and write a report of them, with your own runs beside."""
    from causarium.families.recite import FAMILY
    from causarium.families.recite.analysis.published_responses import (
        import_responses,
        read_responses,
        read_stored_evaluations,
    )
    from causarium.families.recite.formats.dataset_files import read_samples
    from causarium.report.output.write_report import FORMATS, write_report

    found = import_responses(
        FAMILY,
        read_samples(file),
        read_responses(answers),
        read_stored_evaluations(evaluations) if evaluations is not None else (),
        name=file.stem,
    )
    if not found.rows:
        raise UsageError(f"none of the responses in {answers} is to a document in {file}")
    talk(str(found))
    rows, drawn, notes = with_runs([*found.rows, *found.baselines], beside or ())
    labels = ["--evaluations", str(evaluations)] if evaluations is not None else []
    made = shlex.join(["causarium", "recite", "responses", str(file), str(answers), *labels])
    kinds = tuple(formats or FORMATS)
    written = write_report(rows, out, formats=kinds, panels=drawn, notes=notes, commands=(made,))
    for path in written.values():
        print(path)


def with_runs(
    imported: "Sequence[Row]", logs: Sequence[Path]
) -> "tuple[list[Row], list[Panel], tuple[str, ...]]":
    """Return imported rows with those of logs, the pictures of both, and what could not be read."""
    if logs:
        from causarium.engine.logbook.log_book import LogBook
        from causarium.report.figures.family_figures import panels

        book = LogBook.read(list(logs))
        rows = [*imported, *book.rows]
        return rows, panels(book, rows), book.problems
    from causarium.families.recite import FAMILY
    from causarium.families.recite.charts.row_charts import draw_rows
    from causarium.report.data.family_facts import Panel

    drawn = [
        Panel(title=one.title, markup=one.svg, caption=one.caption, family=FAMILY.name)
        for one in draw_rows(imported)
    ]
    return list(imported), drawn, ()


def add_to(app: typer.Typer) -> None:
    """Add these commands to the family's own."""
    for command in (fetch, stats, tasks, responses):
        app.command(command.__name__)(command)
