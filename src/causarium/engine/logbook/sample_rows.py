"""A logged sample as a row: what was played, what it scored, what it took."""

from collections.abc import Mapping

from inspect_ai.log import EvalSample

from causarium.contract.episode import count_bad_replies
from causarium.contract.row import UNCHECKED, Row, Usage
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.engine.logbook.run_card import who_played
from causarium.engine.play.answer_check import recheck_label
from causarium.engine.play.context_window import context_label
from causarium.engine.play.conversation import read_tokens
from causarium.engine.record.episode_record import EpisodeRecord
from causarium.engine.record.episode_store import EpisodeStore
from causarium.engine.record.secrets import redact
from causarium.engine.record.token_usage import usage_of


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
