"""Options that go to Inspect, checked before anything is generated or asked.

Names and types are those of Inspect's `eval_set()` and `GenerateConfig`, so that an option of a
newer Inspect is there without a change here. A value may be a text, as it comes from the command
line or from a variable such as `INSPECT_EVAL_MAX_CONNECTIONS=3`, or of the type that Inspect takes.
"""

import inspect
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import inf
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import yaml  # type: ignore[import-untyped]
from dotenv import find_dotenv, load_dotenv
from inspect_ai import Epochs, eval_set
from inspect_ai.model import CachePolicy, GenerateConfig, Model, get_model
from inspect_ai.util import TokenLimit
from pydantic import ConfigDict, TypeAdapter, ValidationError

from causarium.contract.texts.replies import describe_validation_error
from causarium.engine.logbook.run_card import PROVIDER_PACE
from causarium.engine.record.secrets import find_secrets
from causarium.errors import UsageError

RETRIES = {"max_retries": 6, "timeout": 3600, "attempt_timeout": 1200}
"""How long a provider that fails is asked again, where nobody says otherwise.

Inspect waits 3 seconds and then twice as long each time, so that six retries take some four
minutes; without a limit it would ask for ever. A call that is not answered at all is given up
after 20 minutes, and no call takes longer than an hour with all its retries.
"""
PAIRS = {"model_args": "-M", "model_roles": "--model-role", "metadata": "--metadata"}
PAIRS |= {"env": "--env"}
"""Options that are given as NAME=VALUE, and may be given again, with the word for each."""
_FILES = {"generate_config": str, "model_config": str, "epochs_reducer": list[str]}
"""What Inspect's command has beside the parameters."""
_OTHERS = {"approval": str, "review": str, "epochs": int}
"""Parameters of types that pydantic cannot check, which Inspect reads as texts, and a count."""
_FROM_ONE = (
    "epochs max_connections max_samples max_tasks max_subprocesses max_sandboxes log_buffer "
    "max_tokens num_choices best_of timeout attempt_timeout "
    "message_limit token_limit turn_limit time_limit working_limit"
)
_FROM_ZERO = "temperature max_retries retry_attempts retry_wait retry_on_error cost_limit"
_BOUNDS = dict.fromkeys(_FROM_ONE.split(), (1, inf)) | dict.fromkeys(_FROM_ZERO.split(), (0, inf))
_BOUNDS |= {"top_p": (0, 1), "frequency_penalty": (-2, 2), "presence_penalty": (-2, 2)}
"""From where to where a number may lie. Inspect takes any, and on some it waits for ever."""
_BY_CAUSARIUM = {
    "it is an option of `causarium run` itself, before any --": "model limit log_dir json",
    "name the model with --model": "model_spec",
    "rules of play are given as --rule NAME=VALUE": "T task_args task_config",
    "each setting is an option of its own": "run_config",
    "a run is found again by what is run": "tasks id eval_set_id log_format",
    "your own agent is given as --agent FILE.py@NAME": "solver S solver_config",
    "a family scores itself, and a log without samples cannot be scored again": (
        "score scorer log_samples"
    ),
    "causarium waits for its runs": "detach",
    "scan the finished logs with `inspect`": "scanner",
    "causarium has no sentinels": "sentinel",
    "use Python's debugger, NO_COLOR or INSPECT_TRACEBACK_LOCALS": (
        "debug debug_port ansi traceback_locals"
    ),
}
REFUSED = {name: why for why, names in _BY_CAUSARIUM.items() for name in names.split()}
"""Options of Inspect's that a run does not take, and what to do instead."""
_PACE = PROVIDER_PACE | {
    *("max_samples", "max_tasks", "max_subprocesses", "max_sandboxes", "max_dataset_memory"),
    *("display", "log_level", "log_level_transcript", "log_buffer", "log_shared", "traceback"),
    *("retry_attempts", "retry_immediate", "retry_wait", "retry_connections", "retry_on_error"),
    *("model_cost_config", "ctl_server", "acp_server", "log_realtime", "tags"),
    *("score_display", "sandbox_cleanup", "retry_cleanup"),
}
"""Settings that change how fast a run goes or what is shown of it, and no score."""

