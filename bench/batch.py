"""Sessions: 256 stepped as a batch against one by one, and how soon a family's first one is open.

What is counted is processor time. A first session is opened in a process of its own, with an empty
folder for caches; the baseline is the same process without the session, so that the difference is
the session's.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

from bench.measure import Measurement, compare
from causarium import families
from causarium.api.batch import Batch

ROWS, TURNS = 256, 8
_FIRST = "import causarium as cm; cm.open_session({!r}).observation"
_LOADED = "import causarium as cm; from causarium.api import session; cm.load({!r})"


def run() -> list[Measurement]:
    """Return the lines of this bench."""
    rows = Batch("causallink", ROWS, size=ROWS, level="rung-2")
    replies = [
        [f'{{"shape": "{shape}", "action": "move"}}' for shape in session.instance.public.shapes]
        for session in rows.sessions
    ]

    def as_batch() -> int:
        rows.sessions = [session.start_again() for session in rows.sessions]
        for turn in range(TURNS):
            rows.step([mine[turn % len(mine)] for mine in replies])
        return ROWS * TURNS

    def one_by_one() -> int:
        sessions = [session.start_again() for session in rows.sessions]
        for turn in range(TURNS):
            for session, mine in zip(sessions, replies, strict=True):
                session.step(mine[turn % len(mine)])
        return ROWS * TURNS

    ours, alone = compare(as_batch, one_by_one, clock=time.process_time)
    lines = [
        Measurement(
            f"{ROWS} CausalLink episodes, texts included", "steps/s", ours, alone, "10,000 steps/s"
        )
    ]
    for name in families.FAMILIES:
        first, loaded = (_seconds(code.format(name)) for code in (_FIRST, _LOADED))
        lines.append(Measurement(f"first session of {name}", "s", first, loaded, "0.5 s more"))
    return lines


def _seconds(code: str) -> float:
    """Return the processor time of a process: the least of three."""
    took = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryDirectory() as empty:
            env = {**os.environ, "XDG_CACHE_HOME": empty}
            subprocess.run([sys.executable, "-c", code], check=True, env=env)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(took)
