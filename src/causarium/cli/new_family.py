"""`causarium new-family`: scaffold a family whose tests fail until it is filled."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.shared import talk


def new_family(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A Python name, lower case.")],
    *,
    root: Annotated[Path, typer.Option(help="The checkout to write into.")] = Path(),
) -> None:
    """Write the folder of a new family, with tests that fail until it is filled."""
    from causarium.scaffold import write_family

    for path in write_family(name, root):
        print(path)
    talk("docs/adding-a-family.md explains what to fill in, in which order")
    if not (root / "src/causarium/families/__init__.py").is_file():
        talk(
            "this is no checkout of causarium: move the folder into a package of your own, mend "
            "its imports, and name it under the entry-point group causarium.families"
        )
