"""Serves the pages on this machine."""

import re
import secrets
import socket
from contextlib import closing
from pathlib import Path

from causarium.errors import UsageError
from causarium.web.request_guard import LOCAL

_STUDY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


def find_folder(given: Path | None) -> Path:
    """Return the folder with logs; `logs` is made where it was not named and is not there yet.

    Raises:
        UsageError: A folder was named that does not exist, or that cannot be made.
    """
    folder = given or Path("logs")
    if given is None:
        try:
            folder.mkdir(exist_ok=True)
        except OSError as wrong:
            raise UsageError(f"the folder {folder} cannot be made ({wrong.strerror})") from wrong
    if not folder.is_dir():
        raise UsageError(
            f"there is no folder {folder}; name one that holds logs, or none to begin with an "
            "empty one"
        )
    return folder


def check_study(name: str) -> str:
    """Return the name of a study, which is the name of its folder.

    Raises:
        UsageError: It cannot be the name of a folder.
    """
    if not _STUDY.fullmatch(name):
        raise UsageError(
            f"{name[:40]!r} cannot name a study: take letters, digits, '.', '_' and '-', at most 60"
        )
    return name


def free_port(host: str, wanted: int) -> int:
    """Return `wanted`, or a free port if it is 0.

    Raises:
        UsageError: The port is taken, or the address is not this machine's.
    """
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, wanted))
        except OSError as wrong:
            raise UsageError(
                f"cannot serve on {host} port {wanted} ({wrong.strerror}); "
                "another --port, or --port 0 for any free one, would work"
            ) from wrong
        return int(probe.getsockname()[1])


def address(host: str, port: int, token: str | None) -> str:
    """Return what to open in a browser."""
    query = f"/?token={token}" if token else "/"
    return f"http://{host}:{port}{query}"


def token_for(host: str) -> str | None:
    """Return a fresh token where the address can be reached from elsewhere."""
    return None if host in LOCAL else secrets.token_urlsafe(16)


def serve(logs: Path, *, host: str, port: int, token: str | None, study: str | None = None) -> None:
    """Serve until interrupted.

    Args:
        logs: The folder with logs.
        host: The address to listen on.
        port: The port there.
        token: What a visitor must bring, if anything.
        study: The study that games are recorded for, if any.
    """
    import uvicorn

    from causarium.web.routes import create_app

    app = create_app(logs, hosts=frozenset({host}), token=token, study=study)
    uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False)
