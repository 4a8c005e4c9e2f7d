"""`causarium play`: be the agent, in the terminal."""

from typing import Annotated

import typer

from causarium.cli.shared import EditionName, FamilyName, family_of, talk
from causarium.contract.episode import Episode
from causarium.contract.instance_sets import generate_one
from causarium.contract.rules import check_edition


def play(
    family: FamilyName,
    *,
    edition: EditionName = "certified",
    set_name: Annotated[str, typer.Option("--set", help="A named set.")] = "smoke",
    number: Annotated[int, typer.Option(min=0, help="Which instance of the set.")] = 0,
) -> None:
    """Play one instance yourself: read what a model reads, type what a model would reply."""
    played, chosen = family_of(family), check_edition(edition)
    instance = generate_one(played, chosen, set_name, number)
    rules = played.rules_for(chosen)
    prompt = played.prompt(instance.public, rules)
    print(f"{prompt.system}\n\n{prompt.user}")
    episode = Episode(played, instance, rules)
    while not episode.done:
        try:
            reply = input("\n> ")
        except EOFError:
            talk("no more input; scored as it stands")
            break
        print(f"\n{episode.step(episode.parse_reply(reply)).text}")
    verdict = episode.score()
    print(f"\n{verdict.explanation}")
    for name in played.card.headline:
        print(f"{name}: {verdict.numbers[name]:g}")
