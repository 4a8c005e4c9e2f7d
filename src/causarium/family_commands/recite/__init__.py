"""`causarium recite`: what only that family needs: datasets, published and of one's own."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from causarium.cli.shared import INCOMPLETE, AsJson, print_json, talk
from causarium.family_commands.recite import analysis, collect, datasets, wordings

if TYPE_CHECKING:
    from causarium.families.recite.building.ask_once import Reply
    from causarium.families.recite.building.build_steps import Outcome
    from causarium.families.recite.building.paper_folder import Folder

app = typer.Typer(help="ReCITE datasets: the published one, and your own.", no_args_is_help=True)


@app.callback()
def recite() -> None:
    """ReCITE datasets: the published one, and your own."""


@app.command("build")
def build(
    folder: Annotated[Path, typer.Argument(help="A folder with one folder a paper in it.")],
    model: Annotated[str | None, typer.Option(help="The model that the steps ask.")] = None,
    step: Annotated[list[str] | None, typer.Option(help="Only this step; may be repeated.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where finished papers go: .parquet, .jsonl or .csv.")
    ] = None,
    keyless: Annotated[
        bool, typer.Option("--keyless", help="Do by rule what would ask a model.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Do every step that is due, and export what is finished.

    A paper's folder has a source.pdf (or source.txt), an annotation.txt with lines of "cause" ->
    "effect", and perhaps a second.txt by another annotator and a paper.toml with title, url,
    abstract, source and date. What is done is kept and not done again.
    """
    from causarium.families.recite.building.build_steps import build as build_all
    from causarium.families.recite.building.build_steps import chosen_steps
    from causarium.families.recite.building.paper_folder import folders
    from causarium.families.recite.building.write_dataset import is_finished, samples

    chosen_steps(step or [])
    with _asking(model) as reply:
        papers = folders(folder)
        watch = None if json else _tell
        outcomes = build_all(
            papers, reply, model=model or "", steps=step or [], watch=watch, keyless=keyless
        )
    finished = [paper for paper in papers if is_finished(paper)]
    if out is not None and finished:
        from causarium.families.recite.formats.dataset_files import write_samples

        write_samples(out, samples(papers))
    summary = _summary(papers, finished, outcomes, out if finished else None)
    if json:
        print_json(summary)
    else:
        print(f"{len(finished)} of {len(papers)} papers are finished")
        if agreement := summary["agreement"]:
            print(", ".join(f"{name} {value:g}" for name, value in agreement.items()))
    if len(finished) < len(papers):
        if model is None and not keyless:
            talk("Steps that ask a model wait; give --model, or --keyless to do them by rule.")
        raise typer.Exit(INCOMPLETE)


def _tell(one: "Outcome") -> None:
    talk(f"{one.paper}: {one.step} {one.state}{f': {one.detail}' if one.detail else ''}")


def _asking(model: str | None) -> "AbstractContextManager[Reply | None]":
    if model is None:
        return nullcontext()
    from causarium.engine.run.ask_model import asker

    return asker(model)


def _summary(
    papers: "Sequence[Folder]",
    finished: "Sequence[Folder]",
    outcomes: "Sequence[Outcome]",
    out: Path | None,
) -> dict[str, Any]:
    from causarium.families.recite.building.write_dataset import agreed

    found = agreed(papers)
    return {
        "papers": len(papers),
        "finished": len(finished),
        "steps": [asdict(one) for one in outcomes],
        "agreement": found.numbers() if found is not None else None,
        "out": str(out) if out is not None else None,
    }


collect.add_to(app)
wordings.add_to(app)
datasets.add_to(app)
analysis.add_to(app)
