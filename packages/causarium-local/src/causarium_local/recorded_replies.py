"""Replies of a model that played elsewhere, in a file: recorded once, played again as a model.

A machine with a GPU may have no network and none of what Inspect needs. There a model plays whole
sets by sessions alone, and each conversation is written down with its reply. Here the ordinary
run asks `recorded:FILE`, which finds the reply by the conversation, so that logs, resuming and
verifying are those of any model. A conversation that nobody recorded has no reply: the run says so.
A log of such a run is read as well: so the next version of a family plays the same replies again.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.errors import BadFile
from causarium_local.open_weights import Prompt, Reply, Stop

if TYPE_CHECKING:
    from inspect_ai.event import ModelEvent


class Circumstances(Frozen):
    """The first line of a file: who wrote the replies, and how."""

    model: str = Field(pattern=r"^[a-z0-9._-]+$", max_length=120)
    """The model's name, as reports show it."""
    weights: str
    """SHA-256 of the weights."""
    family: str
    set: str
    rules: dict[str, Any] = Field(default_factory=dict)
    """Changes to the rules of the certified edition; the run here plays by the same."""
    max_tokens: int
    device: str = ""
    libraries: dict[str, str] = Field(default_factory=dict)


class RecordedReply(Frozen):
    """One line: a conversation by its digest, and what the model wrote."""

    key: str
    text: str
    stop: Stop = "stop"
    input_tokens: int = 0
    output_tokens: int = 0
    opening: str = ""
    """The digest of the opening, of a conversation that no longer fitted the model."""

    def as_reply(self) -> Reply:
        """Return it as a model's own."""
        return Reply(self.text, self.stop, self.input_tokens, self.output_tokens)


class RecordedReplies:
    """A file of replies, read whole."""

    def __init__(self, circumstances: Circumstances, lines: Sequence[RecordedReply]) -> None:
        self.circumstances = circumstances
        self.lines = {line.key: line for line in lines}
        self._too_long = {line.opening for line in lines if line.opening}

    def __len__(self) -> int:
        return len(self.lines)

    def as_dict(self) -> dict[str, Reply]:
        """Return the replies that a model wrote, by the digests of their conversations."""
        lines = self.lines.items()
        return {key: line.as_reply() for key, line in lines if line.stop != "model_length"}

    def find(self, prompt: Prompt) -> Reply | None:
        """Return the reply to a conversation; None if none is recorded.

        An episode that no longer fitted the model was not played on, so that what Inspect sends
        after that, with older turns left out, fits no better.
        """
        found = self.lines.get(prompt.key)
        if found is None and prompt.opening_key in self._too_long:
            return Reply("", "model_length", 0, 0)
        return None if found is None else found.as_reply()

    @classmethod
    def read(cls, path: Path) -> "RecordedReplies":
        """Read a file; a last line that was cut off is left out.

        Raises:
            BadFile: It cannot be read, or is no file of recorded replies, nor a log of them.
        """
        if path.suffix == ".eval":
            return cls(*_read_log(path))
        try:
            head, *lines = path.read_text(encoding="utf-8").split("\n")
            circumstances = Circumstances.model_validate_json(head)
            replies = list(_read_lines(lines))
        except (OSError, ValueError) as wrong:
            raise BadFile(
                f"{path} is no file of recorded replies ({str(wrong).splitlines()[0]}); "
                "`python -m causarium_local.record_sets` writes one"
            ) from wrong
        return cls(circumstances, replies)


def _read_log(path: Path) -> tuple[Circumstances, list[RecordedReply]]:
    # Here and not above: a machine that records has no Inspect.
    from inspect_ai.event import ModelEvent
    from inspect_ai.log import read_eval_log

    from causarium.engine.logbook.log_members import copy_log

    try:
        with copy_log(path) as copy:
            log = read_eval_log(copy, resolve_attachments=True)
        facts: dict[str, Any] = log.eval.metadata or {}
        circumstances = Circumstances(
            model=log.eval.model.partition("/")[2],
            weights=facts["weights"],
            family=facts["family"],
            set=facts["set"],
            rules={name: facts["card"]["rules"][name] for name in facts["card"]["changed"]},
            max_tokens=log.eval.model_generate_config.max_tokens or 0,
            device=facts.get("recorded_on", ""),
            libraries=facts.get("recorded_by", {}),
        )
        events = [event for sample in log.samples or () for event in sample.events]
        asked = [event for event in events if isinstance(event, ModelEvent)]
        return circumstances, [_read_event(event) for event in asked]
    except BadFile:
        raise
    except Exception as wrong:  # a stranger's log may be damaged in any way
        raise BadFile(f"{path} is no log of a local-hf: or recorded: model ({wrong!r})") from wrong


def _read_event(event: "ModelEvent") -> RecordedReply:
    prompt = Prompt(tuple((message.role, message.text) for message in event.input), 0)
    usage, stop = event.output.usage, event.output.stop_reason
    return RecordedReply(
        key=prompt.key,
        text=event.output.completion,
        stop=stop,
        input_tokens=usage.input_tokens if usage else 0,
        output_tokens=usage.output_tokens if usage else 0,
        opening=prompt.opening_key if stop == "model_length" else "",
    )


def _read_lines(lines: list[str]) -> Iterator[RecordedReply]:
    whole, last = lines[:-1], lines[-1:]
    for line in whole:
        yield RecordedReply.model_validate_json(line)
    for line in last:
        # What follows the last line's end is nothing, or half a line of a process that was killed.
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            continue
        yield RecordedReply.model_validate_json(line)
