"""Verbs that have agents play: `demo`, `run`, `sweep`, `reproduce`, `audit`, `attack`.

Runs go one after another: one that fails holds up no other, and each is accounted for.
"""

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli import options as given
from causarium.cli.shared import INCOMPLETE, print_json, print_line, print_note
from causarium.errors import CausariumError, UsageError

if TYPE_CHECKING:
    from causarium.api.attack_family import AttackResult
    from causarium.api.plan_run import RunRequest
    from causarium.api.read_run import Run
    from causarium.api.reproduce import Reproduction
    from causarium.api.rows import Rows
    from causarium.api.scale.workers import Workers
    from causarium.engine.run.run_plan import RunPlan
    from causarium.published import PublishedRow


FAILED, WRONG_USAGE, STOPPED = 1, 2, 130
"""Exit codes: a run failed, could not even begin, or was stopped by Ctrl-C."""


@contextmanager
def end_when_stopped() -> Iterator[None]:
    """Say how to resume what somebody stops by Ctrl-C.

    Raises:
        typer.Exit: Somebody did.
    """
    try:
        yield
    except KeyboardInterrupt:
        print_note("Stopped. Finished instances are saved; run the same command to resume.")
        raise typer.Exit(STOPPED) from None


@end_when_stopped()
def run_all(runs: Mapping[str, Callable[[], bool]]) -> None:
    """Do runs by name; each returns whether it is complete.

    With more than one, an error is printed and the next one begins.

    Raises:
        typer.Exit: Not all are complete, or somebody stopped them.
    """
    ends: dict[str, str] = {}
    codes: set[int] = set()
    for name, run in runs.items():
        try:
            complete = run()
            ends[name] = "complete" if complete else "incomplete"
            codes |= set() if complete else {INCOMPLETE}
        except Exception as wrong:
            if len(runs) == 1:
                raise
            if not isinstance(wrong, CausariumError):
                traceback.print_exc()
            print_note(f"{name} failed: {wrong}")
            ends[name] = f"failed: {wrong}"
            codes.add(WRONG_USAGE if isinstance(wrong, UsageError) else FAILED)
    if len(runs) > 1:
        print_note("\n".join(f"{name}: {end}" for name, end in ends.items()))
    if codes:
        # The smaller the code, the worse.
        raise typer.Exit(min(codes))


def number_places(count: int) -> list[str]:
    """Return what the lines of progress of several runs begin with.

    Example:
        >>> number_places(1), number_places(2)
        ([''], ['[1/2] ', '[2/2] '])
    """
    return [f"[{number}/{count}] " if count > 1 else "" for number in range(1, count + 1)]


def run_and_print(
    plan: "RunPlan", place: str, workers: "Workers", *, json: bool, wide: bool = False
) -> bool:
    """Run what is planned and print how it came out; returns whether every instance has a score."""
    from causarium.api.evaluate import run_with_workers
    from causarium.engine.gate import why_closed
    from causarium.engine.run.run_plan import find_obstacle

    if reason := find_obstacle(plan):
        print_note(f"{plan.family}: not started. {reason}")
        return False
    run = run_with_workers(plan, workers, print_note, place=place)
    if json:
        print_json(run.summary())
    else:
        _print_run(run, wide=wide)
    if not run.complete:
        print_note("\n".join(filter(None, (why_closed(), run.describe_missing()))))
    return run.complete


def _print_run(run: "Run", *, wide: bool) -> None:
    """Print how a run came out; wide, with every column and the baselines on the same instances."""
    from causarium.report.data.build_report import build_report
    from causarium.report.output.print_summary import list_run_lines
    from causarium.report.output.print_tables import print_report

    if wide:
        from rich.console import Console

        from causarium.api.reporting import add_reference_rows

        print_report(build_report(add_reference_rows(run)), Console(), wide=True)
    else:
        report = build_report(run.rows, cards=run.book.run_cards)
        print_line("\n".join(list_run_lines(report, run.places)))
    print_note(f"log: {run.log}")


