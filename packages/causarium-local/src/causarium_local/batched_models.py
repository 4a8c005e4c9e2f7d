"""`--model local-hf:FOLDER` and `--model recorded:FILE`: Inspect's providers that write in batches.

Inspect asks for one reply at a time, from many episodes at once. What comes within a few
milliseconds is collected and written as one batch; while a batch is being written the next one
fills up. So logs, resuming and verifying are those of any model.
"""

import asyncio
import contextlib
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from typing_extensions import override

from causarium.contract.family import AnyFamily
from causarium.engine.run.options import set_variables
from causarium.errors import BadFile, RunError, UsageError
from causarium_local.open_weights import (
    MOST_ROWS,
    OpenWeights,
    Prompt,
    Reply,
    Writer,
    check_folder,
    digest_weights,
)
from causarium_local.recorded_replies import RecordedReplies
from causarium_local.weights import Say

HF, RECORDED = "local-hf", "recorded"
PLACE = "CAUSARIUM_LOCAL_WEIGHTS"
"""The variable that says, for the time of a run, where weights or recorded replies are: a log
should name a model, and no path of this machine."""
DEFAULT_TOKENS = 1024
_COLLECT_S = 0.02


class Collector:
    """Collects prompts for a moment and has them written together."""

    def __init__(self, writer: Writer, *, collect_s: float = _COLLECT_S) -> None:
        self._writer = writer
        self._collect_s = collect_s
        self._waiting: list[tuple[Prompt, asyncio.Future[Reply]]] = []
        self._task: asyncio.Task[None] | None = None

    async def ask(self, prompt: Prompt) -> Reply:
        """Return the reply to a prompt, written in one batch with others."""
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append((prompt, answer))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_waiting())
        return await answer

    async def _write_waiting(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._collect_s)
            batch = [(p, a) for p, a in self._waiting if not a.done()]
            self._waiting.clear()
            try:
                prompts = [prompt for prompt, _ in batch]
                replies = await asyncio.to_thread(self._writer.write_replies, prompts)
            except Exception as wrong:  # noqa: BLE001 - whoever asked hears of it
                for _, answer in batch:
                    if not answer.done():
                        answer.set_exception(RunError(f"the model cannot write: {wrong}"))
                continue
            for (_, answer), reply in zip(batch, replies, strict=True):
                if not answer.done():
                    answer.set_result(reply)


