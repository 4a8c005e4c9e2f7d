"""What a log holds of an episode: enough to play it again and to score it, with no model.

The instance and the rules travel in the sample's metadata, facets beside them as columns; the
turns grow in the sample's store. The store's keys are part of every log that was ever written, so
they stay as they are: Inspect's own `StoreModel` would name them otherwise, and copies and checks
what it holds at every access.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from inspect_ai.log import EvalSample
from inspect_ai.model import ModelUsage
from pydantic import TypeAdapter, ValidationError, field_validator
from pydantic_core import to_jsonable_python

from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import Frozen
from causarium.contract.row import EXCEEDED, Tokens, Usage
from causarium.contract.rules import Edition, Rules
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.texts.role_questions import Judgement
from causarium.contract.texts.scan_reply import CLOSED, CUT_OFF, scan_reply
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.errors import BadFile


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
    is_cut: bool = False
    """Whether it ended at the token limit."""


class Repair(Frozen):
    """What a helper replied that was asked to read a move."""

    turn: int
    """How many turns had been taken."""
    replies: tuple[str, ...]


class ShownMessage(NamedTuple):
    """One message that a model was shown, as digests: it need only be told from others."""

    after: int
    """How many replies stand before it."""
    role: str
    text: str
    words: str
    """Before the first reply, the same of its lines and their words in whatever order: an instance
    that was drawn may name its parts in another order than one that was read from a log."""


def digest_shown(text: str, *, ordered: bool = True) -> str:
    """Return what stands for the text of a message that is no reply."""
    if not ordered:
        lines = [sorted(line.replace(",", " , ").split(" ")) for line in text.split("\n")]
        text = "\n".join(sorted(map(" ".join, lines)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


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
    shown: tuple[ShownMessage, ...] = ()
    checked: int | None = None
    """How many turns had been taken when an answer was held back, if one was."""


def read_replies(
    messages: Iterable[Any], cut: Collection[str] = frozenset()
) -> tuple[SaidReply, ...]:
    """Return the replies of a model, from messages as a log's JSON has them.

    No sample opens with a reply, so whatever a log calls its opening, a reply in it was given.

    Args:
        messages: All messages of a sample.
        cut: The ids of those that ended at the token limit.
    """
    said = [message for message in messages if message.get("role") == "assistant"]
    return tuple(
        SaidReply(
            text=_join_texts(message.get("content") or ""),
            calls=tuple(map(_read_call, message.get("tool_calls") or ())),
            is_cut=message.get("id") in cut,
        )
        for message in said
    )


def find_cut_turns(said: Transcript, turns: Sequence[Turn]) -> frozenset[int]:
    """Return the places of turns with a reply that ended at the token limit, no object in it whole.

    Nothing is returned where turns and replies do not go together one by one, as with programs.
    """
    if not any(reply.is_cut for reply in said.replies):
        return frozenset()
    if said.calls:
        replies = [
            said.replies[call.reply] for call in said.calls if call.reply < len(said.replies)
        ]
    else:
        replies = [reply for reply in said.replies for _ in reply.calls or (None,)]
    if said.checked is not None:
        del replies[said.checked : said.checked + 1]
    unsaid = [
        turn
        for turn in turns[len(replies) :]
        if not turn.unparsed or turn.unparsed.mode != EXCEEDED
    ]
    if unsaid or len(replies) > len(turns) + 1:
        return frozenset()
    return frozenset(
        at
        for at, reply in enumerate(replies[: len(turns)])
        if reply.is_cut
        and all(found.mended in {CLOSED, CUT_OFF} for found in scan_reply(reply.text).values)
    )


def read_shown(messages: Iterable[Any]) -> tuple[ShownMessage, ...]:
    """Return what a model was shown, from messages as a log's JSON has them.

    Where a provider has tools of its own, what they found stands within a reply.
    """
    shown, replies = [], 0
    for message in messages:
        role, parts = str(message.get("role")), _list_parts(message)
        found = any(part.get("type") not in _OF_REPLIES or part.get("citations") for part in parts)
        replies += role == "assistant"
        if role != "assistant" or found:
            text = _read_words(message)
            loose = digest_shown(text, ordered=False) if not replies else ""
            shown.append(ShownMessage(replies, role, digest_shown(text), loose))
    return tuple(shown)


def _read_words(message: Mapping[str, Any]) -> str:
    """Return the words of a message, and the names of whatever else it holds."""
    text, others = _join_texts(message.get("content") or ""), set()
    for part in _list_parts(message):
        plain = _OF_PARTS.get(str(part.get("type")), ())
        others |= {name for name, value in part.items() if value and name not in plain}
    refusal = str((message.get("error") or {}).get("message") or "")
    # Of what a library says when it refuses a call, a turn has no more.
    is_refused = message.get("role") == "tool" and not text
    return "".join([text, refusal[:MOST_DETAIL] if is_refused else refusal, *sorted(others)])


def _list_parts(message: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    content = message.get("content") or ""
    return [] if isinstance(content, str) else content


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


MOST_DETAIL = 500
"""So many characters of what a library says when it refuses a call are kept."""
_OF_PARTS: Mapping[str, Sequence[str]] = {"text": ("type", "text"), "image": ("type", "detail")}
_OF_REPLIES = {"text", "reasoning"}
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

CONTEXT_LABEL = "context"
"""The label of a row that says whether the model was sent everything."""
AGENT_LABEL = "agent"
"""The label of a row in which an agent of one's own raised; its turns up to then are scored."""
JUDGE_LABEL = "judge"
"""The label of a row that its judge could not score."""
USAGE_LABEL = "usage"
"""The label of a row whose provider counted tokens, costs or seconds that cannot be."""
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
        """Return the labels that the run gives a row, whatever the verdict on it."""
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


