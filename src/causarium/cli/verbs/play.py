"""`causarium play`: be the agent, in the terminal."""

from typing import Annotated

import typer

from causarium.cli.options import EditionName, FamilyName, SetFile, SetName
from causarium.cli.shared import print_note


def play(
    family: FamilyName,
    *,
    edition: EditionName = "certified",
    set_name: SetName = "smoke",
    file: SetFile = None,
    number: Annotated[int, typer.Option(min=0, help="Position in the set (0 = first).")] = 0,
) -> None:
    """Play an instance yourself in the terminal."""
    from causarium.api.find_benchmark import load

    benchmark = load(family, edition=edition)
    session = benchmark.open(benchmark.instance(file or set_name, number))
    print(session.reset())
    while not session.done:
        try:
            reply = input("\n> ")
        except EOFError:
            print_note("No more input; scored as it stands.")
            break
        print(f"\n{session.step(reply).text}")
    verdict = session.score()
    print(f"\n{verdict.explanation}")
    for name in benchmark.family.card.shown(benchmark.edition):
        if name in verdict.numbers:
            print(f"{name}: {verdict.numbers[name]:g}")
