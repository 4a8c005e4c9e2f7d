"""Options that go to Inspect, read before anything is generated or asked."""

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import click
from click.core import ParameterSource

from causarium.engine.run.option_table import REFUSED, TASKS, option_command
from causarium.engine.run.option_values import (
    ENVIRONMENT,
    eval_set_arguments,
    read_pairs,
    read_settings,
)
from causarium.errors import UnknownName, UsageError

_PACE = {
    *("max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections"),
    *("adaptive_connections", "batch", "cache", "cache_prompt"),
    *("max_samples", "max_tasks", "max_subprocesses", "max_sandboxes", "max_dataset_memory"),
    *("display", "log_level", "log_level_transcript", "log_buffer", "log_shared", "traceback"),
    *("retry_attempts", "retry_immediate", "retry_wait", "retry_connections", "retry_on_error"),
    *("model_cost_config", "ctl_server", "acp_server", "no_log_realtime", "tags"),
}
"""Settings that change how fast a run goes or what is shown of it, and no score.

The first nine are those that Inspect itself leaves out when it asks whether two runs are the same.
"""

RETRIES = {"max_retries": 6, "timeout": 3600, "attempt_timeout": 1200}
"""How long a provider that fails is asked again, where nobody says otherwise.

Inspect waits 3 seconds and then twice as long each time, so that six retries take some four
minutes; without a limit it would ask for ever. A call that is not answered at all is given up
after 20 minutes, and no call takes longer than an hour with all its retries.
"""


@dataclass(frozen=True, slots=True)
class Options:
    """Options for Inspect that can be read."""

    words: tuple[str, ...] = ()
    """As they were typed."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """What was typed for each option, by its name; nothing that was not typed."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The same with what Inspect's variables say, as in `INSPECT_EVAL_MAX_CONNECTIONS=3`."""
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The models that play another part than the one under test."""

    @property
    def epochs(self) -> int:
        """How often every instance is played."""
        return int(self.given.get("epochs") or 1)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of Inspect's `eval_set()` that these stand for.

        Raises:
            UsageError: A value or a file of settings cannot be read.
        """
        return eval_set_arguments(self.values)

    def set_environment(self) -> None:
        """Set the variables that were given with `--env NAME=VALUE`."""
        pairs = read_pairs(self.values.get(ENVIRONMENT, ()), "--env")
        os.environ.update({name: str(value) for name, value in pairs.items()})


def read_options(words: Sequence[str], ours: Collection[str] = ()) -> Options:
    """Read the options that a user typed.

    Args:
        words: The options as they were typed.
        ours: Options of causarium's own, to suggest where one is misspelt.

    Raises:
        UsageError: There is no such option, its value is of the wrong kind, or it is one that
            a run does not take.
    """
    context = _parse(words, ours)
    typed = _read_typed_options(context)
    for param in option_command().params:
        for name in param.opts:
            if param.name in typed and name in REFUSED:
                raise UsageError(f"{name} cannot be set here; {REFUSED[name]}")
    if extra := context.params[TASKS]:
        raise UsageError(f"Unexpected argument {extra[0]!r}; give one family or `all`.")
    return _options(words, context)


def parse_options(words: Sequence[str]) -> Options:
    """Read the options of a run, among them those that only causarium sets.

    Raises:
        UsageError: They cannot be read.
    """
    return _options(words, _parse(words, ()))


def _options(words: Sequence[str], context: click.Context) -> Options:
    sources = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)
    values = _from(context, *sources)
    roles = _read_roles(context.params.get("model_role") or ())
    return Options(tuple(words), _read_typed_options(context), values, roles)


def outcome_options(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return what of some options matters to the outcome: the same run, however fast it goes.

    Raises:
        UsageError: They cannot be read.

    Example:
        >>> outcome_options(["--max-connections", "5", "--temperature=0.60"])
        (('temperature', '0.6'),)
    """
    typed = _read_typed_options(_parse(words, ()))
    return tuple(sorted((name, repr(typed[name])) for name in typed if name not in _PACE))


def default_retry_options(options: Options) -> dict[str, int]:
    """Return how long a failing provider is asked again, as arguments, unless that was given.

    It may be given as an option, in Inspect's variables or in a file of settings.

    Raises:
        UsageError: The file cannot be read.

    Example:
        >>> default_retry_options(parse_options(["--max-retries", "2", "--timeout=60"]))
        {'attempt_timeout': 1200}
    """
    file = options.values.get("generate_config")
    settings = {**(read_settings(file) if file else {}), **options.values}
    return {name: value for name, value in RETRIES.items() if settings.get(name) is None}


def _read_typed_options(context: click.Context) -> dict[str, Any]:
    return _from(context, ParameterSource.COMMANDLINE)


def _from(context: click.Context, *sources: ParameterSource) -> dict[str, Any]:
    return {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) in sources and name != TASKS
    }


def _parse(words: Sequence[str], ours: Collection[str]) -> click.Context:
    try:
        return option_command().make_context("options", list(words))
    except click.NoSuchOption as wrong:
        theirs = [name for param in option_command().params for name in param.opts]
        near = get_close_matches(wrong.option_name, [*ours, *theirs], n=1, cutoff=0.6)
        hint = f"did you mean {near[0]}? " if near else ""
        if wrong.option_name.startswith(("--scan", "--sentinel")):
            hint = "scans and sentinels are not passed on. "
        raise UsageError(
            f"unknown option {wrong.option_name}; {hint}`causarium run --help` lists ours, "
            "`inspect eval-set --help` those that are passed on to Inspect"
        ) from wrong
    except click.ClickException as wrong:
        raise UsageError(wrong.format_message()) from wrong


def split_family(words: Sequence[str], ours: Collection[str] = ()) -> tuple[str, list[str]]:
    """Find the family among words that begin with an option.

    Raises:
        UsageError: There is none, or more than one.
    """
    alone = _parse(words, ours).params[TASKS]
    if len(alone) != 1:
        raise UsageError("name one family, or all: causarium run FAMILY --model PROVIDER/MODEL")
    for place, word in enumerate(words):
        rest = [*words[:place], *words[place + 1 :]]
        if word == alone[0] and not _parse(rest, ()).params[TASKS]:
            return word, rest
    raise UsageError(f"give the family {alone[0]!r} first, before options")


def _read_roles(words: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the names of the models that are bound to each role."""
    for word in words:
        if "=" not in word:
            raise UsageError(f"--model-role must be ROLE=PROVIDER/MODEL, not {word!r}")
    roles = {}
    for role, bound in read_pairs(words, "--model-role").items():
        models = bound if isinstance(bound, list) else [bound]
        names = [
            model.get("model", "") if isinstance(model, dict) else str(model or "")
            for model in models
        ]
        roles[role] = tuple(name.strip() for name in names if name.strip())
        if not roles[role]:
            raise UsageError(f"--model-role {role} names no model; as in judge=openai/gpt-5")
    return roles


def check_roles(
    roles: Mapping[str, object], roles_of_families: Mapping[str, Collection[str]]
) -> None:
    """Make sure that some family asks each role.

    Args:
        roles: The roles that a run binds.
        roles_of_families: The roles of each family that is run, by its name.

    Raises:
        UnknownName: Nobody asks one of them.
    """
    asked = {role for names in roles_of_families.values() for role in names}
    for role in roles:
        if role not in asked:
            families = (
                " or ".join(roles_of_families) if len(roles_of_families) <= 2 else "these families"
            )
            raise UnknownName(f"role of {families}", role, asked, plural="roles")
