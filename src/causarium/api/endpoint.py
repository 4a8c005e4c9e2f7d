"""A model behind an address: any server that speaks OpenAI's chat completions.

One call is made before a run begins, so that a wrong address, name or key is one sentence and not
a run that fails instance by instance.
"""

import json
import os
import socket
from collections.abc import Callable
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from causarium.errors import UsageError

SERVICE = "endpoint"
_KEY_VAR, _ADDRESS_VAR = f"{SERVICE.upper()}_API_KEY", f"{SERVICE.upper()}_BASE_URL"
_CONNECT_S, _REPLY_S, _LIST_S = 10, 600, 5
"""How long to wait: to be let in, for a first reply (weights may have to be loaded), for a list."""
_QUESTION: dict[str, Any] = {
    "messages": [{"role": "user", "content": "Reply with the word yes."}],
    "max_tokens": 16,
}


def reach_endpoint(
    endpoint: str, model: str | None, key_env: str | None, say: Callable[[str], None]
) -> str:
    """Ask the model behind an address one question; returns the name by which a run calls it.

    The address and the key go to the environment of this process, where Inspect looks for them.

    Args:
        endpoint: The address, such as http://127.0.0.1:8000/v1.
        model: The model's name there.
        key_env: The variable that holds the key; None: the server wants none.
        say: Is told that the call is made.

    Raises:
        UsageError: The address, the name or the key does not work; says what the server answered.
    """
    base = endpoint.rstrip("/")
    place = urlsplit(base)
    if place.scheme not in ("http", "https") or not place.hostname:
        raise UsageError(f"--endpoint is an address such as http://host:8000/v1, not {endpoint!r}")
    if not model:
        raise UsageError("--endpoint needs --model, the name by which the server knows the model")
    key = os.environ.get(key_env, "") if key_env else "none"
    if not key:
        raise UsageError(f"--key-env names {key_env}, and there is no such variable")
    say(f"asking {model} at {base} one question")
    port = place.port or (443 if place.scheme == "https" else 80)
    try:
        socket.create_connection((place.hostname, port), timeout=_CONNECT_S).close()
    except OSError as wrong:
        raise UsageError(f"nothing answers at {place.hostname}:{port} ({wrong})") from wrong
    _ask(base, model, key)
    os.environ[_ADDRESS_VAR], os.environ[_KEY_VAR] = base, key
    return f"openai-api/{SERVICE}/{model}"


def _ask(base: str, model: str, key: str) -> None:
    where = f"{base}/chat/completions"
    try:
        reply = _send(where, key, _REPLY_S, {"model": model, **_QUESTION})
        reply["choices"][0]["message"]["role"]
    except HTTPError as wrong:
        answered = " ".join(wrong.read(400).decode("utf-8", "replace").split())
        said = wrong.reason if answered[:1] in ("", "<") else answered
        raise UsageError(f"{where} answered {wrong.code}: {said}. {_advise(base, key)}") from wrong
    except (URLError, OSError, HTTPException) as wrong:
        raise UsageError(f"{where} broke off ({wrong!r}). {_advise(base, key)}") from wrong
    except (ValueError, LookupError, TypeError, AttributeError) as wrong:
        raise UsageError(
            f"{where} did not answer as chat completions do. {_advise(base, key)}"
        ) from wrong


def _advise(base: str, key: str) -> str:
    """Say what would work: the models that the server lists, or another address."""
    for address in (base, f"{base}/v1"):
        try:
            listed = [str(one["id"]) for one in _send(f"{address}/models", key, _LIST_S)["data"]]
        except (OSError, HTTPException, ValueError, LookupError, TypeError, AttributeError):
            continue
        if address != base:
            return f"Try --endpoint {address}"
        return f"Its models: {', '.join(listed[:8])}"
    return "The address is the one below which /chat/completions lies, and mostly ends in /v1"


def _send(where: str, key: str, timeout_s: float, body: dict[str, Any] | None = None) -> Any:  # noqa: ANN401
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(where, data, headers), timeout=timeout_s) as reply:  # noqa: S310
        return json.load(reply)
