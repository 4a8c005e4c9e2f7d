"""A model provider on localhost that speaks OpenAI's protocol and fails as it is told to.

It stands in no process that is killed, so that what it counts is what was really asked. Every
conversation is told apart by its opening, which is the prompt of one instance.
"""

import json
import re
import socket
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from typing import Any

MODEL = "openai-api/bad/model"
"""How Inspect calls it, once `BAD_BASE_URL` and `BAD_API_KEY` are set."""

OK = "ok"
Say = Callable[[list[dict[str, Any]]], str]
"""Given the messages so far, what a good answer says."""


def named(contents: Iterable[str]) -> str:
    """Return a conversation's name: a digest of the two messages that open it."""
    return sha256(json.dumps(list(islice(contents, 2))).encode()).hexdigest()[:12]


def links(messages: list[dict[str, Any]]) -> str:
    """Play CausalLink: one experiment, then an answer."""
    text = messages[-1]["content"]
    if '"shape"' in text and "first" in text:
        shape = re.findall(r"\['(\w+)'", text)[0]
        action = "hold" if f"{shape} is moving" in text else "move"
        return json.dumps({"shape": shape, "action": action})
    return json.dumps({"next": "answer the question", "answer": "yes"})


@dataclass
class Provider:
    """What the provider was asked, and what it does next."""

    say: Say = links
    delay_s: float = 0.0
    """How long a good answer takes."""
    faults: dict[int, list[str]] = field(default_factory=dict)
    """By number of conversation, in the order in which they began: what happens to its calls."""
    always: str = OK
    """What happens to a call for which nothing else is said."""
    calls: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By conversation: when it was asked, failed calls included, by this machine's clock."""
    given: Counter[str] = field(default_factory=Counter)
    """How often each kind of answer was given."""
    port: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def environment(self) -> dict[str, str]:
        """What a run needs to find this provider, and no proxy on the way."""
        here = f"http://127.0.0.1:{self.port}/v1"
        return {"BAD_BASE_URL": here, "BAD_API_KEY": "none", "NO_PROXY": "127.0.0.1"}

    @property
    def asked(self) -> int:
        """How many calls there were."""
        return sum(map(len, list(self.calls.values())))

    def next(self, conversation: str) -> str:
        """Count one call and return what is to happen to it."""
        with self.lock:
            self.calls[conversation].append(time.monotonic())
            script = self.faults.get(list(self.calls).index(conversation))
            kind = script.pop(0) if script else self.always
            self.given[kind] += 1
            return kind


@contextmanager
def provider(**settings: Any) -> Iterator[Provider]:
    """Serve a provider on a free port of localhost for as long as the block runs."""
    state = Provider(**settings)
    server = _Server(("127.0.0.1", 0), _Handler)
    server.state = state
    state.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield state
    finally:
        server.stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    state: Provider

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.stopping = threading.Event()

    def handle_error(self, *_: object) -> None:
        """Say nothing of a client that was killed in the middle of a call."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        messages = asked["messages"]
        kind = self.server.state.next(named(message["content"] for message in messages))
        getattr(self, f"_{kind}", self._status)(kind, messages)

    def _ok(self, _: str, messages: list[dict[str, Any]]) -> None:
        time.sleep(self.server.state.delay_s)
        self._send(200, _completion(self.server.state.say(messages)))

    def _status(self, kind: str, _: list[dict[str, Any]]) -> None:
        """`429`, `500`, or `429 in 1`, which says when to come back."""
        code, __, seconds = kind.partition(" in ")
        more = {"Retry-After": seconds} if seconds else {}
        self._send(int(code), {"error": {"message": "as it was told to", "type": "test"}}, **more)

    def _garbage(self, _: str, __: list[dict[str, Any]]) -> None:
        self._raw(b"<html>\xff\x00 no JSON at all", "application/json")

    def _page(self, _: str, __: list[dict[str, Any]]) -> None:
        self._raw(b"<html>Bad day</html>", "text/html")

    def _other(self, _: str, __: list[dict[str, Any]]) -> None:
        self._send(200, {"hello": "world"})

    def _half(self, _: str, messages: list[dict[str, Any]]) -> None:
        body = json.dumps(_completion(self.server.state.say(messages))).encode()
        self._head(200, len(body), "application/json")
        self.wfile.write(body[: len(body) // 2])
        self.wfile.flush()
        self._hang_up()

    def _hangup(self, _: str, __: list[dict[str, Any]]) -> None:
        self._hang_up()

    def _silence(self, _: str, __: list[dict[str, Any]]) -> None:
        """Say nothing until the client gives up or the server ends."""
        self.connection.settimeout(0.05)
        while not self.server.stopping.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        self.close_connection = True

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _send(self, status: int, body: dict[str, Any], **headers: str) -> None:
        self._raw(json.dumps(body).encode(), "application/json", status, **headers)

    def _raw(self, body: bytes, kind: str, status: int = 200, **headers: str) -> None:
        self._head(status, len(body), kind, **headers)
        self.wfile.write(body)

    def _head(self, status: int, length: int, kind: str, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Write nothing to stderr."""


def _completion(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "a",
        "object": "chat.completion",
        "created": 0,
        "model": "model",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def kinds(*scripts: Sequence[str]) -> dict[int, list[str]]:
    """Return faults for the first conversations, one script each."""
    return {number: list(script) for number, script in enumerate(scripts)}
