"""What a shell offers to complete a name on the command line."""

import typer


def complete_family(incomplete: str) -> list[str]:
    """Return the families that a shell may offer."""
    from causarium import families

    return [name for name in families.names() if name.startswith(incomplete)]


def complete_set(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the sets of the family on the command line."""
    from causarium import families

    name, edition = ctx.params.get("family"), ctx.params.get("edition") or "certified"
    editions = families.card(name).sets.items() if name in families.names() else ()
    labels = [label for listed, sets in editions if listed == edition for label in sets]
    return [label for label in labels if label.startswith(incomplete)]


def complete_player(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the players of the family on the command line."""
    from causarium import families

    name = ctx.params.get("family")
    players = families.card(name).players if name in families.names() else ()
    return [label for label in players if label.startswith(incomplete)]
