"""A program in the place of llama.cpp's server: it answers, or fails as it is told to.

Called as the real one is, with one word in front that says what becomes of it.
"""

import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HOW = ""
SETTINGS: dict[str, Any] = {}
asked = 0


def completion(body: dict[str, Any]) -> dict[str, Any]:
    """An answer as OpenAI's interface has it."""
    said = {"role": "assistant", "content": f"{body['model']} says hello"}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": said}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8},
    }


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        found = {"n_ctx": min(SETTINGS["context"], 4096)}
        self.answer(200, {"default_generation_settings": found})

    def do_POST(self) -> None:
        global asked  # noqa: PLW0603
        asked += 1
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if HOW == "never" or (HOW == "late" and asked < 4):
            self.answer(503, {"error": "loading"})
        elif HOW == "dies":
            os._exit(7)
        else:
            self.answer(200, completion(body))

    def answer(self, status: int, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    if HOW == "refuses":
        print("E load_model: failed to load model", file=sys.stderr)
        sys.exit(4)
    if HOW == "crashes":
        os.abort()
    if HOW == "silent":
        time.sleep(60)
    server = ThreadingHTTPServer(("127.0.0.1", SETTINGS["port"]), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"address": f"http://127.0.0.1:{server.server_port}"}), flush=True)
    if HOW == "deaf":
        time.sleep(60)
    sys.stdin.read()


if __name__ == "__main__":
    HOW, SETTINGS = sys.argv[1], json.loads(sys.argv[2])
    main()
