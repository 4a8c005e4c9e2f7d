"""`causarium score`: score logs again, with no model, and put together what is one run."""

from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.options import AsJson
from causarium.cli.shared import print_json, print_line, print_note

if TYPE_CHECKING:
    from causarium.api.rescore_logs import RescoredRun


def score(
    logs: Annotated[
        list[str], typer.Argument(metavar="LOG...", help="Logs, or folders of them; URLs too.")
    ],
    *,
    turns: Annotated[
        bool, typer.Option("--turns", help="Print metrics after every turn (JSON lines).")
    ] = False,
    card: Annotated[bool, typer.Option("--card", help="Print each run's exact settings.")] = False,
    apart: Annotated[
        bool,
        typer.Option("--apart", help="Score different runs separately instead of stopping."),
    ] = False,
    json: AsJson = False,
) -> None:
    """Score logs again from their recorded turns, without a model, and compare.

    Logs of one run are merged. Logs of one agent on one family that differ in anything that could
    change a score are refused, unless --apart is given.
    """
    from causarium.api.rescore_logs import read_run_cards, read_turn_numbers, rescore_runs

    if turns:
        for numbers in read_turn_numbers(logs):
            print_json(numbers)
        return
    if card:
        cards = read_run_cards(logs).values()
        for settings in {card.key: card for card in cards}.values():
            if json:
                print_json(settings.model_dump(mode="json"))
            else:
                lines = (f"  {name}: {value}" for name, value in settings.lines())
                print_line("\n".join([settings.name, *lines]))
        return
    differ, doubtful = 0, 0
    for rescored in rescore_runs(logs, apart=apart):
        differ += len(rescored.changed)
        doubtful += sum(rescored.proof.reasons.values())
        print_json(rescored.summary()) if json else _print(rescored)
    if differ:
        print_note(f"{differ} verdicts are not what the log says")
    if doubtful:
        print_note(f"{doubtful} samples are not verified; `causarium verify` says why")
    if differ or doubtful:
        raise typer.Exit(1)


def _print(run: "RescoredRun") -> None:
    summary, changed = run.summary(), run.changed
    print_line(
        f"{', '.join(map(str, run.logs))}: {summary['n']} rescored, {len(changed)} changed, "
        f"{run.proof.verified} verified"
    )
    if run.repeated:
        print_note(f"  {run.repeated} samples are in several of these logs; the newest count")
    for name, interval in summary["metrics"].items():
        if interval["value"] is not None:
            print_line(f"  {name}: {interval['value']:.4g}")
    for instance in changed[:10]:
        print_note(f"  changed: {instance}")
    for reason, number in run.proof.reasons.items():
        print_note(f"  not verified: {number} x {reason}")
    for problem in run.proof.problems:
        print_note(f"  {problem}")
