"""Logs of players, and logs that somebody changed afterwards."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, EvalSample, read_eval_log, write_eval_log

from causarium import families
from causarium.engine.record.episode_record import METADATA_KEY, TURNS_KEY
from tests.support.inspect_runs import run_task, task_of

Change = Callable[[EvalLog], None]


def play_log(
    folder: Path,
    family_name: str,
    player: str,
    *,
    limit: int | None = 3,
    **settings: Any,
) -> Path:
    """Let a player play the first instances of the smoke set; returns the log."""
    task = task_of(families.get(family_name), player=player)
    log = run_task(task, folder, limit=limit, **settings)
    return Path(log.location.removeprefix("file://"))


def tamper(log: Path, change: Change, to: Path | None = None) -> Path:
    """Write a log with something changed, in its own place or in another."""
    content = read_eval_log(str(log))
    change(content)
    place = to or log
    place.parent.mkdir(parents=True, exist_ok=True)
    write_eval_log(content, str(place))
    return place


def samples_of(log: EvalLog) -> list[EvalSample]:
    """Return a log's samples."""
    assert log.samples
    return log.samples


def raise_scores(log: EvalLog) -> None:
    """Set every number of every verdict to 1."""
    for sample in samples_of(log):
        for score in (sample.scores or {}).values():
            assert isinstance(score.value, dict)
            score.value = dict.fromkeys(score.value, 1.0)


def turns_of(sample: EvalSample) -> list[dict[str, Any]]:
    """Return the turns of a sample, to be changed."""
    turns: list[dict[str, Any]] = sample.store[TURNS_KEY]
    return turns


def change_instance(sample: EvalSample, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the instance in a sample's record."""
    record = sample.metadata[METADATA_KEY]
    instance = json.loads(record["instance"])
    change(instance)
    record["instance"] = json.dumps(instance, sort_keys=True, separators=(",", ":"))
