"""A run that is killed again and again: finished samples that were lost, or played twice.

A model behind HTTP, on this machine, plays CausalLink; the process that runs it is killed with
signal 9 at random moments while it plays, and the same command goes on. A sample is finished once
Inspect has recorded its end; each such end is a line in a file, and the provider notes each call.
"""

import os
import random
import signal
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.measure import Measurement

KILLS, SAMPLES = 30, 84
CALLS_AT_MOST = 9
"""A process is killed after so many calls at most, counted from its first."""
MOMENT_S = 0.05
"""And so long after the last of them at most."""


@dataclass(frozen=True, slots=True)
class Survived:
    """What was left when a run that was killed had come to its end."""

    kills: int
    finished_before: int
    """Samples that were finished before the last kill."""
    lost: int
    twice: int
    """Samples that were asked about after they were finished."""
    scored: int
    """Samples in the last log."""


def run() -> list[Measurement]:
    """Return the lines of this bench."""
    with tempfile.TemporaryDirectory() as folder:
        found = survive(Path(folder), seed=time.time_ns())
    work = f"{found.kills} kills, {found.finished_before} samples finished before the last:"
    return [
        Measurement(f"{work} lost", "samples", found.lost, target="0"),
        Measurement(f"{work} run twice", "samples", found.twice, target="0"),
        Measurement("scored in the end", "samples", found.scored, target=str(SAMPLES)),
    ]


def survive(folder: Path, *, seed: int, kills: int = KILLS) -> Survived:
    """Kill a run `kills` times, let it come to its end, and count."""
    from inspect_ai.log import read_eval_log

    from causarium.engine.logbook.log_files import find_logs
    from causarium.engine.record.episode_record import TURNS_KEY
    from tests.support.bad_provider import MODEL, provider
    from tests.support.finished import count_finished, read_finished
    from tests.support.forked_run import start

    draw = random.Random(seed)
    lines = folder / "finished"
    command = [
        "run",
        "causallink",
        "--edition",
        "paper",
        "--set",
        "core",
        "--model",
        MODEL,
        "--json",
    ]
    command += ["--log-dir", str(folder / "logs"), "--max-connections", "2"]
    command += ["--ctl-server", "false"]
    with provider(delay_s=0.02) as asked:
        begin = partial(
            start, command, folder / "said", asked.environment, partial(count_finished, lines)
        )
        for _ in range(kills):
            enough = asked.asked + draw.randint(1, CALLS_AT_MOST)
            process = begin()
            while asked.asked < enough:
                if process.process.exitcode is not None:
                    raise AssertionError(f"ended before it was killed: {process.err}")
                time.sleep(0.005)
            time.sleep(draw.random() * MOMENT_S)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        before = read_finished(lines)
        last = begin()
        if code := last.wait():
            raise AssertionError(f"the last run ended with {code}: {last.err}")
        finished = read_finished(lines)
    log = read_eval_log(str(find_logs([folder / "logs"])[-1]))
    kept = {sample.uuid for sample in log.samples or () if TURNS_KEY in sample.store}
    return Survived(
        kills=kills,
        finished_before=len(before),
        lost=sum(one.uuid not in kept for one in finished),
        twice=sum(max(asked.calls[one.conversation]) > one.at for one in finished),
        scored=sum(bool(s.scores) and TURNS_KEY in s.store for s in log.samples or ()),
    )
