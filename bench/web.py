"""Fifty visitors at once: how long pages take, and what a page takes of the server's core.

Each opens the first page, a family, a case, begins a game on it, and tries to see its truth. What
is waited for counts on a machine with idle cores. Where others work, what counts is how long the
server's own core worked between a request and its answer: so long one waits where it has the core
to itself.
"""

import multiprocessing
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

from bench.measure import Measurement
from causarium import families

CLIENTS = 50
PATIENCE_S = 300.0
CLOSED = 409
"""What a page of the truth answers while a game on it is open."""


class Visit(NamedTuple):
    """One page that was asked for."""

    page: str
    seconds: float
    core_s: float
    """How long the server worked meanwhile, for everybody."""
    status: int


def run() -> Iterator[Measurement]:
    """Yield the lines of this bench."""
    visits, spent_s = visit_at_once(CLIENTS)
    seconds = sorted(visit.seconds for visit in visits)
    core = sorted(visit.core_s for visit in visits)
    failed = sum(visit.status >= 500 for visit in visits)
    open_truths = sum(visit.page == "secret" and visit.status != CLOSED for visit in visits)
    work = f"{CLIENTS} visitors at once, {len(visits)} pages:"
    yield Measurement(f"{work} 95 of 100 within", "s", _quantile(seconds, 0.95), target="under 2")
    alone = f"{work} 95 of 100 within, of the server's core"
    yield Measurement(alone, "s", _quantile(core, 0.95), target="under 2")
    yield Measurement(f"{work} half within", "s", statistics.median(seconds))
    yield Measurement(f"{work} all within", "s", seconds[-1])
    yield Measurement(f"{work} the server's core, a page", "ms", spent_s / len(visits) * 1e3)
    yield Measurement(f"{work} failed", "pages", failed, target="0")
    yield Measurement(f"{work} truths shown while a game is open", "pages", open_truths, target="0")


def _quantile(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))]


def visit_at_once(clients: int) -> tuple[list[Visit], float]:
    """Return every page that was asked for, and the seconds that the server's process worked."""
    visits: list[Visit] = []
    with _serve() as (address, pid):
        before = _spent(pid)
        threads = [
            threading.Thread(target=_visit, args=(address, pid, number, visits))
            for number in range(clients)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        spent = _spent(pid) - before
    return visits, spent


def _visit(address: str, pid: int, number: int, visits: list[Visit]) -> None:
    names = families.names()
    family = names[number % len(names)]
    case = {"family": family, "edition": "certified", "set": "smoke", "number": number % 3}
    place = f"/families/{family}/certified/smoke/{number % 3}"
    with httpx.Client(base_url=address, timeout=PATIENCE_S, trust_env=False) as client:
        for page, path in (
            ("home", "/"),
            ("family", f"/families/{family}"),
            ("set", f"/families/{family}/certified/smoke"),
            ("case", place),
            ("play", "/play"),
            ("secret", f"{place}/secret"),
        ):
            start, before = time.perf_counter(), _spent(pid)
            if page == "play":
                given = client.post(
                    path, data=case, headers={"origin": address}, follow_redirects=True
                )
            else:
                given = client.get(path)
            took, worked = time.perf_counter() - start, _spent(pid) - before
            visits.append(Visit(page, took, worked, given.status_code))


@contextmanager
def _serve() -> Iterator[tuple[str, int]]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        server = multiprocessing.get_context("spawn").Process(
            target=_run_server, args=(folder, port), daemon=True
        )
        server.start()
        address = f"http://127.0.0.1:{port}"
        with httpx.Client(trust_env=False) as client:
            while True:
                try:
                    # What is loaded once is not what visitors wait for.
                    for name in families.names():
                        client.get(f"{address}/families/{name}", timeout=PATIENCE_S)
                    break
                except httpx.ConnectError:
                    time.sleep(0.1)
        try:
            yield address, server.pid or 0
        finally:
            server.kill()
            server.join()


def _run_server(folder: str, port: int) -> None:
    import uvicorn

    from causarium.web.serve import create_app

    uvicorn.run(create_app(Path(folder)), host="127.0.0.1", port=port, log_level="error")


def _spent(pid: int) -> float:
    """Return the seconds that a process has worked."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100