_KEYS = {"model_args": "m", "model_roles": "model_role"}
"""What options are called where a run's folder is named, as they always were."""


@dataclass(frozen=True)
class Options:
    """Options for Inspect, read."""

    given: Mapping[str, Any] = field(default_factory=dict)
    """The value of each option, by the name of Inspect's parameter: as it was given, or else as one
    of Inspect's variables has it, which may change an outcome and cost as much."""

    @property
    def epochs(self) -> int:
        """How often every instance is played."""
        return int(self.given.get("epochs") or 1)

    @property
    def roles(self) -> dict[str, tuple[str, ...]]:
        """The models that play another part than the one under test."""
        bound = self.given.get("model_roles") or {}
        return {role: tuple(map(_name_model, _as_list(models))) for role, models in bound.items()}

    def outcome(self) -> dict[str, str]:
        """Return what of the options matters to the outcome: the same run, however fast it goes.

        Example:
            >>> read_options({"max_connections": 5, "temperature": "0.60"}).outcome()
            {'temperature': '0.6'}
        """
        return {
            _KEYS.get(name, name): repr(_describe(value))
            for name, value in self.given.items()
            if name not in _PACE
        }

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `eval_set()`, retries that nobody set included.

        Raises:
            UsageError: A file of settings cannot be read, a model of a role not be opened, or a
                secret would stand in the log.
        """
        values = dict(self.given)
        arguments: dict[str, Any] = {**RETRIES, **_read_settings(values.pop("generate_config", ""))}
        values.pop("env", None)
        if file := values.pop("model_config", None):
            values["model_args"] = {**read_mapping(file), **values.get("model_args", {})}
        reducers = values.pop("epochs_reducer", None)
        if count := values.pop("epochs", None):
            arguments["epochs"] = Epochs(count, reducers)
        if bound := values.pop("model_roles", None):
            arguments["model_roles"] = {role: _open_models(bound[role]) for role in bound}
        refuse_secrets(arguments | values)
        return arguments | values

    def environment(self) -> AbstractContextManager[None]:
        """Set the variables of `--env NAME=VALUE` while a block lasts: another run has others."""
        return set_variables({k: str(value) for k, value in self.given.get("env", {}).items()})


@contextmanager
def set_variables(values: Mapping[str, str]) -> Iterator[None]:
    """Set variables of the environment while the block lasts."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            os.environ.update({} if value is None else {name: value})


def read_options(given: Mapping[str, Any]) -> Options:
    """Read options, values or texts, by the names of Inspect's parameters; None is left out.

    Raises:
        UsageError: There is no such option, a run does not take it, or its value is of another
            kind.
    """
    # Inspect reads this file too, but only after options have been read from variables.
    load_dotenv(find_dotenv(usecwd=True))
    for name in given:
        check_name(name)
    values = {name: value for name, value in given.items() if value is not None}
    found = {name: _find_variable(name) for name in OPTION_KINDS if name not in values}
    values |= {name: text for name, text in found.items() if text not in (None, "")}
    read = {name: _read(name, value) for name, value in values.items()}
    _check_role_models(read.get("model_roles", {}))
    return Options(read)


def _list_kinds() -> dict[str, Any]:
    parameters = inspect.signature(eval_set).parameters.items()
    kinds = {name: item.annotation for name, item in parameters if name != "kwargs"}
    kinds |= {name: field.annotation for name, field in GenerateConfig.model_fields.items()}
    pairs = dict.fromkeys(PAIRS, dict[str, Any])
    known = {**kinds, **pairs, **_FILES, **_OTHERS}
    return {name: kind for name, kind in known.items() if name not in REFUSED or name == "limit"}


