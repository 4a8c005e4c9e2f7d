"""Logs one at a time, for somebody who looks through them: runs, their samples, one episode."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.log import (
    EvalSample,
    EvalSampleSummary,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
)
from inspect_ai.model import ChatMessageAssistant

from causarium.contract.texts.role_questions import Judgement
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.engine.logbook.log_files import (
    LogHeader,
    find_logs,
    name_damaged_log,
    read_header,
)
from causarium.engine.logbook.read_samples import agent_of, read_logged_verdict
from causarium.engine.play.inspect_episode import read_recheck
from causarium.engine.record.episode_record import (
    EpisodeRecord,
    read_judgements,
    read_record,
    read_turns,
)
from causarium.errors import BadFile, UsageError


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One log on the shelf."""

    log: LogHeader
    problem: str = ""
    """Why it cannot be read; its other fields then say nothing."""


def shelve(place: Path) -> list[LogEntry]:
    """Return all logs in a folder, newest first; a damaged one says what is wrong with it."""
    try:
        paths = find_logs([place])
    except UsageError:
        return []
    shelf = []
    for path in reversed(paths):
        try:
            shelf.append(LogEntry(read_header(path)))
        except BadFile as wrong:
            shelf.append(LogEntry(LogHeader(path, "damaged", "", 0), str(wrong)))
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
        record, turns = read_record(sample.metadata), read_turns(sample.store)
        return Story(
            agent=agent_of(record, model),
            record=record,
            turns=turns,
            said=_read_replies(sample, turns, own=record.agent is not None),
            opening=_opening(sample),
            verdict=read_logged_verdict(sample),
            judgements=read_judgements(sample.store),
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
    held = read_recheck(sample.store)
    if held is not None and held.turn + 1 < len(said):
        said[held.turn : held.turn + 2] = ["\n\n".join(said[held.turn : held.turn + 2]).strip()]
    return (said + [""] * len(turns))[: len(turns)]
