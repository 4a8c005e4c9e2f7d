"""The command as a stranger types it, in this process and an empty folder."""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from causarium.cli import main


@dataclass(frozen=True)
class Done:
    """What came of a command."""

    returncode: int
    stdout: str
    stderr: str


Command = Callable[..., Done]


def command_line(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> Command:
    """Return the command: starting Python anew for each would cost seconds."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*words: str, text: str = "") -> Done:
        monkeypatch.setattr(sys, "argv", ["causarium", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        capfd.readouterr()
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capfd.readouterr()
        return Done(code, out, err)

    return run
