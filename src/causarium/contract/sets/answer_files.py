"""Files of answers that somebody collected elsewhere: read, matched with instances and scored.

JSON lines, or one JSON list. Each answer names its instance (`id`, `instanceId` or `problemId`,
ours or a released one) and holds either the answer as an object (`answer`, `extractedAnswer`) or a
whole reply (`response`, `rawResponse`, `text`); it may name its `model` and its `epoch`.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from causarium.contract.episode import score_many
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.row import find_cluster
from causarium.contract.rules import Rules
from causarium.contract.verdict import Verdict
from causarium.errors import BadFile
from causarium.scoring.intervals import summarize

_IDS = ("id", "instanceId", "problemId")
_OBJECTS = ("answer", "extractedAnswer")
_REPLIES = ("response", "rawResponse", "text")
_NAMED = 5
"""So many missing instances are named."""


class GivenAnswer(NamedTuple):
    """One answer of a file."""

    line: int
    id: str
    model: str
    epoch: int
    reply: str


class ScoredAnswer(NamedTuple):
    """One answer with its instance and its verdict."""

    given: GivenAnswer
    instance: AnyInstance
    verdict: Verdict


def read_answers(path: Path) -> list[GivenAnswer]:
    """Read a file of answers.

    Raises:
        BadFile: It cannot be read, or a line in it is no answer; says which.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadFile(f"cannot read the answers {path}: {wrong}") from wrong
    answers = [_answer(path, line, value) for line, value in _values(path, text)]
    if not answers:
        raise BadFile(f"{path} holds no answers")
    return answers


def _values(path: Path, text: str) -> Iterable[tuple[int, object]]:
    try:
        if text.lstrip()[:1] == "[":
            yield from enumerate(json.loads(text), 1)
            return
    except (ValueError, RecursionError) as wrong:
        raise BadFile(f"{path} is not a JSON list: {wrong}") from wrong
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as wrong:
                raise BadFile(f"line {number} of {path} is not JSON: {wrong}") from wrong


def _answer(path: Path, line: int, value: object) -> GivenAnswer:
    where = f"line {line} of {path}"
    if not isinstance(value, dict):
        raise BadFile(f"{where} is not a JSON object")
    ids = [value[key] for key in _IDS if isinstance(value.get(key), str)]
    if not ids:
        raise BadFile(f"{where} names no instance; expected one of {', '.join(_IDS)}")
    given = [key for key in (*_OBJECTS, *_REPLIES) if value.get(key) is not None]
    if len(given) != 1:
        wanted = ", ".join((*_OBJECTS, *_REPLIES))
        raise BadFile(f"{where} has {len(given)} answers; expected exactly one of {wanted}")
    reply = value[given[0]]
    if given[0] in _REPLIES and not isinstance(reply, str):
        raise BadFile(f"{where} has no text under {given[0]}")
    epoch = value.get("epoch", 1)
    if not isinstance(epoch, int):
        raise BadFile(f"{where} has the epoch {epoch!r}, which is not a whole number")
    text = reply if isinstance(reply, str) else json.dumps(reply)
    return GivenAnswer(line, ids[0], str(value.get("model") or "unnamed"), epoch, text)


def score_answers(
    family: AnyFamily, instances: Sequence[AnyInstance], given: Sequence[GivenAnswer], rules: Rules
) -> list[ScoredAnswer]:
    """Score answers; nothing is scored unless each is to one of the instances, and given once.

    Raises:
        BadFile: An answer is to none of the instances, or is there twice; says on which line.
    """
    instance_by_id = {instance.id: instance for instance in instances}
    seen: dict[tuple[str, str, int], int] = {}
    chosen = []
    for answer in given:
        instance = instance_by_id.get(answer.id) or instance_by_id.get(f"{family.name}-{answer.id}")
        if instance is None:
            raise BadFile(f"line {answer.line} answers {answer.id!r}, which is not in this set")
        key = (instance.id, answer.model, answer.epoch)
        if key in seen:
            raise BadFile(
                f"line {answer.line} answers {answer.id!r} again for {answer.model}, epoch "
                f"{answer.epoch}; line {seen[key]} did already"
            )
        seen[key] = answer.line
        chosen.append(instance)
    verdicts = score_many(family, chosen, [answer.reply for answer in given], rules)
    return [ScoredAnswer(*three) for three in zip(given, chosen, verdicts, strict=True)]


def find_unanswered(scored: Sequence[ScoredAnswer], instances: Sequence[AnyInstance]) -> str:
    """Say which instances a model did not answer; empty if each answered all."""
    for model in dict.fromkeys(one.given.model for one in scored):
        answered = {one.instance.id for one in scored if one.given.model == model}
        missing = [instance.id for instance in instances if instance.id not in answered]
        if missing:
            more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
            return f"{model} did not answer {', '.join(missing[:_NAMED])}{more}"
    return ""


def summarize_answers(
    family: AnyFamily, scored: Sequence[ScoredAnswer], size: int
) -> list[dict[str, Any]]:
    """Return, for each model, how many it answered, its numbers, and where it failed."""
    lines = []
    for model in dict.fromkeys(one.given.model for one in scored):
        mine = [one for one in scored if one.given.model == model]
        verdicts = [one.verdict for one in mine]
        answered = len({one.instance.id for one in mine})
        lines.append(
            {
                "model": model,
                "answered": answered,
                "of": size,
                "partial": answered < size,
                "metrics": _summarize_metrics(family, mine),
                "stages": dict(
                    Counter(
                        v.labels.get("stage", v.labels.get("outcome", "none")) for v in verdicts
                    )
                ),
            }
        )
    return lines


def _summarize_metrics(family: AnyFamily, scored: Sequence[ScoredAnswer]) -> dict[str, Any]:
    """Return every number that applies to some answer with its interval, the headline ones first.

    Answers to one instance are averaged first; instances of one mechanism are drawn together.
    """
    mechanisms = {one.instance.id: find_cluster(one.instance) for one in scored}
    found = {}
    names = (*family.card.headline.values(), *family.card.numbers, *family.metrics)
    for name in dict.fromkeys(names):
        given: dict[str, list[float]] = {id_: [] for id_ in mechanisms}
        for one in scored:
            value = one.verdict.numbers.get(name, math.nan)
            if one.verdict.unscored is None and not math.isnan(value):
                given[one.instance.id].append(value)
        values = [fmean(numbers) if numbers else math.nan for numbers in given.values()]
        share = name in family.metrics and family.metrics[name].share
        mean = summarize(values, clusters=mechanisms.values(), share=share)
        if mean.n:
            found[name] = {"value": mean.value, "low": mean.low, "high": mean.high, "n": mean.n}
    return found
