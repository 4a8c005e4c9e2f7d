"""What an episode leaves in a sample's store, and the one place that spells the keys of it.

The keys are part of every log that was ever written, so they stay as they are. Inspect's own
`StoreModel` would name them otherwise, and copies and checks what it holds at every access.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from causarium.contract.frozen import Frozen
from causarium.contract.texts.role_questions import Judgement
from causarium.contract.turn import Turn


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
    """All that turns follow from, as a log holds it.

    Of a model that plays by itself these are its messages. Of an agent of one's own they are the
    calls that passed its wall. A reference player and a person leave none.
    """

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


TURNS_KEY = "causarium:turns"
JUDGEMENTS_KEY = "causarium:judgements"
_TOKENS_KEY = "causarium:tokens"
_CONTINUED_KEY = "causarium:continued"
_COMPACTED_KEY = "causarium:compacted"
_ANSWER_CHECK_KEY = "causarium:recheck"
_ENDED_KEY = "causarium:ended"
CALLS_KEY = "causarium:calls"
REPAIRS_KEY = "causarium:repairs"
_JUDGE_FAILED_KEY = "causarium:judge_failed"
RAISED, PROCESS_ENDED = "it raised ", "its process was ended"
"""How the reasons begin why an agent was ended that raised an exception, or ended its process."""

EXCEEDED = "context exceeded"
"""The error mode of a turn for which nothing could be sent."""
CONTEXT_LABEL = "context"
"""The label of a row that says whether the model was sent everything."""
AGENT_LABEL = "agent"
"""The label of a row in which an agent of one's own raised; its turns up to then are scored."""
JUDGE_LABEL = "judge"
"""The label of a row that its judge could not score."""
ANSWER_CHECK_LABEL = "recheck"
"""The label of a row that says what became of the check before the answer."""


class Compaction(Frozen):
    """One shortening of what is sent."""

    turn: int
    """Before which reply it was made, from 1."""
    messages: int
    """How many messages are left out from then on."""
    characters: int
    """How many characters they have."""


class AnswerCheck(Frozen):
    """What became of the check before the answer of one episode."""

    turn: int
    """How many turns had been taken when the answer was held back."""
    intended: dict[str, Any]
    """The action that was held back."""
    next: dict[str, Any] | None = None
    """The first action that was sent after it; None if none was."""
    answer: dict[str, Any] | None = None
    """The first answer that was let through to the world; None if none was."""
    changed: bool | None = None
    """Whether that differs from the one held back; None if there is no answer."""
    gain: float | None = None
    """How much better, by the family's first headline number, the episode came out than if it
    had ended with the answer that was held back; None where nothing changed."""

    @property
    def label(self) -> str:
        """The same in a word."""
        if self.changed is None:
            return "no answer"
        if not self.changed:
            return "kept"
        gain = self.gain or 0.0
        return "raised" if gain > 0 else "lowered" if gain < 0 else "changed"


class Storage(Protocol):
    """What keeps values by their keys: a sample's store while it is played."""

    def get(self, key: str, /) -> Any:  # noqa: ANN401
        """Return a value; None if there is none."""

    def set(self, key: str, value: Any, /) -> None:  # noqa: ANN401
        """Keep a value."""


ValueT = TypeVar("ValueT")


class _Stored(Generic[ValueT]):
    """A value that a store keeps under a key, as an attribute."""

    def __init__(self, key: str, kind: TypeAdapter[ValueT], empty: object = None) -> None:
        """Say where a value is kept, what it is, and what it is where there is none."""
        self._key, self._kind, self._empty = key, kind, empty

    def __get__(self, store: "EpisodeStore", owner: type | None = None) -> ValueT:
        # A default that is given to Inspect's `get` would be written to the store and logged.
        stored = store.storage.get(self._key)
        return self._kind.validate_python(self._empty if stored is None else stored)

    def __set__(self, store: "EpisodeStore", value: ValueT) -> None:
        store.set(self._key, to_jsonable_python(value))


