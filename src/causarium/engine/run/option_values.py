"""What options mean to Inspect: values as they were typed become arguments of `eval_set()`."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]
from inspect_ai import Epochs
from inspect_ai.model import CachePolicy, GenerateConfig, Model, get_model
from pydantic import ValidationError

from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import UsageError

ENVIRONMENT = "env"
"""The option whose values are variables of the environment, and no argument."""


def eval_set_arguments(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `eval_set()` that options stand for.

    Args:
        values: What was given for each option, by the option's name.

    Raises:
        UsageError: A value cannot be read, or a file of settings is not there.
    """
    rest = {name: value for name, value in values.items() if name != ENVIRONMENT}
    arguments: dict[str, Any] = {}
    if file := rest.pop("generate_config", None):
        arguments |= read_settings(file)
    arguments |= _epochs(rest)
    model_file, model_words = rest.pop("model_config", None), rest.pop("m", ())
    if model_file or model_words:
        settings = read_mapping(model_file) if model_file else {}
        arguments["model_args"] = {**settings, **read_pairs(model_words, "-M")}
    if words := rest.pop("model_role", ()):
        arguments["model_roles"] = _models_of_roles(words)
    if rest.pop("no_fail_on_error", False):
        rest["fail_on_error"] = False
    for name, value in rest.items():
        if name.startswith("no_"):
            arguments |= {name.removeprefix("no_"): False} if value else {}
        else:
            arguments[name] = _READERS[name](value) if name in _READERS else value
    return _check_generation(arguments)


def _check_generation(arguments: dict[str, Any]) -> dict[str, Any]:
    """Have Inspect's own model check the settings of generation, and make objects of them."""
    names = GenerateConfig.model_fields.keys() & arguments.keys()
    try:
        config = GenerateConfig.model_validate({name: arguments[name] for name in names})
    except ValidationError as wrong:
        raise UsageError(f"Invalid option: {describe_validation_error(wrong)}") from wrong
    return {**arguments, **{name: getattr(config, name) for name in names}}


def read_settings(file: str) -> dict[str, Any]:
    """Read a file of settings of generation.

    Raises:
        UsageError: It cannot be read, or holds a setting that Inspect does not have.
    """
    settings = read_mapping(file)
    if unknown := sorted(settings.keys() - GenerateConfig.model_fields.keys()):
        raise UsageError(f"{file} holds {', '.join(unknown)}, which are not generation settings")
    return settings


def read_mapping(file: str) -> dict[str, Any]:
    """Read a file of names and values, in YAML or JSON.

    Raises:
        UsageError: It cannot be read as that.
    """
    try:
        text = Path(file).read_text(encoding="utf-8")
        value = json.loads(text) if text.lstrip().startswith("{") else yaml.safe_load(text)
    except FileNotFoundError as wrong:
        raise UsageError(f"there is no file {file}") from wrong
    except (OSError, ValueError, yaml.YAMLError) as wrong:
        raise UsageError(f"{file} cannot be read: {wrong}") from wrong
    if not isinstance(value, dict):
        raise UsageError(f"{file} holds no names and values, but {type(value).__name__}")
    return value


