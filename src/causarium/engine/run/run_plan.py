"""What is to be run, and running it through Inspect's `eval_set()`, in this process.

Each run has a folder of its own, named after what is run; the same command finds the same folder
and resumes the run there.

A sample is finished once Inspect has recorded its end: in the log, which is written every few
samples, and until then in a database beside it, from which the next run takes it over. So a
process may be killed at any moment, and no finished sample is lost or played again.

One line on stderr says how a run goes. Inspect's hooks count for it, which costs a few additions a
turn; what was finished before a run was cut off is counted as finished.
"""

import contextlib
import io
import os
import re
import sys
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import inspect_ai
from inspect_ai import Task, eval_set
from inspect_ai.dataset import MemoryDataset
from inspect_ai.hooks import Hooks, ModelRetry, ModelUsageData, SampleEnd, TaskStart
from inspect_ai.solver import TaskState
from rich.console import Console
from rich.live import Live
from rich.text import Text

from causarium.contract.episode import count_bad_replies, count_refusals
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import digest
from causarium.contract.places import Place
from causarium.contract.rules import Edition, Rules
from causarium.contract.sets.instance_sets import name_set
from causarium.contract.shard import WHOLE, Shard
from causarium.contract.turn import Turn
from causarium.engine.gate import (
    AGENT,
    BREAKER,
    Price,
    note_spending,
    open_gate,
    register_hook,
    register_prices,
    why_closed,
)
from causarium.engine.inspect_private import PrerequisiteError
from causarium.engine.logbook.log_files import (
    fetch_logs,
    find_logs,
    local_copy,
    read_header,
    write_run_card,
)
from causarium.engine.play.inspect_episode import make_solver
from causarium.engine.record.episode_record import HUMAN, HUMAN_SEEN, EpisodeStore
from causarium.engine.run.estimate import shorten_count
from causarium.engine.run.models import NO_MODEL, ServedModel
from causarium.engine.run.options import Options, as_typed
from causarium.engine.run.run_folder import Which, hold_run_folder, list_finished_samples
from causarium.engine.task.custom_agent import agent_name
from causarium.engine.task.family_task import family_scorer, sample_of
from causarium.errors import RunError, UsageError

EVERY_S = 30.0
"""So often a line is printed where no line can be drawn over."""
_SHOWN = 3
FEWEST_REPLIES, MOST_REFUSED = 10, 0.8
"""From so many replies on it is said, once, if this share of them is refused."""


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
    refusals: Counter[str] = field(default_factory=Counter)
    """Why they could not, of finished samples."""
    turns: int = 0
    """The replies of finished samples."""
    say: Callable[[str], object] = field(default=lambda _: None)
    """What shows a warning."""
    warned: bool = False
    """Whether it was said that most replies are refused."""
    started: float = field(default_factory=time.monotonic)

    @property
    def done(self) -> int:
        """How many samples are finished."""
        return len(self.before | self.finished)

    def rate(self, now: float) -> float:
        """Return how many samples are finished in a second."""
        passed = now - self.started
        return len(self.finished - self.before) / passed if passed > 0 else 0.0

    def tell_refused(self) -> str:
        """Return a warning where most of ten or more replies are refused; empty if they are not."""
        refused = self.refusals.total()
        if self.turns < FEWEST_REPLIES or refused < MOST_REFUSED * self.turns:
            return ""
        why = self.refusals.most_common(1)[0][0]
        return (
            f"{self.name}: warning: {refused:,} of {self.turns:,} replies refused ({why}). "
            "Ctrl-C and add --rule constrained=true, or look at the replies: causarium web"
        )

    def line(self, now: float) -> str:
        """Return all of it in one line."""
        whole = f"{self.done}/{self.total or '?'}"
        parts = [f"{whole} ({len(self.before)} before)" if self.before else whole]
        if rate := self.rate(now):
            parts.append(f"{rate:.1f}/s" if rate >= 1 else f"{rate * 60:.1f}/min")
            left = max(0, self.total - self.done)
            time_left = f"{timedelta(seconds=round(left / rate))} left"
            parts.append(time_left if left else str(timedelta(seconds=round(now - self.started))))
        if self.calls:
            parts.append(f"{self.calls:,} calls")
            parts.append(f"{shorten_count(self.input)} tokens in, {shorten_count(self.output)} out")
        if self.cost is not None:
            parts.append(f"${self.cost:,.2f}")
        for what, counted in (
            ("retried", self.retries),
            ("failed", self.failures),
            ("refused", self.replies),
        ):
            if counted:
                parts.append(f"{what}: {_list_kinds(counted)}")
        return f"{self.name}: {' · '.join(parts)}"


