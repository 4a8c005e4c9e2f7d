"""Running a task through Inspect's own command, in this process.

Each run has a folder of its own, named after what is run; the same command finds the same folder
and goes on where it was cut off. Inspect's options are passed on as they are.

A sample is finished once Inspect has recorded its end: in the log, which is written every few
samples, and until then in a database beside it, from which the next run takes it over. So a
process may be killed at any moment, and no finished sample is lost or played again.
"""

import contextlib
import io
import logging
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

import click
from inspect_ai._cli.eval import eval_set_command
from inspect_ai._util.config import resolve_args
from inspect_ai._util.error import PrerequisiteError
from inspect_ai._util.registry import registry_find, registry_unqualified_name
from inspect_ai.log import read_eval_log
from rich.console import Console

from causarium.contract.frozen import digest
from causarium.engine.run.inspect_options import lasting
from causarium.engine.run.run_folder import claimed, mended, sweep
from causarium.engine.task.custom_agent import agent_name
from causarium.errors import RunError, UnknownName, UsageError

NO_MODEL = "none/none"

PATIENCE = {"max_retries": 6, "timeout": 3600, "attempt_timeout": 1200}
"""How long a provider that fails is asked again, where nobody says otherwise.

Inspect waits 3 seconds and then twice as long each time, so that six retries take some four
minutes; without a limit it would ask for ever. A call that is not answered at all is given up
after 20 minutes, and no call takes longer than an hour with all its retries.
"""

_ROOM = 1 << 20
"""Where less than this is free on a disk, it is as good as full."""
_ONCE = ("--no-retry-immediate", "--retry-attempts", "1", "--retry-on-error", "1")
"""A sample that fails is tried once more at once; a run whose log cannot be written is not.

Inspect would throw away the database with the samples that are not in the log yet when it begins
such a run again; left alone, it keeps them for the next process.
"""


@dataclass(frozen=True, slots=True)
class RunSpec:
    """What to run: a task, its arguments, a model or a player."""

    task: str
    """The task's name with its package: `causarium/causallink`."""
    version: str
    digest: str
    """The digest of the instances to be played."""
    arguments: dict[str, str]
    """The task's arguments: edition, set or file, player, rules."""
    model: str = NO_MODEL
    options: tuple[str, ...] = ()
    """Options for Inspect, as they would be typed."""

    @property
    def agent(self) -> str:
        """Who plays: `player/optimal`, the model, or `mine (model)` for an agent of one's own."""
        player, own = self.arguments.get("player"), self.arguments.get("agent")
        if player:
            return f"player/{player}"
        return f"{agent_name(own)} ({self.model})" if own else self.model

    @property
    def folder(self) -> str:
        """The run's folder: what is run, in words, and a few digits of everything that matters."""
        played = self.arguments.get("set") or Path(self.arguments["file"]).stem
        who = self.agent.replace("/", "-").replace(" (", "-").replace(")", "")
        words = "-".join([self.arguments["edition"], played, who])
        given = (self.version, self.digest, self.model, sorted(self.arguments.items()))
        everything = digest(repr((*given, lasting(self.options))))
        return f"{self.task.rpartition('/')[2]}/{words}-{everything.partition(':')[2][:8]}"


def run(spec: RunSpec, log_dir: Path, *, display: str | None = None) -> Path:
    """Run a task, or go on with it; returns the run's folder.

    Raises:
        UsageError: Inspect refuses an option, a model or a key is missing.
        RunError: The run failed beyond single samples, or another process is at it.
        KeyboardInterrupt: Somebody stopped it; what was finished is in the log.
    """
    folder = log_dir / spec.folder
    argv = ["eval-set", spec.task, "--model", spec.model]
    argv += ["--log-dir", str(folder), *_ONCE]
    for key, value in spec.arguments.items():
        argv += ["-T", f"{key}={value}"]
    if display is not None:
        argv += ["--display", display]
    heard = _Heard()
    try:
        with claimed(folder, _tell), heard.listening():
            for log in mended(folder):
                _tell(str(log))
            _inspect([*argv, *patience(spec.options), *spec.options])
            _check_end(folder, heard.errors)
            sweep(folder)
    except OSError as wrong:
        raise RunError(
            f"the run cannot go on in {folder}: {wrong}. What was finished is kept; when that is "
            "put right, the same command goes on"
        ) from wrong
    return folder


