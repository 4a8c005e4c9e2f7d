"""A local model, served for as long as somebody needs it."""

import contextlib
import importlib.util
import json
import os
import queue
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any

from causarium.errors import BadFile, RunError, UsageError
from causarium_local.server_process import CANNOT_LOAD

CHILD = (sys.executable, "-m", "causarium_local.server_process")
DEFAULT_CONTEXT = 8192
"""Tokens for each conversation; what the small model was trained for."""
DEFAULT_SLOTS = 2
SERVICE = "openai-api/local"
"""Inspect's provider for it; the last part is in the names of the variables below."""
KEY = "local"
"""The server wants no key; Inspect wants one."""
_PATIENCE_S = 300.0
_ANSWER_S = 60.0
_FAREWELL_S = 5.0
_LOOK_S = 0.5
_ALMOST = 0.2


@dataclass(frozen=True, slots=True)
class Settings:
    """What to serve, and how."""

    gguf: Path
    context: int = DEFAULT_CONTEXT
    """Tokens for each conversation, prompt and reply together."""
    slots: int = DEFAULT_SLOTS
    """How many conversations at once."""
    threads: int = 0
    """Threads for the mathematics; 0 chooses."""
    port: int = 0
    """0 takes one that is free."""

    @property
    def name(self) -> str:
        """The model's name in logs and reports: the file's, in small letters."""
        return re.sub(r"[^a-z0-9._-]+", "-", self.gguf.stem.lower()).strip("-") or "model"

    @property
    def model(self) -> str:
        """The model as Inspect names it."""
        return f"{SERVICE}/{self.name}"

    def words(self) -> str:
        """Return the settings as the child reads them."""
        return json.dumps(
            {
                "gguf": str(self.gguf.resolve()),
                "name": self.name,
                "context": self.context,
                "slots": self.slots,
                "threads": self.threads or default_threads(),
                "port": self.port,
            }
        )


def default_threads() -> int:
    """Return as many threads as processors are idle at this moment, and at least one.

    llama.cpp's threads wait for the slowest of them: with a thread on each of two processors, busy
    neighbours make it ten times slower, and one thread less costs at most half.
    """
    before = _idle_s()
    if before is None:
        return max(1, (os.cpu_count() or 2) - 1)
    begun = time.monotonic()
    time.sleep(_LOOK_S)
    idle = ((_idle_s() or before) - before) / (time.monotonic() - begun)
    # A little is always going on, and be it this very process.
    return max(1, int(idle + _ALMOST))


def _idle_s(told: Path = Path("/proc/stat")) -> float | None:
    """Return the seconds that all processors together were idle so far, if the system says so."""
    with contextlib.suppress(OSError, ValueError, IndexError, AttributeError):
        first = told.read_text(encoding="ascii").splitlines()[0].split()
        return int(first[4]) / os.sysconf("SC_CLK_TCK")
    return None


@dataclass(frozen=True, slots=True)
class ServedProcess:
    """A model that answers."""

    settings: Settings
    address: str
    context: int
    """Tokens that one conversation really has."""
    process: subprocess.Popen[str]

    def is_alive(self) -> bool:
        """Say whether its server is still there."""
        return self.process.poll() is None

    @property
    def environment(self) -> dict[str, str]:
        """What Inspect reads to find it."""
        return {"LOCAL_BASE_URL": f"{self.address}/v1", "LOCAL_API_KEY": KEY}


