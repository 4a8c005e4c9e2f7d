"""Keeping secrets out of cards, reports and messages.

A card shows a setting only if it is on a list of those that cannot hold a secret. Of everything
else it says that it is set, with a few digits that tell two values apart on this machine and that
nobody can guess the value from.
"""

import hashlib
import hmac
import json
import os
import re
import secrets
import typing
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from inspect_ai.model import GenerateConfig

from causarium.contract.places import cache_folder

ARGUMENTS = frozenset(
    {
        *("device", "dtype", "torch_dtype", "tokenizer", "enable_thinking", "emulate_tools"),
        *("responses_api", "responses_store", "service_tier", "stream", "streaming", "num_ctx"),
        *("max_model_len", "max_tokens", "n_ctx", "n_gpu_layers", "quantization", "organization"),
        *("location", "region", "batch_size", "do_sample", "padding_side", "top_k", "think"),
    }
)
"""Arguments of providers that are shown, if they are a number, a yes or no, or a plain word."""
LISTS = frozenset({"stop_seqs", "modalities"})
"""Settings that are shown although they are lists of words."""
_WORD = re.compile(r"[\w.:/+-]{1,64}")
_HIDDEN = re.compile(r"set \([0-9a-f]{8}\)")
_NAMES = ("key", "token", "secret", "passw", "credential", "auth", "cookie", "session", "signature")
_SHAPES = re.compile(
    r"\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abpr]|hf|AKIA|ASIA|AIza)[-_]?[A-Za-z0-9_-]{12,}"
    r"|\beyJ[\w-]{8,}\.[\w-]+|\b(?:Bearer|Basic)\s+\S{8,}|://[^/\s:@]+:[^/\s@]+@"
    r"|(?i:[?&#][\w.-]*(?:key|token|secret|sig|passw|auth)[\w.-]*=)[^&\s\"']{4,}"
)
"""What keys, tokens and addresses with a password in them look like."""
_WORDS = re.compile(r"[A-Za-z0-9]{10,}")
_TO_DIGIT = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_TO_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[a-z])")
"""Where a letter stands beside a digit, and a capital beside a small letter."""
_MOST_DIGITS, _MOST_CHANGES, _SHARE = 5, 7, 0.45
"""A word with so many of the first, or so many of both for its length, is no word."""
_TOKENS = frozenset({"sig", "sas", "code", "pwd", "pass", "jwt", "bearer"})
"""Further names of tokens in addresses."""
_LEAST = 8
"""A shorter value in an environment variable is no secret, and may be a common word."""


def _is_choice(annotation: object) -> bool:
    parts = typing.get_args(annotation) or (annotation,)
    kinds = {typing.get_origin(part) for part in parts}
    return typing.Literal in kinds and str not in parts


_CHOICES = {
    name for name, field in GenerateConfig.model_fields.items() if _is_choice(field.annotation)
}
"""The settings that are one of a few words."""


def show_settings(config: GenerateConfig) -> dict[str, Any]:
    """Return what a provider was told, with what may be a secret hidden."""
    fields = config.model_dump(mode="json", exclude_none=True)
    return {name: _show_setting(name, value) for name, value in fields.items()}


def _show_setting(name: str, value: object) -> object:
    shown = (
        isinstance(value, bool | int | float)
        or (isinstance(value, str) and name in _CHOICES)
        or (name in LISTS and isinstance(value, list))
    )
    return value if shown else hide(value)


def show_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a provider was told when it was opened, with what may be a secret hidden."""
    return {name: _show_argument(name, value) for name, value in arguments.items()}


def _show_argument(name: str, value: object) -> str:
    plain = isinstance(value, bool | int | float) or (
        isinstance(value, str) and _WORD.fullmatch(value) and not _SHAPES.search(value)
    )
    return str(value) if name in ARGUMENTS and plain else hide(value)


def show_address(url: str | None) -> str | None:
    """Return an address without a name, a password, a query or a fragment."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        return urlunsplit(
            parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="")
        )
    except ValueError:
        return hide(url)


def hide(value: object) -> str:
    """Say that a value is set, with digits that differ for another value on this machine."""
    text = json.dumps(value, sort_keys=True, default=str)
    return f"set ({hmac.new(_read_machine_key(), text.encode(), hashlib.sha256).hexdigest()[:8]})"


