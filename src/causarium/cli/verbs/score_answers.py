"""`causarium score-answers`: score a file of answers that were collected elsewhere."""

from pathlib import Path
from typing import Annotated, Any

import typer

from causarium import families
from causarium.cli.options import AsJson
from causarium.cli.shared import print_json, print_line, print_note
from causarium.contract.rules import check_edition


def score_answers(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Answers: JSON lines or a list.")],
    *,
    family: Annotated[str, typer.Option(help="Family of the instances.")] = "replayscm",
    set_name: Annotated[str, typer.Option("--set", help="Name of the set.")] = "standard",
    instances: Annotated[
        Path | None, typer.Option(help="Use a set file or a released file.")
    ] = None,
    edition: Annotated[str | None, typer.Option(help="Edition: certified or paper.")] = None,
    rows: Annotated[Path | None, typer.Option(help="File for the verdicts, one per line.")] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Score even if some instances have no answer.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Score a file of answers, such as predictions in the released format.

    Means are over the answered instances. Nothing is scored if a line is not an answer, answers an
    unknown instance, or answers one twice.
    """
    from causarium.contract.places import write_atomically
    from causarium.contract.sets import answer_files
    from causarium.contract.sets.instance_sets import generate_set, read_set
    from causarium.errors import UsageError

    asked = families.get(family)
    chosen = check_edition(edition or "certified")
    given = answer_files.read_answers(file)
    if instances is not None:
        header, drawn = read_set(instances, asked)
        chosen = header.edition if edition is None else chosen
    else:
        drawn = generate_set(asked, chosen, set_name)
    scored = answer_files.score_answers(asked, drawn, given, asked.rules_for(chosen))
    missing = answer_files.find_unanswered(scored, drawn)
    if missing and not partial:
        raise UsageError(f"{missing}; give --partial to score what is there")
    if rows is not None:
        lines = (
            f'{{"id":"{one.instance.id}","model":{_quote_text(one.given.model)},'
            f'"epoch":{one.given.epoch},"verdict":{one.verdict.model_dump_json()}}}\n'
            for one in scored
        )
        write_atomically(rows, "".join(lines))
    summaries = answer_files.summarize_answers(asked, scored, len(drawn))
    name = str(instances) if instances is not None else set_name
    if json:
        print_json({"family": family, "edition": chosen, "set": name, "models": summaries})
        return
    for summary in summaries:
        _print(summary, f"{name} ({chosen})", asked.card.shown(chosen))
    print_note(f"{len(scored)} answers scored")


def _quote_text(text: str) -> str:
    import json

    return json.dumps(text)


def _print(summary: dict[str, Any], where: str, headline: tuple[str, ...]) -> None:
    print_line(f"{summary['model']} on {where}: {summary['answered']} of {summary['of']} answered")
    for name, number in summary["metrics"].items():
        if name in headline:
            print_line(f"  {name}: {number['value']:.4g} ± {number['se']:.2g} (n = {number['n']})")
    print_line("  " + ", ".join(f"{stage}: {n}" for stage, n in summary["stages"].items()))
