"""What is to be run, and running it through Inspect's `eval_set()`, in this process.

Each run has a folder of its own, named after what is run; the same command finds the same folder
and resumes the run there.

A sample is finished once Inspect has recorded its end: in the log, which is written every few
samples, and until then in a database beside it, from which the next run takes it over. So a
process may be killed at any moment, and no finished sample is lost or played again.
"""

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_ai import eval_set
from rich.console import Console

from causarium.contract.frozen import digest
from causarium.contract.places import Place
from causarium.contract.sets.instance_sets import name_set
from causarium.contract.shard import WHOLE, Shard
from causarium.engine.gate import AGENT, BREAKER, Price, note_spending, open_gate, register_prices
from causarium.engine.inspect_private import PrerequisiteError
from causarium.engine.logbook.log_files import fetch_logs, local_copy, write_run_card
from causarium.engine.run.models import NO_MODEL, ServedModel
from causarium.engine.run.options import Options, as_typed
from causarium.engine.run.progress import show_progress
from causarium.engine.run.run_folder import hold_run_folder
from causarium.engine.task.custom_agent import agent_name
from causarium.errors import UsageError

_COUNTS_TOKENS = "mockllm/"

_ONCE = {"retry_immediate": False, "retry_attempts": 1, "retry_on_error": 1}
"""A sample that fails is tried once more at once; a run whose log cannot be written is not.

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
    shard: Shard = WHOLE
    """Which share of the instances is played."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """The prices that are known, by role."""
    own_prices: frozenset[str] = frozenset()
    """The roles whose price the user gave, and Inspect does not know."""
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
        """Who plays: `player/optimal`, the model, or `mine (model)` for an agent of one's own."""
        if self.player:
            return f"player/{self.player}"
        return f"{agent_name(self.agent)} ({self.model})" if self.agent else self.model

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
        # A prompt of a release may take half a second; Inspect's own limit comes after them all.
        first = {"first": self.limit} if self.limit is not None and "release" in self.rules else {}
        return {"edition": self.edition, **played, **given, **self.rules, **share, **first}

    @property
    def name(self) -> str:
        """The run's folder below `log_dir`: what is run, in words, and a few digits of it all."""
        played = self.set if self.file is None else name_set(self.file)
        who = self.who.replace("/", "-").replace(" (", "-").replace(")", "")
        shares = [] if self.shard.is_whole else [f"shard{str(self.shard).replace('/', 'of')}"]
        words = "-".join([self.edition, played, who, *shares])
        arguments = sorted((name, as_typed(value)) for name, value in self.arguments.items())
        limit = {} if self.limit is None else {"limit": repr(str(self.limit))}
        outcome = tuple(sorted({**self.options.outcome(), **limit}.items()))
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


def run_plan(plan: RunPlan, *, progress: bool = True, place: str = "") -> str:
    """Run what is planned, or resume it; returns the run's folder, with its card in it.

    On an object store there are no locks and no leftovers to delete; Inspect writes a log there as
    one object, and resumes from it.

    Args:
        plan: What to run.
        progress: Whether to show on stderr how it goes; an option `display` has Inspect show it.
        place: What the line of progress begins with.

    Raises:
        UsageError: A file of settings cannot be read, Inspect refuses an option, a key is missing.
        RunError: The run failed beyond single samples, or another process is at it.
        KeyboardInterrupt: Somebody stopped it; what was finished is in the log.
    """
    plan.options.set_environment()
    arguments = {**_ONCE, **plan.options.arguments()}
    _check_tokenizer(plan.model)
    folder = plan.folder
    here = folder.path or local_copy(folder)
    shown = progress and "display" not in arguments
    arguments.setdefault("display", "none")
    if plan.limit is not None:
        arguments["limit"] = plan.limit
    line = f"{place}{plan.family}, {plan.who}"
    with redirect_stdout_to_stderr(), note_spending(here):
        try:
            with (
                show_progress(line, here) if shown else contextlib.nullcontext(),
                hold_run_folder(folder),
            ):
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


def _check_tokenizer(model: str) -> None:
    """Look for what Inspect's own stand-in counts tokens with, before a run fails at every sample.

    Raises:
        UsageError: It is not on this machine, and there is no network to fetch it from.
    """
    if not model.startswith(_COUNTS_TOKENS):
        return
    import tiktoken  # one of Inspect's own requirements, and needed for nothing else

    try:
        tiktoken.get_encoding("o200k_base")
    except OSError as wrong:
        raise UsageError(
            f"{model} counts tokens with a tokenizer that Inspect downloads, and it cannot be "
            "downloaded here; --model script/silent needs no network."
        ) from wrong


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
