"""Sixteen columns that every row has, whatever its family: the data frame of a notebook."""

import math
from collections.abc import Sequence
from typing import Any

from causarium import families
from causarium.contract.row import Row
from causarium.contract.rungs import read_rung
from causarium.report.data.family_facts import FamilyFacts, look_up
from causarium.report.data.outcomes import find_outcome

FRAME = (
    *("family", "set", "edition", "model", "instance", "rung", "level", "epoch"),
    *("score", "outcome", "failure", "replies", "refused", "tokens_in", "tokens_out", "cost"),
)


def read_frame(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return the columns of rows by name."""
    facts = look_up(rows)
    records = [_read_row(row, facts[row.family]) for row in rows]
    return {name: [record[name] for record in records] for name in FRAME}


def _read_row(row: Row, facts: FamilyFacts) -> dict[str, Any]:
    outcome, usage = find_outcome(row), row.usage
    metric = facts.headline_of(row.edition) if row.family in families.names() else ""
    told = {"replies": row.turns, "refused": sum(row.faults.values())}
    return {
        **{name: getattr(row, name) for name in ("family", "set", "edition", "epoch")},
        "model": row.agent,
        "instance": row.id,
        "rung": read_rung(row.id),
        "level": row.id.removeprefix(f"{row.family}-").rpartition("-")[0],
        "score": math.nan if row.unscored else row.numbers.get(metric, math.nan),
        "outcome": outcome.ending,
        "failure": "" if outcome.ending == "correct" else outcome.words,
        **told,
        "tokens_in": usage.agent.input if usage else None,
        "tokens_out": usage.agent.output if usage else None,
        "cost": usage.agent.cost if usage else None,
    }
