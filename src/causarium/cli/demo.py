"""`causarium demo`: every family, its reference players, perhaps a model, and the report."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from causarium.cli.local_model import Asked, asked_model
from causarium.cli.run import ModelName, run_spec, watched
from causarium.cli.shared import INCOMPLETE, family_of, talk

if TYPE_CHECKING:
    from causarium.engine.run.start_run import RunSpec


class Slice(NamedTuple):
    """A few instances of a set, as a model plays them."""

    set: str
    limit: str
    """How many, or from which to which, as Inspect reads it."""
    rules: tuple[tuple[str, str], ...] = ()
    local_rules: tuple[tuple[str, str], ...] = ()
    """What a local model plays by, beside these, where it would take dozens of turns."""
    local_options: tuple[str, ...] = ()


SLICES = {
    "causallink": Slice("smoke", "4"),
    "causalab": Slice("smoke", "2", local_rules=(("max_turns", "4"),)),
    # Without programs, which need a sandbox: a tour must not.
    "causalgame": Slice(
        "smoke",
        "2",
        rules=(("analysis", "false"),),
        local_rules=(("max_turns", "2"), ("calls_per_turn", "1"), ("claims", "false")),
        # What makes no sense costs no turn there, and the same is tried again and again.
        local_options=("--message-limit", "14"),
    ),
    "replayscm": Slice("smoke", "2"),
    "recite": Slice("smoke", "2"),
}
"""What a model plays of each family: as much as a small one does in ten minutes on two cores."""
OTHER_SLICE = Slice("smoke", "2")
LOCAL_TOKENS = 250
"""The longest reply of a local model: one that has begun to repeat itself goes on to the limit."""
LOCAL_OPTIONS = ("--max-tokens", str(LOCAL_TOKENS), "--seed", "1")


def demo(
    *,
    model: ModelName = None,
    log_dir: Annotated[Path | None, typer.Option(help="Where logs go; by default in logs.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the report goes; by default in reports.")
    ] = None,
) -> None:
    """Play every family with its reference players, print the table and write the report.

    With a model, it plays a slice of every family, and the players play the same instances.
    """
    name = "demo" if model is None else f"demo-{model.partition(':')[0].replace('/', '-')}"
    logs = log_dir or Path("logs") / name
    asked = asked_model(model, {}, {"max_tokens": LOCAL_TOKENS})
    players, models = list(_players(sliced=model is not None)), list(_models(asked))
    folders = _play(players, logs)
    if models:
        with asked.reachable():
            for at, spec in enumerate(models, 1):
                folders.append(watched(spec, logs, f"[{at}/{len(models)}] "))
    commands = [f"causarium demo --model {model}"] if model else []
    complete = _report(folders, out or Path("reports") / name, commands)
    talk(f"logs: {logs} (open them with `inspect view --log-dir {logs}`)")
    if not complete:
        raise typer.Exit(INCOMPLETE)


def _players(*, sliced: bool) -> "Iterator[RunSpec]":
    """Yield what the players play: the standard set of each family, or what a model plays of it."""
    from causarium import families

    for name in families.names():
        part = SLICES.get(name, OTHER_SLICE) if sliced else None
        for player in family_of(name).card.tour:
            yield run_spec(
                family_of(name),
                player=player,
                model=None,
                arguments={"edition": "certified", "set": part.set if part else "standard"},
                rules={},
                options=("--limit", part.limit) if part else (),
            )


def _models(asked: Asked) -> "Iterator[RunSpec]":
    """Yield what a model plays: a slice of each family."""
    from causarium import families

    if asked.model is None:
        return
    for name in families.names():
        part = SLICES.get(name, OTHER_SLICE)
        rules = dict(part.rules + (part.local_rules if asked.local else ()))
        local = (*LOCAL_OPTIONS, *part.local_options) if asked.local else ()
        yield run_spec(
            family_of(name),
            player=None,
            model=asked.model,
            arguments={"edition": "certified", "set": part.set},
            rules={**asked.rules, **rules},
            options=(*asked.options, *local, "--limit", part.limit),
        )


def _play(specs: "Sequence[RunSpec]", log_dir: Path) -> list[Path]:
    from rich.console import Console
    from rich.progress import track

    from causarium.engine.run.start_run import run as run_inspect
    from causarium.engine.run.start_run import talk_to_stderr

    folders = []
    for spec in track(specs, "playing", console=Console(stderr=True)):
        with talk_to_stderr():
            folders.append(run_inspect(spec, log_dir, display="none"))
    return folders


def _report(folders: Sequence[Path], out: Path, commands: Sequence[str]) -> bool:
    """Print the table and write the report. Returns whether every instance has a score."""
    from rich.console import Console

    from causarium import families
    from causarium.engine.logbook.read_logs import find_logs, read_header, read_places
    from causarium.engine.logbook.reference_rows import rows_beside
    from causarium.report.data.report_data import build_report
    from causarium.report.figures.family_figures import panels
    from causarium.report.output.print_tables import print_report
    from causarium.report.output.write_report import write_built

    reading = read_places(folders)
    rows = [*reading.rows, *rows_beside(find_logs(folders), reading.rows, families.get)]
    drawn = panels(folders, rows)
    report = build_report(rows, panels=drawn, commands=commands, cards=reading.cards)
    print_report(report, Console())
    written = write_built(report, rows, out)
    print(f"report: {written['html'].resolve()}")
    ended = [read_header(find_logs([folder])[-1]).status == "success" for folder in folders]
    return all(ended) and not any(row.unscored for row in rows)
