"""The samples of a log, read straight from its archive, and each as a row.

Inspect's own reader opens the archive anew for every sample, which for a thousand of them takes
longer than everything a report does. A log is a zip archive with a JSON file a sample; what we
need of it is small, and the rest (events) never becomes Python objects. Anything unusual is left
to Inspect's reader.
"""

import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample, read_eval_log_samples
from pydantic import BaseModel, ValidationError

from causarium.contract.episode import count_bad_replies
from causarium.contract.row import UNCHECKED, Row, Usage
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.engine.logbook.run_card import who_played
from causarium.engine.play.answer_check import recheck_label
from causarium.engine.play.context_window import context_label
from causarium.engine.play.conversation import read_tokens
from causarium.engine.record.episode_record import EpisodeRecord
from causarium.engine.record.episode_store import TURNS_KEY, EpisodeStore
from causarium.engine.record.secrets import redact
from causarium.engine.record.token_usage import usage_of
from causarium.engine.record.transcript import Transcript, read_replies

_FOLDER = "samples/"
_HEAVY = {"events", "events_data", "attachments", "output", "timelines"}


_SAID = {"input", "messages", "limit"}


class _Member(BaseModel):
    """What scoring needs of a sample's file, as it stands there."""

    input: Any = None
    messages: Any = None
    limit: Any = None
    id: Any = None
    epoch: Any = None
    metadata: Any = None
    scores: Any = None
    store: Any = None
    error: Any = None
    model_usage: Any = None
    role_usage: Any = None
    working_time: Any = None


def read_samples(path: Path) -> Iterator[tuple[EvalSample, Transcript]]:
    """Yield the finished samples of a log with what scoring needs, and what the model said."""
    try:
        # Inspect, once imported, has taught the standard library the archive's compression.
        archive = zipfile.ZipFile(path) if path.suffix == ".eval" else None
    except zipfile.BadZipFile:
        archive = None
    if archive is None:
        for sample in read_eval_log_samples(
            str(path), all_samples_required=False, exclude_fields=_HEAVY
        ):
            fields = sample.model_dump(mode="json", include={"input", "messages", "limit", "store"})
            yield sample, _read_transcript(fields)
        return
    with archive:
        # A sample that was tried again stands there twice; the later one counts.
        for name in dict.fromkeys(archive.namelist()):
            if name.startswith(_FOLDER) and name.endswith(".json"):
                yield _parse_member(archive.read(name))


def _read_transcript(fields: Mapping[str, Any]) -> Transcript:
    store = EpisodeStore(fields.get("store") or {})
    return Transcript(
        replies=read_replies(fields.get("messages") or ()),
        calls=store.calls,
        repairs=store.repairs,
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


def agent_of(record: EpisodeRecord, model: str) -> str:
    """Return who played: `player/NAME`, `human`, the model, or `NAME (model)` of an agent."""
    return who_played(record.player, record.agent, model)


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


def run_labels(sample: EvalSample, record: EpisodeRecord) -> dict[str, str]:
    """Return the labels that the run gives a row, whatever the verdict on it."""
    return {
        **recheck_label(record.rules, sample.store),
        **context_label(record.rules, sample.store),
        **EpisodeStore(sample.store).judge_label(),
        **EpisodeStore(sample.store).agent_label(),
    }


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
        agent=agent_of(record, model),
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
        usage=_usage_with_replies(sample),
        proof=UNCHECKED,
    )


def _usage_with_replies(sample: EvalSample) -> Usage | None:
    usage = usage_of(sample)
    if usage is None:
        return None
    replies = tuple((each.input, each.cached, each.output) for each in read_tokens(sample.store))
    return usage.model_copy(update={"replies": replies})
