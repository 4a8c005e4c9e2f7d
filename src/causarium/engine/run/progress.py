"""How a run goes, while it goes: Inspect's hooks count, and one line says what they counted.

A turn costs a few additions. What was finished before a run was cut off is counted as finished.
"""

import json
import re
import sys
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from inspect_ai.hooks import (
    Hooks,
    ModelRetry,
    ModelUsageData,
    SampleEnd,
    TaskStart,
)
from rich.console import Console
from rich.live import Live
from rich.text import Text

from causarium.contract.row import ILLEGAL
from causarium.engine.gate import register_hook
from causarium.engine.record.episode_store import EpisodeStore

EVERY_S = 30.0
"""So often a line is printed where no line can be drawn over."""
_SHOWN = 3

Which = tuple[str, int]
"""A sample: its id and epoch."""


@dataclass(slots=True)
class ProgressCounts:
    """What was counted so far."""

    name: str
    """What is run, in a few words."""
    folder: Path
    total: int = 0
    before: set[Which] = field(default_factory=set)
    """Finished when this started."""
    finished: set[Which] = field(default_factory=set)
    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float | None = None
    retries: Counter[str] = field(default_factory=Counter)
    """Calls that a provider failed and that were made again, by kind."""
    failures: Counter[str] = field(default_factory=Counter)
    """Samples that came to no end, by kind of error."""
    replies: Counter[str] = field(default_factory=Counter)
    """Replies that could not be read or obeyed, by kind."""
    started: float = field(default_factory=time.monotonic)

    @property
    def done(self) -> int:
        """How many samples are finished."""
        return len(self.before | self.finished)

    def rate(self, now: float) -> float:
        """Return how many samples are finished in a second."""
        passed = now - self.started
        return len(self.finished - self.before) / passed if passed > 0 else 0.0

    def line(self, now: float) -> str:
        """Return all of it in one line."""
        whole = f"{self.done}/{self.total or '?'}"
        parts = [f"{whole} ({len(self.before)} before)" if self.before else whole]
        if rate := self.rate(now):
            parts.append(f"{rate:.1f}/s" if rate >= 1 else f"{rate * 60:.1f}/min")
            left = max(0, self.total - self.done)
            parts.append(
                f"{_format_time(left / rate)} left"
                if left
                else f"{_format_time(now - self.started)}"
            )
        if self.calls:
            parts.append(f"{self.calls:,} calls")
            parts.append(f"{_format_count(self.input)} tokens in, {_format_count(self.output)} out")
        if self.cost is not None:
            parts.append(f"${self.cost:,.2f}")
        for what, counted in (
            ("retried", self.retries),
            ("failed", self.failures),
            ("bad replies", self.replies),
        ):
            if counted:
                parts.append(f"{what}: {_list_kinds(counted)}")
        return f"{self.name}: {' · '.join(parts)}"


def _list_kinds(counted: Counter[str]) -> str:
    shown = [f"{number} {kind}" for kind, number in counted.most_common(_SHOWN)]
    rest = counted.total() - sum(number for _, number in counted.most_common(_SHOWN))
    return ", ".join([*shown, *([f"{rest} other"] if rest else [])])


def _format_time(seconds: float) -> str:
    """Write a time for people.

    Example:
        >>> _format_time(59.6), _format_time(3725)
        ('1:00', '1:02:05')
    """
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _format_count(number: int) -> str:
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return str(number)


_current: ProgressCounts | None = None


class _Count(Hooks):
    """Counts what Inspect tells, while somebody watches."""

    def enabled(self) -> bool:
        return _current is not None

    async def on_task_start(self, data: TaskStart) -> None:
        if _current is not None:
            if not _current.total:
                _current.started = time.monotonic()
            chosen = data.spec.dataset.sample_ids or []
            _current.total = len(chosen) * (data.spec.config.epochs or 1)
            wanted = {str(sample_id) for sample_id in chosen}
            _current.before |= {
                which
                for which in list_completed_samples(_current.folder)
                if which[0] in wanted and which not in _current.finished
            }

    async def on_sample_end(self, data: SampleEnd) -> None:
        if _current is None:
            return
        sample = data.sample
        if sample.error is None:
            _current.finished.add((str(sample.id), sample.epoch))
        else:
            _current.failures[error_kind(sample.error.message)] += 1
        _current.replies.update(reply_kinds(sample.store))

    async def on_model_usage(self, data: ModelUsageData) -> None:
        if _current is not None:
            used = data.usage
            cached = (used.input_tokens_cache_read or 0) + (used.input_tokens_cache_write or 0)
            _current.calls += 1
            _current.input += used.input_tokens + cached
            _current.output += used.output_tokens
            if used.total_cost is not None:
                _current.cost = (_current.cost or 0.0) + used.total_cost

    async def on_model_retry(self, data: ModelRetry) -> None:
        if _current is not None:
            parts = (str(data.status_code or ""), data.exception_type or "")
            _current.retries[" ".join(filter(None, parts)) or "error"] += 1