class EpisodeStore:
    """Reads and writes what an episode leaves in a sample's store."""

    turns = _Stored(TURNS_KEY, TypeAdapter(list[Turn]), [])
    """The turns; none if the agent never got that far."""
    judgements = _Stored(JUDGEMENTS_KEY, TypeAdapter(list[Judgement]), [])
    """What judges found; none if nobody was asked."""
    tokens = _Stored(_TOKENS_KEY, TypeAdapter(list[tuple[int, int, int]]), [])
    """What each reply took: read, cached, written; none if no model was asked."""
    continued = _Stored(_CONTINUED_KEY, TypeAdapter(int), 0)
    """How often a reply was continued that had stopped at the token limit."""
    compacted = _Stored(_COMPACTED_KEY, TypeAdapter(list[Compaction]), [])
    """Each time that what is sent was shortened, by what."""
    answer_check = _Stored(_ANSWER_CHECK_KEY, TypeAdapter(AnswerCheck | None))
    """What became of the check before the answer; None if nothing was held back."""
    calls = _Stored(CALLS_KEY, TypeAdapter(list[tuple[str, Any, int]]), [])
    """The calls of an agent of one's own: name, arguments, and the reply they came after."""
    repairs = _Stored(REPAIRS_KEY, TypeAdapter(list[Repair]), [])
    """What helpers replied that were asked to read a move."""
    ended = _Stored(_ENDED_KEY, TypeAdapter(str | None))
    """Why an agent was ended that did not end by itself."""
    judge_failed = _Stored(_JUDGE_FAILED_KEY, TypeAdapter(str | None))
    """Why a judge that was asked gave no judgement; None if it gave one, or nobody asked."""

    def __init__(self, storage: Storage | Mapping[str, Any]) -> None:
        """Take a store as Inspect has it while a sample is played, or as a log has it."""
        self.storage = storage

    def set(self, key: str, value: object) -> None:
        """Keep a value under a key.

        Raises:
            TypeError: The store is a log's.
        """
        if isinstance(self.storage, Mapping):
            raise TypeError("the store of a log is not written to")
        self.storage.set(key, value)

    @property
    def raw_turns(self) -> Sequence[dict[str, Any]]:
        """The turns as they are stored, not checked."""
        turns: Sequence[dict[str, Any]] = self.storage.get(TURNS_KEY) or ()
        return turns

    def start_turns(self, turns: Sequence[Turn] = ()) -> list[dict[str, Any]]:
        """Store turns in a list and return it: what is added to it is stored as well.

        It grows in place, because a list written anew at every turn would be copied as often.
        """
        stored = [turn.model_dump(mode="json") for turn in turns]
        self.set(TURNS_KEY, stored)
        return stored

    def start_tokens(self) -> list[list[int]]:
        """Return the list in which the tokens of each reply are stored: read, cached, written."""
        stored: list[list[int]] = []
        self.set(_TOKENS_KEY, stored)
        return stored

    def start_calls(self) -> list[list[Any]]:
        """Return the list in which an agent's calls are stored: name, arguments, reply."""
        stored: list[list[Any]] = []
        self.set(CALLS_KEY, stored)
        return stored

    def read_labels(self, rules: Mapping[str, Any]) -> dict[str, str]:
        """Return the labels that the run gives a row, whatever the verdict on it.

        Args:
            rules: The rules of the episode, which may ask for a check and bound what is sent.
        """
        labels = {}
        if rules.get("recheck"):
            check = self.answer_check
            labels[ANSWER_CHECK_LABEL] = "no answer" if check is None else check.label
        modes = [(turn.get("unparsed") or {}).get("mode") for turn in self.raw_turns]
        if EXCEEDED in modes:
            labels[CONTEXT_LABEL] = "exceeded"
        elif self.compacted:
            labels[CONTEXT_LABEL] = "shortened"
        elif rules.get("context") is not None:
            labels[CONTEXT_LABEL] = "whole"
        if self.judge_failed is not None:
            labels[JUDGE_LABEL] = "failed"
        if (self.ended or "").startswith((RAISED, PROCESS_ENDED)):
            labels[AGENT_LABEL] = "raised"
        return labels
