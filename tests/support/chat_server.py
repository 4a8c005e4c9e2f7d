"""A model server on 127.0.0.1: OpenAI's chat completions, whole or as a stream, and responses.

It needs the standard library alone, so that the tests of every package can start it.
"""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Messages = list[dict[str, Any]]
Say = Callable[[Messages], str]
"""Given the messages so far, what the model says."""


def text_of(message: dict[str, Any]) -> str:
    """Return the text of a message; some clients send it in parts."""
    content = message["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


@contextmanager
def chat_server(say: Say, asked: Messages | None = None) -> Iterator[str]:
    """Serve a model for as long as the block runs; yields the base address.

    Args:
        say: What the model says.
        asked: A list that gets every request.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if not self.path.startswith("/v1/"):
                self.send_error(404)
                return
            self._send(json.dumps({"object": "list", "data": [{"id": "small"}]}).encode())

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if asked is not None:
                asked.append(request)
            if self.path.endswith("/v1/responses"):
                self._send(json.dumps(_response(say(request["input"]), request["model"])).encode())
                return
            if not self.path.endswith("/v1/chat/completions"):
                self.send_error(404)
                return
            text = say(request["messages"])
            whole = _completion(text, request.get("model", "small"))
            if not request.get("stream"):
                self._send(json.dumps(whole).encode())
                return
            choice = {"index": 0, "delta": {"role": "assistant", "content": text}}
            end = {"index": 0, "delta": {}, "finish_reason": "stop"}
            chunks = [
                {**whole, "object": "chat.completion.chunk", "choices": [part], "usage": None}
                for part in (choice, end)
            ]
            chunks.append({**whole, "object": "chat.completion.chunk", "choices": []})
            lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
            self._send("".join([*lines, "data: [DONE]\n\n"]).encode(), "text/event-stream")

        def _send(self, body: bytes, kind: str = "application/json") -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _completion(text: str, model: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def _response(text: str, model: str) -> dict[str, Any]:
    said = {"type": "output_text", "text": text, "annotations": []}
    message = {"type": "message", "id": "message-1", "role": "assistant", "content": [said]}
    return {
        "id": "response-1",
        "object": "response",
        "created_at": 0,
        "model": model,
        "status": "completed",
        "output": [{**message, "status": "completed"}],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 10,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 5,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 15,
        },
    }
