"""What an episode leaves in a sample's store, and the one place that spells the keys of it.

The keys are part of every log that was ever written, so they stay as they are. Inspect's own
`StoreModel` would name them otherwise, and copies and checks what it holds at every access.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from causarium.contract.frozen import Frozen
from causarium.contract.row import Tokens
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
"""The label of a row whose judge was asked in vain."""
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


class EpisodeStore:
    """Reads and writes what an episode leaves in a sample's store."""

    def __init__(self, store: Storage | Mapping[str, Any]) -> None:
        """Take a store as Inspect has it while a sample is played, or as a log has it."""
        self._store = store

    def _get(self, key: str) -> Any:  # noqa: ANN401
        # A default that is given to Inspect's `get` would be written to the store and logged.
        return self._store.get(key)

    def _set(self, key: str, value: object) -> None:
        if isinstance(self._store, Mapping):
            raise TypeError("the store of a log is not written to")
        self._store.set(key, value)

    @property
    def raw_turns(self) -> Sequence[dict[str, Any]]:
        """The turns as they are stored, not checked."""
        turns: Sequence[dict[str, Any]] = self._get(TURNS_KEY) or ()
        return turns

    @property
    def turns(self) -> list[Turn]:
        """The turns; none if the agent never got that far."""
        return [Turn.model_validate(turn) for turn in self.raw_turns]

    def start_turns(self, turns: Sequence[Turn] = ()) -> list[dict[str, Any]]:
        """Store turns in a list and return it: what is added to it is stored as well.

        It grows in place, because a list written anew at every turn would be copied as often.
        """
        stored = [turn.model_dump(mode="json") for turn in turns]
        self._set(TURNS_KEY, stored)
        return stored

    @property
    def judgements(self) -> list[Judgement]:
        """What judges found; none if nobody was asked."""
        return [Judgement.model_validate(stored) for stored in self._get(JUDGEMENTS_KEY) or ()]

    @judgements.setter
    def judgements(self, judgements: Sequence[Judgement]) -> None:
        self._set(JUDGEMENTS_KEY, [judgement.model_dump(mode="json") for judgement in judgements])

    @property
    def tokens(self) -> list[Tokens]:
        """What each reply took; none if no model was asked."""
        return [
            Tokens(input=read, cached=cached, output=written)
            for read, cached, written in self._get(_TOKENS_KEY) or ()
        ]

    def start_tokens(self) -> list[list[int]]:
        """Return the list in which the tokens of each reply are stored: read, cached, written."""
        stored: list[list[int]] = []
        self._set(_TOKENS_KEY, stored)
        return stored

    @property
    def continued(self) -> int:
        """How often a reply was continued that had stopped at the token limit."""
        return int(self._get(_CONTINUED_KEY) or 0)

    @continued.setter
    def continued(self, times: int) -> None:
        self._set(_CONTINUED_KEY, times)

    @property
    def compacted(self) -> list[Compaction]:
        """Each time that what is sent was shortened, by what."""
        return [Compaction.model_validate(stored) for stored in self._get(_COMPACTED_KEY) or ()]

    @compacted.setter
    def compacted(self, compactions: Sequence[Compaction]) -> None:
        self._set(_COMPACTED_KEY, [made.model_dump(mode="json") for made in compactions])

    @property
    def answer_check(self) -> AnswerCheck | None:
        """What became of the check before the answer; None if nothing was held back."""
        stored = self._get(_ANSWER_CHECK_KEY)
        return None if stored is None else AnswerCheck.model_validate(stored)

    @answer_check.setter
    def answer_check(self, check: AnswerCheck) -> None:
        self._set(_ANSWER_CHECK_KEY, check.model_dump(mode="json"))

    def start_calls(self) -> list[list[Any]]:
        """Return the list in which an agent's calls are stored: name, arguments, reply."""
        stored: list[list[Any]] = []
        self._set(CALLS_KEY, stored)
        return stored

    @property
    def calls(self) -> tuple[SaidCall, ...]:
        """The calls of an agent of one's own."""
        return tuple(
            SaidCall(name=name, arguments=arguments, reply=reply)
            for name, arguments, reply in self._get(CALLS_KEY) or ()
        )

    def add_repair(self, repair: Repair) -> None:
        """Store what a helper replied."""
        self._set(REPAIRS_KEY, [*(self._get(REPAIRS_KEY) or ()), repair.model_dump(mode="json")])

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What helpers replied that were asked to read a move."""
        return tuple(map(Repair.model_validate, self._get(REPAIRS_KEY) or ()))

    @property
    def ended(self) -> str | None:
        """Why an agent was ended that did not end by itself."""
        reason: str | None = self._get(_ENDED_KEY)
        return reason

    @ended.setter
    def ended(self, reason: str) -> None:
        self._set(_ENDED_KEY, reason)

    @property
    def judge_failed(self) -> str | None:
        """Why a judge that was asked gave no judgement; None if it gave one, or nobody asked."""
        reason: str | None = self._get(_JUDGE_FAILED_KEY)
        return reason

    @judge_failed.setter
    def judge_failed(self, reason: str) -> None:
        self._set(_JUDGE_FAILED_KEY, reason)

    def judge_label(self) -> dict[str, str]:
        """Return the label of a row whose judge failed; none for others."""
        return {} if self.judge_failed is None else {JUDGE_LABEL: "failed"}

    def agent_label(self) -> dict[str, str]:
        """Return the label of a row in which the agent raised; none for others."""
        raised = (self.ended or "").startswith((RAISED, PROCESS_ENDED))
        return {AGENT_LABEL: "raised"} if raised else {}

    def context_label(self, rules: Mapping[str, Any]) -> dict[str, str]:
        """Return the label of a row that says what was sent; none where all was, unasked."""
        modes = [(turn.get("unparsed") or {}).get("mode") for turn in self.raw_turns]
        if EXCEEDED in modes:
            return {CONTEXT_LABEL: "exceeded"}
        if self._get(_COMPACTED_KEY):
            return {CONTEXT_LABEL: "shortened"}
        return {CONTEXT_LABEL: "whole"} if rules.get("context") is not None else {}

    def answer_check_label(self, rules: Mapping[str, Any]) -> dict[str, str]:
        """Return the label of a row whose rules ask for a check; none where they do not."""
        if not rules.get("recheck"):
            return {}
        check = self.answer_check
        return {ANSWER_CHECK_LABEL: "no answer" if check is None else check.label}
