"""The client that a program finds beside it: `from client import client`.

This file is copied into the sandbox and runs there. Each method sends one request over a socket
and waits for the answer; what it may ask for is decided outside.
"""

import json
import os
import socket
import sys
import traceback
from typing import Any

OUT_OF_MEMORY = 12


class Refused(Exception):
    """The world did not do what was asked; the message says why."""


class Answer(dict[str, Any]):
    """What the world answered, as data; `text` has its words."""

    text = ""


class Client:
    """Acts on the world. Arguments are given by name; an answer is a dictionary."""

    def __init__(self, channel: "socket.socket | None", verbs: dict[str, Any]) -> None:
        self._lines = channel.makefile("rw", encoding="utf-8") if channel else None
        for name, verb in verbs.items():
            setattr(self, name, self._method(name, verb["about"], verb["fields"]))

    def _method(self, name: str, about: str, fields: list[str]) -> Any:  # noqa: ANN401
        def method(*given: Any, **arguments: Any) -> Answer:  # noqa: ANN401
            if given:
                raise TypeError(
                    f"{name} takes its arguments by name: {', '.join(fields) or 'none'}"
                )
            return self._call(name, arguments)

        method.__name__ = method.__qualname__ = name
        method.__doc__ = f"{about}\n\nArguments, by name: {', '.join(fields) or 'none'}."
        return method

    def _call(self, name: str, arguments: dict[str, Any]) -> Answer:
        if self._lines is None:
            raise Refused("there is nobody to talk to")
        print(json.dumps([name, arguments], default=_make_json_value), file=self._lines, flush=True)
        reply = self._lines.readline()
        if not reply:
            raise Refused("the world does not answer any more")
        found = json.loads(reply)
        if not found["legal"]:
            raise Refused(found["text"])
        answer = Answer(found["seen"])
        answer.text = found["text"]
        return answer


def _make_json_value(value: Any) -> Any:  # noqa: ANN401
    """Return an array, or a number out of one, as JSON knows it."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (set, frozenset)):
        return list(value)
    raise TypeError(f"a {type(value).__name__} cannot be sent")


def run(path: str) -> None:
    """Run the program as if it had been started by itself, with `client` at hand."""
    names = {"__name__": "__main__", "__file__": path, "client": client, "Refused": Refused}
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            code = compile(file.read(), path, "exec")
        exec(code, names)  # noqa: S102 — inside the sandbox, which is there for this
    except SystemExit:
        raise
    except MemoryError:
        os.write(2, b"MemoryError\n")
        os._exit(OUT_OF_MEMORY)
    except BaseException as wrong:  # noqa: BLE001 — whatever it is, the program's author reads it
        frames = wrong.__traceback__.tb_next if wrong.__traceback__ else None
        traceback.print_exception(type(wrong), wrong, frames)
        sys.exit(1)


_socket = os.environ.pop("CLIENT_SOCKET", "")
_verbs = os.environ.pop("CLIENT_VERBS", "{}")
client = Client(socket.socket(fileno=int(_socket)) if _socket else None, json.loads(_verbs))
