"""`causarium recite collect`: from a list of records to folders that can be annotated."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.options import AsJson
from causarium.cli.shared import print_json


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
