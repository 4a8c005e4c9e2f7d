"""`causarium check`: does a family keep its promises?"""

from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.completion import complete_family
from causarium.cli.options import AsJson
from causarium.cli.shared import print_json, print_note

if TYPE_CHECKING:
    from causarium.contract.family import AnyFamily


def check(
    family: Annotated[
        str | None,
        typer.Argument(
            metavar="[FAMILY]", help="Check only this family.", autocompletion=complete_family
        ),
    ] = None,
    *,
    full: Annotated[bool, typer.Option("--full", help="Check all sets, not just smoke.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Count what was skipped as failed.")
    ] = False,
    write_digests: Annotated[
        bool,
        typer.Option("--write-digests", help="Write the digests of changed sets into the card."),
    ] = False,
    json: AsJson = False,
) -> None:
    """Check that families keep their promises. No model needed."""
    from causarium import families

    failed = 0
    for name in [family] if family else families.names():
        if write_digests:
            _write_digests(families.get(name))
        else:
            failed += _check_one(families.get(name), full=full, strict=strict, json=json)
    if failed:
        print_note(f"{failed} checks failed")
        raise typer.Exit(1)


def _check_one(family: "AnyFamily", *, full: bool, strict: bool, json: bool) -> int:
    from causarium.contract.checks.check_family import open_subject, run_check_list

    subject = open_subject(family, quick=not full)
    print_note(f"checking {family.name} {family.card.version}")
    failed = 0
    for finding in run_check_list(subject):
        failed += not finding.passed or (strict and bool(finding.skipped))
        if json:
            print_json({"family": family.name, **finding.model_dump(mode="json")})
            continue
        mark = "skipped" if finding.skipped else "ok     " if finding.passed else "FAILED "
        print(f"{mark} {family.name}: {finding.name}")
        if detail := finding.detail or (finding.skipped and f"needs causarium[{finding.skipped}]"):
            print(f"        {detail}")
    for extra in sorted(set(subject.skipped.values())):
        players = ", ".join(name for name, needs in subject.skipped.items() if needs == extra)
        print_note(f"skipped {players} of {family.name} (needs causarium[{extra}])")
        failed += strict
    return failed


def _write_digests(family: "AnyFamily") -> None:
    from causarium.contract.checks.write_digests import write_digests

    for name in write_digests(family):
        print_note(f"{family.name}: new digest of {name}; raise the version in its card")
