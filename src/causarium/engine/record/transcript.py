"""What a model said in an episode, as a log holds it: the only thing that turns may follow from.

Of a model that plays by itself these are its messages. Of an agent of one's own they are the calls
that passed its wall, which this side notes down. A reference player and a person leave none.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from causarium.contract.frozen import Frozen


class SaidCall(Frozen):
    """A call of a tool."""

    name: str
    arguments: Any
    problem: str | None = None
    """Why its arguments could not be read, where the provider sent what is no JSON."""
    reply: int = 0
    """The number of the model's reply that it was made after, where an agent made it."""


class SaidReply(Frozen):
    """One reply of a model."""

    text: str
    calls: tuple[SaidCall, ...] = ()


class Repair(Frozen):
    """What a helper replied that was asked to read a move."""

    turn: int
    """How many turns had been taken."""
    replies: tuple[str, ...]


class Transcript(Frozen):
    """All that turns follow from."""

    replies: tuple[SaidReply, ...] = ()
    calls: tuple[SaidCall, ...] = ()
    """The calls of an agent of one's own."""
    repairs: tuple[Repair, ...] = ()
    limit: str = ""
    """The kind of limit that ended the sample, so that the last reply may have led to nothing."""


def read_replies(messages: Iterable[Any]) -> tuple[SaidReply, ...]:
    """Return the replies of a model, from messages as a log's JSON has them.

    No sample opens with a reply, so whatever a log calls its opening, a reply in it was given.
    """
    said = [message for message in messages if message.get("role") == "assistant"]
    return tuple(
        SaidReply(
            text=_join_texts(message.get("content") or ""),
            calls=tuple(map(_read_call, message.get("tool_calls") or ())),
        )
        for message in said
    )


def _join_texts(content: str | Sequence[Mapping[str, Any]]) -> str:
    """Return the text of a message as Inspect joins its parts."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part.get("type") == "text")


def _read_call(call: Mapping[str, Any]) -> SaidCall:
    return SaidCall(
        name=str(call.get("function")),
        arguments=call.get("arguments"),
        problem=call.get("parse_error"),
    )
