"""The command line in forked processes: everything is imported once, by a process that forks.

A run that is killed many times, or one for each command of a page, would pay each time otherwise.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import chdir, suppress
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 600


@dataclass
class Run:
    """One run of the command line in a process of its own."""

    process: BaseProcess
    folder: Path
    """Where what it says is kept."""

    @property
    def pid(self) -> int:
        """The process to be killed."""
        assert self.process.pid is not None
        return self.process.pid

    def wait(self) -> int:
        """Wait for the end, and return the exit code."""
        self.process.join(PATIENCE_S)
        if self.process.exitcode is None:
            self.process.kill()
            raise AssertionError(f"still running: {self.err}")
        return self.process.exitcode

    @property
    def out(self) -> str:
        """What it has printed so far."""
        return (self.folder / "out").read_text(encoding="utf-8", errors="replace")

    @property
    def err(self) -> str:
        """What it has said so far."""
        return (self.folder / "err").read_text(encoding="utf-8", errors="replace")


def start(
    arguments: Sequence[str],
    folder: Path,
    environment: dict[str, str],
    before: Callable[[], None] | None = None,
) -> Run:
    """Start `causarium ARGUMENTS`; what it says goes to files in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    # What Inspect keeps beside its logs goes with the test.
    given = {"XDG_DATA_HOME": str(folder.parent / "data"), **environment}
    process = _context().Process(target=_main, args=(list(arguments), folder, given, before))
    # The process that forks looks for what it is to import from here.
    with chdir(ROOT):
        process.start()
    return Run(process, folder)


def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.support.preloaded"])
    return context


def _main(
    arguments: list[str],
    folder: Path,
    environment: dict[str, str],
    before: Callable[[], None] | None,
) -> None:
    for number, name in ((1, "out"), (2, "err")):
        file = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(file, number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - for as long as the process
    os.environ.update(environment)
    if before is not None:
        before()
    sys.argv = ["causarium", *arguments]
    from causarium.cli import main

    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)
