"""What runs first in a sandbox: starts one program, and passes on what it prints and asks for.

This file is sent into the sandbox as text and runs there under any Python from 3.9 on, so it uses
the standard library alone. It speaks in lines of JSON: a request comes in; `ready`, then `out` and
`call`, then `end` go out, and each `call` is answered by one line. Outside, nothing of this is
believed: a program that pretends to be its guest can say nothing that it could not print or ask
for itself.
"""

import codecs
import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any

OUT_OF_MEMORY = 12
MOST_CALL_BYTES = 300_000
_STEP_S = 0.05


def say(**frame: Any) -> None:  # noqa: ANN401
    """Send one line."""
    sys.stdout.write(json.dumps(frame) + "\n")
    sys.stdout.flush()


class Guest:
    """One program and the two lines to it: what it prints, and what it asks for."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.folder = folder = tempfile.mkdtemp(prefix="program-")
        for name, text in request["files"].items():
            path = os.path.join(folder, name)  # noqa: PTH118
            os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
            with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
                file.write(text)
        self.printed, printing = os.pipe()
        self.calls, theirs = socket.socketpair()
        verbs = {
            "CLIENT_SOCKET": str(theirs.fileno()),
            "CLIENT_VERBS": json.dumps(request["verbs"]),
        }
        self.program = subprocess.Popen(
            [sys.executable, "-u", "-B", "-c", "import client; client.run('program.py')"],
            cwd=folder,
            env={**os.environ, **verbs},
            stdin=subprocess.DEVNULL,
            stdout=printing,
            stderr=subprocess.STDOUT,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()
        os.close(printing)
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.asked = b""
        self.deadline = time.monotonic() + float(request["time_s"])
        self.ready = selectors.DefaultSelector()
        self.ready.register(self.printed, selectors.EVENT_READ, self.pass_output)
        self.ready.register(self.calls, selectors.EVENT_READ, self.pass_calls)

    def attend(self) -> str:
        """Pass everything on until the program is over; returns how it ended."""
        while time.monotonic() < self.deadline:
            events = self.ready.select(_STEP_S) if self.ready.get_map() else []
            for key, _ in events:
                if not key.data():
                    self.ready.unregister(key.fileobj)
            if len(self.asked) > MOST_CALL_BYTES:
                say(out="\n[a request of this size is not passed on]\n")
                return "failed"
            if not events and self.program.poll() is not None:
                return ending(self.program.returncode)
        return "out of time"

    def pass_output(self) -> bool:
        """Pass on what was printed; returns whether there may be more."""
        data = os.read(self.printed, 65536)
        text = self.decoder.decode(data, not data)
        if text:
            say(out=text)
        return bool(data)

    def pass_calls(self) -> bool:
        """Pass on what was asked, and bring the answers back."""
        try:
            data = self.calls.recv(65536)
        except OSError:
            return False
        *lines, self.asked = (self.asked + data).split(b"\n")
        for line in lines:
            begun = time.monotonic()
            say(call=line.decode("utf-8", "replace"))
            answer = sys.stdin.buffer.readline()
            if not answer:
                sys.exit(1)
            self.deadline += time.monotonic() - begun
            with contextlib.suppress(OSError):
                self.calls.sendall(answer)
        return bool(data)


def ending(code: int) -> str:
    """Say how a program ended that left this exit code."""
    if code == 0:
        return "finished"
    if code == -signal.SIGXCPU:
        return "out of time"
    return "out of memory" if code in (OUT_OF_MEMORY, -signal.SIGKILL) else "failed"


def remove(folder: str) -> None:
    """Remove a folder however deep it is; what cannot be removed takes the sandbox's own room."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(["rm", "-rf", "--", folder], stderr=subprocess.DEVNULL, timeout=5)  # noqa: S603, S607, PLW1510


def main() -> None:
    """Run the program that the first line asks for."""
    say(ready=True)
    request = json.loads(sys.stdin.buffer.readline())
    try:
        guest = Guest(request)
    except OSError as wrong:
        # An earlier program has filled the disk, or left no room for a process.
        say(out=f"[the program cannot be started: {wrong}]\n")
        say(end="failed")
        return
    ended = guest.attend()
    with contextlib.suppress(OSError):
        os.killpg(guest.program.pid, signal.SIGKILL)
    remove(guest.folder)
    say(end=ended)


if __name__ == "__main__":
    main()