def read_pairs(words: Sequence[str], option: str) -> dict[str, Any]:
    """Read `NAME=VALUE` as Inspect's command does: YAML, or several values between commas.

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
            raise UsageError(f"{option} is given as NAME=VALUE, and {word!r} has no '='")
        pairs[name.replace("-", "_")] = read_value(text, option)
    return pairs


def read_value(text: str, option: str) -> Any:  # noqa: ANN401
    """Read a value as YAML; a text with commas is several values.

    Raises:
        UsageError: It is not YAML.
    """
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError as wrong:
        raise UsageError(f"{option} cannot be read: {text!r} is not YAML") from wrong
    parts = value.split(",") if isinstance(value, str) else []
    return parts if len(parts) > 1 else value


def _models_of_roles(words: Sequence[str]) -> dict[str, Any]:
    return {
        role: [_model_of_role(model) for model in bound if model]
        if isinstance(bound, list)
        else _model_of_role(bound)
        for role, bound in read_pairs(words, "--model-role").items()
    }


def _model_of_role(bound: Any) -> str | Model:  # noqa: ANN401
    if not isinstance(bound, dict):
        return str(bound).strip()
    settings = {k: v for k, v in bound.items() if k not in ("model", "model_args")}
    try:
        config = GenerateConfig.model_validate(settings)
    except ValidationError as wrong:
        raise UsageError(f"--model-role: {describe_validation_error(wrong)}") from wrong
    # One model in two roles is two models, so that what each role takes can be told apart.
    return get_model(
        bound.get("model"), config=config, memoize=False, **(bound.get("model_args") or {})
    )


def _epochs(values: dict[str, Any]) -> dict[str, Any]:
    count, reducers = values.pop("epochs", None), values.pop("epochs_reducer", None)
    none_of_them = values.pop("no_epochs_reducer", False)
    if not count:
        return {}
    if none_of_them:
        return {"epochs": Epochs(count, [])}
    return {"epochs": Epochs(count, _parts(reducers) if reducers else None)}


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _limit(text: str) -> int | tuple[int, int]:
    first, sign, last = text.partition("-")
    try:
        return (int(first) - 1, int(last)) if sign else int(first)
    except ValueError as wrong:
        raise UsageError(
            f"--limit must be a number or a range such as 10-20, not {text!r}"
        ) from wrong


def _biases(text: str) -> dict[int, float]:
    try:
        pairs = (part.split("=", 1) for part in _parts(text))
        return {int(token): float(bias) for token, bias in pairs}
    except ValueError as wrong:
        raise UsageError(f"--logit-bias must look like 42=10,43=-10, not {text!r}") from wrong


def _mapping(text: str) -> Any:  # noqa: ANN401
    # What is sent along may be a key: messages do not repeat it.
    try:
        return json.loads(text)
    except ValueError:
        try:
            return yaml.safe_load(text)
        except yaml.YAMLError as wrong:
            raise UsageError("extra headers and bodies are given as JSON or YAML") from wrong


def _number_or_truth(text: object) -> Any:  # noqa: ANN401
    """Read `true`, `false`, a number, or leave a text as it is."""
    words = {"true": True, "yes": True, "false": False, "no": False}
    lower = str(text).strip().lower()
    return words[lower] if lower in words else int(lower) if lower.isdigit() else text


def _cache(text: str) -> Any:  # noqa: ANN401
    value = _number_or_truth(text)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return CachePolicy(expiry=f"{value}D")
    return read_mapping(value) if Path(value).is_file() else CachePolicy(expiry=value)


def _batch(text: str) -> Any:  # noqa: ANN401
    value = _number_or_truth(text)
    return read_mapping(value) if isinstance(value, str) else value


def _modalities(text: str) -> Any:  # noqa: ANN401
    return yaml.safe_load(Path(text).read_text()) if Path(text).is_file() else _parts(text)


def _sandbox(text: str) -> str | tuple[str, str]:
    kind, sign, config = text.partition(":")
    return (kind, config) if sign else kind


_READERS: dict[str, Callable[[Any], Any]] = {
    "limit": _limit,
    "sample_id": _parts,
    "sample_shuffle": lambda seed: {-1: True, 0: None}.get(seed, seed),
    "fail_on_error": lambda share: share or share is not False,
    "retry_on_error": lambda times: times or None,
    "tags": _parts,
    "metadata": lambda words: read_pairs(words, "--metadata"),
    "stop_seqs": lambda text: text.split(","),
    "fallback_models": _parts,
    "logit_bias": _biases,
    "logprobs": lambda on: on or None,
    "parallel_tool_calls": lambda on: None if on else False,
    "internal_tools": lambda on: None if on else False,
    "cache_prompt": _number_or_truth,
    "response_schema": _mapping,
    "extra_headers": _mapping,
    "extra_body": _mapping,
    "cache": _cache,
    "batch": _batch,
    "adaptive_connections": _number_or_truth,
    "modalities": _modalities,
    "sandbox": _sandbox,
    "checkpoint": lambda text: True if text == "default" else _number_or_truth(text),
    "notification": _number_or_truth,
    "acp_server": _number_or_truth,
    "ctl_server": _number_or_truth,
    "log_shared": _number_or_truth,
    "log_images": lambda on: None if on else False,
}
"""How values are read that are not arguments as they stand."""