def demo(
    *,
    model: given.ModelName = None,
    log_dir: Annotated[
        Path | None, typer.Option(help="Log folder (default: a folder in logs).")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the report (default: a folder in reports).")
    ] = None,
    wide: given.Wide = False,
) -> None:
    """Show a recorded model, or programs alone, on every family; write the report.

    With --model, that model plays part of every family in its place.
    """
    from causarium.api.demo import list_recorded_logs, play_programs, tell_recording

    if model is None:
        logs = list_recorded_logs()
        print(tell_recording() if logs else "No model is called: programs play.", flush=True)
        print_note("Baselines play the same instances, about half a minute.")
        _show_logs(logs or play_programs(), out or Path("reports/demo"), "", wide=wide)
        return
    from causarium.api.demo import plan_model_runs
    from causarium.api.read_run import read_run
    from causarium.engine.run.run_plan import open_calls, run_plan

    name = f"demo-{model.partition(':')[0].replace('/', '-')}"
    plans = plan_model_runs(model, str(log_dir or Path("logs") / name))
    with open_calls(plans, print_note):
        places = number_places(len(plans))
        runs = [
            read_run([run_plan(plan, place=place)])
            for plan, place in zip(plans, places, strict=True)
        ]
    logs = [run.folder for run in runs]
    _show_logs(logs, out or Path("reports") / name, f" --model {model}", wide=wide)
    print_note(f"logs: {logs[0].parent} (open them with `inspect view --log-dir {logs[0].parent}`)")
    if not all(run.complete for run in runs):
        raise typer.Exit(INCOMPLETE)


def _show_logs(logs: "Sequence[Path] | Rows", out: Path, options: str, *, wide: bool) -> None:
    """Write the report of some logs or rows, and print it in short."""
    from rich.console import Console

    from causarium.api.reporting import write_report
    from causarium.report.output.print_summary import list_demo_lines
    from causarium.report.output.print_tables import print_report

    report = write_report(logs, out=out, commands=[f"causarium demo{options}"])
    if wide:
        print_report(report.data, Console(), wide=True)
    print_line("\n".join(list_demo_lines(report.data)))
    print_line(f"report  {report.files['html']}")
    if report.data.summary.next:
        print_line(f"next    {report.data.summary.next}")


def run(
    ctx: typer.Context,
    family: Annotated[str, typer.Argument(metavar="FAMILY|all", help="Family, or all.")],
    *,
    player: given.PlayerName = None,
    model: given.ModelName = None,
    endpoint: given.Endpoint = None,
    key_env: given.KeyEnv = None,
    agent: given.AgentFile = None,
    agent_boundary: given.AgentBoundary = None,
    edition: given.PlayedEdition = None,
    set_name: given.SetName = "standard",
    file: given.SetFile = None,
    rule: given.GivenRules = None,
    release: given.ReleaseAt = None,
    release_anyway: given.ReleaseAnyway = False,
    protocol: given.ProtocolName = None,
    limit: given.Limit = None,
    rungs: given.RungsOf = None,
    price: given.Prices = None,
    budget: given.Budget = None,
    breaker: given.Breaker = None,
    dry_run: given.DryRun = False,
    log_dir: given.LogDir = "logs",
    shard: given.ShardOf = None,
    jobs: given.Jobs = 1,
    engine: given.EngineName = None,
    wide: given.Wide = False,
    json: given.AsJson = False,
    help_all: given.WholeHelp = False,  # noqa: ARG001 - it ends before
) -> None:
    """Run a model, an agent or a baseline on a set. Run again to resume.

    All other options go to Inspect: --temperature 0.6, --epochs 3, --max-connections 20,
    --model-role judge=PROVIDER/MODEL and whatever else `inspect eval-set --help` lists.
    """
    from causarium import families
    from causarium.api.evaluate import estimate_plan
    from causarium.api.plan_run import RunRequest, plan_run
    from causarium.api.scale.workers import Workers
    from causarium.cli.options import read_rules, read_words
    from causarium.engine.run.run_plan import open_calls
    from causarium.report.output.print_reproduction import describe_estimates, print_estimates

    own = [word for param in ctx.command.params for word in param.opts]
    named, options = read_words(family, ctx.args, own)
    names = families.names() if named == "all" else (named,)
    workers, rules = Workers.parse(jobs, engine), read_rules(rule or ())
    if endpoint is not None:
        from causarium.api.plan_run import reach_endpoint

        model = reach_endpoint(endpoint, model, key_env, print_note)
    plans = [
        plan_run(
            RunRequest(
                name,
                *(model, player, agent, edition, set_name, file),
                rules=rules,
                limit=limit,
                rungs=rungs,
                prices=price or (),
                budget=budget,
                breaker=breaker,
                options=options,
                agent_boundary=agent_boundary,
                shard=shard,
                log_dir=log_dir,
                beside=names,
                release=release,
                release_anyway=release_anyway,
                protocol=protocol,
            )
        )
        for name in names
    ]
    if release is not None and plans[0].file is None:
        print_note(f"the release holds no set {set_name}: its instances are ours, drawn anew")
    if dry_run:
        estimates = [estimate_plan(plan) for plan in plans]
        print_json(describe_estimates(estimates)) if json else print_estimates(estimates, wide=wide)
        return
    with open_calls(plans, print_note):
        run_all(
            {
                plan.family: partial(run_and_print, plan, place, workers, json=json, wide=wide)
                for plan, place in zip(plans, number_places(len(plans)), strict=True)
            }
        )


