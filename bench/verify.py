"""What verifying a log costs, per row and as a ratio: beside scoring it again, and in a report.

Logs of the standard set, of a player and of a model that repeats what it reads, are scored as
`causarium score` does and reported as `causarium report` does, with and without the checks,
alternately.
"""

import contextlib
import io
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

from bench.measure import Measurement
from causarium import families
from causarium.api.evaluate import evaluate
from causarium.api.read_run import rescore_runs
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.verify import rescore, verify_runs
from causarium.report.output.report_logs import report_logs
from causarium.report.output.write_html import render

WHO = (("a player", "random", None), ("a model", None, "script/echo"))
ROUNDS = 5
LIMIT = 40


def run() -> Iterator[Measurement]:
    """Yield the lines of this bench."""
    for name in families.names():
        for who, player, model in WHO:
            with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
                made = evaluate(
                    name, player=player, model=model, limit=LIMIT, log_dir=folder, progress=False
                )
                log, rows = Path(made.log), len(made.rows)
                scored = _measure(_score, log, rescore, "find_flaw")
                reported = _measure(_report, log, verify_runs, "prove_sample")
            for work, (plain, checked), target in (
                ("score", scored, ""),
                ("report", reported, "<= 1.35x"),
            ):
                line = f"{name}, {who}: {work} a row with all checks"
                yield Measurement(line, "ms", checked / rows, plain / rows, target)


def _measure(
    work: Callable[[Path], None], log: Path, module: object, check: str
) -> tuple[float, float]:
    """Return the best milliseconds of some work on a log, without and with a check."""
    plain, checked = list[float](), list[float]()
    for _ in range(ROUNDS):
        with patch.object(module, check, return_value=""):
            plain.append(_clock(work, log))
        checked.append(_clock(work, log))
    return min(plain) * 1000, min(checked) * 1000


def _clock(work: Callable[[Path], None], log: Path) -> float:
    start = time.process_time()
    work(log)
    return time.process_time() - start


def _score(log: Path) -> None:
    for scored in rescore_runs(log):
        scored.summary()
        if scored.proof.reasons:
            raise RuntimeError(f"a log of ours is not verified: {scored.proof.reasons}")


def _report(log: Path) -> None:
    render(report_logs(LogBook.read([log]))[0])
