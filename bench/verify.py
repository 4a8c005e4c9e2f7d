"""What verifying a log costs beside scoring it again: per row, and as a ratio.

Logs of the standard set, of a player and of a model that repeats what it is told, are scored as
`causarium score` does, with and without the checks, alternately.
"""

import contextlib
import io
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from bench.measure import Measurement
from causarium import families
from causarium.api.evaluate import evaluate
from causarium.api.read_run import rescore_runs
from causarium.engine.verify import rescore

WHO = (("a player", "random", None), ("a model", None, "script/echo"))
ROUNDS = 3
LIMIT = 40


def run() -> Iterator[Measurement]:
    """Yield the lines of this bench."""
    for name in families.names():
        for who, player, model in WHO:
            with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
                made = evaluate(
                    name, player=player, model=model, limit=LIMIT, log_dir=folder, progress=False
                )
                plain, checked = _measure(Path(made.log))
            rows = len(made.rows)
            work = f"{name}, {who}: score a row with all checks"
            yield Measurement(work, "ms", checked / rows, plain / rows, "<= 1.25x")


def _measure(log: Path) -> tuple[float, float]:
    """Return the best milliseconds of `causarium score`, without and with the checks."""
    plain, checked = [], []
    for _ in range(ROUNDS):
        with patch.object(rescore, "find_flaw", return_value=""):
            plain.append(_score(log))
        checked.append(_score(log))
    return min(plain) * 1000, min(checked) * 1000


def _score(log: Path) -> float:
    start = time.process_time()
    for scored in rescore_runs(log):
        scored.summary()
        if scored.proof.reasons:
            raise RuntimeError(f"a log of ours is not verified: {scored.proof.reasons}")
    return time.process_time() - start
