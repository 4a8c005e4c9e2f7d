"""`causarium generate`: generate instances of a level and save them."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.options import AsJson, FamilyName
from causarium.cli.shared import print_json, print_note


def generate(
    family: FamilyName,
    *,
    level: Annotated[str, typer.Option(help="Level; see `causarium list FAMILY`.")],
    size: Annotated[int, typer.Option(min=1, help="Number of instances.")],
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    out: Annotated[Path, typer.Option(help="File to write (.jsonl).")],
    released: Annotated[
        bool, typer.Option("--released", help="Write the published release's own format.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Generate instances of a level and save them."""
    from causarium.api.find_benchmark import load_level

    benchmark = load_level(family, level)
    if released:
        count = benchmark.write_released(out, level, size=size, seed=seed)
        print_note(f"{count} instances of {family}/{level} in {out}, in the released format")
        return
    header = benchmark.write_set(out, level, size=size, seed=seed)
    if json:
        print_json({**header.model_dump(mode="json"), "file": str(out)})
    else:
        print_note(f"{size} instances of {family}/{level} in {out}, {header.digest}")
