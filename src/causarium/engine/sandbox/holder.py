"""What runs first in a bubblewrap sandbox and starts every command in it.

This file is sent into the sandbox as text and runs there, so it uses the standard library alone.
It is given a socket. `s` on it, with four descriptors, asks for a command: a line for the request
and its exit code, then the command's input, output and errors. `k` asks to end everything.

It runs as the same user as programs do, who may kill or stop it; outside, one that does not answer
is ended with all that is in its sandbox.
"""

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass

NOT_FOUND, REFUSED, KILLED = 127, 126, 137
_SET_DUMPABLE = 4


@dataclass
class Job:
    """A command that runs, and who asked for it."""

    line: socket.socket
    process: "subprocess.Popen[bytes]"
    handle: int


class Holder:
    """Everything that runs in the sandbox."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.jobs: "list[Job]" = []
        self.ready = selectors.DefaultSelector()
        self.ready.register(control, selectors.EVENT_READ, self.take)

    def serve(self) -> None:
        """Do what is asked until nobody is there to ask."""
        while True:
            for key, _ in self.ready.select():
                # What ended meanwhile may have left its number to another.
                if self.ready.get_map().get(key.fd) == key:
                    key.data()

    def take(self) -> None:
        """Take one request."""
        word, handles, _, _ = socket.recv_fds(self.control, 1, 4)
        if not word:
            sys.exit(0)
        if word == b"k":
            for job in list(self.jobs):
                self.end(job)
            return
        line = socket.socket(fileno=handles[0])
        try:
            with line.makefile("rb") as asked:
                self.start(line, json.loads(asked.readline() or b"{}"), handles[1:])
        except (OSError, ValueError, KeyError, subprocess.SubprocessError) as wrong:
            with contextlib.suppress(OSError):
                os.write(handles[3], f"{wrong}\n".encode())
            answer(line, REFUSED if isinstance(wrong, PermissionError) else NOT_FOUND)
        finally:
            for handle in handles[1:]:
                os.close(handle)

    def start(self, line: socket.socket, asked: "dict[str, object]", handles: "list[int]") -> None:
        """Start a command with the given input, output and errors."""
        process = subprocess.Popen(
            asked["argv"],
            cwd=asked["cwd"],
            env={**os.environ, **asked["env"]},
            stdin=handles[0],
            stdout=handles[1],
            stderr=handles[2],
            start_new_session=True,
        )
        job = Job(line, process, os.pidfd_open(process.pid))
        self.jobs.append(job)
        for one in (line, job.handle):
            self.ready.register(one, selectors.EVENT_READ, lambda: self.end(job))

    def end(self, job: Job) -> None:
        """End a command that is over, or that nobody waits for any more, with all it started."""
        for one in (job.line, job.handle):
            self.ready.unregister(one)
        self.jobs.remove(job)
        with contextlib.suppress(OSError):
            os.killpg(job.process.pid, signal.SIGKILL)
        if not self.jobs:
            with contextlib.suppress(OSError):
                os.kill(-1, signal.SIGKILL)
        code = job.process.wait()
        os.close(job.handle)
        answer(job.line, code if code >= 0 else 128 - code)


def answer(line: socket.socket, code: int) -> None:
    """Say how a command ended."""
    with contextlib.suppress(OSError), line:
        line.sendall(json.dumps({"code": code}).encode() + b"\n")


def hide() -> None:
    """Keep programs of the same user from looking into this process."""
    with contextlib.suppress(ImportError, OSError):
        import ctypes

        ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def main(handle: int, *folders: str) -> None:
    """Serve the socket that was handed over; first it is given the folders that can be written."""
    control = socket.socket(fileno=handle)
    control.set_inheritable(False)
    hide()
    places = [os.open(folder, os.O_RDONLY | os.O_DIRECTORY) for folder in folders]
    socket.send_fds(control, [b"r"], places)
    for place in places:
        os.close(place)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    Holder(control).serve()


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
