"""`causarium recite`, the part about files of the published schema."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.app import AsJson, print_json, talk
from causarium.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from causarium.families.recite.instance import Task
    from causarium.families.recite.sample import Sample

COMPANIONS = ("responses", "evaluations")
TASKS: "tuple[Task, ...]" = ("given_count", "no_count", "names")

Documents = Annotated[
    Path, typer.Argument(metavar="FILE", help="Documents: .parquet, .jsonl, .json or .csv.")
]


def fetch(
    out: Annotated[Path, typer.Argument(help="The file to write: .parquet, .jsonl or .csv.")],
    *,
    companion: Annotated[
        str | None, typer.Option(help="Not the documents but `responses` or `evaluations`.")
    ] = None,
) -> None:
    """Get the published dataset from the hub, where there is a network."""
    from causarium.families.recite.data import (
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
    json: AsJson = False,
) -> None:
    """Count documents, and print the shape of their graphs as the published table does."""
    from dataclasses import asdict

    from causarium.families.recite.selection import Choice, select, statistics
    from causarium.families.recite.topology import spreads, topology

    domains = tuple(domain) if domain else None
    choice = Choice(domains=domains, source=source, after=after, before=before)
    chosen = select(_samples(file), choice)
    if not chosen:
        raise UsageError("no document is left; loosen --domain, --source, --after or --before")
    shapes = spreads([topology(sample.nodes, sample.pairs) for sample in chosen])
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
    from causarium.families.recite.data import read_samples
    from causarium.families.recite.generate import generate
    from causarium.families.recite.mini import mini_keys
    from causarium.families.recite.sample import sample_of

    if file is not None:
        return read_samples(file)
    written = [generate(LEVELS["mini"], 0, place) for place in range(len(mini_keys()))]
    return [sample_of(one, number) for number, one in enumerate(written, 1)]


def _short(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items()) or "none"
    return str(value)


def tasks(
    file: Documents,
    *,
    task: Annotated[str, typer.Option(help="given_count, no_count or names.")],
    out: Annotated[Path, typer.Option(help="The set file to write, JSON lines.")],
) -> None:
    """Make a set file of published documents, for `run --file`."""
    from causarium.families.recite import FAMILY
    from causarium.families.recite.data import write_set_of

    for known in TASKS:
        if known == task:
            written = write_set_of(FAMILY, file, out, known)
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
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("reports"),
) -> None:
    """Score published responses again, and write a report of them."""
    from causarium.families.recite import FAMILY
    from causarium.families.recite.data import read_samples
    from causarium.families.recite.responses import (
        import_responses,
        read_responses,
        read_stored_evaluations,
    )
    from causarium.report.write import write_report

    found = import_responses(
        FAMILY,
        read_samples(file),
        read_responses(answers),
        read_stored_evaluations(evaluations) if evaluations is not None else (),
    )
    if not found.rows:
        raise UsageError(f"none of the responses in {answers} is to a document in {file}")
    unscored = sum(row.unscored is not None for row in found.rows)
    talk(
        f"{len(found.rows)} rows, {found.unjudged} of them scored without stored labels, "
        f"{unscored} unscored; {found.strangers} responses to other documents"
    )
    for path in write_report(found.rows, out).values():
        print(path)


def add_to(app: typer.Typer) -> None:
    """Add these commands to the family's own."""
    for command in (fetch, stats, tasks, responses):
        app.command(command.__name__)(command)
