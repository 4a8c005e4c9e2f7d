"""`causarium recite`, the part about what scores say and how far they can be trusted."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from causarium.cli.shared import INCOMPLETE, AsJson, print_json, talk
from causarium.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from causarium.families.recite.analysis.row_tables import Table
    from causarium.families.recite.formats.dataset_row import Sample


def analysis(
    logs: Annotated[list[Path], typer.Argument(metavar="LOGDIR...", help="Logs, or folders.")],
    *,
    metric: Annotated[str, typer.Option(help="The metric to look at.")] = "f1",
    cutoff: Annotated[
        list[str] | None,
        typer.Option(help="A model's knowledge cutoff, NAME=YYYY-MM; may be given again."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Print scores by rung, length, graph, domain and date; then quarters, errors and judges.

    With rows by several judges it says how they agree and whether they favour their kin, and
    with rows by none how far the judge without a key can be trusted.
    """
    from causarium.engine.logbook.read_logs import newest_rows
    from causarium.families.recite import FAMILY
    from causarium.families.recite.analysis.own_runs import own_tables
    from causarium.families.recite.analysis.row_tables import facet_tables, tables
    from causarium.family_commands.recite.own_runs import read_own_runs

    if metric not in FAMILY.metrics:
        raise UnknownName("metric", metric, FAMILY.metrics)
    rows = [row for row in newest_rows(logs) if row.family == FAMILY.name]
    scored = [row for row in rows if row.unscored is None]
    if not scored:
        raise UsageError(f"there are {len(rows)} ReCITE rows in the logs, and none has a score")
    shapes, reasoning = read_own_runs(logs)
    found = [
        *facet_tables(scored, metric),
        *own_tables(scored, shapes, reasoning, metric),
        *tables(scored, cutoff or ()),
    ]
    if json:
        print_json(
            {
                "rows": len(rows),
                "unscored": len(rows) - len(scored),
                "tables": [_plain(table) for table in found],
            }
        )
        return
    print(f"{len(rows)} rows, {len(rows) - len(scored)} of them unscored and in no number below")
    for table in found:
        _print(table)


def _plain(table: "Table") -> dict[str, object]:
    lines = [dict(zip(table.header, line, strict=True)) for line in table.lines]
    return {"title": table.title, "lines": lines, "caption": table.caption}


def _print(table: "Table") -> None:
    print(f"\n{table.title}")
    rows: Sequence[Sequence[str]] = (table.header, *table.lines)
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [first.ljust(wide[0]), *map(str.rjust, others, wide[1:])]
        print("  " + "  ".join(cells).rstrip())
    print(table.caption)


def trust(*, json: AsJson = False) -> None:
    """Say how far the judge without a key agrees with the written documents."""
    from causarium.families.recite.analysis.row_tables import measured
    from causarium.families.recite.scoring.encoder_judge import load_model

    found, model = measured(), load_model()
    if json:
        numbers = {"recall": found.recall, "precision": found.precision}
        encoder = {"kappa": model.kappa, "pairs": model.pairs}
        print_json({**asdict(found), **numbers, "encoder": encoder})
        return
    print(f"The judge without a key is approximate. On recite-mini, by words: {found}.")
    print(
        f"With the rule embeddings=minilm: kappa {model.kappa:.3f} on {model.pairs} pairs, each "
        "decided by weights that were set on other documents."
    )


def label(
    model: Annotated[str, typer.Option(help="The model that labels.")],
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="By default the written documents.")
    ] = None,
    *,
    out: Annotated[Path, typer.Option(help="The file to write: .parquet, .jsonl or .csv.")],
    json: AsJson = False,
) -> None:
    """Have a model say of each node how its text tells it, and compare with the labels in FILE.

    Replies are kept beside the new file, so that a pass that was cut off goes on where it was.
    """
    from causarium.engine.run.ask_model import asker
    from causarium.families.recite.analysis.relabel_explicitness import agreement, relabel, summed
    from causarium.families.recite.building.ask_once import Remembered
    from causarium.families.recite.formats.dataset_files import write_samples

    samples = _documents(file)
    with asker(model) as reply:
        remembered = Remembered(out.with_name(f"{out.name}.replies.jsonl"), reply)
        found = []
        for sample in samples:
            found.append(relabel(sample, remembered))
            talk(f"{sample.id}: {found[-1].problem or 'labelled'}")
    after = [one.after for one in found]
    write_samples(out, after)
    compared, kappa = agreement(found)
    unlabelled = {one.after.id: one.problem for one in found if one.problem}
    summary = {
        "documents": len(found),
        "unlabelled": unlabelled,
        **asdict(summed(after)),
        "compared": compared,
        "kappa": kappa,
    }
    print_json(summary) if json else _print_labels(summary)
    if unlabelled:
        raise typer.Exit(INCOMPLETE)


def _documents(file: Path | None) -> "list[Sample]":
    from causarium.families.recite.config import LEVELS
    from causarium.families.recite.formats.dataset_files import read_samples
    from causarium.families.recite.formats.dataset_row import sample_of
    from causarium.families.recite.generate import generate
    from causarium.families.recite.generation.written_documents import mini_keys

    if file is not None:
        return read_samples(file)
    places = range(len(mini_keys()))
    return [sample_of(generate(LEVELS["paper-mini"], 0, place), place + 1) for place in places]


def _print_labels(found: Mapping[str, Any]) -> None:
    told = ", ".join(f"{found['by_label'][n]} labelled {n}" for n in (1, 2, 3))
    print(f"{found['documents']} documents, {found['nodes']} nodes: {told}")
    for name in ("lenient", "strict"):
        bins = ", ".join(f"{count} at {part}" for part, count in found[f"{name}_bins"].items())
        print(f"explicitness, {name}: mean {found[name]['value']:.3f}; documents: {bins}")
    if found["compared"]:
        print(f"kappa {found['kappa']:.3f} with the {found['compared']} labels there before")
    if found["unlabelled"]:
        print(f"{len(found['unlabelled'])} documents keep their labels, as some nodes got none")


def add_to(app: typer.Typer) -> None:
    """Add these commands to the family's own."""
    for command in (analysis, trust, label):
        app.command(command.__name__)(command)
