"""Runs one command line inside a sandbox, where the command `world` acts on the world.

This is the program that a guest runs; it uses the program's `client` and passes on to it what
`world` asks for over a socket, one request at a time.
"""

import os
import socket
import subprocess
import sys
import threading
from typing import Any

WORK = "/workspace"
"""Where command lines run: what they write there lasts."""
_MOST_LINE_BYTES = 300_000


def serve(server: "socket.socket", lines: Any) -> None:  # noqa: ANN401
    """Pass each request on, and its answer back."""
    while True:
        caller, _ = server.accept()
        try:
            with caller, caller.makefile("rb") as asked:
                request = asked.readline(_MOST_LINE_BYTES).decode("utf-8", "replace").strip()
                print(request, file=lines, flush=True)
                caller.sendall(lines.readline().encode())
        except OSError:
            continue


def main(lines: Any) -> None:  # noqa: ANN401
    """Run the command line that lies here, and say how it ended if it did not end well."""
    here = os.getcwd()  # noqa: PTH109
    with open("command.sh", encoding="utf-8") as file:  # noqa: PTH123
        command = file.read()
    with open("start.sh", "w", encoding="utf-8") as file:  # noqa: PTH123
        # A function, since a file could not be started where nothing written may be.
        file.write(f'world() {{ "{sys.executable}" "{here}/world.py" "$@"; }}\nexport -f world\n')
    server = socket.socket(socket.AF_UNIX)
    server.bind(f"{here}/world.sock")
    server.listen()
    threading.Thread(target=serve, args=(server, lines), daemon=True).start()
    path = f"{here}:{os.environ.get('PYTHONPATH', '')}".strip(":")
    ended = subprocess.run(  # noqa: S603 — inside the sandbox, which is there for this
        ["bash", "-c", command],  # noqa: S607
        cwd=WORK if os.access(WORK, os.W_OK) else here,
        env={**os.environ, "BASH_ENV": f"{here}/start.sh", "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        check=False,
    ).returncode
    if ended:
        sys.stdout.write(f"[exit code {ended}]\n")
