"""Is one sample of a log true: the instance, the turns, the judges' words and the verdict.

The order is that of the checks, and the first that fails is the reason that a row carries.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from causarium.contract.episode import find_first_mismatch
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import canonical_json
from causarium.contract.rules import Rules
from causarium.contract.texts.role_questions import Ask, Judgement, answer_questions
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.engine.logbook.log_book import LoggedSample
from causarium.engine.record.episode_record import EpisodeRecord, score_turns
from causarium.engine.verify.follow_transcript import find_unsaid_turn
from causarium.engine.verify.known_instances import KnownInstances

UNKNOWN_INSTANCE = "instance: not of a named set"
UNKNOWN_FILE = "instance: not of the set file, or the file is gone"
_LIMITS = frozenset({"message", "token", "turn", "time", "working", "cost"})
"""Limits that a run has only where its card names them."""
_TOLERANCE = 1e-9
"""How far a number may be off: other machines add in another order."""


@dataclass(frozen=True, slots=True)
class OpenSample:
    """A sample, ready to be played and scored again."""

    sample: LoggedSample
    family: AnyFamily
    record: EpisodeRecord
    instance: AnyInstance
    rules: Rules
    turns: list[Turn]
    judgements: list[Judgement]

    def score(self) -> Verdict:
        """Score its turns."""
        return score_turns(self.family, self.instance, self.rules, self.turns, self.judgements)


def open_sample(sample: LoggedSample, family: AnyFamily) -> OpenSample:
    """Rebuild what a sample's log holds.

    Raises:
        BadFile: It is of another version of the family, or damaged.
    """
    record = sample.record
    instance, rules = record.rebuild(family)
    return OpenSample(sample, family, record, instance, rules, sample.turns, sample.judgements)


def find_flaw(opened: OpenSample, score: Callable[[], Verdict], known: KnownInstances) -> str:
    """Say why a sample is not verified; empty if it is.

    Args:
        opened: The sample.
        score: Returns the verdict on its turns, worked out now; called last, because a false
            instance may be such that nothing can be scored on it.
        known: Which instances there are.
    """
    return (
        _find_false_record(opened)
        or _find_false_instance(opened, known)
        or _find_false_turn(opened)
        or _find_false_judgement(opened)
        or _find_false_verdict(opened.sample, score())
    )


def _find_false_record(opened: OpenSample) -> str:
    """Hold what a sample says of its run against what the log's header says."""
    row, card, record = opened.sample.row, opened.sample.header.card, opened.record
    pairs: dict[str, tuple[object, object]] = {
        "family": (row.family, card.family),
        "version": (row.version, card.version),
        "edition": (row.edition, card.edition),
        "set": (row.set, card.set),
        "agent": (row.agent, card.agent),
        "rules": (record.rules, card.rules),
    }
    other = [name for name, (mine, theirs) in pairs.items() if mine != theirs]
    return f"record: it has another {' and '.join(other)} than its run" if other else ""


def _find_false_instance(opened: OpenSample, known: KnownInstances) -> str:
    sample = opened.sample
    if opened.instance.id != sample.row.id:
        return "instance: it goes by another id"
    # Most logs hold the line itself, which then need not be written anew.
    if known.is_known(sample, opened.family, sample.instance_bytes) or known.is_known(
        sample, opened.family, opened.instance.line()
    ):
        return ""
    return UNKNOWN_INSTANCE if sample.header.set_file is None else UNKNOWN_FILE


def _find_false_turn(opened: OpenSample) -> str:
    played = opened.family, opened.instance, opened.rules, opened.turns
    # A user's own texts, or a release's, which may be gone by now, are some of the world's words.
    recorded = opened.record.rules
    compare_texts = recorded.get("prompts") is None and recorded.get("release") is None
    limit = opened.sample.transcript.limit if opened.record.agent is None else ""
    if limit in _LIMITS and f"{limit}_limit" not in opened.sample.header.card.limits:
        return f"turns: a limit ended it that its run does not have ({limit})"
    if opened.record.player is not None:
        # A reference player and a person say nothing: what they did is played again.
        flaw = find_first_mismatch(*played, compare_texts=compare_texts)
    else:
        flaw = find_unsaid_turn(
            *played,
            opened.sample.transcript,
            own_agent=opened.record.agent is not None,
            compare_texts=compare_texts,
        )
    return f"turns: {flaw}" if flaw else ""


def _find_false_judgement(opened: OpenSample) -> str:
    """Read the replies of judges again; that they said them is as recorded."""
    judge = opened.family.helpers.judge
    if judge is None:
        return "judge: the family has none" if opened.judgements else ""
    for judgement in opened.judgements:
        try:
            consultation = judge.ask(opened.instance, opened.rules, opened.turns)
            result = answer_questions(consultation, _say_again(judgement))
        except Exception:  # noqa: BLE001 - replies that cannot be read are not what was read
            return "judge: its replies cannot be read so"
        if _to_text(result) != _to_text(judgement.found):
            return "judge: its replies say otherwise"
    return ""


def _say_again(judgement: Judgement) -> Callable[[Ask], str]:
    replies = iter(judgement.replies)
    return lambda _: next(replies)


def _to_text(found: Mapping[str, object]) -> str:
    return canonical_json(Judgement(model="", found=dict(found)).model_dump(mode="json"))


def _find_false_verdict(sample: LoggedSample, verdict: Verdict) -> str:
    row = sample.row
    if row.unscored != verdict.unscored:
        return "verdict: scoring again does not agree on whether there is a score"
    for name in sorted(row.numbers.keys() | verdict.numbers.keys()):
        if not _is_same(row.numbers.get(name), verdict.numbers.get(name)):
            return f"verdict: {name} is {_show(verdict.numbers.get(name))}"
    labels = {name: value for name, value in row.labels.items() if name not in sample.run_labels}
    if labels != {k: v for k, v in verdict.labels.items() if k not in sample.run_labels}:
        return "verdict: the labels are others"
    return ""


def _is_same(logged: float | None, now: float | None) -> bool:
    if logged is None or now is None or math.isnan(logged) or math.isnan(now):
        return _show(logged) == _show(now)
    return math.isclose(logged, now, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def _show(value: float | None) -> str:
    return "not there" if value is None else f"{value:.4g}"
