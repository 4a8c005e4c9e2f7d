"""A command that serves pages, in a process of its own."""

import contextlib
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.request import urlopen


def does_answer(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None
) -> bool:
    """Start a command on a port of its own, and say whether the address that it prints answers."""
    with subprocess.Popen(
        [*command, "--port", "0"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            for _ in range(300):
                with contextlib.suppress(OSError):
                    return bool(urlopen(address, timeout=5).status == 200)
                time.sleep(0.2)
        finally:
            server.terminate()
    return False