def sweep(
    plan: Annotated[Path, typer.Argument(metavar="PLAN.toml", help="Agents and sets.")],
    *,
    dry_run: given.DryRun = False,
    shard: given.ShardOf = None,
    jobs: given.Jobs = 1,
    engine: given.EngineName = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the report (default: reports/PLAN).")
    ] = None,
    wide: given.Wide = False,
    json: given.AsJson = False,
) -> None:
    """Run every agent of a plan on every set; then write report and leaderboard. Resumes.

    Each cell is an ordinary run; all share one budget and one breaker. Without a budget, --jobs J
    plays J cells at once, and --shard K/N every N-th cell.
    """
    from causarium.api.leaderboard import write_leaderboard
    from causarium.api.reporting import write_report
    from causarium.api.rows import check_folder
    from causarium.api.scale.workers import Workers
    from causarium.api.sweep import read_sweep, run_sweep, summarize_ends
    from causarium.contract.shard import Shard
    from causarium.report.output.print_reproduction import describe_estimates, print_estimates

    share, workers = Shard.parse(shard), Workers.parse(jobs, engine)
    planned = read_sweep(plan)
    if dry_run:
        estimates = planned.estimate(share)
        print_json(describe_estimates(estimates)) if json else print_estimates(estimates, wide=wide)
        return
    out = check_folder(out or Path("reports") / plan.stem)
    with end_when_stopped():
        ends = run_sweep(planned, shard=share, workers=workers, say=print_note)
    if json:
        print_json(summarize_ends(ends))
    # Other shares too: each share writes the same page, and the last one all of it.
    played = list(planned.list_logged())
    if played:
        report = write_report(played, out=out, commands=[f"causarium sweep {plan}"])
        print_note(f"report: {report.files['html']}")
    cells = [end.cell for end in ends if end.run]
    # Of part of a set there is none.
    for name in dict.fromkeys(one.set for one in cells if one.file is None and one.limit is None):
        try:
            page = out / "leaderboard" / name
            board = write_leaderboard(planned.plan.log_dir, out=page, set_name=name)
        except UsageError as wrong:
            print_note(str(wrong))
        else:
            for sentence in board.left_out:
                print_note(f"left out: {sentence}")
            print_note(f"leaderboard: {page / 'index.html'}")
    if lacking := sum(bool(end.why) for end in ends):
        print_note(f"{lacking} of {len(ends)} cells are not complete, for the reasons above")
        raise typer.Exit(INCOMPLETE)


