"""A published release in a terminal: what it is, what is used from it, and what a folder holds."""

from rich.console import Console
from rich.text import Text

from causarium.contract.release import PUBLISHED, ReleaseCard, ReleaseFolder


def print_release(family: str, card: ReleaseCard) -> None:
    """Print where a release is to be had, its known states, what is used, and the protocol.

    Args:
        family: The family.
        card: The card of its release.
    """
    width = max(len(file.path) for file in card.files)
    protocol = card.protocol
    settings = [
        *(f"rule {name} = {value}" for name, value in protocol.rules.items()),
        *(
            f"rule {name} = {value}, for models with {' or '.join(one.named)} in their names"
            for one in protocol.models
            for name, value in one.rules.items()
        ),
        *(f"{name} = {value}" for name, value in protocol.settings.items()),
    ]
    parts = {
        "": [f"{card.name}: {card.url}", f"licence: {card.licence}"],
        "Known states": [f"{commit}  {date}" for commit, date in card.commits.items()],
        "Used from it": [
            f"{file.path:<{width}}  {file.role}: {file.says}{' (if there)' * file.optional}"
            for file in card.files
        ],
        "What it lacks": list(card.lacks),
        f"--protocol {PUBLISHED}": [protocol.says, *settings],
    }
    _print_parts(parts)
    _print_parts({"": [f"Check a clone: causarium release {family} FOLDER"]})


def print_release_folder(found: ReleaseFolder) -> None:
    """Print which state of a release a folder holds, file by file."""
    width = max(map(len, found.states))
    _print_parts(
        {
            found.describe(): [f"{path:<{width}}  {state}" for path, state in found.states.items()],
            "What it lacks": list(found.card.lacks),
        }
    )


def _print_parts(parts: dict[str, list[str]]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for title, lines in parts.items():
        if lines:
            indent = "  " if title else ""
            texts = [*([title] if title else []), *(f"{indent}{line}" for line in lines)]
            console.print(Text("\n".join(texts)))
