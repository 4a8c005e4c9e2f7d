"""The one object that says how a run came out: `run --json` and `score --json` print it."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from causarium import families
from causarium.contract.row import Row, mean_per_instance, mechanism_per_instance
from causarium.scoring.intervals import summarize


def summarize_run(rows: Sequence[Row], log: Path) -> dict[str, Any]:
    """Summarize the rows of one run; a number that nothing says anything about is None."""
    first = rows[0] if rows else None
    metrics = families.get(first.family).metrics if first else {}
    scored = [row for row in rows if row.unscored is None]
    names = dict.fromkeys(name for row in scored for name in row.numbers)
    mechanisms = mechanism_per_instance(scored)
    intervals = {}
    for name in names:
        values = mean_per_instance(scored, name)
        interval = summarize(
            values.values(),
            clusters=[mechanisms[instance] for instance in values],
            share=name in metrics and metrics[name].share,
        )
        intervals[name] = {
            "value": _nan_to_none(interval.value),
            "low": _nan_to_none(interval.low),
            "high": _nan_to_none(interval.high),
        }
    return {
        "family": first.family if first else None,
        "edition": first.edition if first else None,
        "set": first.set if first else None,
        "agent": first.agent if first else None,
        "n": len(scored),
        "unscored": len(rows) - len(scored),
        "metrics": intervals,
        "log": str(log),
    }


def _nan_to_none(value: float) -> float | None:
    return None if math.isnan(value) else value