def error_kind(message: str) -> str:
    """Return the kind of an error in a word, as its message begins.

    Example:
        >>> error_kind("RateLimitError('Error code: 429')"), error_kind("")
        ('RateLimitError', 'error')
        >>> error_kind("RetryError(<Future at 0x7f state=finished raised APIConnectionError>)")
        'APIConnectionError'
    """
    # What was raised each time says more than that it was tried again in vain.
    if last := re.search(r"raised (\w+)>", message):
        return last[1][:40]
    word = message.strip().partition("(")[0].partition(":")[0].split()
    return word[0][:40] if word else "error"


def reply_kinds(store: dict[str, Any]) -> list[str]:
    """Return, for each reply that came to nothing, what was wrong with it."""
    kinds = []
    for turn in EpisodeStore(store).raw_turns:
        unparsed = turn.get("unparsed")
        if unparsed is not None:
            kinds.append(str(unparsed.get("mode", "unread")))
        elif not turn.get("legal", True):
            kinds.append(ILLEGAL)
    return kinds


def list_completed_samples(folder: Path) -> set[Which]:
    """Return the samples that logs in a folder have finished; a damaged log has none."""
    completed: set[Which] = set()
    for path in folder.glob("*.eval"):
        with suppress(OSError, ValueError, KeyError, zipfile.BadZipFile):
            completed |= _list_completed_in_log(path)
    return completed


def _list_completed_in_log(path: Path) -> set[Which]:
    with zipfile.ZipFile(path) as log:
        # A log that is complete has all summaries in one file, another has them bit by bit.
        names = [name for name in log.namelist() if "summaries" in name and name.endswith(".json")]
        summaries = [summary for name in names for summary in json.loads(log.read(name))]
    return {
        (str(summary["id"]), int(summary["epoch"]))
        for summary in summaries
        if not summary.get("error") and summary.get("completed", True)
    }


@cache
def _register_hook() -> None:
    register_hook(_Count, "progress", "Counts for causarium's line of progress.")


@contextmanager
def show_progress(
    name: str, folder: Path, *, stream: TextIO | None = None
) -> Iterator[ProgressCounts]:
    """Show how a run goes while the block lasts, and in a last line how it went.

    Args:
        name: What is run, in a few words.
        folder: The run's folder, whose logs say what was finished before.
        stream: Where to show it; stderr if it is not given. On a terminal one line is drawn over
            and over, elsewhere a line is printed now and then.

    Raises:
        UsageError: Inspect is told to need hooks that are not there.
    """
    global _current  # noqa: PLW0603 - Inspect has one instance of a hook for a whole process
    _register_hook()
    console = Console(file=stream or sys.stderr, highlight=False)
    counts = _current = ProgressCounts(name, folder)
    try:
        with _draw_line(counts, console) if console.is_terminal else _print_lines(counts, console):
            yield counts
    finally:
        _current = None
        if not counts.total:
            # Inspect started nothing: all was done already, or nothing can be.
            counts.before = list_completed_samples(folder)
            counts.total = len(counts.before)
        if counts.total:
            _print_line(console, counts)


class _ProgressLine:
    """The line as rich asks for it, each time it draws."""

    def __init__(self, counts: ProgressCounts) -> None:
        self._counts = counts

    def __rich__(self) -> Text:
        return Text(self._counts.line(time.monotonic()), overflow="ellipsis", no_wrap=True)


@contextmanager
def _draw_line(counts: ProgressCounts, console: Console) -> Iterator[None]:
    with Live(_ProgressLine(counts), console=console, refresh_per_second=2, transient=True):
        yield


@contextmanager
def _print_lines(counts: ProgressCounts, console: Console) -> Iterator[None]:
    over = threading.Event()

    def now_and_then() -> None:
        while not over.wait(EVERY_S):
            _print_line(console, counts)

    thread = threading.Thread(target=now_and_then, name="causarium-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _print_line(console: Console, counts: ProgressCounts) -> None:
    console.print(counts.line(time.monotonic()), soft_wrap=True, markup=False)
