"""What a shell offers to complete a name on the command line."""

import os


def complete_family(incomplete: str) -> list[str]:
    """Return the families that begin so."""
    from causarium import families

    return [name for name in families.names() if name.startswith(incomplete)]


def complete_set(incomplete: str) -> list[str]:
    """Return the sets that begin so, of the family on the command line."""
    from causarium import families

    words = _typed_words()
    wanted = "paper" if "paper" in words else "certified"
    editions = [
        item for name in _typed_families(words) for item in families.card(name).sets.items()
    ]
    labels = [label for edition, sets in editions if edition == wanted for label in sets]
    return [label for label in labels if label.startswith(incomplete)]


def complete_player(incomplete: str) -> list[str]:
    """Return the players that begin so, of the family on the command line."""
    from causarium import families

    names = _typed_families(_typed_words())
    labels = [label for name in names for label in families.card(name).players]
    return [label for label in labels if label.startswith(incomplete)]


def _typed_words() -> list[str]:
    # Where the option to complete stands last, the parser gives up before it reads the family.
    typed = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    return typed.split()


def _typed_families(words: list[str]) -> list[str]:
    from causarium import families

    return [name for name in families.names() if name in words][:1]
