"""`causarium generate`: draw instances of a level into a set file."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.shared import AsJson, FamilyName, family_of, print_json, talk
from causarium.contract.family import AnyFamily
from causarium.contract.family_card import Part
from causarium.contract.instance_sets import generate_instances, write_set
from causarium.errors import UsageError


def generate(
    family: FamilyName,
    *,
    level: Annotated[str, typer.Option(help="A named configuration; see `list`.")],
    size: Annotated[int, typer.Option(min=1, help="How many instances.")],
    seed: Annotated[int, typer.Option(help="Where drawing starts.")] = 0,
    out: Annotated[Path, typer.Option(help="The file to write, JSON lines.")],
    released: Annotated[
        bool, typer.Option("--released", help="Write the published release's own format.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Draw instances of a level into a set file."""
    drawn = family_of(family)
    config = drawn.level(level)
    if out.is_dir():
        raise UsageError(f"{out} is a folder; name a file, as in {out / f'{level}.jsonl'}")
    parts = [Part(level=level, size=size, seed=seed)]
    if released:
        _write_released(drawn, parts, out)
        return
    header = write_set(out, drawn, config.edition, parts)
    if json:
        print_json({**header.model_dump(mode="json"), "file": str(out)})
    else:
        talk(f"{size} instances of {family}/{level} in {out}, {header.digest}")


def _write_released(family: AnyFamily, parts: list[Part], out: Path) -> None:
    if family.write_released is None:
        raise UsageError(f"{family.name} has no released format of its own; leave --released out")
    written = family.write_released(out, list(generate_instances(family, parts)))
    talk(f"{written} instances of {family.name}/{parts[0].level} in {out}, in the released format")