def is_hidden(value: object) -> bool:
    """Whether a value of a card only says that something is set."""
    return isinstance(value, str) and _HIDDEN.fullmatch(value) is not None


def forget_digits(value: Any) -> Any:  # noqa: ANN401
    """Return a card's value with `set` for all that is hidden: the same on every machine."""
    if isinstance(value, dict):
        return {name: forget_digits(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [forget_digits(item) for item in value]
    return _HIDDEN.sub("set", value) if isinstance(value, str) else value


_PROCESS_KEY = secrets.token_bytes(32)
"""Where none can be kept for this machine."""


def _read_machine_key() -> bytes:
    """Return this machine's key, which is made when it is first asked for."""
    path = cache_folder() / "card-key"
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            place = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(place, "wb") as file:
                file.write(secrets.token_bytes(32))
        key = path.read_bytes()
        if len(key) == 32:
            return key
    return _PROCESS_KEY


def find_secrets(value: object, name: str = "", *, random: bool = False) -> list[str]:
    """Return the names under which something looks like a secret, by its name or by its shape.

    Args:
        value: A setting, however deep.
        name: What it goes by.
        random: Whether letters and digits that nobody would think of are enough of a shape.
    """
    if isinstance(value, Mapping):
        return [
            inner
            for key, item in value.items()
            for inner in find_secrets(item, f"{name}.{key}" if name else str(key), random=random)
        ]
    if isinstance(value, list | tuple):
        return [inner for item in value for inner in find_secrets(item, name, random=random)]
    if not isinstance(value, str):
        return []
    last = name.rpartition(".")[2].lower().replace("-", "_")
    named = any(part in last for part in _NAMES) and last not in {"tokenizer", "max_tokens"}
    shaped = _SHAPES.search(value) or (random and looks_random(value)) or is_secret_url(value)
    return [name] if (named and len(value) >= _LEAST) or shaped else []


def is_secret_url(text: str) -> bool:
    """Whether a text is an address with somebody's name, a password or a token in it.

    Example:
        >>> is_secret_url("https://models.example.org/v1?api_key=abc")
        True
        >>> is_secret_url("https://models.example.org/v1?version=2")
        False
    """
    if "://" not in text:
        return False
    try:
        parts = urlsplit(text.strip())
        given = parse_qsl(parts.query) + parse_qsl(parts.fragment)
    except ValueError:
        return True
    # Azure's own addresses name the container before the account.
    named = parts.username is not None and (
        parts.password is not None or parts.scheme in {"http", "https"}
    )
    tokens = (
        name.lower() in _TOKENS
        or any(part in name.lower() for part in _NAMES)
        or looks_random(value)
        for name, value in given
    )
    return named or any(tokens)


def looks_random(text: str) -> bool:
    """Whether a text holds letters and digits in an order that nobody would think of.

    Example:
        >>> [looks_random(text) for text in ("Qwen2.5-7B-Instruct", "my-project-2026")]
        [False, False]
        >>> looks_random("8f3kq0z7Xw2v")
        True
    """
    for word in _WORDS.findall(text):
        digits, cases = len(_TO_DIGIT.findall(word)), len(_TO_CASE.findall(word))
        if digits >= _MOST_DIGITS or digits + cases >= max(_MOST_CHANGES, _SHARE * len(word)):
            return True
    return False


def redact(text: str) -> str:
    """Return a text without what the environment holds as keys, and without what looks like one."""
    for name, value in os.environ.items():
        if len(value) >= _LEAST and any(part in name.lower() for part in _NAMES):
            text = text.replace(value, "[hidden]")
    return _SHAPES.sub("[hidden]", text)


def redact_error(wrong: BaseException) -> None:
    """Take keys out of the words of an exception, and of those that led to it."""
    met: list[BaseException] = []
    each: BaseException | None = wrong
    while each is not None and not any(each is one for one in met):
        met.append(each)
        each.args = tuple(redact(arg) if isinstance(arg, str) else arg for arg in each.args)
        message = getattr(each, "message", None)
        if isinstance(message, str):
            # Clients of providers keep their words here as well.
            with suppress(AttributeError):
                each.message = redact(message)  # type: ignore[attr-defined]
        each = each.__cause__ or each.__context__
