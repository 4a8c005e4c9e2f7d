"""What is to be run, and running it through Inspect's `eval_set()`, in this process.

Each run has a folder of its own, named after what is run; the same command finds the same folder
and resumes the run there.

A sample is finished once Inspect has recorded its end: in the log, which is written every few
samples, and until then in a database beside it, from which the next run takes it over. So a
process may be killed at any moment, and no finished sample is lost or played again.
"""

import contextlib
import io
import logging
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_ai import eval_set
from inspect_ai.log import read_eval_log
from inspect_ai.util import registry_info
from rich.console import Console

from causarium.contract.frozen import digest
from causarium.contract.places import Place
from causarium.contract.sets.instance_sets import name_set
from causarium.contract.shard import WHOLE, Shard
from causarium.engine.gate import BREAKER, note_spending, open_gate
from causarium.engine.inspect_private import PrerequisiteError, registry_find
from causarium.engine.local.local_model import LocalModel
from causarium.engine.logbook.fetch_logs import fetch_logs, local_copy
from causarium.engine.logbook.log_files import write_run_card
from causarium.engine.play.player_model import PROVIDER
from causarium.engine.run.options import Options, as_typed
from causarium.engine.run.prices import AGENT, Price, register_prices
from causarium.engine.run.progress import show_progress
from causarium.engine.run.refuse_secrets import refuse_secrets
from causarium.engine.run.run_folder import (
    delete_leftovers,
    lock_run_folder,
    set_aside_damaged_logs,
)
from causarium.engine.task.custom_agent import agent_name
from causarium.errors import RunError, UnknownName, UsageError

NO_MODEL = "none/none"
_COUNTS_TOKENS = "mockllm/"

_ROOM = 1 << 20
"""Where less than this is free on a disk, it is as good as full."""
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
    local: LocalModel | None = None
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
        return {"edition": self.edition, **played, **given, **self.rules, **share}

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
def open_calls(plans: Sequence[RunPlan], say: Callable[[str], None]) -> Iterator[None]:
    """Let the models of some runs be called: behind one gate, at their prices, a local one served.

    Args:
        plans: The runs of one command; they share a model, a budget and a breaker.
        say: Told what is done for a local model.
    """
    first, folders = plans[0], []
    for plan in plans:
        own = {role: plan.prices[role] for role in plan.own_prices}
        register_prices(own, plan.models)
        # Only what was spent before needs the logs.
        fetched = plan.budget is not None and plan.folder.exists()
        here = plan.folder.path or local_copy(plan.folder)
        folders.append(fetch_logs(plan.folder) if fetched else here)
    served = first.local.serve_to_inspect(say) if first.local else contextlib.nullcontext()
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
    folder = plan.folder
    here = folder.path or local_copy(folder)
    plan.options.set_environment()
    arguments = {**_ONCE, **plan.options.arguments()}
    refuse_secrets(arguments)
    shown = progress and "display" not in arguments
    arguments.setdefault("display", "none")
    if plan.limit is not None:
        arguments["limit"] = plan.limit
    _check_tokenizer(plan.model)
    line = f"{place}{plan.family}, {plan.who}"
    with redirect_stdout_to_stderr(), note_spending(here):
        try:
            with show_progress(line, here) if shown else contextlib.nullcontext():
                _run_in_folder(plan, arguments)
        finally:
            write_run_card(folder)
    return folder.url


def _run_in_folder(plan: RunPlan, arguments: Mapping[str, Any]) -> None:
    folder, inspect_errors = plan.folder, InspectErrors()
    try:
        with _keep_folder(folder), inspect_errors.collect():
            _call_inspect(plan, arguments)
            _check_end(folder, inspect_errors.messages)
    except OSError as wrong:
        raise RunError(
            f"The run cannot continue in {folder}: {wrong}. Finished instances are saved; "
            "fix this, then run the same command to resume."
        ) from wrong


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


@contextlib.contextmanager
def _keep_folder(folder: Place) -> Iterator[None]:
    """Hold a folder of this machine for a run, and tidy it before and after."""
    if folder.path is None:
        yield
        return
    with lock_run_folder(folder.path, _print_note):
        for log in set_aside_damaged_logs(folder.path):
            _print_note(str(log))
        yield
        delete_leftovers(folder.path)


def _call_inspect(plan: RunPlan, arguments: Mapping[str, Any]) -> None:
    try:
        eval_set(
            [plan.task],
            log_dir=plan.folder.url,
            model=plan.who if plan.player else plan.model,
            task_args=plan.arguments,
            **arguments,
        )
    except PrerequisiteError as wrong:
        raise UsageError(_strip_markup(wrong.message)) from wrong


class InspectErrors(logging.Handler):
    """Collects the errors that Inspect logs, which some of its displays show to nobody."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message of an error."""
        self.messages.append(record.getMessage())

    @contextlib.contextmanager
    def collect(self) -> Iterator[None]:
        """Collect for as long as the block lasts."""
        logger, before = logging.getLogger("inspect_ai"), logging.raiseExceptions
        logger.addHandler(self)
        # On a full disk a log of what happens fails at every line, with a traceback for each.
        logging.raiseExceptions = False
        try:
            yield
        finally:
            logging.raiseExceptions = before
            logger.removeHandler(self)


def _check_end(folder: Place, errors: Sequence[str]) -> None:
    """Look at what a run has left; Inspect may end as if all were well.

    Raises:
        RunError: There is no log, or it could not be written to its end.
        KeyboardInterrupt: Somebody stopped the run.
    """
    logs = sorted(name for name in folder.list_names() if name.endswith(".eval"))
    newest = f"{folder}/{logs[-1]}" if logs else ""
    status = read_eval_log(newest, header_only=True).status if newest else None
    if status == "cancelled":
        raise KeyboardInterrupt
    if status is None or status == "started":
        reasons = list(errors[-1:])
        here = folder.path
        free = shutil.disk_usage(here).free if here is not None and here.exists() else _ROOM
        if free < _ROOM:
            reasons.append(f"the disk has only {free:,} bytes left")
        raise RunError(
            f"Inspect could not write its log in {folder} to the end "
            f"({'; '.join(reasons) or 'it says why above'}). Finished instances are saved; "
            "fix this, then run the same command to resume."
        )


def _print_note(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _strip_markup(message: object) -> str:
    text = io.StringIO()
    Console(file=text, width=200, no_color=True).print(message)
    return " ".join(text.getvalue().split())


def check_model_name(model: str) -> str:
    """Return `model` if Inspect has its provider.

    Raises:
        UsageError: The name has no provider, or one that Inspect does not have.
    """
    # Ours is registered where it is imported; Inspect's own are always there.
    from causarium.engine.local import script_model  # noqa: F401

    apis = registry_find(lambda info: info.type == "modelapi")
    names = {registry_info(api).name.rpartition("/")[2] for api in apis}
    providers = sorted(names - {PROVIDER})
    provider, _, name = model.partition("/")
    if model == NO_MODEL or provider == PROVIDER:
        raise UsageError("Name a model, or use --player.")
    if not name:
        raise UsageError(
            f"a model is named provider/model, such as openai/gpt-5; {model!r} has no provider"
        )
    if provider not in providers:
        raise UnknownName("model provider", provider, providers)
    return model


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
