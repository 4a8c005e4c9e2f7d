"""`causarium score`: score logs again, with no model, and put together what is one run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.shared import AsJson, print_json, talk
from causarium.errors import UsageError

if TYPE_CHECKING:
    from causarium.engine.logbook.log_book import LogBook, LoggedSample
    from causarium.engine.logbook.rescore import Rescored
    from causarium.engine.logbook.run_card import RunCard


def score(
    logs: Annotated[list[Path], typer.Argument(metavar="LOG...", help="Logs, or folders of them.")],
    *,
    turns: Annotated[
        bool, typer.Option("--turns", help="Print the numbers after each turn, as JSON lines.")
    ] = False,
    card: Annotated[
        bool, typer.Option("--card", help="Print the card of each run: what it was, exactly.")
    ] = False,
    apart: Annotated[
        bool, typer.Option("--apart", help="Runs that differ each for themselves, not refused.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Score logs again from their recorded turns, with no model, and compare.

    Logs of one and the same run are put together. Logs of one agent on one family that differ in
    anything that could move a score are refused, unless they are to be scored apart.
    """
    from causarium.engine.logbook.log_book import LogBook

    book = LogBook.read(logs)
    book.require_whole()
    if turns:
        _print_turns(book)
        return
    cards = {header.path: header.card for header in book.logs}
    if card:
        _print_cards(list(cards.values()), json=json)
        return
    if not apart:
        refuse_to_mix(cards)
    runs: dict[str, list[Path]] = {}
    for header in book.logs:
        runs.setdefault(header.run, []).append(header.path)
    samples: dict[str, list[LoggedSample]] = {run: [] for run in runs}
    for sample in book.samples:
        samples[sample.header.run].append(sample)
    differ = sum(_score_run(paths, samples[run], json=json) for run, paths in runs.items())
    if differ:
        talk(f"{differ} verdicts are not what the log says")
        raise typer.Exit(1)


def refuse_to_mix(cards: "Mapping[Path, RunCard]") -> None:
    """Make sure that the logs of each agent on each family can be put together.

    Raises:
        UsageError: They differ; says in what, and which logs.
    """
    from causarium.engine.logbook.run_card import differences

    played: dict[tuple[str, str], dict[str, tuple[Path, RunCard]]] = {}
    for path, card in cards.items():
        played.setdefault((card.family, card.agent), {}).setdefault(card.key, (path, card))
    for (family, agent), runs in played.items():
        if len(runs) > 1:
            found = "; ".join(map(str, differences([card for _, card in runs.values()])))
            places = ", ".join(str(path) for path, _ in runs.values())
            raise UsageError(
                f"these logs of {agent} on {family} cannot be put together, for they differ in "
                f"{found}: {places}. Give the logs of one run, or --apart to score each run alone"
            )


def _print_turns(book: "LogBook") -> None:
    from causarium import families
    from causarium.engine.logbook.rescore import list_turn_numbers

    for numbers in list_turn_numbers(book.samples, families.get):
        print_json(numbers)


def _print_cards(cards: "Sequence[RunCard]", *, json: bool) -> None:
    for card in {one.key: one for one in cards}.values():
        if json:
            print_json(card.model_dump(mode="json"))
            continue
        print(card.name)
        for name, value in card.lines():
            print(f"  {name}: {value}")


def _score_run(paths: Sequence[Path], samples: "Sequence[LoggedSample]", *, json: bool) -> int:
    """Score the logs of one run again and print what comes of it; returns how many changed."""
    from causarium import families
    from causarium.api.run_summary import outcome
    from causarium.engine.logbook.rescore import rescore

    newest: dict[tuple[str, int], Rescored] = {}
    changed: list[str] = []
    for pair in rescore(samples, families.get):
        newest[pair.after.id, pair.after.epoch] = pair
        changed += [] if pair.same else [pair.after.id]
    result = outcome([pair.after for pair in newest.values()], paths[-1])
    if json:
        several = {"logs": [str(path) for path in paths]} if len(paths) > 1 else {}
        print_json({**result, **several, "changed": changed})
        return len(changed)
    print(f"{', '.join(map(str, paths))}: {result['n']} scored again, {len(changed)} changed")
    if len(samples) > len(newest):
        talk(
            f"  {len(samples) - len(newest)} samples are in several of these logs; the newest count"
        )
    known = {k: v["value"] for k, v in result["metrics"].items() if v["value"] is not None}
    for name, value in known.items():
        print(f"  {name}: {value:.4g}")
    for changed_id in changed[:10]:
        talk(f"  changed: {changed_id}")
    return len(changed)