OPTION_KINDS = _list_kinds()
"""The type of every option that is passed on to Inspect, by name."""


def option_word(name: str) -> str:
    """Return how an option is typed.

    Example:
        >>> option_word("max_tokens"), option_word("model_args")
        ('--max-tokens', '-M')
    """
    return PAIRS.get(name, f"{'-' if len(name) == 1 else '--'}{name.replace('_', '-')}")


def may_stand_alone(name: str) -> bool | None:
    """Say whether an option is typed without a value; None: with or without."""
    kinds = _members(name)
    return None if bool in kinds and len(kinds) > 1 else kinds == (bool,)


def read_pairs(words: Sequence[str], option: str) -> dict[str, Any]:
    """Read `NAME=VALUE` as Inspect's command does: YAML, or several values between commas.

    Args:
        words: The pairs.
        option: What they were given as, to be named where one cannot be read.

    Raises:
        UsageError: One has no `=`, or its value is not YAML.

    Example:
        >>> read_pairs(["device=cpu", "layers=1,2", "top-k=3"], "-M")
        {'device': 'cpu', 'layers': ['1', '2'], 'top_k': 3}
    """
    pairs: dict[str, Any] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not sign:
            raise UsageError(f"{option} needs NAME=VALUE, and {word!r} has no '='")
        try:
            value = yaml.safe_load(text)
        except (ValueError, yaml.YAMLError) as wrong:
            raise UsageError(f"{option} cannot be read: {text!r} is not YAML") from wrong
        parts = value.split(",") if isinstance(value, str) else []
        pairs[name.replace("-", "_")] = parts if len(parts) > 1 else value
    return pairs


def read_mapping(file: str) -> dict[str, Any]:
    """Read a file of names and values, in YAML or JSON.

    Raises:
        UsageError: It cannot be read as that.
    """
    try:
        value = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
    except FileNotFoundError as wrong:
        raise UsageError(f"there is no file {file}") from wrong
    except (OSError, ValueError, yaml.YAMLError) as wrong:
        raise UsageError(f"{file} cannot be read: {wrong}") from wrong
    if not isinstance(value, dict):
        raise UsageError(f"{file} must hold names and values, and holds a {type(value).__name__}")
    return value


def _read(name: str, value: Any) -> Any:  # noqa: ANN401
    """Return a value as Inspect takes it."""
    try:
        if isinstance(value, str):
            value = _READERS[name](value) if name in _READERS else _read_text(name, value)
        if name in GenerateConfig.model_fields:
            found = getattr(GenerateConfig.model_validate({name: value}), name)
        else:
            config = ConfigDict(arbitrary_types_allowed=True)
            found = TypeAdapter(OPTION_KINDS[name], config=config).validate_python(value)
    except ValidationError as wrong:
        # The last of the kinds that it may be; the value is not repeated, for it may be a key.
        said = wrong.errors(include_url=False, include_input=False)[-1]["msg"]
        raise UsageError(f"{option_word(name)} cannot be read: {said}") from wrong
    except ValueError as wrong:
        raise UsageError(f"{option_word(name)} cannot be read: {wrong}") from wrong
    least, most = _BOUNDS.get(name, (-inf, inf))
    number = getattr(found, "tokens", found)
    if name in _BOUNDS and number is not None and not least <= number <= most:
        allowed = f"{least} or more" if most == inf else f"from {least} to {most}"
        raise UsageError(f"{option_word(name)} must be {allowed}, not {number:g}")
    return found


def _find_variable(name: str) -> str | bool | None:
    """Return what a variable of Inspect's says; `INSPECT_EVAL_NO_LOG_IMAGES` says no."""
    names = {"model_roles": "model_role"}
    text = os.environ.get(f"INSPECT_EVAL_{names.get(name, name).upper()}")
    off = os.environ.get(f"INSPECT_EVAL_NO_{name.upper()}")
    return False if off and may_stand_alone(name) is not False else text


