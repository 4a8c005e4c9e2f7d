"""The command `world`, and the module of that name: acts on the world from inside a sandbox.

    world                            what can be done
    world intervene --help           its arguments
    world intervene '{"shape": "disc", "action": "hold"}'
    world intervene shape=disc action=hold

In Python: `import world; print(world.act("intervene", shape="disc", action="hold"))`.

This file is copied into the sandbox and runs there under any Python from 3.9 on. What may be asked
for is decided outside.
"""

import json
import os
import socket
import sys
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120


class Refused(Exception):
    """The world did not do what was asked; the message says why."""


def actions() -> "dict[str, Any]":
    """Return what can be done, by name: what it does, and its arguments as a JSON schema."""
    with open(os.path.join(_HERE, "verbs.json"), encoding="utf-8") as file:  # noqa: PTH118, PTH123
        found: dict[str, Any] = json.load(file)
        return found


def act(name: str, **arguments: Any) -> str:  # noqa: ANN401
    """Do something, and return what the world answers."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(os.path.join(_HERE, "world.sock"))  # noqa: PTH118
        # A number out of an array is no number to JSON.
        asked = json.dumps([name, arguments], default=lambda value: value.tolist())
        line.sendall(f"{asked}\n".encode())
        with line.makefile(encoding="utf-8") as answers:
            reply = answers.readline()
    if not reply:
        raise Refused("the world does not answer any more")
    found = json.loads(reply)
    if not found["legal"]:
        raise Refused(found["text"])
    return str(found["text"])


def _arguments(words: "list[str]") -> "dict[str, Any]":
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        try:
            found = json.loads(words[0])
        except ValueError as wrong:
            raise Refused(f"the arguments are no JSON object: {wrong}") from wrong
        return dict(found)
    given: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise Refused(f"arguments are one JSON object or NAME=VALUE, and {word!r} is neither")
        try:
            given[name] = json.loads(value)
        except ValueError:
            given[name] = value
    return given


def say(text: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{text}\n")


def main(words: "list[str]") -> int:
    """Do what the command line says; returns its exit code."""
    known = actions()
    if not words or words[0] in {"-h", "--help", "help"}:
        for name, verb in known.items():
            say(f"world {name} {' '.join(f'{one}=...' for one in verb['fields'])}".rstrip())
            say(f"    {verb['about']}")
        say("world NAME --help shows the arguments; they may be one JSON object instead.")
        return 0
    if words[1:] in (["-h"], ["--help"]) and words[0] in known:
        say(json.dumps(known[words[0]], indent=2))
        return 0
    try:
        say(act(words[0], **_arguments(words[1:])))
    except (Refused, TypeError) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
