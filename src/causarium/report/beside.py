"""Published numbers that belong beside a run, and whether they may be compared with it."""

from collections.abc import Collection

from causarium import published
from causarium.contract.frozen import Frozen
from causarium.published import PublishedRow
from causarium.report.aggregate import RunKey


class Beside(Frozen):
    """A published number, and what it may be used for."""

    row: PublishedRow
    comparable: bool
    part: bool
    """Whether the same table has the agent's number on a whole of which this is a part."""
    caveat: str
    """What to bear in mind: of this number, and of its table."""

    @property
    def setting(self) -> str:
        """The setting in words."""
        return ", ".join(
            value if key in {"set", "strategy"} else f"{key} {value}"
            for key, value in self.row.setting.items()
        )


def published_beside(key: RunKey, metrics: Collection[str]) -> tuple[Beside, ...]:
    """Return the published numbers of a run's metrics, best table first.

    Those of the paper's main tables, or of every table about this very set where it is named.
    Comparable are those of the same set, and in the paper edition alone: the certified edition
    asks other instances under other rules.
    """
    if key.family not in published.families():
        return ()
    about = {table.name: table for table in published.tables(key.family)}
    rows = [
        row for row in published.rows(key.family) if row.metric in metrics and about[row.table].main
    ]
    named = {row.setting["set"] for row in rows if "set" in row.setting}
    if key.set in named:
        rows = [row for row in rows if row.setting.get("set", key.set) == key.set]
    return tuple(
        Beside(
            row=row,
            comparable=key.edition == "paper" and row.setting.get("set", key.set) == key.set,
            part=any(_within(row, other) for other in rows),
            caveat=" ".join(filter(None, (row.note, about[row.table].note))),
        )
        for row in rows
    )


def _within(row: PublishedRow, other: PublishedRow) -> bool:
    same = (row.table, row.agent, row.metric) == (other.table, other.agent, other.metric)
    return same and other.setting.items() < row.setting.items()
