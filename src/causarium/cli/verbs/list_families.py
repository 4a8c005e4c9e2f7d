"""`causarium list`: the families, or everything that one of them offers."""

from typing import Annotated

import typer

from causarium.cli.completion import complete_family
from causarium.cli.options import AsJson
from causarium.cli.shared import print_json, print_line


def list_families(
    family: Annotated[
        str | None,
        typer.Argument(
            metavar="[FAMILY]",
            help="List the sets, levels, players, metrics and rules of this family.",
            autocompletion=complete_family,
        ),
    ] = None,
    *,
    json: AsJson = False,
) -> None:
    """List the families, or the sets, levels, players, metrics and rules of one."""
    from causarium.api.family_facts import family_facts, list_facts
    from causarium.report.output.print_family import print_families, print_family

    if family is None:
        facts, problems = list_facts()
        if json:
            print_json({"families": facts, "problems": problems})
            return
        print_families(facts)
        for problem in problems:
            print_line(problem)
    else:
        offered = family_facts(family)
        print_json(offered) if json else print_family(offered)