def check_installed() -> None:
    """Say what is missing, if the extra `local` is not installed.

    Raises:
        UsageError: It is not.
    """
    missing = [name for name in ("xllamacpp", "openai") if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(
            f"a local model needs {' and '.join(missing)}, which an extra installs: "
            "pip install 'causarium[local]', or in a clone pip install -e '.[local]'"
        )


@contextlib.contextmanager
def serving(
    settings: Settings, *, child: Sequence[str] | None = None, patience_s: float = _PATIENCE_S
) -> Iterator[ServedProcess]:
    """Serve a model in a process of its own, from its first answer to the end of the block.

    Args:
        settings: What to serve.
        child: The program that serves; it gets the settings as its last word. By default, ours.
        patience_s: How long it may take to the first answer.

    Raises:
        UsageError: The port is taken, or the file cannot be loaded.
        RunError: The server died, or never answered.
    """
    _refuse_taken(settings.port)
    with (
        tempfile.TemporaryFile() as errors,
        _start_server_process(settings, child or CHILD, errors) as process,
    ):
        served = _wait(process, settings, errors, time.monotonic() + patience_s)
        try:
            yield served
        finally:
            if (code := process.poll()) is not None:
                raise RunError(
                    f"the local model's server ended by itself ({_ending(code)}){_errors(errors)}; "
                    "run the same command to start it again"
                )


def find_own_port() -> int:
    """Return this process's own port, or 0 where another has it.

    Inspect keeps a client for each name of a model: who serves it again must be where it was.
    """
    port = 20_000 + os.getpid() % 40_000
    try:
        _refuse_taken(port)
    except UsageError:
        return 0
    return port


def _refuse_taken(port: int) -> None:
    if not port:
        return
    with socket.socket() as trial:
        # As servers do: a port that is only waiting to be forgotten is free.
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as wrong:
            raise UsageError(
                f"port {port} cannot be used ({wrong.strerror}); "
                "name another, or none and a free one is found"
            ) from wrong


@contextlib.contextmanager
def _start_server_process(
    settings: Settings, child: Sequence[str], errors: IO[bytes]
) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(  # noqa: S603 - our own program
        [*child, settings.words()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
    )
    try:
        yield process
    finally:
        # A closed stdin is enough for our own program, and not for just any.
        _close(process.stdin)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_FAREWELL_S)
        process.kill()
        process.wait()
        # Not before: somebody may still be reading, and closing waits for them.
        _close(process.stdout)


def _close(pipe: IO[str] | None) -> None:
    with contextlib.suppress(OSError):
        if pipe is not None:
            pipe.close()


def _wait(
    process: subprocess.Popen[str], settings: Settings, errors: IO[bytes], deadline: float
) -> ServedProcess:
    address = _address(process, settings, errors, deadline)
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise _explain_failed_start(process, settings, errors)
        with contextlib.suppress(OSError, ValueError):
            # An answer, not an open port: a model that is still being loaded has that too.
            _ask(address, settings.name)
            return ServedProcess(settings, address, _context(address, settings.context), process)
        time.sleep(0.2)
    raise RunError(
        f"the local model at {address} did not answer in time{_errors(errors)}; "
        "a smaller model, or fewer threads on a busy machine, may"
    )


def _address(
    process: subprocess.Popen[str], settings: Settings, errors: IO[bytes], deadline: float
) -> str:
    """Return where the child says it listens."""
    lines: queue.Queue[str] = queue.Queue()
    assert process.stdout is not None  # noqa: S101 - it was asked for
    reading = threading.Thread(
        target=lambda pipe: lines.put(pipe.readline()), args=(process.stdout,), daemon=True
    )
    reading.start()
    try:
        line = lines.get(timeout=max(0.0, deadline - time.monotonic()))
    except queue.Empty:
        raise RunError(
            f"the local model was not loaded in time{_errors(errors)}; a smaller one may be"
        ) from None
    try:
        return str(json.loads(line)["address"])
    except (ValueError, KeyError, TypeError):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_FAREWELL_S)
        raise _explain_failed_start(process, settings, errors) from None


def _explain_failed_start(
    process: subprocess.Popen[str], settings: Settings, errors: IO[bytes]
) -> Exception:
    code = process.poll()
    if code == CANNOT_LOAD:
        return BadFile(
            f"llama.cpp cannot serve {settings.gguf}: it is damaged, cut off, of a kind that "
            f"this llama.cpp does not know, or too large for this machine{_errors(errors)}"
        )
    return RunError(f"the local model's server did not start ({_ending(code)}){_errors(errors)}")


def _ending(code: int | None) -> str:
    if code is None:
        return "it says nothing that can be read"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _errors(errors: IO[bytes]) -> str:
    """Return the last lines that the server wrote, if it wrote any."""
    errors.seek(0)
    lines = errors.read().decode(errors="replace").splitlines()[-3:]
    return f"; it said: {' | '.join(line.strip() for line in lines)}" if lines else ""


def _ask(address: str, name: str) -> None:
    message = {"role": "user", "content": "Hello"}
    _json(f"{address}/v1/chat/completions", {"model": name, "messages": [message], "max_tokens": 1})


def _context(address: str, asked: int) -> int:
    """Return the tokens of a conversation as the server says: never more than a model can."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return int(_json(f"{address}/props")["default_generation_settings"]["n_ctx"])
    return asked


def _json(url: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return what is answered, and never by way of a proxy.

    Raises:
        OSError: There is no answer, or one that says no.
        ValueError: The answer is not JSON.
    """
    sent = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, sent, {"Content-Type": "application/json"})  # noqa: S310
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=_ANSWER_S) as answer:
        if answer.status != HTTPStatus.OK:
            raise urllib.error.URLError(f"status {answer.status}")
        answer_fields = json.load(answer)
    if not isinstance(answer_fields, dict):
        raise ValueError("the answer is no object")  # noqa: TRY004 - what came is the trouble
    return answer_fields


def make_reachable(served: ServedProcess) -> contextlib.AbstractContextManager[None]:
    """Let Inspect, in this process, find a served model while a block lasts; past any proxy."""
    from causarium.engine.run.options import set_variables

    around = {name: os.environ.get(name, "") for name in ("NO_PROXY", "no_proxy")}
    past = {name: ",".join(filter(None, (held, "127.0.0.1"))) for name, held in around.items()}
    return set_variables({**served.environment, **past})
