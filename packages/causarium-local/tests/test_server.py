"""A served model: waited for, found past proxies, and gone with whoever needed it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from causarium.errors import BadFile, RunError, UsageError
from causarium_local import server
from causarium_local.server import Settings, check_installed, make_reachable, serving

FAKE = Path(__file__).with_name("fake_server.py")
TINY = Settings(Path("Tiny Model.Q4.gguf"), context=2048)


def child(how: str) -> tuple[str, ...]:
    return (sys.executable, str(FAKE), how)


def gone(pid: int, within_s: float = 10.0) -> bool:
    """Say whether a process ends; one that its parent has not yet buried has ended."""
    for _ in range(int(within_s / 0.05)):
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            return True
        if state[0] == "Z":
            return True
        time.sleep(0.05)
    return False


def test_a_model_is_named_after_its_file_and_not_after_its_port() -> None:
    assert TINY.model == "openai-api/local/tiny-model.q4"
    assert Settings(TINY.gguf, port=8123).model == TINY.model


def test_a_served_model_answers_and_is_gone_afterwards() -> None:
    with serving(TINY, child=child("well")) as served:
        assert served.address.startswith("http://127.0.0.1:")
        assert served.is_alive()
        assert served.environment["LOCAL_BASE_URL"] == f"{served.address}/v1"
        pid = served.process.pid
    assert gone(pid)


def test_a_model_that_is_still_being_loaded_is_waited_for() -> None:
    with serving(TINY, child=child("late")) as served:
        assert served.is_alive()


def test_the_context_is_what_the_server_really_has() -> None:
    with serving(Settings(TINY.gguf, context=9999), child=child("well")) as served:
        assert served.context == 4096


@pytest.mark.parametrize(
    ("how", "kind", "said"),
    [
        ("refuses", BadFile, r"cannot serve Tiny Model.Q4.gguf.*failed to load model"),
        ("crashes", RunError, r"did not start \(signal 6\)"),
        ("dies", RunError, r"did not start \(exit code 7\)"),
    ],
)
def test_a_server_that_fails_says_why(how: str, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said), serving(TINY, child=child(how)):
        pass


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "said"),
    [("never", "did not answer in time"), ("silent", "was not loaded in time")],
)
def test_a_server_that_never_answers_is_given_up(how: str, said: str) -> None:
    with pytest.raises(RunError, match=said), serving(TINY, child=child(how), patience_s=1.5):
        pass


def test_a_server_that_ends_by_itself_is_noticed_and_named() -> None:
    def serve_and_lose() -> None:
        with serving(TINY, child=child("well")) as served:
            served.process.kill()
            served.process.wait()

    with pytest.raises(RunError, match="ended by itself"):
        serve_and_lose()


def test_what_went_wrong_within_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError), serving(TINY, child=child("well")):
        raise ZeroDivisionError


def test_a_server_that_does_not_listen_to_us_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_FAREWELL_S", 0.2)
    with serving(TINY, child=child("deaf")) as served:
        pid = served.process.pid
    assert gone(pid)


def test_a_port_that_is_taken_is_refused_before_anything_starts() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with (
            pytest.raises(UsageError, match=rf"port {port} cannot be used .*name another"),
            serving(Settings(TINY.gguf, port=port), child=child("well")),
        ):
            pass


def test_the_port_that_was_asked_for_is_the_one() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
    with serving(Settings(TINY.gguf, port=port), child=child("well")) as served:
        assert served.address == f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM], ids=lambda how: how.name)
def test_a_server_dies_with_the_process_that_started_it(how: signal.Signals) -> None:
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from causarium_local.server import Settings, serving\n"
        f"with serving(Settings(Path('x.gguf')), child={child('well')!r}) as served:\n"
        "    print(served.process.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        pid = int(it.stdout.readline())
        it.send_signal(how)
    assert gone(pid)


def test_inspect_finds_a_served_model_past_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "example.org")
    monkeypatch.delenv("LOCAL_BASE_URL", raising=False)
    # To ask it must not go by a proxy either.
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with serving(TINY, child=child("well")) as served, make_reachable(served):
        assert os.environ["LOCAL_BASE_URL"] == f"{served.address}/v1"
        assert os.environ["NO_PROXY"] == "example.org,127.0.0.1"
    assert "LOCAL_BASE_URL" not in os.environ
    assert os.environ["NO_PROXY"] == "example.org"


def test_without_the_extra_the_command_to_install_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find: Callable[[str], object] = lambda name: None if name == "xllamacpp" else object()  # noqa: E731
    monkeypatch.setattr("importlib.util.find_spec", find)
    with pytest.raises(UsageError, match=r"needs xllamacpp.*pip install 'causarium\[local\]'"):
        check_installed()


@pytest.mark.parametrize(("idle", "threads"), [(1.9, 2), (1.0, 1), (0.1, 1), (7.6, 7)], ids=str)
def test_there_are_as_many_threads_as_idle_processors(
    monkeypatch: pytest.MonkeyPatch, idle: float, threads: int
) -> None:
    now = iter([100.0, 100.5])
    so_far = iter([0.0, idle / 2])
    monkeypatch.setattr(server, "_idle_s", lambda: next(so_far))
    monkeypatch.setattr(
        server, "time", SimpleNamespace(monotonic=lambda: next(now), sleep=lambda _: None)
    )
    assert server.default_threads() == threads


def test_where_nobody_tells_one_processor_is_left_to_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert server._idle_s(tmp_path / "none") is None
    monkeypatch.setattr(server, "_idle_s", lambda: None)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert server.default_threads() == 7
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert server.default_threads() == 1