def _list_kinds(counted: Counter[str]) -> str:
    shown = [f"{number} {kind}" for kind, number in counted.most_common(_SHOWN)]
    rest = counted.total() - sum(number for _, number in counted.most_common(_SHOWN))
    return ", ".join([*shown, *([f"{rest} other"] if rest else [])])


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
        turns = EpisodeStore(sample.store).turns
        _current.replies.update(count_bad_replies(turns))
        _current.refusals.update(count_refusals(turns))
        _current.turns += len(turns)
        if not _current.warned and (warning := _current.tell_refused()):
            _current.warned = True
            _current.say(warning)

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


def list_completed_samples(folder: Path) -> set[Which]:
    """Return the samples that logs in a folder have finished; a damaged log has none."""
    completed: set[Which] = set()
    for path in folder.glob("*.eval"):
        with suppress(OSError, ValueError, KeyError, zipfile.BadZipFile):
            completed |= list_finished_samples(path)
    return completed


@contextmanager
def show_progress(
    name: str, folder: Path, *, stream: TextIO | None = None
) -> Iterator[ProgressCounts]:
    """Show how a run goes while the block lasts, and in a last line how it went.

    Args:
        name: What is run, in a few words.
        folder: The run's folder; its logs say what was finished before.
        stream: Where to show it; stderr if it is not given. On a terminal one line is drawn over
            and over, elsewhere a line is printed now and then.

    Raises:
        UsageError: Inspect requires hooks that are not there.
    """
    global _current  # noqa: PLW0603 - Inspect has one instance of a hook for a whole process
    register_hook(_Count, "progress", "Counts for causarium's line of progress.")
    console = Console(file=stream or sys.stderr, highlight=False)
    say = partial(console.print, markup=False, soft_wrap=True)
    counts = _current = ProgressCounts(name, folder, say=say)
    try:
        line = Live(
            get_renderable=lambda: Text(
                counts.line(time.monotonic()), overflow="ellipsis", no_wrap=True
            ),
            console=console,
            refresh_per_second=2,
            transient=True,
        )
        with line if console.is_terminal else _print_lines(counts, console):
            yield counts
    finally:
        _current = None
        if not counts.total:
            # Inspect started nothing: all was done already, or nothing can be.
            counts.before = list_completed_samples(folder)
            counts.total = len(counts.before)
        if counts.total:
            _print_line(console, counts)


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


_ONCE = {"retry_immediate": False, "retry_attempts": 1, "retry_on_error": 1}
"""A sample that fails is tried once more at once; a run that cannot write its log is not.

Inspect would throw away the database with the samples that are not in the log yet when it begins
such a run again; left alone, it keeps them for the next process.
"""


