"""The process in which llama.cpp serves a model; it lives as long as the one that started it.

It gets its settings as one JSON object, says on stdout where it listens, and ends when its stdin
does: a parent that is killed closes it too. It imports next to nothing, so that it starts at once.
"""

import json
import os
import signal
import sys
import threading
import time
from typing import Any

CANNOT_LOAD = 4
"""The exit code when llama.cpp refuses the file or the settings; it says why on stderr."""
_ERRORS_ONLY = 1


def main() -> None:
    """Serve, until the parent is gone."""
    settings = json.loads(sys.argv[1])
    parent = os.getppid()
    # Ctrl-C is for the parent, which may still want answers while it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    # Whatever llama.cpp prints goes to stderr; stdout says where it listens and nothing else.
    told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        server = _server(settings)
    except RuntimeError as wrong:
        sys.stderr.write(f"{wrong}\n")
        sys.stderr.flush()
        os._exit(CANNOT_LOAD)
    told.write(json.dumps({"address": server.listening_address}) + "\n")
    told.flush()
    # A process forked off the parent may hold our stdin open; then this tells.
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def _end_with_stdin() -> None:
    sys.stdin.buffer.read()
    # llama.cpp's own ending waits for requests that nobody will read.
    os._exit(0)


def _server(settings: dict[str, Any]) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = settings["gguf"]
    params.model_alias = {settings["name"]}
    params.n_parallel = settings["slots"]
    # llama.cpp divides its context among the slots.
    params.n_ctx = settings["context"] * settings["slots"]
    for threads in (params.cpuparams, params.cpuparams_batch):
        threads.n_threads = settings["threads"]
    params.hostnames = ["127.0.0.1"]
    params.port = settings["port"]
    # No page that is open in somebody's browser has any business here.
    params.cors_origins = "http://127.0.0.1"
    params.ui = False
    params.verbosity = _ERRORS_ONLY
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
