"""The samples of a log, read straight from its archive, and each as a row.

Inspect's own reader opens the archive anew for every sample, which for a thousand of them takes
longer than everything a report does. A log is a zip archive with a JSON file a sample; what we
need of it is small, and the rest (events) never becomes Python objects.

Somebody who looks through logs reads one at a time: runs, their samples, one episode.
"""

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalSample,
    EvalSampleSummary,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
)
from inspect_ai.model import ChatMessageAssistant
from pydantic import ValidationError, create_model

from causarium.contract.episode import count_bad_replies
from causarium.contract.row import UNCHECKED, Row
from causarium.contract.texts.role_questions import Judgement
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.engine.logbook.log_files import (
    LogHeader,
    find_logs,
    name_damaged_log,
    read_header,
)
from causarium.engine.logbook.run_card import who_played
from causarium.engine.record.episode_record import (
    EpisodeRecord,
    read_record,
    usage_of,
)
from causarium.engine.record.episode_store import (
    TURNS_KEY,
    EpisodeStore,
    SaidCall,
    Transcript,
    read_replies,
)
from causarium.engine.record.secrets import redact
from causarium.errors import BadFile, UsageError


def shelve(place: Path) -> list[LogHeader]:
    """Return all logs in a folder, newest first; a damaged one says what is wrong with it."""
    try:
        paths = find_logs([place])
    except UsageError:
        return []
    shelf = []
    for path in reversed(paths):
        try:
            shelf.append(read_header(path))
        except BadFile as wrong:
            shelf.append(LogHeader(path, "damaged", "", problem=str(wrong)))
    return shelf


@dataclass(frozen=True, slots=True)
class SampleSummary:
    """One sample of a log, in short."""

    id: str
    epoch: int
    completed: bool
    numbers: dict[str, float]
    note: str
    """Why there is no score, where there is none."""


def list_samples(path: Path) -> list[SampleSummary]:
    """Return the samples that a log has so far; it may still be being written.

    Raises:
        BadFile: The log is damaged or not a log.
    """
    read_header(path)
    with name_damaged_log(path):
        return [_list_sample(summary) for summary in read_eval_log_sample_summaries(str(path))]


def _list_sample(summary: EvalSampleSummary) -> SampleSummary:
    score = next(iter((summary.scores or {}).values()), None)
    numbers = score.value if score is not None and isinstance(score.value, dict) else {}
    measured = {k: float(v) for k, v in numbers.items() if isinstance(v, int | float)}
    note = summary.error or ("" if measured else "not scored")
    return SampleSummary(str(summary.id), summary.epoch, summary.completed, measured, note)


@dataclass(frozen=True, slots=True)
class Story:
    """One episode as a log tells it."""

    agent: str
    record: EpisodeRecord
    turns: Sequence[Turn]
    said: Sequence[str]
    """What the model wrote in each turn; empty where nobody wrote."""
    opening: Sequence[str]
    """The messages that opened the episode."""
    verdict: Verdict
    judgements: Sequence[Judgement]


def read_story(path: Path, id_: str, epoch: int = 1) -> Story:
    """Read one episode.

    Args:
        path: The log.
        id_: The id of the sample.
        epoch: The epoch of the sample, from 1.

    Raises:
        UsageError: The log has no such sample, or not yet.
        BadFile: The log is damaged.
    """
    model = read_header(path).model
    with name_damaged_log(path):
        try:
            sample = read_eval_log_sample(
                str(path), id_, epoch, resolve_attachments=True, exclude_fields={"events"}
            )
        except IndexError as missing:
            raise UsageError(f"{path.name} has no sample {id_} of epoch {epoch} yet") from missing
        record, turns = read_record(sample.metadata), EpisodeStore(sample.store).turns
        return Story(
            agent=who_played(record.player, record.agent, model),
            record=record,
            turns=turns,
            said=_read_replies(sample, turns, own=record.agent is not None),
            opening=_opening(sample),
            verdict=read_logged_verdict(sample),
            judgements=EpisodeStore(sample.store).judgements,
        )


def _opening(sample: EvalSample) -> list[str]:
    if isinstance(sample.input, str):
        return [sample.input]
    return [message.text for message in sample.input]