def check_name(name: str, ours: Sequence[str] = ()) -> None:
    """Make sure that there is an option, and that a run takes it.

    Args:
        name: The name of Inspect's parameter.
        ours: Words for options of the caller's own, to suggest where one is misspelt.

    Raises:
        UsageError: There is no such option, or a run does not take it.
    """
    word = option_word(name)
    if name in REFUSED:
        raise UsageError(f"{word} cannot be set here; {REFUSED[name]}")
    if name in OPTION_KINDS:
        return
    near = get_close_matches(word, [*ours, *map(option_word, OPTION_KINDS)], n=1, cutoff=0.6)
    hint = f"did you mean {near[0]}? " if near else ""
    if word.startswith(("--scan", "--sentinel")):
        hint = "scans and sentinels are not passed on. "
    raise UsageError(
        f"unknown option {word}; {hint}`causarium run --help` lists ours, "
        "`inspect eval-set --help` those that are passed on to Inspect"
    )


def _read_settings(file: str) -> dict[str, Any]:
    settings = read_mapping(file) if file else {}
    if unknown := sorted(settings.keys() - GenerateConfig.model_fields.keys()):
        raise UsageError(f"{file} holds {', '.join(unknown)}, which are not generation settings")
    return {name: _read(name, value) for name, value in settings.items()}


def _check_role_models(bound: Mapping[str, Any]) -> None:
    for role, models in bound.items():
        if not all(map(_name_model, _as_list(models))):
            raise UsageError(f"--model-role {role} names no model; as in judge=openai/gpt-5")


def _as_list(bound: Any) -> list[Any]:  # noqa: ANN401
    return list(bound) if isinstance(bound, list | tuple) else [bound]


def _name_model(bound: Any) -> str:  # noqa: ANN401
    name = bound.get("model") if isinstance(bound, dict) else bound
    return str(name or "").strip()


def _open_models(bound: Any) -> str | Model | list[str | Model]:  # noqa: ANN401
    models = [_open_model(model) for model in _as_list(bound) if model]
    return models if isinstance(bound, list | tuple) else models[0]


def _open_model(bound: Any) -> str | Model:  # noqa: ANN401
    if not isinstance(bound, dict):
        return _name_model(bound)
    settings = {k: v for k, v in bound.items() if k not in ("model", "model_args")}
    try:
        config = GenerateConfig.model_validate(settings)
    except ValidationError as wrong:
        raise UsageError(f"--model-role: {describe_validation_error(wrong)}") from wrong
    # One model in two roles is two models, so that what each role takes can be told apart.
    return get_model(
        _name_model(bound), config=config, memoize=False, **(bound.get("model_args") or {})
    )


def _describe(value: Any) -> Any:  # noqa: ANN401
    """Return a value in words and numbers that are the same in every process."""
    if isinstance(value, Mapping):
        return tuple(f"{name}={as_typed(item)}" for name, item in value.items())
    return as_typed(value) if isinstance(value, list | tuple) else value


