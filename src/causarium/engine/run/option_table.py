"""The options that are passed on to Inspect, as a command of our own that reads them.

Names and types come from the signature of Inspect's `eval_set()` and from its `GenerateConfig`, so
that an option which a newer Inspect has is there without a change here. What the signature does not
say is in the tables below: options that only switch something off, options that may stand without
a value, and those of Inspect's command that are written in another way than its parameters.
"""

import inspect
from collections.abc import Iterator
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Union, get_args, get_origin

import click
from inspect_ai import eval_set
from inspect_ai.model import GenerateConfig
from inspect_ai.util import TokenLimit

if TYPE_CHECKING:
    OptionType: TypeAlias = click.ParamType[Any]
else:
    # Older releases of click have no parameters for this type.
    OptionType = click.ParamType

TASKS = "tasks"
"""What stands in a command without being an option."""

REFUSED = {
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
    "--solver": "your own agent is given as --agent FILE.py@NAME",
    "-S": "your own agent is given as --agent FILE.py@NAME",
    "--solver-config": "your own agent is given as --agent FILE.py@NAME",
    "--scorer": "a family scores itself",
    "--no-score": "a run without scores has no rows; `causarium score` scores again",
    "--no-log-samples": "a run without samples in its log cannot be scored again",
    "--detach": "causarium waits for its runs",
    "--scanner": "scan the finished logs with `inspect`",
    "--sentinel": "causarium has no sentinels",
    "--debug": "start Python's debugger yourself",
    "--no-ansi": "set the variable NO_COLOR",
    "--traceback-locals": "set the variable INSPECT_TRACEBACK_LOCALS",
}
"""Options of Inspect's command that a run does not take, and what to do instead."""
_REFUSED_FLAGS = {"--json", "--no-score", "--no-log-samples", "--detach", "--debug", "--no-ansi"}
_REFUSED_FLAGS |= {"--traceback-locals"}

_NOT_OPTIONS = {
    *("tasks", "log_dir", "model", "model_args", "model_roles", "task_args", "solver", "scanner"),
    *("log_format", "eval_set_id", "sentinel", "score", "log_samples", "metadata"),
}
"""Parameters that a run sets itself, or that are written as another option."""
_ONLY_OFF = {"sandbox_cleanup", "score_display", "retry_cleanup", "log_realtime"}
"""Parameters that Inspect's command has as `--no-...` alone."""
_BARE: dict[str, str] = {
    "sample_shuffle": "-1",
    "fail_on_error": "0",
    "retry_on_error": "1",
    "checkpoint": "default",
    "notification": "true",
    "acp_server": "true",
    "ctl_server": "true",
    "log_shared": "true",
    "cache": "true",
    "batch": "true",
}
"""Options that may stand without a value, and the value that they then have."""
_UNITS = {"k": 1_000, "m": 1_000_000, "b": 1_000_000_000}


class _TokenLimit(OptionType):
    """`500000`, `1m`, or `output:1m`."""

    name = "tokens"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | TokenLimit:  # noqa: ANN401, ARG002
        if isinstance(value, int | TokenLimit):
            return value
        kind, _, count = str(value).rpartition(":")
        count = count.strip().lower()
        unit = _UNITS.get(count[-1:], 1)
        try:
            tokens = float(count.rstrip("kmb")) * unit
            if kind.strip().lower() in ("", "all") and tokens.is_integer():
                return int(tokens)
            # It refuses what is no whole number, and no kind of tokens.
            return TokenLimit.model_validate({"tokens": tokens, "type": kind.strip() or "all"})
        except ValueError as wrong:
            self.fail(f"{value!r} is not a token limit such as 500k or output:1m: {wrong}", param)


class _Shuffle(OptionType):
    """A seed, or `true`, which is -1, or `false`, which is 0."""

    name = "seed"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:  # noqa: ANN401, ARG002
        words = {"true": -1, "yes": -1, "1": -1, "false": 0, "no": 0}
        try:
            return words[str(value).lower()] if str(value).lower() in words else int(value)
        except ValueError:
            self.fail(f"{value!r} is not a seed, true or false", param)


_TYPES: dict[str, OptionType] = {
    "token_limit": _TokenLimit(),
    "sample_shuffle": _Shuffle(),
    "fail_on_error": click.FLOAT,
    "retry_on_error": click.INT,
    "epochs": click.INT,
    "limit": click.STRING,
    "sample_id": click.STRING,
    "log_shared": click.STRING,
    "checkpoint": click.STRING,
    "cache_prompt": click.Choice(["auto", "true", "false"]),
}
"""Where an option is of another type than the parameter."""


@cache
def option_command() -> click.Command:
    """Return a command that reads the options for Inspect; nothing is run by it."""
    return click.Command("options", params=[click.Argument([TASKS], nargs=-1), *_options()])


def _options() -> Iterator[click.Option]:
    for name, kind in _parameters().items():
        if name in _ONLY_OFF:
            yield _option(f"--no-{_words(name)}", is_flag=True)
        elif kind is bool and name not in _TYPES:
            yield _option(f"--{_words(name)}/--no-{_words(name)}", name=name, default=None)
        elif name in _BARE:
            yield _option(
                f"--{_words(name)}",
                type=_TYPES.get(name, click.STRING),
                is_flag=False,
                flag_value=_BARE[name],
            )
        else:
            yield _option(f"--{_words(name)}", type=_TYPES.get(name) or _click_type(kind))
    yield _option("-M", name="m", multiple=True, variable="MODEL_ARGS")
    yield _option("--model-role", multiple=True)
    yield _option("--env", multiple=True)
    yield _option("--metadata", multiple=True)
    for name in ("--model-config", "--generate-config", "--epochs-reducer"):
        yield _option(name)
    for name in ("--no-epochs-reducer", "--no-fail-on-error"):
        yield _option(name, is_flag=True)
    taken = {f"--{_words(name)}" for name in _parameters()}
    for name in REFUSED:
        if name not in taken:
            yield _make_refused_option(name)


def _option(declared: str, *, name: str | None = None, **settings: Any) -> click.Option:  # noqa: ANN401
    name = name or declared.lstrip("-").replace("-", "_")
    variable = settings.pop("variable", name.upper())
    return click.Option([declared, name], envvar=f"INSPECT_EVAL_{variable}", **settings)


def _make_refused_option(declared: str) -> click.Option:
    name = f"refused{declared.replace('-', '_').lower()}"
    if declared in _REFUSED_FLAGS:
        return click.Option([declared, name], is_flag=True)
    return click.Option([declared, name], multiple=True)


def _words(name: str) -> str:
    return name.replace("_", "-")


def _parameters() -> dict[str, Any]:
    """Return the parameters of `eval_set()` that are options, with their types, None left out."""
    kinds = {
        name: parameter.annotation
        for name, parameter in inspect.signature(eval_set).parameters.items()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD and name not in _NOT_OPTIONS
    }
    kinds |= {name: field.annotation for name, field in GenerateConfig.model_fields.items()}
    return {name: _drop_none_type(kind) for name, kind in kinds.items()}


def _drop_none_type(kind: Any) -> Any:  # noqa: ANN401
    if get_origin(kind) not in (Union, UnionType):
        return kind
    others = [choice for choice in get_args(kind) if choice is not NoneType]
    return others[0] if len(others) == 1 else tuple(others)


def _click_type(kind: Any) -> OptionType:  # noqa: ANN401
    if get_origin(kind) is Literal:
        return click.Choice([str(choice) for choice in get_args(kind)], case_sensitive=False)
    if kind is int:
        return click.INT
    return click.FLOAT if kind in (float, (int, float)) else click.STRING