def _read_replies(sample: EvalSample, turns: Sequence[Turn], *, own: bool) -> list[str]:
    """Return what the model wrote in each turn: a message is one, and so is each tool call.

    Of an agent of a user's own only calls of the world's tools are turns. Words that made no turn,
    and those of an answer that was held back, stand with the words of the next turn.
    """
    kinds = {(turn.action or {}).get("kind") for turn in turns} if own else None
    said: list[str] = []
    waiting = ""
    for message in sample.messages:
        if not isinstance(message, ChatMessageAssistant):
            continue
        waiting = f"{waiting}\n\n{message.text}".strip()
        calls = [call for call in message.tool_calls or () if not kinds or call.function in kinds]
        for _ in range(len(calls) if own else max(1, len(calls))):
            said.append(waiting)
            waiting = ""
    held = EpisodeStore(sample.store).answer_check
    if held is not None and held.turn + 1 < len(said):
        said[held.turn : held.turn + 2] = ["\n\n".join(said[held.turn : held.turn + 2]).strip()]
    return (said + [""] * len(turns))[: len(turns)]


_FOLDER = "samples/"

_SAID = ("input", "messages", "limit")
_SCORED = ("id", "epoch", "metadata", "scores", "store", "error", "model_usage", "role_usage")
_FIELDS: dict[str, Any] = dict.fromkeys((*_SAID, *_SCORED, "working_time"), (Any, None))
_Member = create_model("_Member", **_FIELDS)
"""What scoring needs of a sample's file, as it stands there; the rest is never made an object."""


def read_samples(path: Path) -> Iterator[tuple[EvalSample, Transcript]]:
    """Yield the finished samples of a log with what scoring needs, and what the model said."""
    # Inspect, once imported, has taught the standard library the archive's compression.
    with zipfile.ZipFile(path) as archive:
        # A sample that was tried again stands there twice; the later one counts.
        for name in dict.fromkeys(archive.namelist()):
            if name.startswith(_FOLDER) and name.endswith(".json"):
                yield _parse_member(archive.read(name))


def _read_transcript(fields: Mapping[str, Any]) -> Transcript:
    store = EpisodeStore(fields.get("store") or {})
    return Transcript(
        replies=read_replies(fields.get("messages") or ()),
        calls=tuple(SaidCall(name=n, arguments=given, reply=r) for n, given, r in store.calls),
        repairs=tuple(store.repairs),
        limit=str((fields.get("limit") or {}).get("type") or ""),
    )


def _parse_member(content: bytes) -> tuple[EvalSample, Transcript]:
    try:
        member = _Member.model_validate_json(content)
    except ValidationError:
        # Half a surrogate pair, say, which the standard library lets pass.
        member = _Member.model_validate(json.loads(content))
    fields = {name: getattr(member, name) for name in member.model_fields_set}
    kept = {name: value for name, value in fields.items() if name not in _SAID}
    sample = EvalSample.model_validate({"input": "", "target": "", **kept})
    return sample, _read_transcript(fields)


def read_logged_verdict(sample: EvalSample) -> Verdict:
    """Return the verdict that a log holds of a sample."""
    if sample.error is not None:
        return Verdict(numbers={}, unscored=redact(f"error: {sample.error.message}"))
    score = next(iter((sample.scores or {}).values()), None)
    if score is None:
        return Verdict(numbers={}, unscored="the run was stopped before this was scored")
    if TURNS_KEY not in sample.store:
        return Verdict(numbers={}, unscored="its turns are not in the log; run it again")
    labels = (score.metadata or {}).get("labels", {})
    if not isinstance(score.value, dict):
        return Verdict(numbers={}, labels=labels, unscored=score.explanation or "not scored")
    return Verdict(numbers=score.value, labels=labels, answer=score.answer)


def make_logged_row(
    sample: EvalSample,
    record: EpisodeRecord,
    turns: list[Turn],
    *,
    model: str,
    labels: Mapping[str, str],
) -> Row:
    """Return the row of a sample, with the verdict that its log holds.

    Args:
        sample: The sample.
        record: What its metadata says of the instance and of how it was played.
        turns: Its turns.
        model: The model that the log's header names.
        labels: The labels that the run gives it.
    """
    verdict = read_logged_verdict(sample)
    return Row(
        family=record.family,
        version=record.version,
        edition=record.edition,
        set=record.set,
        agent=who_played(record.player, record.agent, model),
        interface=record.interface,
        id=str(sample.id),
        epoch=sample.epoch,
        facets=record.instance.get("facets", {}),
        numbers=verdict.numbers,
        labels={**verdict.labels, **labels},
        turns=len(turns),
        answered=None if verdict.unscored is not None else verdict.answer is not None,
        faults=count_bad_replies(turns),
        unscored=verdict.unscored,
        usage=usage_of(sample),
        proof=UNCHECKED,
    )
