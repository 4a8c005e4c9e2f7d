"""What runs first in a bubblewrap sandbox and starts every command in it.

This file is sent into the sandbox as text and runs there, so it uses the standard library alone.
It is given a socket. `s` on it, with four descriptors, asks for a command: a line for the request
and its exit code, then the command's input, output and errors. `k` asks to end everything.

It runs as the same user as programs do, but as the first process of all, which the kernel lets
nobody inside kill or stop; and it collects whatever is left without a parent. Outside, a holder
that does not answer is ended with all that is in its sandbox.
"""

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from typing import Any

NOT_FOUND, REFUSED = 127, 126
_SET_DUMPABLE = 4


class Job:
    """A command that runs, and who asked for it."""

    def __init__(self, line: socket.socket, process: "subprocess.Popen[bytes]") -> None:
        self.line = line
        self.process = process


class Holder:
    """Everything that runs in the sandbox."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.jobs: dict[int, Job] = {}
        self.ready = selectors.DefaultSelector()
        self.ready.register(control, selectors.EVENT_READ, self.take)
        self.woken, waking = os.pipe()
        for handle in (self.woken, waking):
            os.set_blocking(handle, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
        self.ready.register(self.woken, selectors.EVENT_READ, self.collect)

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
            for job in list(self.jobs.values()):
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

    def start(self, line: socket.socket, asked: "dict[str, Any]", handles: "list[int]") -> None:
        """Start a command with the given input, output and errors.

        Args:
            line: The connection on which the end of the command is reported.
            asked: The request: `argv`, `cwd` and `env`.
            handles: Descriptors for input, output and errors, in this order.
        """
        process = subprocess.Popen(  # noqa: S603 — inside the sandbox, which is there for this
            asked["argv"],
            cwd=asked["cwd"],
            env={**os.environ, **asked["env"]},
            stdin=handles[0],
            stdout=handles[1],
            stderr=handles[2],
            start_new_session=True,
        )
        job = self.jobs[process.pid] = Job(line, process)
        self.ready.register(line, selectors.EVENT_READ, lambda: self.end(job))

    def collect(self) -> None:
        """Collect every process that has ended; those of commands end their commands."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self.woken, 4096):
                pass
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if found[0] in self.jobs:
                    self.end(self.jobs[found[0]], found[1])

    def end(self, job: Job, status: "int | None" = None) -> None:
        """End a command that is over, or that nobody waits for any more, with all it started."""
        pid = job.process.pid
        self.ready.unregister(job.line)
        del self.jobs[pid]
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        if not self.jobs:
            with contextlib.suppress(OSError):
                os.kill(-1, signal.SIGKILL)
        if status is None:
            status = os.waitpid(pid, 0)[1]
        code = os.waitstatus_to_exitcode(status)
        job.process.returncode = code
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
