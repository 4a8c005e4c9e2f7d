"""`causarium run`: let a model or a player play a set."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from causarium.cli.local_model import asked_model
from causarium.cli.print_estimate import estimate, print_estimates
from causarium.cli.run_sequence import run_in_turn
from causarium.cli.shared import (
    AsJson,
    EditionName,
    family_of,
    print_json,
    talk,
)
from causarium.contract.family import AnyFamily
from causarium.contract.instance_sets import find_set, read_set
from causarium.contract.prompt_texts import folder_digest
from causarium.contract.row import Row
from causarium.contract.rules import Rules, check_edition
from causarium.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from causarium.engine.run.inspect_options import Options
    from causarium.engine.run.prices import Price
    from causarium.engine.run.start_run import RunSpec

LogDir = Annotated[Path, typer.Option("--log-dir", help="Where runs keep their logs.")]
PlayerName = Annotated[str | None, typer.Option("--player", help="Who plays, without a model.")]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="A model, as in openai/gpt-5; `local` or `local:FILE.gguf` is served on this machine.",
    ),
]
AgentFile = Annotated[
    str | None,
    typer.Option(
        "--agent",
        help="An agent of your own that plays with the model: FILE.py@NAME or PACKAGE.MODULE:NAME.",
    ),
]
SetName = Annotated[str, typer.Option("--set", help="A named set.")]
SetFile = Annotated[Path | None, typer.Option("--file", help="A set file instead of a named set.")]
GivenRules = Annotated[
    list[str] | None, typer.Option("--rule", help="How to play: NAME=VALUE; may be given again.")
]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Only the first so many.")]
Prices = Annotated[
    list[str] | None,
    typer.Option(
        "--price",
        help="US dollars for a million tokens: IN,OUT or IN,OUT,CACHED; of a helping model as in "
        "judge=IN,OUT; may be given again.",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Ask nobody: say what it would take.")]


def run(
    ctx: typer.Context,
    family: Annotated[str, typer.Argument(metavar="FAMILY|all", help="A family, or all.")],
    *,
    player: PlayerName = None,
    model: ModelName = None,
    agent: AgentFile = None,
    edition: EditionName = "certified",
    set_name: SetName = "standard",
    file: SetFile = None,
    rule: GivenRules = None,
    limit: Limit = None,
    price: Prices = None,
    dry_run: DryRun = False,
    log_dir: LogDir = Path("logs"),
    json: AsJson = False,
) -> None:
    """Let a model or a player play a set; started again, it goes on where it was cut off.

    All other options go to Inspect: --temperature 0.6, --epochs 3, --max-connections 20,
    --model-role judge=PROVIDER/MODEL and whatever else `inspect eval-set --help` lists.
    """
    if (player is None) == (model is None):
        raise UsageError("say who plays: --player NAME or --model PROVIDER/MODEL, one of them")
    asked, options = _asked(ctx, family)
    served = asked_model(model, dict(_pair(text) for text in rule or ()), options.given)
    prices = _prices(price or (), served.model, options, counted=not dry_run)
    more = (*served.options, *(("--limit", str(limit)) if limit else ()))
    specs = [
        run_spec(
            one,
            player=player,
            model=served.model,
            arguments={"edition": edition, **_instances(set_name, file), **_own(agent, player)},
            rules=served.rules,
            options=(*options.words, *more),
        )
        for one in asked
    ]
    if dry_run:
        pairs = zip(asked, specs, strict=True)
        found = [estimate(one, spec, options, prices, limit=limit) for one, spec in pairs]
        print_estimates(found, json=json)
        return
    with served.reachable():
        _play(asked, specs, log_dir, json=json)


def _play(
    asked: Sequence[AnyFamily], specs: "Sequence[RunSpec]", log_dir: Path, *, json: bool
) -> None:
    places = [f"[{at}/{len(specs)}] " if len(specs) > 1 else "" for at in range(1, len(specs) + 1)]
    run_in_turn(
        {
            one.name: partial(carry_out, spec, log_dir, json=json, place=place)
            for one, spec, place in zip(asked, specs, places, strict=True)
        }
    )


def _asked(ctx: typer.Context, family: str) -> "tuple[list[AnyFamily], Options]":
    """Return the families to run and the options for Inspect, in whatever order they came."""
    from causarium import families
    from causarium.engine.run.inspect_options import split_family

    ours = [name for param in ctx.command.params for name in param.opts]
    words = list(ctx.args)
    if family.startswith("-"):
        family, words = split_family([family, *words], ours)
    asked = [family_of(name) for name in (families.names() if family == "all" else (family,))]
    return asked, checked_options(words, asked, ours=ours)


def _prices(
    given: Sequence[str], model: str | None, options: "Options", *, counted: bool
) -> "dict[str, Price]":
    """Return what is known of prices, by role, and have Inspect count with those given.

    Args:
        given: Prices as they were typed.
        model: The model under test.
        options: The options for Inspect.
        counted: Whether anybody will be asked.

    Raises:
        UsageError: A price cannot be read, is of a role that is not bound, or is needed.
    """
    from causarium.engine.run.prices import AGENT, have_counted, known_price, read_prices

    models = {**({AGENT: (model,)} if model else {}), **options.roles}
    prices = read_prices(given)
    for role in prices:
        if role not in models:
            raise UnknownName("role in --price", role, models, plural="roles of this run")
    if counted:
        have_counted(prices, models)
    costs = options.given.get("model_cost_config")
    for role, named in models.items():
        found = [known_price(name, costs) for name in named]
        if role not in prices and found and found[0] is not None:
            prices[role] = found[0]
    if "cost_limit" in options.given and (missing := models.keys() - prices.keys()):
        raise UsageError(
            f"--cost-limit needs the price of {' and '.join(sorted(missing))}: give --price "
            "IN,OUT in US dollars for a million tokens, or --model-cost-config FILE"
        )
    return prices


def checked_options(
    words: Sequence[str], asked: Sequence[AnyFamily], *, ours: Sequence[str] = ()
) -> "Options":
    """Check the options that go to Inspect, and the models that they name for roles.

    Raises:
        UsageError: Inspect has no such option, or nobody asks the role, or there is no such model.
    """
    from causarium.engine.run.inspect_options import check_roles, read_options
    from causarium.engine.run.start_run import known_model

    options = read_options(words, ours)
    check_roles(options.roles, {family.name: family.roles for family in asked})
    for models in options.roles.values():
        for model in models:
            known_model(model)
    return options


def _instances(set_name: str, file: Path | None) -> dict[str, str]:
    return {"set": set_name} if file is None else {"file": str(file.resolve())}


def _own(agent: str | None, player: str | None) -> dict[str, str]:
    if agent is None:
        return {}
    if player is not None:
        raise UsageError(f"--player {player} plays without an agent; give --agent and --model")
    from causarium.engine.task.custom_agent import resolved

    return {"agent": resolved(agent)}


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
        UsageError: An edition, set, file, player, agent, model or rule does not exist.
    """
    from causarium.engine.run.start_run import NO_MODEL, RunSpec, known_model
    from causarium.engine.task.custom_agent import load_agent, rules_of_own
    from causarium.engine.task.sandbox_need import fit_rules_to_machine

    edition = check_edition(arguments["edition"])
    if "file" in arguments:
        digest = read_set(Path(arguments["file"]), family)[0].digest
    else:
        digest = find_set(family, edition, arguments["set"]).digest
    if "agent" in arguments:
        digest += load_agent(arguments["agent"]).digest
        rules = rules_of_own(rules)
    if player is None:
        rules, note = fit_rules_to_machine(family, edition, rules)
        if note is not None:
            talk(note)
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


