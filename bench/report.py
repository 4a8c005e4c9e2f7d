"""Reading 10,000 logged samples and writing their report: seconds and memory, in a fresh process.

The logs are made of a few real samples, copied under other names; making them is not timed.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.measure import Measurement

SAMPLES, LOGS = 10_000, 10


def run() -> list[Measurement]:
    """Return the lines of this bench."""
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder) / "logs"
        _fill(logs)
        before = time.perf_counter()
        code = "from causarium.cli import main; main()"
        command = [sys.executable, "-c", code, "report", str(logs), "--out", f"{folder}/out"]
        subprocess.run(command, check=True, capture_output=True)
        seconds = time.perf_counter() - before
    # Of the children that were waited for, the largest: the report.
    mebibytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return [
        Measurement(f"report of {SAMPLES:,} samples", "s", seconds, target="under 60 s"),
        Measurement("its memory at most", "MiB", mebibytes, target="under 1,024 MiB"),
    ]


def _fill(logs: Path) -> None:
    """Write the logs of ten agents, a thousand samples each."""
    import inspect_ai
    from inspect_ai.log import write_eval_log

    from causarium.engine.task.family_task import build_task
    from causarium.families.causalab import FAMILY
    from causarium.families.causalab.task import causalab_verdict

    task = build_task(
        FAMILY,
        causalab_verdict(),
        edition="certified",
        set_name="smoke",
        file=None,
        player="scientist",
        rules={},
    )
    (log,) = inspect_ai.eval(task, model="none/none", log_dir=str(logs / "seed"), display="none")
    seeds = list(log.samples or ())
    for number in range(LOGS):
        agent = f"agent{number}"
        copies = []
        for at in range(SAMPLES // LOGS):
            sample = seeds[at % len(seeds)].model_copy(deep=True)
            sample.id = f"{sample.id}-{at:05d}"
            sample.metadata["causarium"]["player"] = agent
            copies.append(sample)
        copied = log.model_copy(update={"samples": copies})
        copied.eval.dataset.sample_ids = [sample.id for sample in copies]
        (logs / agent).mkdir(parents=True)
        write_eval_log(copied, str(logs / agent / f"2026-01-01T00-00-0{number}_{agent}.eval"))
