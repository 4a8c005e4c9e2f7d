"""`causarium show`: a family's card, its rules, or one instance as the agent sees it."""

from typing import Annotated

import typer

from causarium.cli.completion import complete_set
from causarium.cli.options import AsJson, EditionName, FamilyName, SetFile
from causarium.cli.shared import print_json


def show(
    family: FamilyName,
    instance: Annotated[
        str | None,
        typer.Argument(metavar="[INSTANCE]", help="Instance id or position (0 = first)."),
    ] = None,
    *,
    edition: EditionName = "certified",
    set_name: Annotated[
        str,
        typer.Option("--set", help="Set that contains the instance.", autocompletion=complete_set),
    ] = "standard",
    file: SetFile = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="Show every rule: type, defaults, description.")
    ] = False,
    secret: Annotated[bool, typer.Option("--secret", help="Also show the hidden answer.")] = False,
    json: AsJson = False,
) -> None:
    """Show a family's card, its rules, or one instance as the agent sees it."""
    from causarium.api.benchmark import load, load_file
    from causarium.api.family_facts import family_facts
    from causarium.report.output import print_family as printing

    if instance is None and file is None:
        facts = family_facts(family)
        if rules:
            print_json(facts["rules"]) if json else printing.print_rules(facts["rules"])
        elif json:
            card = load(family).family.card.model_dump(mode="json")
            print_json({"name": family, **card})
        else:
            printing.print_card(facts)
        return
    benchmark = load(family, edition=edition) if file is None else load_file(family, file)[0]
    item = benchmark.find_instance(file or set_name, instance or "0")
    prompt = benchmark.prompt(item)
    if not json:
        printing.print_instance(item, prompt, secret=secret)
        return
    value = {"id": item.id, "public": item.public.model_dump(mode="json")}
    if secret:
        value |= {"secret": item.secret.model_dump(mode="json"), "facets": item.facets}
    print_json({**value, "prompt": prompt.model_dump()})
