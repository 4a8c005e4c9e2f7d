"""`causarium new-family`: scaffold a family whose tests fail until it is filled."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.shared import print_note


def new_family(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Python name in lower case.")],
    *,
    root: Annotated[Path, typer.Option(help="Folder to write into.")] = Path(),
    package: Annotated[
        bool | None,
        typer.Option(
            "--package/--in-tree",
            help="Write an installable package, or into a checkout of causarium "
            "(default: what the folder is).",
        ),
    ] = None,
) -> None:
    """Create a new family with tests to fill in."""
    from causarium.scaffold import write_family, write_package

    checkout = (root / "src/causarium/families/__init__.py").is_file()
    if package or (package is None and not checkout):
        paths, then = write_package(name, root), f"pip install -e {root / name}"
    else:
        paths, then = write_family(name, root), f"add {name!r} to FAMILIES in families/__init__.py"
    for path in paths:
        print(path)
    print_note(f"Next: {then}; docs/adding-a-family.md explains what to fill in, in which order.")
