"""The demo, piped: when its first line comes, and how long all of it takes, in an empty cache.

The baseline of the whole is the seconds that cores spent on it: above 1 it waited for others.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

from bench.measure import Measurement


def run() -> list[Measurement]:
    """Return the lines of this bench."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "causarium", "demo", "--out", f"{folder}/report"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            text=True,
        )
        assert process.stdout is not None
        process.stdout.readline()
        first = time.monotonic() - began
        lines = process.stdout.read().splitlines()
        process.wait()
        whole = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [
        Measurement("first line", "s", first, target="under 2 s idle"),
        Measurement("all of it", "s", whole, spent, target="under 30 s on two idle cores"),
        Measurement("lines", "", float(len(lines))),
    ]
