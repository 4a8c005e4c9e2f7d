"""`causarium recite collect` and `build`: from records to papers to a dataset of one's own."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from causarium.cli.options import AsJson
from causarium.cli.shared import INCOMPLETE, print_json, print_note

if TYPE_CHECKING:
    from causarium_recite_lab.building.ask_once import Reply
    from causarium_recite_lab.building.build_steps import Outcome
    from causarium_recite_lab.building.paper_folder import Folder


def build(
    folder: Annotated[Path, typer.Argument(help="Folder with one folder per paper.")],
    model: Annotated[str | None, typer.Option(help="Model that the steps call.")] = None,
    step: Annotated[list[str] | None, typer.Option(help="Do only this step. Repeatable.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="File to write finished papers to: .parquet, .jsonl or .csv."),
    ] = None,
    keyless: Annotated[
        bool, typer.Option("--keyless", help="Do by rule what would otherwise call a model.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Run all remaining steps and export finished papers.

    A paper's folder has a source.pdf (or source.txt), an annotation.txt with lines of "cause" ->
    "effect", and optionally a second.txt by another annotator and a paper.toml with title, url,
    abstract, source and date. Finished steps are saved and not done again.
    """
    from causarium_recite_lab.building.build_steps import build as build_all
    from causarium_recite_lab.building.build_steps import choose_steps
    from causarium_recite_lab.building.paper_folder import folders
    from causarium_recite_lab.building.write_dataset import is_finished, samples

    choose_steps(step or [])
    with _open_model(model) as reply:
        papers = folders(folder)
        watch = None if json else _print_step
        outcomes = build_all(
            papers, reply, model=model or "", steps=step or [], watch=watch, keyless=keyless
        )
    finished = [paper for paper in papers if is_finished(paper)]
    if out is not None and finished:
        from causarium.families.recite.paper.publication.dataset_files import write_samples

        write_samples(out, samples(papers))
    summary = _summarize(papers, finished, outcomes, out if finished else None)
    if json:
        print_json(summary)
    else:
        print(f"{len(finished)} of {len(papers)} papers are finished")
        if agreement := summary["agreement"]:
            print(", ".join(f"{name} {value:g}" for name, value in agreement.items()))
    if len(finished) < len(papers):
        if model is None and not keyless:
            print_note("Some steps need --model, or --keyless to do them by rule.")
        raise typer.Exit(INCOMPLETE)


def collect(
    records: Annotated[
        Path,
        typer.Argument(
            metavar="LIST",
            help="Records with title, abstract, url, source, date, file: .jsonl, .json or .csv.",
        ),
    ],
    *,
    out: Annotated[Path, typer.Option(help="Where the papers' folders go.")] = Path("papers"),
    json: AsJson = False,
) -> None:
    """Choose papers from a list by the published rules, and write a folder for each.

    Nothing is fetched. Records without "causal loop diagram" are no candidates; abstracts about a
    workshop or group model building are left out, and so is what has a reason in the column
    `excluded`. The folders are what `causarium recite build` works on.
    """
    from causarium_recite_lab.building.collect_papers import (
        PUBLISHED_CANDIDATES,
        PUBLISHED_KEPT,
        collect_papers,
    )

    found = collect_papers(records, out)
    if json:
        print_json(
            {
                "candidates": found.candidates,
                "kept": len(found.kept),
                "reasons": found.reasons,
                "out": str(out),
            }
        )
        return
    print(
        f"{found.candidates} candidates, {len(found.kept)} kept (published: "
        f"{PUBLISHED_CANDIDATES} and {PUBLISHED_KEPT})"
    )
    for reason, count in found.reasons.items():
        print(f"  {count} left out: {reason}")
    print(f"Folders and excluded.csv are in {out}.")


def _print_step(outcome: "Outcome") -> None:
    detail = f": {outcome.detail}" if outcome.detail else ""
    print_note(f"{outcome.paper}: {outcome.step} {outcome.state}{detail}")


def _open_model(model: str | None) -> "AbstractContextManager[Reply | None]":
    if model is None:
        return nullcontext()
    from causarium_recite_lab.ask_model import open_model

    return open_model(model)


def _summarize(
    papers: "Sequence[Folder]",
    finished: "Sequence[Folder]",
    outcomes: "Sequence[Outcome]",
    out: Path | None,
) -> dict[str, Any]:
    from causarium_recite_lab.building.write_dataset import measure_agreement

    agreement = measure_agreement(papers)
    return {
        "papers": len(papers),
        "finished": len(finished),
        "steps": [asdict(outcome) for outcome in outcomes],
        "agreement": agreement.numbers() if agreement is not None else None,
        "out": str(out) if out is not None else None,
    }
