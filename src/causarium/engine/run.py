"""Running a task through Inspect's own command, in this process.

Each run has a folder of its own, named after what is run; the same command finds the same folder
and goes on where it was cut off. Inspect's options are passed on as they are.
"""

import contextlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from inspect_ai._util.error import PrerequisiteError
from inspect_ai._util.registry import registry_find, registry_unqualified_name
from rich.console import Console

from causarium.contract.frozen import digest
from causarium.engine.options import lasting
from causarium.errors import RunError, UnknownName, UsageError

NO_MODEL = "none/none"


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
        """Who plays: `player/optimal`, or the model."""
        player = self.arguments.get("player")
        return f"player/{player}" if player else self.model

    @property
    def folder(self) -> str:
        """The run's folder: what is run, in words, and a few digits of everything that matters."""
        played = self.arguments.get("set") or Path(self.arguments["file"]).stem
        words = "-".join([self.arguments["edition"], played, self.agent.replace("/", "-")])
        given = (self.version, self.digest, self.model, sorted(self.arguments.items()))
        everything = digest(repr((*given, lasting(self.options))))
        return f"{self.task.rpartition('/')[2]}/{words}-{everything.partition(':')[2][:8]}"


def run(spec: RunSpec, log_dir: Path, *, display: str | None = None) -> Path:
    """Run a task, or go on with it; returns the run's folder.

    Raises:
        UsageError: Inspect refuses an option, a model or a key is missing.
        RunError: The run failed beyond single samples.
    """
    folder = log_dir / spec.folder
    argv = ["eval-set", spec.task, "--model", spec.model]
    argv += ["--log-dir", str(folder), "--retry-attempts", "2"]
    for key, value in spec.arguments.items():
        argv += ["-T", f"{key}={value}"]
    if display is not None:
        argv += ["--display", display]
    _inspect([*argv, *spec.options])
    if not any(folder.rglob("*.eval")):
        raise RunError(f"Inspect ended without a log in {folder}; it says why above")
    return folder


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
        if stop.code == 130:
            raise KeyboardInterrupt from stop
    except OSError as wrong:
        raise RunError(f"the run cannot go on: {wrong}") from wrong
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
