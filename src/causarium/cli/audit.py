"""`causarium audit`: what a set's score is worth to those who do not reason about causes."""

from typing import Annotated

import typer

from causarium.cli.shared import AsJson, FamilyName, family_of, print_json, talk


def audit(
    family: FamilyName,
    *,
    set_name: Annotated[str, typer.Option("--set", help="Name of the set.")] = "standard",
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N.")] = None,
    json: AsJson = False,
) -> None:
    """Play passive, shortcut, causal and oracle players side by side. No model needed."""
    from causarium.players.audit_family import audit_family
    from causarium.report.output.print_audit import print_audit

    audited = audit_family(family_of(family), set_name=set_name, limit=limit, watch=talk)
    if json:
        print_json(audited.flat())
    else:
        print_audit(audited)
    if not audited.kept:
        raise typer.Exit(1)
