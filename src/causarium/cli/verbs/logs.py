"""Verbs about logs: score, verify, seal, report, submit and look at what runs left."""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from pydantic import ValidationError

from causarium import families
from causarium.cli import options as given
from causarium.cli.shared import INCOMPLETE, print_json, print_line, print_note
from causarium.contract.frozen import put_in_one_line
from causarium.contract.places import find_below
from causarium.contract.rules import check_edition
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from causarium.api.read_run import RescoredRun


def submit(
    logs: given.LogPlaces,
    *,
    name: Annotated[
        str | None, typer.Option(help="Name on the page (default: the agent's).")
    ] = None,
    kind: Annotated[str, typer.Option(help="open, closed or agent.")] = "open",
    about: Annotated[str, typer.Option(help="One sentence for readers.")] = "",
    maker: Annotated[str, typer.Option(help="Who made the model.")] = "",
    size: Annotated[float | None, typer.Option(help="Weights, in billions.")] = None,
    licence: Annotated[str, typer.Option(help="Licence of the weights.")] = "",
    decoding: Annotated[str, typer.Option(help="How replies are decoded: free, JSON schema.")] = "",
    trained: Annotated[
        bool | None,
        typer.Option("--trained/--untrained", help="Whether it was trained on these families."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder of all submissions.")] = Path("results"),
    set_name: given.SetName = "standard",
    check: Annotated[bool, typer.Option("--check", help="Only say what is missing.")] = False,
) -> None:
    """Check logs of whole sets and make the folder for a pull request."""
    from causarium.api.leaderboard import check_submission
    from causarium.api.leaderboard import submit as make_submission
    from causarium.report.data.leaderboard import Facts, Kind

    if kind not in get_args(Kind):
        raise UsageError(f"--kind is one of {', '.join(get_args(Kind))}, not {kind!r}")
    found = check_submission(logs, set_name=set_name)
    for family in found.missing:
        print_note(f"{family}: not played; the page will show a gap")
    if check or found.faults:
        for fault in found.faults:
            print_line(put_in_one_line(fault))
        if found.faults:
            raise typer.Exit(1)
        print_line(f"{found.agent}: {len(found.runs)} sets can be submitted")
        return
    said = {"kind": kind, "about": about, "maker": maker, "size": size, "licence": licence}
    said |= {"decoding": decoding, "trained": trained}
    try:
        facts = Facts.model_validate({"name": name or found.agent, **said})
    except ValidationError as wrong:
        raise UsageError(describe_validation_error(wrong)) from wrong
    folder = make_submission(found, facts, out, set_name=set_name)
    print_line(f"{folder}: ready; add it to a pull request")


def leaderboard(
    results: Annotated[str, typer.Argument(help="Folder of submissions, or of logs.")],
    *,
    out: Annotated[Path, typer.Option(help="Folder of the page.")] = Path("reports/leaderboard"),
    set_name: given.SetName = "standard",
    json: given.AsJson = False,
) -> None:
    """Verify submissions and write the page that compares them; needs no server."""
    from causarium.api.leaderboard import write_leaderboard

    board = write_leaderboard(results, out=out, set_name=set_name, say=print_note)
    for sentence in board.left_out:
        print_note(f"left out: {sentence}")
    if json:
        print_json(board.model_dump(mode="json"))
        return
    print_line(f"entries: {len(board.entries)}: {out / 'index.html'}")


def score(
    logs: given.LogPlaces,
    *,
    card: Annotated[bool, typer.Option("--card", help="Print each run's exact settings.")] = False,
    release: given.PlayedRelease = None,
    release_anyway: given.ReleaseAnyway = False,
    json: given.AsJson = False,
) -> None:
    """Score logs again from their recorded turns, without a model, and compare.

    Logs of one run are put together; runs that differ in anything that could change a score are
    scored each by itself.
    """
    from causarium.api.read_run import read_run_cards, rescore_runs

    if card:
        cards = read_run_cards(logs).values()
        for settings in {card.key: card for card in cards}.values():
            if json:
                print_json(settings.model_dump(mode="json"))
            else:
                lines = (f"  {name}: {value}" for name, value in settings.lines())
                print_line("\n".join([settings.name, *lines]))
        return
    differ, doubtful, problems = 0, 0, 0
    for rescored in rescore_runs(logs, release=release, release_anyway=release_anyway):
        differ += len(rescored.changed)
        doubtful += sum(rescored.proof.reasons.values())
        problems += len(rescored.proof.problems)
        print_json(rescored.summary()) if json else _print_rescored(rescored)
    if differ:
        print_note(f"{differ} verdicts are not what the log says")
    if doubtful:
        print_note(f"{doubtful} samples are not verified; `causarium verify` says why")
    if differ or doubtful or problems:
        raise typer.Exit(1)


def _print_rescored(run: "RescoredRun") -> None:
    summary, changed = run.summary(), run.changed
    logs = put_in_one_line(", ".join(map(str, run.logs)))
    print_line(
        f"{logs}: {summary['n']} rescored, {len(changed)} changed, {run.proof.verified} verified"
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


def score_answers(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Answers: JSON lines or a list.")],
    *,
    family: Annotated[str, typer.Option(help="Family of the instances.")] = "replayscm",
    set_name: Annotated[str, typer.Option("--set", help="Name of the set.")] = "standard",
    instances: Annotated[
        Path | None, typer.Option(help="Use a set file or a released file.")
    ] = None,
    edition: Annotated[str | None, typer.Option(help="Edition: certified or paper.")] = None,
    release: given.ReleaseAt = None,
    release_anyway: given.ReleaseAnyway = False,
    partial: Annotated[
        bool, typer.Option("--partial", help="Score even if some instances have no answer.")
    ] = False,
    json: given.AsJson = False,
) -> None:
    """Score a file of answers, such as predictions in the released format.

    Means are over the answered instances. Nothing is scored if a line is not an answer, answers an
    unknown instance, or answers one twice.
    """
    from causarium.api.benchmark import load
    from causarium.contract.sets import answer_files
    from causarium.contract.sets.instance_sets import generate_set, read_set

    asked = families.get(family)
    chosen = check_edition(edition or "certified")
    answers = answer_files.read_answers(file)
    if release is not None:
        played = load(family, edition=edition, release=release, release_anyway=release_anyway)
        released = played.released_sets
        if set_name not in released:
            raise UnknownName(f"set of the release in {release}", set_name, released, plural="sets")
        instances = released[set_name]
    if instances is not None:
        header, drawn = read_set(instances, asked)
        chosen = header.edition if edition is None else chosen
    else:
        drawn = generate_set(asked, chosen, set_name)
    asked = asked.for_edition(chosen)
    scored = answer_files.score_answers(asked, drawn, answers, asked.rules_for(chosen))
    missing = answer_files.find_unanswered(scored, drawn)
    if missing and not partial:
        raise UsageError(f"{missing}; give --partial to score what is there")
    summaries = answer_files.summarize_answers(asked, scored, len(drawn))
    name = str(instances) if instances is not None else set_name
    if json:
        print_json({"family": family, "edition": chosen, "set": name, "models": summaries})
        return
    for summary in summaries:
        _print_answers(summary, f"{name} ({chosen})", asked.card.shown(chosen))
    unscored = [one.verdict.unscored for one in scored if one.verdict.unscored is not None]
    for reason in unscored:
        print_note(f"error: {reason}")
    print_note(f"{len(scored) - len(unscored)} answers scored")


def _print_answers(summary: dict[str, Any], where: str, headline: tuple[str, ...]) -> None:
    print_line(f"{summary['model']} on {where}: {summary['answered']} of {summary['of']} answered")
    for name, number in summary["metrics"].items():
        if name in headline:
            low, high = number["low"], number["high"]
            ends = f" [{low:.4g}, {high:.4g}]" if low < high else ""
            print_line(f"  {name}: {number['value']:.4g}{ends} (n = {number['n']})")
    print_line("  " + ", ".join(f"{stage}: {n}" for stage, n in summary["stages"].items()))


def verify(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Logs, folders of them, or sets.")
    ],
    *,
    draw: Annotated[
        bool, typer.Option("--draw", help="Generate every instance again (slower).")
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option(min=0, help="For a set in parts: how many instances to generate again."),
    ] = None,
    signers: Annotated[
        Path | None, typer.Option(help="Who may sign: a file with lines of NAME ssh-ed25519 KEY.")
    ] = None,
    release: given.PlayedRelease = None,
    release_anyway: given.ReleaseAnyway = False,
    json: given.AsJson = False,
) -> None:
    """Check logs and sets: look up every instance, replay every turn, recompute every score.

    Prints one line per run and exits with 1 if anything cannot be verified, with 3 if shards of a
    run are missing. It cannot prove that the model named in a log wrote the replies; see
    docs/trust.md.
    """
    from causarium.api.verify import is_set, verify_logs, verify_set

    sets = [path for path in paths if is_set(path)]
    # A manifest beside logs must not have them pass unread.
    logs = [path for path in paths if path not in sets or any(find_below(Path(path), ".eval"))]
    verified, whole = True, True
    for place in sets:
        proof = verify_set(place, sample=sample, full=draw)
        verified &= proof.is_verified
        if json:
            print_json({**asdict(proof), "is_verified": proof.is_verified})
            continue
        what = f"{proof.place}: {proof.instances} instances of {proof.family}"
        _print_proof(what, (*proof.problems, *proof.notes), holds=proof.is_verified)
    kept: dict[str, Any] = {"release": release, "release_anyway": release_anyway}
    for run in verify_logs(logs, draw=draw, signers=signers, **kept) if logs else ():
        verified, whole = verified and run.is_verified, whole and not run.missing_shards
        if json:
            print_json({**run.model_dump(mode="json"), "is_verified": run.is_verified})
            continue
        part, seal = f" ({run.part})" * bool(run.part), f"; {run.seal}" * bool(run.seal)
        counts = f"{run.verified} of {run.expected} samples verified{seal}"
        reasons = (f"{number} x {reason}" for reason, number in run.reasons.items())
        known = f"{run.family} {run.set}{part}, {run.agent}: {counts}"
        what = f"{run.logs[-1]}: {known if run.family else 'no log that can be read whole'}"
        _print_proof(what, (*reasons, *run.problems, *run.notes), holds=run.is_verified)
    if not verified:
        raise typer.Exit(1)
    if not whole:
        raise typer.Exit(INCOMPLETE)


def _print_proof(what: str, lines: Iterable[str], *, holds: bool) -> None:
    print_line(put_in_one_line(f"{'verified' if holds else 'NOT VERIFIED'}: {what}"))
    for line in lines:
        print_note(f"  {put_in_one_line(line)}")


def seal(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of one run, or its log.")],
    *,
    key: Annotated[
        Path | None, typer.Option(help="Sign with this ed25519 key, as in ~/.ssh/id_ed25519.")
    ] = None,
) -> None:
    """Write seal.json next to the logs of a run; `causarium verify` checks the logs against it.

    With --key it is signed, and `causarium verify` names the signer.
    """
    from causarium.api.verify import seal_run

    print_line(str(seal_run(run, key=key)))


def report(
    logs: given.LogPlaces,
    *,
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("reports"),
    against: Annotated[
        list[str] | None, typer.Option(help="Logs of an earlier run to compare with. Repeatable.")
    ] = None,
    episode: Annotated[
        str | None,
        typer.Option(help="Instance shown in detail (default: one on which agents differ)."),
    ] = None,
    formats: Annotated[
        list[str] | None, typer.Option("--format", help="html, md or json. Repeatable.")
    ] = None,
    unverified: given.Unverified = False,
    figures: Annotated[
        bool, typer.Option("--figures", help="Also write the charts as SVG and PNG to figures/.")
    ] = False,
) -> None:
    """Write a report of all runs in LOGDIR: one self-contained page, Markdown, JSON and rows."""
    from causarium.api.reporting import write_report
    from causarium.report import FORMATS
    from causarium.report.output.write_report import can_convert

    if figures and not can_convert():
        print_note("Figures come as SVG alone; for PNG: pip install 'causarium[png]'")
    made = write_report(
        logs,
        out=out,
        against=against or (),
        episode=episode,
        formats=(*(formats or FORMATS), *(["figures"] if figures else [])),
        unverified=unverified,
    )
    for problem in made.problems:
        print_note(problem)
    for section in made.data.sections:
        if section.unverified:
            print_note(f"{section.facts.title}: {section.unverified} rows are not verified")
    print_note(f"{len(made.rows)} rows")
    for path in made.files.values():
        print(path)
    if made.missing_shards:
        print_note("\n".join(made.missing_shards))
        raise typer.Exit(INCOMPLETE)


def web(
    logs: Annotated[
        str | None,
        typer.Argument(
            metavar="[LOGDIR]", help="Folder or URL with logs to replay (default: logs)."
        ),
    ] = None,
    *,
    host: Annotated[
        str, typer.Option(help="Address to listen on. Other machines need a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port (0 = any free port).")] = 7575,
    study: Annotated[
        str | None,
        typer.Option(
            help="Record people's games for a study: asks for consent, writes LOGDIR/NAME."
        ),
    ] = None,
) -> None:
    """Start the web viewer: replay runs, play, browse sets."""
    from causarium.engine.logbook.log_files import fetch_logs
    from causarium.web.serve import address, check_study, find_folder, free_port, serve, token_for

    study = study and check_study(study)
    folder = find_folder(None if logs is None else fetch_logs(logs))
    chosen, token = free_port(host, port), token_for(host)
    print(address(host, chosen, token), flush=True)
    print_note("Ctrl-C stops it.")
    if study:
        print_note(
            f"Games are written to {folder / study}; rows: causarium report {folder / study}"
        )
    serve(folder, host=host, port=chosen, token=token, study=study)