class _Heard(logging.Handler):
    """Hears the errors that Inspect logs, which some of its displays show to nobody."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.errors.append(record.getMessage())

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        logger, before = logging.getLogger("inspect_ai"), logging.raiseExceptions
        logger.addHandler(self)
        # On a full disk a log of what happens fails at every line, with a traceback for each.
        logging.raiseExceptions = False
        try:
            yield
        finally:
            logging.raiseExceptions = before
            logger.removeHandler(self)


def _check_end(folder: Path, errors: Sequence[str]) -> None:
    """Look at what a run has left; Inspect may end as if all were well.

    Raises:
        RunError: There is no log, or it could not be written to its end.
        KeyboardInterrupt: Somebody stopped the run.
    """
    logs = sorted(folder.rglob("*.eval"), key=lambda path: path.name)
    status = read_eval_log(str(logs[-1]), header_only=True).status if logs else None
    if status == "cancelled":
        raise KeyboardInterrupt
    if status is None or status == "started":
        reasons = list(errors[-1:])
        free = shutil.disk_usage(folder).free if folder.exists() else _ROOM
        if free < _ROOM:
            reasons.append(f"the disk has only {free:,} bytes left")
        raise RunError(
            f"Inspect could not write its log in {folder} to the end "
            f"({'; '.join(reasons) or 'it says why above'}). What was finished is kept; "
            "when that is put right, the same command goes on"
        )


def patience(options: Sequence[str]) -> list[str]:
    """Return how long a failing provider is asked again, as options, unless that was given.

    It may be given as an option, in Inspect's variables or in a file of settings.

    Example:
        >>> patience(["--max-retries", "2", "--timeout=60"])
        ['--attempt-timeout', '1200']
    """
    given = eval_set_command.make_context("inspect", list(options)).params
    file = given.get("generate_config")
    settings = resolve_args(file) if file else {}
    words: list[str] = []
    for name, value in PATIENCE.items():
        if given.get(name) is None and settings.get(name) is None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _inspect(argv: Sequence[str]) -> None:
    (script,) = entry_points(group="console_scripts", name="inspect")
    before = sys.argv
    sys.argv = ["inspect", *argv]
    try:
        script.load()()
    except PrerequisiteError as wrong:
        raise UsageError(_plain(wrong.message)) from wrong
    except SystemExit as stop:
        if stop.code == 2:
            raise UsageError(
                "Inspect refuses an option (see above); `inspect eval-set --help` lists them"
            ) from stop
        if stop.code == 130 or isinstance(stop.__context__, click.Abort):
            raise KeyboardInterrupt from stop
    finally:
        sys.argv = before


def _plain(message: object) -> str:
    text = io.StringIO()
    Console(file=text, width=200, no_color=True).print(message)
    return " ".join(text.getvalue().split())


def known_model(model: str) -> str:
    """Return `model` if Inspect has its provider.

    Raises:
        UsageError: The name has no provider, or one that Inspect does not have.
    """
    infos = registry_find(lambda info: info.type == "modelapi")
    providers = sorted({registry_unqualified_name(info) for info in infos})
    if model == NO_MODEL:
        raise UsageError(f"{NO_MODEL} says nothing; name a model, or somebody with --player")
    provider, _, name = model.partition("/")
    if not name:
        raise UsageError(
            f"a model is named provider/model, as in openai/gpt-5, and {model!r} has no provider"
        )
    if provider not in providers:
        raise UnknownName("model provider", provider, providers)
    return model


@contextlib.contextmanager
def talk_to_stderr() -> Iterator[None]:
    """Send all that is printed, by anyone in this process, to stderr: stdout is for data."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
