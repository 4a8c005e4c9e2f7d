"""Running a task through Inspect's `eval_set()`, in this process.

Each run has a folder of its own, named after what is run; the same command finds the same folder
and resumes the run there. Options for Inspect are read by `inspect_options`.

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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dotenv import find_dotenv, load_dotenv
from inspect_ai import eval_set
from inspect_ai.log import read_eval_log
from inspect_ai.util import registry_info
from rich.console import Console

from causarium.contract.frozen import digest
from causarium.contract.places import Place
from causarium.contract.sets.instance_sets import name_set
from causarium.engine.inspect_private import PrerequisiteError, registry_find
from causarium.engine.play.player_model import PROVIDER
from causarium.engine.run.inspect_options import (
    default_retry_options,
    outcome_options,
    parse_options,
)
from causarium.engine.run.option_values import read_value
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
_PATHS = ("file", "agent", "prompts", "shard")
"""Arguments of a task that are texts, whatever characters are in them."""


@dataclass(frozen=True, slots=True)
class RunSpec:
    """What to run: a task, its arguments, a model or a player."""

    task: str
    """The task's name with its package: `causarium/causallink`."""
    version: str
    digest: str
    """The digest of the instances to be played."""
    arguments: dict[str, str]
    """The task's arguments: edition, set or file, player, rules."""
    model: str = NO_MODEL
    options: tuple[str, ...] = ()
    """Options for Inspect, as they would be typed."""

    @property
    def agent(self) -> str:
        """Who plays: `player/optimal`, the model, or `mine (model)` for an agent of one's own."""
        player, own = self.arguments.get("player"), self.arguments.get("agent")
        if player:
            return f"player/{player}"
        return f"{agent_name(own)} ({self.model})" if own else self.model

    @property
    def folder(self) -> str:
        """The run's folder: what is run, in words, and a few digits of everything that matters."""
        played = self.arguments.get("set") or name_set(self.arguments["file"])
        who = self.agent.replace("/", "-").replace(" (", "-").replace(")", "")
        share = self.arguments.get("shard")
        shares = [f"shard{share.replace('/', 'of')}"] if share else []
        words = "-".join([self.arguments["edition"], played, who, *shares])
        given = (self.version, self.digest, self.model, sorted(self.arguments.items()))
        everything = digest(repr((*given, outcome_options(self.options))))
        return f"{self.task.rpartition('/')[2]}/{words}-{everything.partition(':')[2][:8]}"


def run(spec: RunSpec, log_dir: str | Path, *, display: str | None = None) -> Place:
    """Run a task, or resume it; returns the run's folder.

    On an object store there are no locks and no leftovers to delete; Inspect writes a log there as
    one object, and resumes from it.

    Args:
        spec: What to run.
        log_dir: Where runs have their folders, on this machine or at a URL.
        display: Which of Inspect's displays is shown, where the options do not say.

    Raises:
        UsageError: An option cannot be read, Inspect refuses one, a model or a key is missing.
        RunError: The run failed beyond single samples, or another process is at it.
        KeyboardInterrupt: Somebody stopped it; what was finished is in the log.
    """
    folder = Place.parse(log_dir) / spec.folder
    # Inspect reads this file too, but only after options have been read from variables.
    load_dotenv(find_dotenv(usecwd=True))
    options = parse_options(spec.options)
    options.set_environment()
    arguments = {**_ONCE, **default_retry_options(options), **options.arguments()}
    refuse_secrets(arguments)
    if display is not None:
        arguments.setdefault("display", display)
    _check_tokenizer(spec.model)
    inspect_errors = InspectErrors()
    try:
        with _keep_folder(folder), inspect_errors.collect():
            _call_inspect(spec, folder, arguments)
            _check_end(folder, inspect_errors.messages)
    except OSError as wrong:
        raise RunError(
            f"The run cannot continue in {folder}: {wrong}. Finished instances are saved; "
            "fix this, then run the same command to resume."
        ) from wrong
    return folder


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


def _call_inspect(spec: RunSpec, folder: Place, arguments: Mapping[str, Any]) -> None:
    try:
        eval_set(
            [spec.task],
            log_dir=folder.url,
            model=spec.agent if spec.arguments.get("player") else spec.model,
            task_args=_task_arguments(spec.arguments),
            **arguments,
        )
    except PrerequisiteError as wrong:
        raise UsageError(_strip_markup(wrong.message)) from wrong


def _task_arguments(arguments: Mapping[str, str]) -> dict[str, Any]:
    """Return a task's arguments as Inspect's command reads them: YAML, but for paths."""
    return {
        name: text if name in _PATHS else read_value(text, f"--rule {name}")
        for name, text in arguments.items()
    }


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
