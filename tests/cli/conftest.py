"""The command, for every test of it."""

from pathlib import Path

import pytest

from tests.support.typed import Command, command_line


@pytest.fixture
def causarium(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Command:
    return command_line(capfd, monkeypatch, tmp_path)
