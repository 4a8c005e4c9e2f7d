"""`causarium data-card`: what a family's sets are, for people and for programs."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.options import FamilyName
from causarium.cli.shared import print_note


def data_card(
    family: FamilyName,
    *,
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    data: Annotated[
        list[str] | None,
        typer.Option(help="Write this set too, as in certified-standard. Repeatable."),
    ] = None,
) -> None:
    """Write the data card of a family, with Croissant metadata, and sets if asked for."""
    from causarium import families
    from causarium.connect.data_card import write_data_card

    write_data_card(families.get(family), out, data or ())
    print_note(f"data card of {family} in {out}")