_MOST = 10**12
"""Of whatever one episode takes; what is more is no count, and may be too large for a mean."""


def read_usage(sample: EvalSample) -> tuple[Usage | None, dict[str, str]]:
    """Return what the models of one sample took, and a label where its provider cannot be believed.

    There is no usage if no model was asked, and none if the count is of what nobody can take: some
    providers count more tokens from their cache than they read. Inspect counts by model and, for
    helping models, by role as well; what is left when the roles are taken off belongs to the model
    under test.
    """
    if not sample.model_usage:
        return None, {}
    replies = tuple(EpisodeStore(sample.store).tokens)
    used = (*sample.model_usage.values(), *sample.role_usage.values())
    told = chain([sample.working_time], *replies, *(one.model_dump().values() for one in used))
    whole = tokens_of(sum(sample.model_usage.values(), ModelUsage()))
    helpers = {role: tokens_of(used) for role, used in sample.role_usage.items()}
    helping = tokens_of(sum(sample.role_usage.values(), ModelUsage()))
    can_be = all(0 <= number <= _MOST for number in told if number is not None)
    # Of what was read, no more is from a cache: the sum of several counts may hide one below 0.
    can_be = can_be and all(cached <= read for read, cached, _ in replies)
    if not can_be or helping.input > whole.input or helping.output > whole.output:
        return None, {USAGE_LABEL: "cannot be"}
    agent = Tokens(
        input=whole.input - helping.input,
        cached=whole.cached - helping.cached,
        output=whole.output - helping.output,
        reasoning=whole.reasoning - helping.reasoning,
        cost=None if whole.cost is None else whole.cost - (helping.cost or 0.0),
    )
    usage = Usage(agent=agent, helpers=helpers, seconds=sample.working_time, replies=replies)
    return usage, {}


def tokens_of(used: ModelUsage) -> Tokens:
    """Return what a model took, as Inspect counted it."""
    cached = used.input_tokens_cache_read or 0
    return Tokens(
        input=used.input_tokens + cached + (used.input_tokens_cache_write or 0),
        cached=cached,
        output=used.output_tokens,
        reasoning=used.reasoning_tokens or 0,
        cost=used.total_cost,
    )


METADATA_KEY = "causarium"
HUMAN = "human"
"""Stands in a record in the place of a player's name when a person played."""
HUMAN_SEEN = "human (seen before)"
"""The same, when the person may have seen the truth of the instance before."""


class EpisodeRecord(Frozen):
    """What a sample's metadata says of the instance and of how it is played."""

    family: str
    version: str
    edition: Edition
    set: str
    player: str | None
    """A reference player, or a person; None: a model."""
    agent: str | None = None
    """The name of an agent that the user brought; None: ours."""
    instance: dict[str, Any]
    """Written as one text: Inspect copies a sample's metadata for every number it averages, and a
    text is copied at no cost."""
    rules: dict[str, Any]

    @field_validator("instance", mode="before")
    @classmethod
    def _read_instance(cls, value: object) -> object:
        return json.loads(value) if isinstance(value, str) else value

    @property
    def interface(self) -> str:
        """The interface that was played through."""
        return str(self.rules.get("interface", ""))

    def metadata(self, instance: AnyInstance) -> dict[str, Any]:
        """Return the sample's metadata: facets as columns, and this record."""
        record = self.model_dump(mode="json", exclude={"instance"})
        return {**instance.facets, METADATA_KEY: {**record, "instance": instance.line()}}

    def open(self, family: AnyFamily) -> tuple[AnyInstance, Rules]:
        """Rebuild the instance and the rules.

        Raises:
            BadFile: They were recorded by another version of the family.
        """
        stale = tell_stale(self.family, self.version, family.card.version)
        if stale:
            raise BadFile(f"this {stale}")
        try:
            instance = family.read_instance(self.instance)
            return instance, family.rules.model_validate(self.rules)
        except ValidationError as wrong:
            raise BadFile(
                f"the log's {self.family} record is damaged: {describe_validation_error(wrong)}"
            ) from wrong

    def rebuild(self, family: AnyFamily) -> tuple[AnyInstance, Rules]:
        """Rebuild them to look back on what was played.

        What the agent read is in the turns, so a user's own prompt texts, or a release's, which may
        be gone by now, are not needed.
        """
        instance, rules = self.open(family)
        return instance, rules.model_copy(update={"prompts": None, "release": None})


def read_record(metadata: Mapping[str, Any]) -> EpisodeRecord:
    """Return the record in a sample's metadata.

    Raises:
        BadFile: There is none: the log is not one of ours.
    """
    try:
        return EpisodeRecord.model_validate(metadata[METADATA_KEY])
    except (KeyError, ValidationError) as wrong:
        raise BadFile(
            "the log holds no causarium record; it was not made by a causarium task"
        ) from wrong


def score_turns(
    family: AnyFamily,
    instance: AnyInstance,
    rules: Rules,
    turns: Sequence[Turn],
    judgements: Sequence[Judgement] = (),
) -> Verdict:
    """Score recorded turns. Every number the family names is there, nan where it says nothing."""
    family = family.for_instance(instance)
    if family.helpers.judge is not None and judgements:
        verdict = family.helpers.judge.score(instance, rules, turns, judgements)
    else:
        verdict = family.score(instance, rules, turns)
    numbers = dict.fromkeys(family.metrics, float("nan")) | verdict.numbers
    return verdict.model_copy(update={"numbers": numbers})


def tell_stale(family: str, version: str, current: str) -> str:
    """Say that a record is of another version, its letter included; nothing if it is not."""
    if version == current:
        return ""
    return (
        f"was recorded by version {version} of {family} and this is version {current}; the "
        f"scores are not comparable. Install the release that has version {version}"
    )