def carry_out(spec: "RunSpec", log_dir: Path, *, json: bool, place: str = "") -> bool:
    """Run, and print how it came out. Returns whether every instance has a score."""
    from causarium.api.run_summary import outcome
    from causarium.engine.logbook.read_logs import find_logs, read_header, read_rows

    newest = find_logs([watched(spec, log_dir, place)])[-1]
    rows, header = list(read_rows(newest)), read_header(newest)
    found = outcome(rows, newest)
    if json:
        print_json(found)
    else:
        from causarium import families
        from causarium.engine.logbook.reference_rows import rows_beside

        _print([*rows, *rows_beside([newest], rows, families.get)], found)
    missing = max(0, header.expected - found["n"] - found["unscored"])
    if missing or found["unscored"] or header.status != "success":
        talk(
            f"incomplete: {found['unscored']} without a score and {missing} not played "
            f"of {header.expected}; the same command tries those again"
        )
        return False
    return True


def watched(spec: "RunSpec", log_dir: Path, place: str) -> Path:
    """Run with a line that says how it goes, or with the display of Inspect's that was asked for.

    The folder that is returned holds the run's card, however the run ended.
    """
    from causarium.engine.logbook.read_logs import keep_card
    from causarium.engine.run.progress import watching
    from causarium.engine.run.start_run import run as run_inspect
    from causarium.engine.run.start_run import talk_to_stderr

    folder = log_dir / spec.folder
    with talk_to_stderr():
        try:
            if any(word.partition("=")[0] == "--display" for word in spec.options):
                return run_inspect(spec, log_dir)
            with watching(f"{place}{spec.task.rpartition('/')[2]}, {spec.agent}", folder):
                return run_inspect(spec, log_dir, display="none")
        finally:
            keep_card(folder)


def _print(rows: list[Row], found: dict[str, Any]) -> None:
    from rich.console import Console

    from causarium.report.data.report_data import build_report
    from causarium.report.output.print_tables import print_report

    print_report(build_report(rows), Console())
    talk(f"log: {found['log']}\nnext: causarium report {Path(found['log']).parent}")
