"""`causarium show`: a family's card, or one instance as the agent sees it."""

from typing import Annotated

import typer

from causarium.cli.shared import AsJson, EditionName, FamilyName, family_of, print_json
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.instance_sets import generate_set
from causarium.contract.rules import Edition, check_edition
from causarium.errors import UnknownName


def show(
    family: FamilyName,
    instance: Annotated[
        str | None, typer.Argument(metavar="[INSTANCE]", help="An id, or a number in the set.")
    ] = None,
    *,
    edition: EditionName = "certified",
    set_name: Annotated[str, typer.Option("--set", help="Where to look for it.")] = "standard",
    secret: Annotated[bool, typer.Option("--secret", help="Show the truth as well.")] = False,
    json: AsJson = False,
) -> None:
    """Show a family's card, or one instance as the agent sees it."""
    shown, chosen = family_of(family), check_edition(edition)
    if instance is None:
        _show_card(shown, json=json)
    else:
        found = _find(shown, chosen, set_name, instance)
        _show_instance(shown, found, chosen, secret=secret, json=json)


def _show_card(family: AnyFamily, *, json: bool) -> None:
    if json:
        print_json({"name": family.name, **family.card.model_dump(mode="json")})
        return
    card = family.card
    print(f"{card.title} ({family.name}, version {card.version})\n{card.about}")
    print(f"Paper: {card.paper.title}, {card.paper.venue} {card.paper.year}")
    print("\nMetrics (the headline ones are marked *):")
    for name, metric in family.metrics.items():
        print(f"  {'*' if name in card.headline else ' '} {name}: {metric.about}")
    print("\nPlayers:")
    for name, player in family.players.items():
        print(f"    {name}{' (sees the truth)' if player.sees_truth else ''}: {player.about}")
    print("\nSets:")
    for edition, sets in card.sets.items():
        for name, spec in sets.items():
            print(f"    {edition}/{name}: {spec.size} instances. {spec.about}")


def _find(family: AnyFamily, edition: Edition, set_name: str, wanted: str) -> AnyInstance:
    instances = {instance.id: instance for instance in generate_set(family, edition, set_name)}
    ids = list(instances)
    if wanted.isdecimal() and int(wanted) < len(ids):
        return instances[ids[int(wanted)]]
    if wanted not in instances:
        near = UnknownName("instance", wanted, ids).nearest
        numbers = f"a number from 0 to {len(ids) - 1}"
        raise UnknownName("instance", wanted, [*([near] if near else []), numbers])
    return instances[wanted]


def _show_instance(
    family: AnyFamily, found: AnyInstance, edition: Edition, *, secret: bool, json: bool
) -> None:
    prompt = family.prompt(found.public, family.rules_for(edition))
    value = {"id": found.id, "public": found.public.model_dump(mode="json")}
    if secret:
        value["secret"] = found.secret.model_dump(mode="json")
        value["facets"] = found.facets
    if json:
        print_json({**value, "prompt": prompt.model_dump()})
        return
    print(f"{found.id}\n\n--- system ---\n{prompt.system}\n\n--- user ---\n{prompt.user}")
    if secret:
        print(f"\n--- secret ---\n{found.secret.model_dump_json(indent=2)}")
