"""`causarium attack`: what a function of one's own earns, and whether it breaks a bound."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.options import AsJson, FamilyName, SetName
from causarium.cli.shared import print_json, print_note

if TYPE_CHECKING:
    from causarium.api.attack_family import AttackResult


def attack(
    family: FamilyName,
    file: Annotated[Path, typer.Argument(help="A Python file with a function attack(session).")],
    *,
    set_name: SetName = "standard",
    count: Annotated[int, typer.Option("--n", min=2, help="How many fresh instances.")] = 200,
    seed: Annotated[int, typer.Option(help="Where fresh instances start.")] = 0,
    class_name: Annotated[
        str, typer.Option("--class", help="The class it belongs to; else CLASS in the file.")
    ] = "",
    json: AsJson = False,
) -> None:
    """Try to win without causal reasoning: play a function of yours on fresh instances."""
    from causarium.api.attack_family import attack_family, load_attack

    function, claimed = load_attack(file)
    result = attack_family(
        *(family, function),
        set_name=set_name,
        count=count,
        seed=seed,
        class_name=class_name or claimed,
    )
    print_json(result.model_dump(mode="json")) if json else _print_result(result)
    if result.broken:
        raise typer.Exit(1)


def _print_result(result: "AttackResult") -> None:
    print(f"{result.family} {result.version}, fresh instances of {result.set}: {result.headline}")
    yours = ("your attack", result.value, result.low, result.high)
    others = [(one.name, one.value, one.low, one.high) for one in result.beside]
    for name, value, low, high in sorted([yours, *others], key=lambda line: line[1]):
        print(f"  {name:<24} {value:.3f} [{low:.3f}, {high:.3f}]")
    levels = ", ".join(f"{level} {value:.3f}" for level, value in result.by_level.items())
    print(f"  your attack by level: {levels}")
    if result.bound is None:
        print_note("It claims no class. Say which with --class NAME; the card lists them.")
    elif result.broken:
        print(f"It BREAKS the bound of {result.class_name}: {result.bound:.3f}. Please send it in.")
    else:
        print(f"The bound of {result.class_name} holds: {result.bound:.3f}.")
    print_note(f"{result.n} instances, seed {result.seed}")
