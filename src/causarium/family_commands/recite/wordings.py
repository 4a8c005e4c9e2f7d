"""`causarium recite wordings`: documents written in a family of wordings of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.shared import print_note
from causarium.errors import UsageError


def wordings(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Family of wordings (.toml).")],
    *,
    out: Annotated[Path, typer.Option(help="Set file to write (.jsonl).")],
    level: Annotated[str, typer.Option(help="Level of generated documents.")] = "synth-connective",
    size: Annotated[int, typer.Option(min=1, help="Number of documents.")] = 10,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
) -> None:
    """Write documents in your own wordings, in case models were trained on ours.

    Each document is read again by code that gets its text and your wordings; one that does not tell
    its whole graph is refused. The file's hash is in every instance's id.
    """
    from causarium.families.recite import FAMILY
    from causarium.families.recite.certify import LEAST_CEILING
    from causarium.families.recite.formats.dataset_files import write_instances

    config = FAMILY.level(level)
    if config.corpus != "synth":
        raise UsageError(f"{level} is not a level of synthetic documents")
    private = config.model_copy(update={"wordings": str(file)})
    drawn = [FAMILY.generate(private, seed, index) for index in range(size)]
    for instance in drawn:
        if instance.secret.ceiling < LEAST_CEILING:
            raise UsageError(
                f"{instance.id} cannot be read back ({instance.secret.ceiling:.3f} of its edges), "
                "so some form of the file reads like another one"
            )
    written = write_instances(FAMILY, drawn, out, config.edition)
    print_note(f"{written} documents in {out}")


def add_to(app: typer.Typer) -> None:
    """Add this command to the family's own."""
    app.command("wordings")(wordings)
