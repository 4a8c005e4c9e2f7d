"""A folder of logs to look at, a client without a network, and a served application."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from causarium.families.causalab.certified import FAMILY as CAUSALAB
from causarium.families.causallink.certified import FAMILY as CAUSALLINK
from causarium.web.serve import create_app
from tests.support.inspect_runs import run_task, task_of
from tests.support.logs import find_logs
from tests.support.scripted import in_turn, scripted_model

HOSTILE = "<script>document.title='owned'</script><img src=x onerror=alert(1)>\u202e\x1b[31m{{7*7}}"


@pytest.fixture(scope="package")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of a player, of a model that replies with markup, and one that is no log."""
    folder = tmp_path_factory.mktemp("logs")
    run_task(task_of(CAUSALAB, player="exact"), folder / "lab", limit=(2, 4))
    hostile = scripted_model(in_turn([HOSTILE * 20_000]))
    run_task(task_of(CAUSALLINK), folder / "link", hostile, limit=2)
    (folder / "broken.eval").write_bytes(b"PK\x03\x04 this is no log")
    return folder


def open_client(folder: Path, **settings: Any) -> TestClient:
    """A client of an application, in this process; what it posts comes from our own page."""
    return TestClient(create_app(folder, **settings), headers={"origin": "http://testserver"})


@pytest.fixture
def client(logs: Path) -> TestClient:
    """A client of the application, in this process."""
    return open_client(logs)


@pytest.fixture(scope="package")
def names(logs: Path) -> dict[str, str]:
    """The logs by what was played, as the pages name them."""
    paths = [path for path in find_logs([logs]) if path.parent != logs]
    return {path.parent.name: str(path.relative_to(logs)) for path in paths}


@pytest.fixture(scope="package")
def served(logs: Path) -> Iterator[str]:
    """The address of the application, served on this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = uvicorn.Config(create_app(logs), host="127.0.0.1", port=port, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)