class BatchedModel(ModelAPI):
    """What both providers are to Inspect."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **_: object,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())

    async def write_reply(self, prompt: Prompt) -> Reply:
        """Return the reply to one prompt."""
        raise NotImplementedError

    @override
    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        if tools:
            raise RunError("this model calls no tools; play by --rule interface=json")
        schema = config.response_schema
        reply = await self.write_reply(
            Prompt(
                tuple((message.role, message.text) for message in input),
                max_tokens=config.max_tokens or DEFAULT_TOKENS,
                schema=schema.json_schema.model_dump(exclude_none=True) if schema else None,
                temperature=config.temperature or 0.0,
            )
        )
        output = ModelOutput.from_content(self.model_name, reply.text, stop_reason=reply.stop)
        read, said = reply.input_tokens, reply.output_tokens
        output.usage = ModelUsage(input_tokens=read, output_tokens=said, total_tokens=read + said)
        return output

    @override
    def max_connections(self) -> int:
        return MOST_ROWS

    @override
    async def count_text_tokens(self, text: str) -> int:
        return len(text) // 3


class HfModel(BatchedModel):
    """Open weights in a folder."""

    _held: tuple[Path, Collector] | None = None

    @override
    async def write_reply(self, prompt: Prompt) -> Reply:
        # Inspect keeps a model by its name for as long as the process lives.
        if self._held is None or self._held[0] != find_place():
            self._held = None  # two models at once may not fit
            self._held = (find_place(), Collector(OpenWeights.load(find_place())))
        return await self._held[1].ask(prompt)


class RecordedModel(BatchedModel):
    """Replies in a file."""

    _held: tuple[tuple[Path, int], asyncio.Task[RecordedReplies]] | None = None

    @override
    async def write_reply(self, prompt: Prompt) -> Reply:
        # A file may be recorded anew between two runs of one process.
        place = find_place()
        state = (place, place.stat().st_mtime_ns)
        if self._held is None or self._held[0] != state:
            # In a thread: Inspect reads a log in an event loop of its own.
            reading = asyncio.create_task(asyncio.to_thread(RecordedReplies.read, place))
            self._held = (state, reading)
        recorded = await self._held[1]
        reply = recorded.find(prompt)
        if reply is None:
            facts = recorded.circumstances
            raise RunError(
                f"this conversation is not recorded; {place.name} holds {facts.family}, "
                f"{facts.set}, played by {dict(facts.rules) or 'the usual rules'}, perhaps not to "
                "its end"
            )
        return reply


def find_place() -> Path:
    """Return where weights or replies are.

    Raises:
        RunError: No run is under way that says so.
    """
    if not (place := os.environ.get(PLACE)):
        raise RunError("the weights are no longer at hand; run the same command again")
    return Path(place)


@modelapi(name=HF)
def local_hf() -> type[ModelAPI]:
    """Register the provider."""
    return HfModel


@modelapi(name=RECORDED)
def recorded() -> type[ModelAPI]:
    """Register the provider."""
    return RecordedModel


@dataclass(frozen=True, slots=True)
class ServedInBatches:
    """Weights or recorded replies, to be used for a run."""

    provider: str
    place: Path
    name: str
    played_by: Mapping[str, Any]
    """Rules that the place itself asks for."""
    about: Mapping[str, Any]
    """What the log says of them beside the name."""
    max_tokens: int
    family: str | None = None
    """The family that was recorded; weights play any."""

    @property
    def model(self) -> str:
        """The name as Inspect knows it."""
        return f"{self.provider}/{self.name}"

    def rules(self, given: Mapping[str, Any], family: AnyFamily) -> dict[str, Any]:
        """Return the rules to play by: those given, and those that were recorded.

        Raises:
            UsageError: Another family was recorded, or other rules.
        """
        if self.family not in (None, family.name):
            raise UsageError(f"{self.place.name} holds replies to {self.family}, not {family.name}")
        self._refuse_other(given, {"constrained": self.played_by.get("constrained", False)})
        return {**self.played_by, **given}

    def _refuse_other(self, given: Mapping[str, Any], recorded: Mapping[str, Any]) -> None:
        """Refuse settings under which a model would have written otherwise than is recorded."""
        if self.provider != RECORDED:
            return
        for name, value in recorded.items():
            if name in given and _as_plain(given[name]) != _as_plain(value):
                raise UsageError(f"{name}={given[name]} was not recorded; {self._tell_recorded()}")

    def _tell_recorded(self) -> str:
        rules = ", ".join(f"{name}={value}" for name, value in self.played_by.items())
        return f"{self.place.name} has greedy replies of {self.max_tokens} tokens at most" + (
            f", by the rules {rules}" if rules else ""
        )

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options for Inspect; the digest makes other weights another run.

        Raises:
            UsageError: Other settings were recorded.
        """
        self._refuse_other(given, {"temperature": 0, "max_tokens": self.max_tokens})
        suits = {"max_connections": MOST_ROWS, "max_tokens": self.max_tokens}
        return {**suits, **given, "metadata": {**given.get("metadata", {}), **self.about}}

    @contextlib.contextmanager
    def serve_to_inspect(self, say: Say) -> Iterator[None]:
        """Let Inspect in this process find it, for as long as the block lasts."""
        recorded = self.provider == RECORDED
        how = f"read from {self.place}" if recorded else f"written in batches, by {self.provider}"
        say(f"{self.model}: replies are {how}")
        with set_variables({PLACE: str(self.place)}):
            yield


def _as_plain(value: object) -> float | str:
    """Return a setting as it compares, whether it was typed or given as a value."""
    text = str(value).lower()
    try:
        return float(text)
    except ValueError:
        return text


def find_batched_model(model: str, given: Mapping[str, Any]) -> ServedInBatches:
    """Read `local-hf:FOLDER` or `recorded:FILE`.

    Raises:
        UsageError: No place is named, or a package is missing.
        BadFile: There are no weights, or no recorded replies.
    """
    provider, _, named = model.partition(":")
    if not named:
        raise UsageError(f"{provider}: names no place; give local-hf:FOLDER or recorded:FILE")
    place = Path(named).expanduser()
    most = int(given.get("max_tokens") or DEFAULT_TOKENS)
    if provider == HF:
        check_folder(place)
        name = re.sub(r"[^a-z0-9._-]+", "-", place.resolve().name.lower()).strip("-") or "model"
        weights = digest_weights(place)
        return ServedInBatches(provider, place, name, {}, {"weights": weights}, most)
    replies = RecordedReplies.read(place)
    if not len(replies):
        raise BadFile(f"{place} holds no reply; record_sets was stopped before the first")
    facts = replies.circumstances
    about: dict[str, Any] = {
        "weights": facts.weights,
        "replies": hashlib.sha256(place.read_bytes()).hexdigest(),
        "recorded_on": facts.device,
        "recorded_by": dict(facts.libraries),
    }
    return ServedInBatches(
        provider, place, facts.model, facts.rules, about, facts.max_tokens, facts.family
    )
