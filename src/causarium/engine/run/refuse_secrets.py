"""Secrets in options: Inspect writes options to the log, so a run with one does not start."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.model import Model

from causarium.engine.record.secrets import find_secrets
from causarium.errors import UsageError

ALLOW = "CAUSARIUM_SECRETS_IN_LOG"
"""The variable that lets a run start all the same."""
_NOT_LOGGED = ("api_key", "aws_")
"""Arguments of a provider that Inspect leaves out of its log, by how they begin."""
_FOR_PROVIDERS = ("model_args", "extra_headers", "extra_body", "model_base_url")
"""What is passed on to a provider, and may be a secret under any name."""


def refuse_secrets(arguments: Mapping[str, Any]) -> None:
    """Make sure that nothing that Inspect would write to the log looks like a secret.

    Args:
        arguments: The arguments of Inspect's `eval_set()`.

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
            f"{', '.join(dict.fromkeys(names))} would stand in the log as plain text, and looks "
            "like a secret. Give keys to the provider in environment variables (OPENAI_API_KEY) "
            f"or as -M api_key=..., which no log holds; {ALLOW}=1 writes it all the same."
        )


def _drop_unlogged(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if not name.startswith(_NOT_LOGGED)}
