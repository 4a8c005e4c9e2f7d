"""`causarium run`: let a model or a player play a set."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from causarium.cli.app import (
    INCOMPLETE,
    AsJson,
    EditionName,
    family_of,
    print_json,
    talk,
)
from causarium.contract.family import AnyFamily
from causarium.contract.row import Row
from causarium.contract.rules import Rules, known_edition
from causarium.contract.sets import find_set, read_set
from causarium.contract.texts import folder_digest
from causarium.errors import UsageError

if TYPE_CHECKING:
    from causarium.engine.run import RunSpec

_OURS = {"--log-dir", "--log-format", "--model", "--id", "--limit", "--solver", "--scorer"}
"""Options of Inspect's that decide where a run is kept and what it is."""

LogDir = Annotated[Path, typer.Option("--log-dir", help="Where runs keep their logs.")]


def run(
    ctx: typer.Context,
    family: Annotated[str, typer.Argument(metavar="FAMILY|all", help="A family, or all.")],
    *,
    player: Annotated[str | None, typer.Option(help="Who plays, without a model.")] = None,
    model: Annotated[str | None, typer.Option(help="A model, as in openai/gpt-5.")] = None,
    edition: EditionName = "certified",
    set_name: Annotated[str, typer.Option("--set", help="A named set.")] = "standard",
    file: Annotated[Path | None, typer.Option(help="A set file instead of a named set.")] = None,
    rule: Annotated[
        list[str] | None, typer.Option(help="How to play: NAME=VALUE; may be given again.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    log_dir: LogDir = Path("logs"),
    json: AsJson = False,
) -> None:
    """Let a model or a player play a set; started again, it goes on where it was cut off.

    What follows -- goes to Inspect: `-- --temperature 0.6 --max-connections 20`.
    """
    from causarium import families

    if (player is None) == (model is None):
        raise UsageError("say who plays: --player NAME or --model PROVIDER/MODEL, one of them")
    for option in ctx.args:
        if option.partition("=")[0] in _OURS:
            raise UsageError(f"{option} is set by causarium itself; give it before the --")
    options = tuple(ctx.args) + (("--limit", str(limit)) if limit else ())
    names = families.names() if family == "all" else (family,)
    specs = [
        run_spec(
            family_of(name),
            player=player,
            model=model,
            arguments={"edition": edition, **_instances(set_name, file)},
            rules=dict(_pair(text) for text in rule or ()),
            options=options,
        )
        for name in names
    ]
    complete = [carry_out(spec, log_dir, json=json) for spec in specs]
    if not all(complete):
        raise typer.Exit(INCOMPLETE)


def _instances(set_name: str, file: Path | None) -> dict[str, str]:
    return {"set": set_name} if file is None else {"file": str(file.resolve())}


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise UsageError(f"a rule is given as NAME=VALUE, and {text!r} has no '='")
    return name, value


def run_spec(
    family: AnyFamily,
    *,
    player: str | None,
    model: str | None,
    arguments: dict[str, str],
    rules: dict[str, str],
    options: tuple[str, ...] = (),
) -> "RunSpec":
    """Check everything that can be checked before a run, and return what to run.

    Raises:
        UsageError: An edition, set, file, player, model or rule does not exist.
    """
    from causarium.engine.run import NO_MODEL, RunSpec, known_model

    edition = known_edition(arguments["edition"])
    if "file" in arguments:
        digest = read_set(Path(arguments["file"]), family)[0].digest
    else:
        digest = find_set(family, edition, arguments["set"]).digest
    played = family.rules_for(edition, **rules)
    if played.prompts is not None:
        _read_prompts(family, played)
        digest += folder_digest(Path(played.prompts))
        rules = {**rules, "prompts": str(Path(played.prompts).resolve())}
    if player is not None:
        family.player(player)
        arguments = {**arguments, "player": player}
    package = family.generate.__module__.partition(".")[0]
    return RunSpec(
        task=f"{package}/{family.name}",
        version=family.card.version,
        digest=digest,
        arguments={**arguments, **rules},
        model=NO_MODEL if model is None else known_model(model),
        options=options,
    )


def _read_prompts(family: AnyFamily, rules: Rules) -> None:
    """Word one instance, so that what is wrong with a user's texts is said at once."""
    level = next(iter(family.levels.values()))
    family.prompt(family.generate(level, 0, 0).public, rules)


def carry_out(spec: "RunSpec", log_dir: Path, *, json: bool) -> bool:
    """Run, and print how it came out. Returns whether every instance has a score."""
    from causarium.cli.outcome import outcome
    from causarium.engine.logs import find_logs, read_header, read_rows
    from causarium.engine.run import run as run_inspect
    from causarium.engine.run import talk_to_stderr

    with talk_to_stderr():
        folder = run_inspect(spec, log_dir, display="plain" if json else None)
    newest = find_logs([folder])[-1]
    rows, header = list(read_rows(newest)), read_header(newest)
    found = outcome(rows, newest)
    if json:
        print_json(found)
    else:
        _print(rows, found)
    missing = max(0, header.expected - found["n"] - found["unscored"])
    if missing or found["unscored"] or header.status != "success":
        talk(
            f"incomplete: {found['unscored']} without a score and {missing} not played "
            f"of {header.expected}; the same command tries those again"
        )
        return False
    return True


def _print(rows: list[Row], found: dict[str, Any]) -> None:
    from rich.console import Console

    from causarium.report.build import build_report
    from causarium.report.console import print_report

    print_report(build_report(rows), Console())
    talk(f"log: {found['log']}\nnext: causarium report {Path(found['log']).parent}")
