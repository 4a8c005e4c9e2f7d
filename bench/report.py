"""Reading 10,000 logged samples and writing their report: seconds of CPU and memory.

Each report is written in a fresh process. The logs are made of a few real samples, copied under
other names; making them is not timed.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench.measure import Measurement

SAMPLES, LOGS = 10_000, 10
ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Cost:
    """What writing a report took."""

    cpu: float
    """Seconds of all processors."""
    seconds: float
    mebibytes: float


def run() -> list[Measurement]:
    """Return the lines of this bench."""
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder) / "logs"
        _fill(logs)
        before, passed = time.process_time(), time.perf_counter()
        held, turns = _held_bytes(logs)
        reading = time.process_time() - before, time.perf_counter() - passed
        costs = [_write_report(logs, Path(folder) / "out") for _ in range(ROUNDS)]
    best = min(costs, key=lambda cost: cost.cpu)
    work = f"report of {SAMPLES:,} samples"
    return [
        Measurement(f"{work}, CPU", "s", best.cpu),
        Measurement(f"{work}, wall", "s", best.seconds, target="under 60 s"),
        Measurement("its memory at most", "MiB", best.mebibytes, target="under 1,024 MiB"),
        Measurement("reading its logs, CPU", "s", reading[0]),
        Measurement("turns held in memory", "bytes a turn", held / turns, target="under 1,024"),
    ]


def _write_report(logs: Path, out: Path) -> Cost:
    """Write a report in a process of its own."""
    code = "from causarium.cli import main; main()"
    command = [sys.executable, "-c", code, "report", str(logs), "--out", str(out)]
    before = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - before, _mebibytes(usage))


def _mebibytes(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


def _held_bytes(logs: Path) -> tuple[int, int]:
    """Read the logs; returns the bytes of turns that are kept, and how many turns there are."""
    from causarium.engine.logbook.log_book import LogBook

    book = LogBook.read([logs])
    held = sum(len(sample.turn_bytes) for sample in book.samples)
    return held, sum(row.turns for row in book.rows)


def _fill(logs: Path) -> None:
    """Write the logs of ten agents, a thousand samples each."""
    import inspect_ai
    from inspect_ai.log import write_eval_log

    from causarium.families.causalab.task import causalab

    task = causalab(set="smoke", player="exact")
    (log,) = inspect_ai.eval(task, model="none/none", log_dir=str(logs / "seed"), display="none")
    seeds = list(log.samples or ())
    for number in range(LOGS):
        agent = f"agent{number}"
        copies = []
        for place in range(SAMPLES // LOGS):
            sample = seeds[place % len(seeds)].model_copy(deep=True)
            sample.id = f"{sample.id}-{place:05d}"
            sample.metadata["causarium"]["player"] = agent
            copies.append(sample)
        copied = log.model_copy(update={"samples": copies})
        copied.eval.dataset.sample_ids = [sample.id for sample in copies]
        (logs / agent).mkdir(parents=True)
        write_eval_log(copied, str(logs / agent / f"2026-01-01T00-00-0{number}_{agent}.eval"))
