"""Options that go to Inspect, read by Inspect's own command before anything is drawn or asked."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import click
from inspect_ai._cli.eval import eval_set_command
from inspect_ai._eval.evalset import GENERATE_CONFIG_FIELDS_TO_EXCLUDE
from inspect_ai._util.config import parse_cli_args

from causarium.errors import UnknownName, UsageError

_OURS = {
    "--model": "name the model before the --",
    "--model-spec": "name the model with --model",
    "--limit": "say how many before the --",
    "--log-dir": "give it before the --",
    "--json": "give it before the --",
    "-T": "rules of play are given as --rule NAME=VALUE",
    "--task-config": "rules of play are given as --rule NAME=VALUE",
    "--run-config": "each setting is an option of its own",
    "--log-format": "runs go on from .eval logs alone",
    "--id": "a run is found again by what is run",
    "--solver": "an agent of your own is given as --agent FILE.py@NAME",
    "-S": "an agent of your own is given as --agent FILE.py@NAME",
    "--solver-config": "an agent of your own is given as --agent FILE.py@NAME",
    "--scorer": "a family scores itself",
    "--no-score": "a run without scores has no rows; `causarium score` scores again",
    "--no-log-samples": "a run without samples in its log cannot be scored again",
    "--detach": "causarium waits for its runs",
}
"""Options of Inspect's that decide what a run is or where it is kept, and what to give instead."""

_PACE = {
    *GENERATE_CONFIG_FIELDS_TO_EXCLUDE,
    *("max_samples", "max_tasks", "max_subprocesses", "max_sandboxes", "max_dataset_memory"),
    *("display", "log_level", "log_level_transcript", "log_buffer", "log_shared", "traceback"),
    *("retry_attempts", "retry_immediate", "retry_wait", "retry_connections", "retry_on_error"),
    *("model_cost_config", "ctl_server", "acp_server", "no_log_realtime", "tags"),
}
"""Settings that change how fast a run goes or what is shown of it, and no score."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options for Inspect that it understands."""

    words: tuple[str, ...] = ()
    """As they were typed."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """What Inspect reads in them, by its own names; nothing that was not given."""
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The models that play another part than the one under test."""

    @property
    def epochs(self) -> int:
        """How often every instance is played."""
        return int(self.given.get("epochs") or 1)


def read_options(words: Sequence[str], ours: Collection[str] = ()) -> Options:
    """Have Inspect's command read options.

    Args:
        words: The options as they were typed.
        ours: Options of causarium's own, to suggest where one is misspelt.

    Raises:
        UsageError: Inspect has no such option, its value is of the wrong kind, or it is one that
            causarium sets itself.
    """
    context = _parsed(words, ours)
    given = _given(context)
    for param in eval_set_command.params:
        for name in (*param.opts, *param.secondary_opts):
            if param.name in given and name in _OURS:
                raise UsageError(f"{name} is set by causarium itself; {_OURS[name]}")
    if extra := context.params["tasks"]:
        raise UsageError(f"{extra[0]!r} is no option and stands alone; give one family, or all")
    return Options(tuple(words), given, _roles(context.params.get("model_role") or ()))


def lasting(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return what of some options matters to the outcome: the same run, however fast it goes.

    Raises:
        UsageError: Inspect does not understand them.

    Example:
        >>> lasting(["--max-connections", "5", "--temperature=0.60"])
        (('temperature', '0.6'),)
    """
    given = _given(_parsed(words, ()))
    return tuple(sorted((name, repr(given[name])) for name in given if name not in _PACE))


def _given(context: click.Context) -> dict[str, Any]:
    typed = click.core.ParameterSource.COMMANDLINE
    params = context.params.items()
    return {
        name: value
        for name, value in params
        if context.get_parameter_source(name) is typed and name != "tasks"
    }


def _parsed(words: Sequence[str], ours: Collection[str]) -> click.Context:
    try:
        return eval_set_command.make_context("inspect", list(words))
    except click.NoSuchOption as wrong:
        known = [name for param in eval_set_command.params for name in param.opts]
        near = get_close_matches(wrong.option_name, [*ours, *known], n=1, cutoff=0.6)
        hint = f"did you mean {near[0]}? " if near else ""
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
    found = _parsed(words, ours).params["tasks"]
    if len(found) != 1:
        raise UsageError("name one family, or all: causarium run FAMILY --model PROVIDER/MODEL")
    for at in range(len(words)):
        rest = [*words[:at], *words[at + 1 :]]
        if words[at] == found[0] and not _parsed(rest, ()).params["tasks"]:
            return words[at], rest
    raise UsageError(f"give the family {found[0]!r} first, before options")


def _roles(given: Sequence[str]) -> dict[str, tuple[str, ...]]:
    try:
        parsed = parse_cli_args(tuple(given), force_str=False)
    except ValueError as wrong:
        raise UsageError(f"--model-role cannot be read: {wrong}") from wrong
    roles = {}
    for role, bound in parsed.items():
        models = bound if isinstance(bound, list) else [bound]
        named = [
            one.get("model", "") if isinstance(one, dict) else str(one or "") for one in models
        ]
        roles[role] = tuple(name.strip() for name in named if name.strip())
        if not roles[role]:
            raise UsageError(f"--model-role {role} names no model; as in judge=openai/gpt-5")
    if len(given) > len(parsed):
        raise UsageError(f"--model-role is given as ROLE=PROVIDER/MODEL, and not {given[-1]!r}")
    return roles


def check_roles(roles: Mapping[str, object], known: Mapping[str, Collection[str]]) -> None:
    """Make sure that some family asks each role.

    Args:
        roles: The roles that a run binds.
        known: The roles of each family that is run, by its name.

    Raises:
        UnknownName: Nobody asks one of them.
    """
    there = {role for mine in known.values() for role in mine}
    for role in roles:
        if role not in there:
            families = " or ".join(known) if len(known) <= 2 else "these families"
            raise UnknownName(f"role of {families}", role, there, plural="roles")
