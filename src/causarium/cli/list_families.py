"""`causarium list`: families, editions, levels, sets, players."""

from typing import Any

from causarium.cli.shared import AsJson, print_json
from causarium.contract.family_card import FamilyCard


def list_(*, json: AsJson = False) -> None:
    """List families with their editions, levels, sets and players."""
    from causarium import families

    known = [_facts(name, families.card(name)) for name in families.names()]
    if json:
        print_json({"families": known})
    else:
        _print(known)


def _facts(name: str, card: FamilyCard) -> dict[str, Any]:
    return {
        "name": name,
        "title": card.title,
        "about": card.about,
        "version": card.version,
        "editions": list(card.sets),
        "levels": list(card.levels),
        "sets": list(dict.fromkeys(label for sets in card.sets.values() for label in sets)),
        "digests": {
            edition: {label: {"size": s.size, "digest": s.digest} for label, s in sets.items()}
            for edition, sets in card.sets.items()
        },
        "players": list(card.players),
    }


def _print(known: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False, soft_wrap=True)
    for facts in known:
        console.print(
            f"[bold]{escape(facts['name'])}[/] {facts['version']}  {escape(facts['about'])}"
        )
        for edition, sets in facts["digests"].items():
            sizes = ", ".join(f"{label} ({spec['size']})" for label, spec in sets.items())
            console.print(f"  {edition} sets: {sizes}")
        console.print(f"  levels: {', '.join(facts['levels'])}")
        console.print(f"  players: {', '.join(facts['players'])}")
