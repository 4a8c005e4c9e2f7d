"""`causarium recite`, the part about what scores say and how far they can be trusted."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from causarium.cli.options import AsJson
from causarium.cli.shared import INCOMPLETE, print_json, print_line, print_note
from causarium.errors import UnknownName, UsageError
from causarium_recite_lab.commands.datasets import read_documents

if TYPE_CHECKING:
    from causarium_recite_lab.analysis.row_tables import Table


def analysis(
    logs: Annotated[list[Path], typer.Argument(metavar="LOGDIR...", help="Logs, or folders.")],
    *,
    metric: Annotated[str, typer.Option(help="Metric to break down.")] = "f1",
    cutoff: Annotated[
        list[str] | None,
        typer.Option(help="Knowledge cutoff of a model, NAME=YYYY-MM. Repeatable."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Print scores by rung, length, graph, domain and date; then quarters, errors and judges.

    With rows of several judges it prints their agreement and whether they favour related models;
    with rows of none, how reliable the keyless judge is.
    """
    from causarium.api.rows import read_rows
    from causarium.families.recite.paper import FAMILY
    from causarium_recite_lab.analysis.own_runs import make_own_tables, read_own_runs
    from causarium_recite_lab.analysis.row_tables import facet_tables, tables

    if metric not in FAMILY.metrics:
        raise UnknownName("metric", metric, FAMILY.metrics)
    rows = [row for row in read_rows(logs) if row.family == FAMILY.name]
    scored = [row for row in rows if row.unscored is None]
    if not scored:
        raise UsageError(f"The logs have {len(rows)} ReCITE rows, and none of them has a score.")
    shapes, reasoning = read_own_runs(logs)
    breakdowns = [
        *facet_tables(scored, metric),
        *make_own_tables(scored, shapes, reasoning, metric),
        *tables(scored, cutoff or ()),
    ]
    if json:
        print_json(
            {
                "rows": len(rows),
                "unscored": len(rows) - len(scored),
                "tables": [_as_data(table) for table in breakdowns],
            }
        )
        return
    print_line(f"{len(rows)} rows; {len(rows) - len(scored)} unscored rows are left out below")
    for table in breakdowns:
        _print(table)


def _as_data(table: "Table") -> dict[str, object]:
    lines = [dict(zip(table.header, line, strict=True)) for line in table.lines]
    return {"title": table.title, "lines": lines, "caption": table.caption}


def _print(table: "Table") -> None:
    print_line(f"\n{table.title}")
    rows: Sequence[Sequence[str]] = (table.header, *table.lines)
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [first.ljust(wide[0]), *map(str.rjust, others, wide[1:])]
        print_line("  " + "  ".join(cells).rstrip())
    print_line(table.caption)


def trust(
    *,
    encoder: Annotated[
        Path | None, typer.Option(help="Folder of the encoder: fit and measure its judge anew.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="File to write the fitted weights to (.json).")
    ] = None,
    json: AsJson = False,
) -> None:
    """Measure how well the keyless judge agrees with the written documents.

    Without an encoder, the stored agreement of its judge is printed.
    """
    from json import dumps

    from causarium_recite_lab.analysis.match_agreement import match_strangers
    from causarium_recite_lab.analysis.row_tables import measure_match_agreement
    from causarium_recite_lab.encoder.encoder_judge import load_model

    if encoder is not None:
        from causarium_recite_lab.analysis.fit_judge import fit_judge
        from causarium_recite_lab.encoder.sentence_encoder import load_encoder

        model = fit_judge(load_encoder(str(encoder)))
    else:
        model = load_model()
    if out is not None:
        out.write_text(dumps(asdict(model), indent=2) + "\n", "utf-8")
    by_words, strangers = measure_match_agreement(), match_strangers()
    if json:
        numbers = {"recall": by_words.recall, "precision": by_words.precision}
        measured = {
            "strangers": asdict(strangers),
            "encoder": asdict(model.agreement),
            "encoder_strangers": asdict(model.strangers),
            "encoder_unaided": asdict(model.unaided),
            "encoder_opposites_refused": model.opposites_refused,
        }
        print_json({**asdict(by_words), **numbers, **measured})
        return
    print_line(f"The keyless judge is approximate. By words, on held-out aliases: {by_words}.")
    print_line(f"On names by strangers: {strangers}.")
    print_line(f"With the rule embeddings=minilm, on both: {model.agreement}.")
    print_line(f"On names by strangers: {model.strangers}.")
    print_line(f"On both, where only the documents' own names are known: {model.unaided}.")
    print_line(f"Of opposites of nodes {model.opposites_refused:.3f} are refused.")


def label(
    model: Annotated[str, typer.Option(help="Model that labels.")],
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Documents (default: the written ones).")
    ] = None,
    *,
    out: Annotated[Path, typer.Option(help="File to write: .parquet, .jsonl or .csv.")],
    json: AsJson = False,
) -> None:
    """Have a model label how explicit each node is in its text, and compare with FILE's labels.

    Replies are saved beside the new file, so that an interrupted pass resumes; those about a
    document that got no labels are put aside, and the same command asks about it again.
    """
    from causarium.families.recite.paper.publication.dataset_files import write_samples
    from causarium_recite_lab.analysis.relabel_explicitness import (
        agreement,
        relabel,
        sum_labels,
    )
    from causarium_recite_lab.ask_model import open_model
    from causarium_recite_lab.building.ask_once import Remembered

    samples = read_documents(file)
    with open_model(model) as reply:
        relabelled = []
        for sample in samples:
            remembered = Remembered(out.with_name(f"{out.name}.replies.jsonl"), reply, model)
            relabelled.append(relabel(sample, remembered))
            if relabelled[-1].problem:
                remembered.forget()
            print_note(f"{sample.id}: {relabelled[-1].problem or 'labelled'}")
    after = [document.after for document in relabelled]
    write_samples(out, after)
    compared, kappa = agreement(relabelled)
    unlabelled = {each.after.id: each.problem for each in relabelled if each.problem}
    summary = {
        "documents": len(relabelled),
        "unlabelled": unlabelled,
        **asdict(sum_labels(after)),
        "compared": compared,
        "kappa": kappa,
    }
    print_json(summary) if json else _print_labels(summary)
    if unlabelled:
        raise typer.Exit(INCOMPLETE)


def _print_labels(summary: Mapping[str, Any]) -> None:
    counts = ", ".join(f"{summary['by_label'][n]} labelled {n}" for n in (1, 2, 3))
    print_line(f"{summary['documents']} documents, {summary['nodes']} nodes: {counts}")
    for name in ("lenient", "strict"):
        bins = ", ".join(f"{count} at {part}" for part, count in summary[f"{name}_bins"].items())
        print_line(f"explicitness, {name}: mean {summary[name]['value']:.3f}; documents: {bins}")
    if summary["compared"]:
        print_line(
            f"kappa {summary['kappa']:.3f} with the {summary['compared']} labels there before"
        )
    if summary["unlabelled"]:
        print_line(
            f"{len(summary['unlabelled'])} documents keep their labels, because some nodes got none"
        )