def as_typed(value: object) -> str:
    """Return one value as it would be typed.

    Example:
        >>> as_typed(True), as_typed([1, 2]), as_typed("x")
        ('true', '1,2', 'x')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(as_typed, value)) if isinstance(value, list | tuple) else str(value)


def _members(name: str) -> tuple[Any, ...]:
    kind = OPTION_KINDS[name]
    union = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return tuple(member for member in union if member is not NoneType)


def _read_text(name: str, text: str) -> Any:  # noqa: ANN401
    """Read a text as YAML, or as a list between commas, unless texts are what is wanted."""
    kinds = {get_origin(kind) or kind for kind in _members(name)}
    if name in PAIRS:
        return read_pairs(text.split(), option_word(name))
    if kinds <= {str, Literal}:
        return text
    file = Path(text) if _is_file(text) else None
    if list in kinds and file is None:
        return [part if name == "stop_seqs" else part.strip() for part in text.split(",")]
    try:
        return yaml.safe_load(text if file is None else file.read_text("utf-8"))
    except yaml.YAMLError as wrong:
        # What goes along with a request may be a key: the text is not repeated.
        raise ValueError("it is not JSON or YAML") from wrong


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # it is too long for a name
        return False


def _read_limit(text: str) -> int | tuple[int, int]:
    first, sign, last = text.partition("-")
    return (int(first) - 1, int(last)) if sign else int(first)


def _read_token_limit(text: str) -> int | TokenLimit:
    kind, _, count = text.strip().lower().rpartition(":")
    units = {"k": 1_000, "m": 1_000_000, "b": 1_000_000_000}
    try:
        unit = units.get(count[-1:])
        tokens = float(count[:-1]) * unit if unit else float(count)
        limit = TokenLimit.model_validate({"tokens": tokens, "type": kind or "all"})
    except ValueError as wrong:
        raise ValueError(f"{text!r} is not a token limit such as 500k or output:1m") from wrong
    return limit.tokens if limit.type == "all" else limit


def _read_biases(text: str) -> dict[int, float]:
    try:
        pairs = (part.split("=", 1) for part in text.split(","))
        return {int(token): float(bias) for token, bias in pairs}
    except ValueError as wrong:
        raise ValueError(f"it must look like 42=10,43=-10, not {text!r}") from wrong


def _read_cache(text: str) -> Any:  # noqa: ANN401
    value = _read_text("cache", text)
    if isinstance(value, int) and not isinstance(value, bool):
        value = f"{value}D"
    return CachePolicy(expiry=value) if isinstance(value, str) else value


_READERS: Mapping[str, Callable[[str], Any]] = {
    "limit": _read_limit,
    "token_limit": _read_token_limit,
    "logit_bias": _read_biases,
    "cache": _read_cache,
    "model_cost_config": read_mapping,
    "sandbox": lambda text: tuple(text.split(":", 1)) if ":" in text else text,
    "fail_on_error": lambda text: float(text) or True,
    "sample_shuffle": lambda text: _read_text("sample_shuffle", text) or None,
    "checkpoint": lambda text: text == "default" or _read_text("checkpoint", text),
}
"""How texts are read that are written in a way of their own."""


ALLOW = "CAUSARIUM_SECRETS_IN_LOG"
"""The variable that lets a run start all the same."""
_NOT_LOGGED = ("api_key", "aws_")
"""Arguments of a provider that Inspect leaves out of its log, by how they begin."""
_FOR_PROVIDERS = ("model_args", "extra_headers", "extra_body", "model_base_url")
"""What is passed on to a provider, and may be a secret under any name."""


def refuse_secrets(arguments: Mapping[str, Any]) -> None:
    """Make sure that no argument of `eval_set()` that would stand in the log looks like a secret.

    Raises:
        UsageError: Something does; names it, and does not say what it is.
    """
    if os.environ.get(ALLOW):
        return
    rest = {name: value for name, value in arguments.items() if name != "model_roles"}
    rest["model_args"] = _drop_unlogged(rest.get("model_args") or {})
    names = find_secrets(rest)
    for given in _FOR_PROVIDERS:
        names += find_secrets(rest.get(given), given, random=True)
    for role, bound in (arguments.get("model_roles") or {}).items():
        for model in bound if isinstance(bound, Sequence) else [bound]:
            if isinstance(model, Model):
                settings = model.config.model_dump(mode="json", exclude_none=True)
                told = {**settings, **_drop_unlogged(model.model_args)}
                names += find_secrets(told, role, random=True)
    if names:
        raise UsageError(
            f"{', '.join(dict.fromkeys(names))} looks like a secret, and the log would show it as "
            "plain text. Give keys to the provider in environment variables (OPENAI_API_KEY) or as "
            f"-M api_key=..., which is never logged; set {ALLOW}=1 to log it anyway."
        )


def _drop_unlogged(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if not name.startswith(_NOT_LOGGED)}
