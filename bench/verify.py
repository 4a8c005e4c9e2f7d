"""What verifying a log costs beside scoring it again: per row, and as a ratio.

A player's log of the standard set is scored again with and without the checks, alternately.
"""

import contextlib
import io
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Measurement
from causarium import families
from causarium.api.evaluate import evaluate
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.record.episode_record import score_record
from causarium.engine.verify.known_instances import KnownInstances
from causarium.engine.verify.rescore import rescore

PLAYERS = {
    "causallink": "random",
    "causalab": "random",
    "causalgame": "random",
    "replayscm": "random",
    "recite": "random",
}
ROUNDS = 3
LIMIT = 40


def run() -> Iterator[Measurement]:
    """Yield the lines of this bench."""
    for name in families.names():
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            made = evaluate(name, player=PLAYERS[name], limit=LIMIT, log_dir=folder, progress=False)
            plain, checked = _measure(Path(made.log))
        rows = len(made.rows)
        yield Measurement(
            f"{name}: score a row with all checks", "ms", checked / rows, plain / rows, "<= 1.2x"
        )


def _measure(log: Path) -> tuple[float, float]:
    """Return the best milliseconds of scoring a log, read anew, without and with the checks."""
    plain, checked = [], []
    for _ in range(ROUNDS):
        start = time.process_time()
        for sample in LogBook.read([log]).samples:
            family = families.get(sample.row.family)
            score_record(family, sample.record, sample.turns, sample.judgements)
        plain.append(time.process_time() - start)
        start = time.process_time()
        pairs = list(rescore(LogBook.read([log]).samples, families.get, KnownInstances()))
        checked.append(time.process_time() - start)
        if any(pair.after.proof for pair in pairs):
            raise RuntimeError(f"a log of ours is not verified: {pairs[0].after.proof}")
    return min(plain) * 1000, min(checked) * 1000