def reproduce(
    ctx: typer.Context,
    family: Annotated[str | None, typer.Argument(metavar="[FAMILY]", help="Family.")] = None,
    table: Annotated[
        str | None, typer.Argument(metavar="[TABLE]", help="7, or 'Table 7', or 'Figure 3'.")
    ] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Every table and figure; shared runs are played once.")
    ] = False,
    model: given.ModelName = None,
    player: given.PlayerName = None,
    release: given.ReleaseAt = None,
    release_anyway: given.ReleaseAnyway = False,
    protocol: given.ProtocolName = None,
    price: given.Prices = None,
    budget: given.Budget = None,
    limit: given.Limit = None,
    dry_run: given.DryRun = False,
    log_dir: given.LogDir = "logs",
    out: Annotated[
        Path | None, typer.Option(help="Folder for the numbers (JSON) and the drawing (SVG).")
    ] = None,
    json: given.AsJson = False,
) -> None:
    """Reproduce a published table: rows, commands and cost; with --model, run it.

    Without a table, lists the available ones; --all is all of them. Other options go to Inspect, as
    with `run`.
    """
    from causarium import published as papers
    from causarium.api import reproduce as again
    from causarium.api.plan_run import RunRequest
    from causarium.cli.options import read_words
    from causarium.report.output import print_reproduction as output

    if family is None or (table is None) is not everything:
        if table is not None:
            raise UsageError(f"give {table!r} or --all, not both")
        names = (family,) if family else papers.families()
        listed = [listed for name in names for listed in papers.tables(name)]
        print_json(output.describe_tables(listed)) if json else output.print_tables(listed)
        return
    if out is not None:
        try:
            from causarium_paper.write_table import write_table
        except ImportError as wrong:
            raise UsageError(
                "--out is in a separate package: pip install causarium-paper"
            ) from wrong
    ours = [word for param in ctx.command.params for word in param.opts]
    request = RunRequest(
        family,
        model=model,
        player=player,
        limit=limit,
        prices=price or (),
        budget=budget,
        options=read_words(family, ctx.args, ours)[1],
        log_dir=log_dir,
        release=release,
        release_anyway=release_anyway,
        protocol=protocol,
    )
    planned = (model is None and player is None) or dry_run
    wanted = again.reproduce_all(family) if table is None else [again.reproduce(family, table)]
    if planned and everything:
        found = again.estimate_all(wanted, request)
        print_json(output.describe_estimates(found)) if json else output.print_estimates(found)
        if out is None:
            return
    for one in wanted:
        unplayed = not one.settings and (everything or one.table.counts)
        runs = [] if planned or unplayed else one.play(request)
        own = one.count(limit, release=release, release_anyway=release_anyway)
        own += one.beside(runs) if runs else []
        if out is not None:
            written = write_table(one.table, own, out)
            print_note(f"written: {', '.join(map(str, written))}")
        if not (planned and everything):
            _print_table(one, own, request if planned else None, json=json)
        if runs:
            places = dict.fromkeys(place for run in runs for place in run.places)
            print_note(f"next: causarium report {' '.join(places)}")


def _print_table(
    one: "Reproduction", own: "Sequence[PublishedRow]", planned: "RunRequest | None", *, json: bool
) -> None:
    """Print a table with one's own numbers; where nobody has played yet, what that would take."""
    from causarium.api.reproduce import MODEL
    from causarium.report.output import print_reproduction as output

    if planned is None and json:
        print_json(output.describe_numbers(one.table, own))
    elif planned is None:
        output.print_beside(one.table, own)
    else:
        commands = one.commands(planned.model or MODEL, planned)
        printed = output.describe_plan if json else output.print_plan
        found = printed(one.table, commands, one.estimate(planned), own, one.list_drawn(planned))
        if json:
            print_json(found)