@dataclass(frozen=True)
class RunPlan:
    """A run that can be started: all that it needs, and nothing that is still to be found."""

    family: str
    task: str
    """The task's name with its package: `causarium/causallink`."""
    version: str
    edition: str
    digest: str
    """The digest of all that decides what is played: instances, an agent's file, prompts."""
    set: str = "standard"
    file: str | None = None
    """A set of one's own in place of a named set."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    """Changes to the rules of the edition."""
    player: str | None = None
    agent: str | None = None
    """An agent of the user's own: FILE.py@NAME or PACKAGE.MODULE:NAME."""
    agent_boundary: str | None = None
    model: str = NO_MODEL
    local: ServedModel | None = None
    """The model, where this machine is to serve it."""
    options: Options = field(default_factory=Options)
    limit: int | None = None
    rungs: str | None = None
    """Only some rungs, as in 5-9."""
    shard: Shard = WHOLE
    """Which share of the instances is played."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """The prices that are known, by role."""
    own_prices: frozenset[str] = frozenset()
    """The roles that the user gave a price for, and Inspect does not know."""
    budget: float | None = None
    """US dollars that all runs of a command together may spend."""
    breaker: int = BREAKER
    """So many failures of the provider in a row end the run; 0: none do."""
    log_dir: str = "logs"
    """Where runs have their folders, on this machine or at a URL."""
    beside: tuple[str, ...] = ()
    """The other families that the same command runs."""

    @property
    def who(self) -> str:
        """Who plays: `player/exact`, the model, or `mine (model)` for an agent of one's own."""
        if self.player:
            return f"player/{self.player}"
        return f"{agent_name(self.agent)} ({self.model})" if self.agent else self.model

    @property
    def played(self) -> str:
        """The name of the set, or of the set file, that is played."""
        return self.set if self.file is None else name_set(self.file)

    @property
    def models(self) -> dict[str, tuple[str, ...]]:
        """The models that are paid, by role."""
        under_test = {} if self.model == NO_MODEL else {AGENT: (self.model,)}
        return {**under_test, **self.options.roles}

    @property
    def arguments(self) -> dict[str, Any]:
        """The task's arguments."""
        played = {"set": self.set} if self.file is None else {"file": self.file}
        named = {"player": self.player, "agent": self.agent, "agent_boundary": self.agent_boundary}
        given = {name: value for name, value in named.items() if value is not None}
        share = {} if self.shard.is_whole else {"shard": str(self.shard)}
        # Not Inspect's own limit, which takes the first ones: the warm-ups.
        part = {"limit": self.limit, "rungs": self.rungs}
        share |= {name: str(value) for name, value in part.items() if value is not None}
        return {"edition": self.edition, **played, **given, **self.rules, **share}

    @property
    def name(self) -> str:
        """The run's folder below `log_dir`: what is run, in words, and a few digits of it all."""
        who = self.who.replace("/", "-").replace(" (", "-").replace(")", "")
        shares = [] if self.shard.is_whole else [f"shard{str(self.shard).replace('/', 'of')}"]
        words = "-".join([self.edition, self.played, who, *shares])
        arguments = sorted((name, as_typed(value)) for name, value in self.arguments.items())
        outcome = tuple(sorted(self.options.outcome().items()))
        everything = digest(repr((self.version, self.digest, self.model, arguments, outcome)))
        return f"{self.family}/{words}-{everything.partition(':')[2][:8]}"

    @property
    def folder(self) -> Place:
        """The run's folder, on this machine or at a URL."""
        return Place.parse(self.log_dir) / self.name


@contextlib.contextmanager
def open_calls(
    plans: Sequence[RunPlan], say: Callable[[str], None], *, serve: bool = True
) -> Iterator[None]:
    """Let the models of some runs be called: behind one gate, at their prices, a local one served.

    Args:
        plans: The runs of one command; they share a budget, a breaker and, if served, a model.
        say: Told what is done for a local model.
        serve: Whether to serve the first run's local model; a sweep serves one after another.
    """
    first, folders = plans[0], []
    for plan in plans:
        # Only what was spent before needs the logs.
        fetched = plan.budget is not None and plan.folder.exists()
        here = plan.folder.path or local_copy(plan.folder)
        folders.append(fetch_logs(plan.folder) if fetched else here)
    local = first.local if serve else None
    served = local.serve_to_inspect(say) if local else contextlib.nullcontext()
    for plan in plans:
        register_prices({role: plan.prices[role] for role in plan.own_prices}, plan.models)
    with open_gate(first.budget, first.breaker, folders), served:
        yield


