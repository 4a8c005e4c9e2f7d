"""`--model local`: what is served, and the settings that suit a small model on a few cores."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from causarium.contract.family import AnyFamily
from causarium.errors import UsageError
from causarium_local.server import (
    DEFAULT_CONTEXT,
    DEFAULT_SLOTS,
    Settings,
    check_installed,
    find_own_port,
    make_reachable,
    serving,
)
from causarium_local.weights import DIGEST, Say, check_gguf, digest_of, fetch, weights_file

if TYPE_CHECKING:
    from causarium_local.batched_models import ServedInBatches

DEFAULT_TOKENS = 1024
"""The longest reply: a small model that has begun to repeat itself does not stop."""
_TEMPLATE_TOKENS = 64
"""Left free for the marks that a model's template puts around messages."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model to be served for a run."""

    gguf: Path | None
    """None is the small model; its weights are fetched when it is first served."""
    sent: int
    """Tokens of conversation that a model is sent at most."""
    slots: int
    max_tokens: int

    @property
    def settings(self) -> Settings:
        """How it is served."""
        return Settings(
            gguf=self.gguf or weights_file(),
            context=self.sent + self.max_tokens + _TEMPLATE_TOKENS,
            slots=self.slots,
        )

    @property
    def model(self) -> str:
        """Its name as Inspect knows it."""
        return self.settings.model

    def rules(self, given: Mapping[str, Any], family: AnyFamily) -> dict[str, Any]:
        """Return the rules to play by: those given, and what suits a small model.

        Replies are held to their schema, because small models call no tools and rarely write JSON
        that can be read.

        Args:
            given: The rules that were given.
            family: The family to play; a schema holds replies where its interface can have one.
        """
        suits: dict[str, Any] = {"context": self.sent}
        if given.get("interface") not in family.rules.unconstrained:
            suits["constrained"] = True
        return {**suits, **given}

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options for Inspect, by its own names: those given, and what suits.

        The digest makes the same name with other weights another run.
        """
        digest = DIGEST if self.gguf is None else digest_of(self.gguf)
        suits = {"max_connections": self.slots, "max_tokens": self.max_tokens}
        return {**suits, **given, "metadata": {**given.get("metadata", {}), "gguf": digest}}

    @contextlib.contextmanager
    def serve_to_inspect(self, say: Say) -> Iterator[None]:
        """Serve it to Inspect in this process, for as long as the block lasts."""
        check_installed()
        if self.gguf is None:
            fetch(say)
        say(f"starting {self.settings.name} on this machine")
        settings = replace(self.settings, port=find_own_port())
        with serving(settings) as served, make_reachable(served):
            yield


def find_model(
    model: str, rules: Mapping[str, Any], given: Mapping[str, Any]
) -> "LocalModel | ServedInBatches":
    """Read `local`, `local:FILE`, `local-hf:FOLDER` or `recorded:FILE`, and what suits it.

    Args:
        model: As it was typed.
        rules: Rules that were given; `context` is how much is sent.
        given: Options for Inspect that were given, by its own names; `max_connections` is how many
            are served at once, and `max_tokens` the longest reply.

    Raises:
        UsageError: There is no such file, it is no GGUF file, or a number is none.
    """
    kind, colon, path = model.partition(":")
    if kind != "local":
        from causarium_local.batched_models import find_batched_model

        return find_batched_model(model, given)
    if colon and not path:
        raise UsageError("local: names no file; give local, or local:FILE.gguf")
    max_tokens = int(given.get("max_tokens") or DEFAULT_TOKENS)
    sent = str(rules.get("context", DEFAULT_CONTEXT - max_tokens - _TEMPLATE_TOKENS))
    if not sent.isdigit():
        raise UsageError(f"the rule context must be a number of tokens, not {sent!r}")
    return LocalModel(
        gguf=check_gguf(Path(path).expanduser()) if colon else None,
        sent=int(sent),
        slots=int(given.get("max_connections") or DEFAULT_SLOTS),
        max_tokens=max_tokens,
    )
