"""Logs of players, and logs that somebody changed afterwards."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_ai import eval as evaluate
from inspect_ai.log import EvalLog, EvalSample, read_eval_log, write_eval_log
from inspect_ai.scorer import Scorer, scorer

from causarium import families
from causarium.engine.record.episode_record import METADATA_KEY, TURNS_KEY
from causarium.engine.task.family_task import METRICS, build_task, verdict_scorer

Change = Callable[[EvalLog], None]


def play_log(
    folder: Path,
    family_name: str,
    player: str,
    *,
    limit: int | None = 3,
    file: str | None = None,
    **settings: Any,
) -> Path:
    """Let a player play the first instances of the smoke set; returns the log."""
    family = families.get(family_name)

    @scorer(metrics=METRICS, name=f"tampered_{family_name}")
    def verdict() -> Scorer:
        return verdict_scorer(family)

    task = build_task(
        family,
        verdict(),
        edition="certified",
        set_name="smoke",
        file=file,
        player=player,
        rules={},
    )
    (log,) = evaluate(
        task, log_dir=str(folder), display="none", model="none/none", limit=limit, **settings
    )
    assert log.status == "success", log.error
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
