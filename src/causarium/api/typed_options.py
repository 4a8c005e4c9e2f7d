"""Options of Inspect's that come as Python values, as they would be typed."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Roles: TypeAlias = Mapping[str, str | Sequence[str]]
"""The helper models of a run, by role; several judge by majority."""


def to_words(roles: Roles, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return options of Inspect's as they would be typed.

    Example:
        >>> to_words({"judge": ["openai/a", "openai/b"]}, {"epochs": 3, "log_realtime": False})
        ('--model-role', 'judge=openai/a,openai/b', '--epochs', '3', '--no-log-realtime')
    """
    words: list[str] = []
    for role, models in roles.items():
        names = models if isinstance(models, str) else ",".join(models)
        words += ["--model-role", f"{role}={names}"]
    for name, value in options.items():
        option = "-M" if name == "model_args" else f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            words.append(option if value else f"--no-{option.removeprefix('--')}")
        elif isinstance(value, Mapping):
            for key, item in value.items():
                words += [option, f"{key}={to_word(item)}"]
        elif value is not None:
            words += [option, to_word(value)]
    return tuple(words)


def to_word(value: object) -> str:
    """Return one value as it would be typed."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ",".join(map(to_word, value))
    return str(value)
