"""`causarium check`: does a family keep the contract?"""

from typing import Annotated

import typer

from causarium.cli.shared import AsJson, family_of, print_json, talk


def check(
    family: Annotated[str | None, typer.Argument(metavar="[FAMILY]", help="Only this one.")] = None,
    *,
    full: Annotated[bool, typer.Option("--full", help="All sets, not only smoke.")] = False,
    json: AsJson = False,
) -> None:
    """Check the contract's promises, for our families and for yours; no model is needed."""
    from causarium import families
    from causarium.contract.check_family import run_checks

    failed = 0
    for name in [family] if family else families.names():
        checked = family_of(name)
        talk(f"checking {name} {checked.card.version}")
        for finding in run_checks(checked, quick=not full):
            failed += not finding.passed
            if json:
                print_json({"family": name, **finding.model_dump(mode="json")})
            else:
                mark = "kept  " if finding.passed else "BROKEN"
                print(f"{mark} {name}: {finding.name}")
                if not finding.passed:
                    print(f"       {finding.detail}")
    if failed:
        talk(f"{failed} promises broken")
        raise typer.Exit(1)
