"""Logs of shards: put together in the order of the set, and held against each other."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from causarium.contract.shard import Shard
from causarium.engine.logbook.log_files import LogHeader
from causarium.errors import RunError

if TYPE_CHECKING:
    from causarium.engine.logbook.log_book import LoggedSample, RowKey


def order_by_set(samples: "Iterable[LoggedSample]") -> "list[LoggedSample]":
    """Return samples run by run, each in the order of its set; later logs stay behind earlier."""
    runs: dict[str, int] = {}

    def place(sample: "LoggedSample") -> tuple[int, int, int]:
        header, row = sample.header, sample.row
        last = len(header.order)
        run = runs.setdefault(header.run, len(runs))
        return run, header.order.get(row.id, last), row.epoch

    return sorted(samples, key=place)


def refuse_contradictions(samples: "Iterable[LoggedSample]") -> None:
    """Make sure that no two shards have different verdicts on one instance.

    Raises:
        RunError: Two do; names both logs.
    """
    seen: dict[RowKey, LoggedSample] = {}
    for sample in samples:
        if sample.failed or sample.row.unscored is not None:
            continue
        other = seen.setdefault(sample.key, sample)
        if sample.header.shard == other.header.shard:
            continue
        if (sample.row.numbers, sample.row.labels) != (other.row.numbers, other.row.labels):
            raise RunError(
                f"{sample.row.id} has one verdict in {other.header.path} and another in "
                f"{sample.header.path}, which are shards of one run; leave one of them out"
            )


def name_missing_shards(logs: Sequence[LogHeader]) -> list[str]:
    """Return one sentence for each run of which shards are missing."""
    runs: dict[tuple[str, int], list[LogHeader]] = {}
    for header in logs:
        shard = Shard.parse(header.shard)
        if not shard.is_whole:
            runs.setdefault((header.run, shard.count), []).append(header)
    # A run that is there whole, or cut otherwise as well, has all its instances.
    whole = {header.run for header in logs if header.shard is None}
    sentences = []
    for (run, count), headers in runs.items():
        numbers = {Shard.parse(header.shard).number for header in headers}
        absent = [f"{k}/{count}" for k in range(1, count + 1) if k not in numbers]
        complete = {c for (r, c), hs in runs.items() if r == run and len(_numbers(hs)) == c}
        if absent and run not in whole and not complete:
            played = len({id_ for header in headers for id_ in header.order})
            size = headers[0].set_size
            few = f" ({size - played} of {size} instances)" if size else ""
            sentences.append(
                f"The run {headers[0].about} lacks the shards {', '.join(absent)}{few}; run them "
                "and report again."
            )
    return sentences


def _numbers(headers: Iterable[LogHeader]) -> set[int]:
    return {Shard.parse(header.shard).number for header in headers}
