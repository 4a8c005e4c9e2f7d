"""`causarium audit`: what a set's score is worth to those who do not reason about causes."""

import typer

from causarium.cli.options import AsJson, FamilyName, Limit, SetName
from causarium.cli.shared import print_json, print_note


def audit(
    family: FamilyName,
    *,
    set_name: SetName = "standard",
    limit: Limit = None,
    json: AsJson = False,
) -> None:
    """Play passive, shortcut, causal and oracle players side by side. No model needed."""
    from causarium.api.find_benchmark import load
    from causarium.players.audit_family import audit_family
    from causarium.report.output.print_audit import print_audit

    audited = audit_family(load(family).family, set_name=set_name, limit=limit, watch=print_note)
    print_json(audited.flat()) if json else print_audit(audited)
    if not audited.kept:
        raise typer.Exit(1)