def audit(
    family: given.FamilyName,
    *,
    set_name: given.SetName = "standard",
    limit: given.Limit = None,
    fresh: Annotated[
        int | None, typer.Option(min=2, help="Play this many fresh instances, which are in no set.")
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Seed of fresh instances and of the players' random choices.")
    ] = 0,
    full: Annotated[
        bool, typer.Option("--full", help="Play all generic attacks, trained on more instances.")
    ] = False,
    shard: given.ShardOf = None,
    out: Annotated[
        str | None,
        typer.Option(help="Folder for this shard's share; `causarium merge` joins them."),
    ] = None,
    jobs: given.Jobs = 1,
    engine: given.EngineName = None,
    wide: given.Wide = False,
    json: given.AsJson = False,
) -> None:
    """Hold each theorem against its members, then list all programs. No model needed."""
    from causarium.api.scale.audit_many import audit_set, write_share
    from causarium.api.scale.workers import Workers
    from causarium.contract.shard import Shard
    from causarium.players.audit_family import AuditTask
    from causarium.report.output.print_tables import print_audit

    share, workers = Shard.parse(shard), Workers.parse(jobs, engine)
    if (out is None) != share.is_whole:
        raise UsageError("a shard of an audit needs both --shard K/N and --out FOLDER")
    task = AuditTask(family, set_name, limit, share, fresh, seed, full)
    if out is not None:
        place = write_share(out, task, workers, print_note)
        print_note(f"{place}: share {share}; next: causarium merge {out}")
        return
    audited = audit_set(task, workers, print_note)
    print_json(audited.flat()) if json else print_audit(audited, wide=wide)
    if not audited.kept:
        raise typer.Exit(1)


def attack(
    family: given.FamilyName,
    file: Annotated[Path, typer.Argument(help="A Python file with a function attack(session).")],
    *,
    set_name: given.SetName = "standard",
    level: Annotated[
        str | None, typer.Option(help="Draw only this level, not those of the set.")
    ] = None,
    count: Annotated[int, typer.Option("--n", min=2, help="How many fresh instances.")] = 200,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Seed of an earlier attack, to play its instances again (default: new ones).",
        ),
    ] = None,
    theorem: Annotated[
        str,
        typer.Option(help="Theorem that the attack falls under (default: THEOREM in the file)."),
    ] = "",
    json: given.AsJson = False,
) -> None:
    """Try to win without causal reasoning: play a function of yours on fresh instances."""
    from causarium import families
    from causarium.api.attack_family import attack_family
    from causarium.api.attack_wall import open_attack

    with open_attack(file, families.get(family, "certified"), print_note) as attack:
        result = attack_family(
            *(family, attack.function),
            set_name=set_name,
            level=level,
            count=count,
            seed=seed,
            theorem=theorem or attack.theorem,
            lines=attack.lines,
        )
    print_json(result.model_dump(mode="json")) if json else _print_result(result)
    if result.broken:
        raise typer.Exit(1)


def _print_result(result: "AttackResult") -> None:
    drawn, yours = result.level or result.set, result.yours
    print(f"{result.family} {result.version}, fresh instances of {drawn}: {result.headline}")
    for level, interval in result.by_level.items():
        ends = f"[{interval.low:.3f}, {interval.high:.3f}]"
        print(f"  {level:<24} {interval.value:.3f} {ends}")
    what = "Reach" if yours.reach.rungs else "Mean"
    print(f"{what} {yours.reach.in_words}: row {result.row} of {len(result.programs)} programs")
    for number, program in enumerate(result.programs, 1):
        mark = ", the reference" if program.reference else ""
        print(f"  {number:>2} {program.name:<22} {program.reach.in_words}{mark}")
    _print_theorem(result)
    print_note(f"{result.n} instances; --seed {result.seed} plays them again")


def _print_theorem(result: "AttackResult") -> None:
    if not result.theorem:
        print_note("It names no theorem. Say which with --theorem NAME; the card lists them.")
        return
    there = result.under_bound
    if there is None:
        print(f"{result.theorem} says nothing of these levels.")
        return
    earned = f"{there.value:.3f} [{there.low:.3f}, {there.high:.3f}]"
    if result.broken:
        print(f"It BREAKS {result.theorem} on {', '.join(result.broken_levels)}.")
        print(f"On all levels with a bound, {result.bound:.3f} in the mean: {earned}.")
        print("Please send it in; docs/break-it.md says how.")
    else:
        print(f"{result.theorem} holds, at most {result.bound:.3f}: {earned} there.")