def find_obstacle(plan: RunPlan) -> str | None:
    """Say why a run is not started: no call is made any more, and it is not complete."""
    reason = why_closed() if plan.models else None
    return None if reason is None or is_complete(plan) else reason


def is_complete(plan: RunPlan) -> bool:
    """Whether the newest log of a run has all its samples finished."""
    with suppress(UsageError):
        newest = read_header(find_logs([fetch_logs(plan.folder)])[-1])
        return newest.status != "started" and newest.expected <= len(
            list_completed_samples(newest.path.parent)
        )
    return False


def run_plan(plan: RunPlan, *, progress: bool = True, place: str = "") -> str:
    """Run what is planned, or resume it; returns the run's folder, with its card in it.

    On an object store there are no leftovers to delete; Inspect writes a log there as one object,
    and resumes from it.

    Args:
        plan: What to run.
        progress: Whether to show on stderr how it goes; an option `display` has Inspect show it.
        place: What the line of progress begins with.

    Raises:
        UsageError: A file of settings cannot be read, Inspect refuses an option, a key is missing.
        RunError: The run failed beyond single samples, or another process is at it.
        KeyboardInterrupt: Somebody stopped it; what was finished is in the log.
    """
    folder = plan.folder
    here = folder.path or local_copy(folder)
    with plan.options.environment(), redirect_stdout_to_stderr():
        arguments = {**_ONCE, **plan.options.arguments()}
        shown = progress and "display" not in arguments
        arguments.setdefault("display", "none")
        line = f"{place}{plan.family}, {plan.who}"
        watching = show_progress(line, here) if shown else contextlib.nullcontext()
        try:
            with watching, hold_run_folder(folder), note_spending(here):
                eval_set(
                    [plan.task],
                    log_dir=folder.url,
                    model=plan.who if plan.player else plan.model,
                    task_args=plan.arguments,
                    **arguments,
                )
        except PrerequisiteError as wrong:
            raise UsageError(_strip_markup(wrong.message)) from wrong
        finally:
            write_run_card(folder)
    return folder.url


def _strip_markup(message: object) -> str:
    text = io.StringIO()
    Console(file=text, width=200, no_color=True).print(message)
    return " ".join(text.getvalue().split())


@contextlib.contextmanager
def redirect_stdout_to_stderr() -> Iterator[None]:
    """Send all that is printed, by anyone in this process, to stderr: stdout is for data."""
    sys.stdout.flush()
    stdout = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(stdout, 1)
        os.close(stdout)


def write_human_log(  # noqa: PLR0913 - all that a log says of a game
    folder: Path,
    family: AnyFamily,
    instance: AnyInstance,
    rules: Rules,
    turns: Sequence[Turn],
    *,
    edition: Edition,
    set_name: str,
    seen_before: bool = False,
) -> Path:
    """Write the log of one episode that a person played; returns its path.

    A game of somebody who may have seen the truth before stands under a name of its own, so that
    it is in no mean of the others.

    Raises:
        RunError: The log could not be written.
    """

    async def replay_turns(state: TaskState) -> TaskState:
        EpisodeStore(state.store).start_turns(turns)
        state.completed = True
        return state

    who = HUMAN_SEEN if seen_before else HUMAN
    sample = sample_of(family, instance, rules, edition=edition, set_name=set_name, player=who)
    verdict = family_scorer(family)
    task = Task(
        name=family.name,
        dataset=MemoryDataset([sample], name=f"{family.name}-{edition}-{set_name}"),
        solver=make_solver("causarium/human", replay_turns),
        scorer=verdict(),
        version=family.card.version,
        metadata={"family": family.name, "edition": edition, "set": set_name, "player": who},
    )
    (log,) = inspect_ai.eval(
        task, model=NO_MODEL, log_dir=str(folder), display="none", log_level="warning"
    )
    if log.status != "success":
        raise RunError(f"the log could not be written to {folder}: {log.error}")
    return Path(log.location.removeprefix("file://"))
