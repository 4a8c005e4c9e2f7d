"""The commands `causarium export` and `causarium data-card`."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.options import EditionName, FamilyName
from causarium.cli.shared import print_note


def export(
    family: FamilyName,
    *,
    form: Annotated[
        str, typer.Option("--format", help="hf (a folder), parquet or sft (JSON lines).")
    ],
    size: Annotated[int, typer.Option(min=1, help="Number of episodes.")],
    out: Annotated[Path, typer.Option(help="File to write; a folder for hf.")],
    edition: EditionName = "certified",
    level: Annotated[str | None, typer.Option(help="Level (default: the easiest).")] = None,
    split: Annotated[str, typer.Option(help="train or validation.")] = "train",
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    player: Annotated[
        str | None, typer.Option(help="Player (default: one that infers causes).")
    ] = None,
    sighted: Annotated[
        bool, typer.Option("--sighted", help="Allow a player that sees the hidden answer.")
    ] = False,
    min_reward: Annotated[
        float, typer.Option(min=0, max=1, help="Leave out episodes that earn less.")
    ] = 1.0,
) -> None:
    """Export episodes of a reference player as data to train on."""
    from causarium.api.benchmark import load
    from causarium_data.export_data import export_data

    count = export_data(
        load(family, edition=edition),
        out,
        form=form,
        size=size,
        level=level,
        split=split,
        seed=seed,
        player=player,
        sighted=sighted,
        least_reward=min_reward,
    )
    print_note(f"{count} {'episode' if count == 1 else 'episodes'} of {family} in {out}")


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
    from causarium_data.data_card import write_data_card

    write_data_card(families.get(family), out, data or ())
    print_note(f"data card of {family} in {out}")
