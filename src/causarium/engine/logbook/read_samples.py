"""The samples of a log, read straight from its archive.

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

from causarium.engine.record.episode_store import EpisodeStore
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
        replies=read_replies(fields.get("input"), fields.get("messages") or ()),
        calls=store.calls,
        repairs=store.repairs,
        limited=fields.get("limit") is not None,
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
