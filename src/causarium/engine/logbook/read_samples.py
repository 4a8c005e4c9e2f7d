"""The samples of a log, read straight from its archive.

Inspect's own reader opens the archive anew for every sample, which for a thousand of them takes
longer than everything a report does. A log is a zip archive with a JSON file a sample; what we
need of it is small. Anything unusual is left to Inspect's reader.
"""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample, read_eval_log_samples

_FOLDER = "samples/"
_NEEDED = (
    "id",
    "epoch",
    "metadata",
    "scores",
    "store",
    "error",
    "model_usage",
    "role_usage",
    "working_time",
)
_HEAVY = {"messages", "events", "events_data", "attachments", "output", "timelines"}


def read_samples(path: Path) -> Iterator[EvalSample]:
    """Yield the finished samples of a log with what scoring needs, and without transcripts."""
    try:
        # Inspect, once imported, has taught the standard library the archive's compression.
        archive = zipfile.ZipFile(path) if path.suffix == ".eval" else None
    except zipfile.BadZipFile:
        archive = None
    if archive is None:
        yield from read_eval_log_samples(
            str(path), all_samples_required=False, exclude_fields=_HEAVY
        )
        return
    with archive:
        # A sample that was tried again stands there twice; the later one counts.
        for name in dict.fromkeys(archive.namelist()):
            if name.startswith(_FOLDER) and name.endswith(".json"):
                yield _sample(json.loads(archive.read(name)))


def _sample(member: dict[str, Any]) -> EvalSample:
    kept = {name: member[name] for name in _NEEDED if name in member}
    return EvalSample.model_validate({"input": "", "target": "", **kept})
