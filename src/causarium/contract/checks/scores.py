"""Promises about scores: truth earns full marks, silence nothing, and scoring is a function."""

import math
from collections.abc import Iterator
from statistics import fmean

from causarium.contract.checks.checked_family import (
    REFERENCE_PLAYERS,
    Check,
    Draw,
    Subject,
    run_in_other_process,
)
from causarium.contract.episode import replay
from causarium.contract.family import AnyInstance
from causarium.contract.family_card import Bounds
from causarium.contract.frozen import digest
from causarium.contract.rules import Rules
from causarium.contract.sets.instance_sets import find_set
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.errors import ContractError

_QUICK_REFERENCE = 200
"""In a quick check, reference players play no sets larger than this."""


_SCORE = """
import pickle, sys
from causarium.contract.frozen import digest
score, games = pickle.load(sys.stdin.buffer)
print(digest(*(score(*game).model_dump_json() for game in games)))
"""
_SIGNS = {"higher": 1, "lower": -1, "neither": 0}


def the_reference_players_exist(subject: Subject) -> Iterator[str]:
    """There are an oracle, a random and a silent player, and only the oracle need be sighted."""
    for name in REFERENCE_PLAYERS:
        if name not in subject.family.players:
            yield f"there is no {name} player; there are {', '.join(subject.family.players)}"


def the_oracle_gets_full_marks(subject: Subject) -> Iterator[str]:
    """The headline metric is 1 on every instance, and no player beats the oracle in any.

    Where 1 cannot be reached, the card states the oracle's bounds, and they hold instead.
    """
    card = subject.family.card
    for drawn, rules in subject.tables():
        first = card.headline[drawn.edition]
        low, high = _oracle_bounds(subject, drawn, first)
        for instance in drawn.instances:
            value = _number(subject, instance, rules, "oracle", first)
            if not low <= value <= high:
                yield f"the oracle's {first} on {instance.id} is {value}, not {_range(low, high)}"
    for instance, rules in subject.seats():
        for metric in card.numbers:
            yield from _find_better_players(subject, instance, rules, metric)


def silence_scores_zero(subject: Subject) -> Iterator[str]:
    """The headline metric of the silent player is 0 on every instance."""
    for drawn, rules in subject.tables():
        metric = subject.family.card.headline[drawn.edition]
        for instance in drawn.instances:
            value = _number(subject, instance, rules, "silent", metric)
            if value != 0:
                yield f"silence earns {metric} {value} on {instance.id}"


def progress_lies_between_nothing_and_all(subject: Subject) -> Iterator[str]:
    """What a family says of an episode's progress lies in [0, 1] after every turn."""
    if subject.family.training.progress is None:
        return
    for instance, rules in subject.seats():
        for player in ("oracle", "random"):
            turns = subject.episode(instance, rules, player).turns
            for count in range(len(turns) + 1):
                value = subject.family.training.progress(instance, rules, turns[:count])
                if not 0.0 <= value <= 1.0:
                    yield f"{player} on {instance.id} has come {value} far after {count} turns"


def reference_players_stay_within_the_cards_bounds(subject: Subject) -> Iterator[str]:
    """Each reference in the card holds, and the random player has one."""
    card = subject.family.card
    metric = card.headline["certified"]
    if not any(b.player == "random" and b.metric == metric for b in card.references):
        yield f"the card states no range for the random player's {metric}"
    for bounds in card.references:
        if bounds.player in subject.skipped:
            continue
        spec = find_set(subject.family, bounds.edition, bounds.set)
        if subject.quick and bounds.set not in subject.sets and spec.size > _QUICK_REFERENCE:
            continue
        value = _find_mean(subject, bounds)
        if not bounds.low <= value <= bounds.high:
            yield (
                f"{bounds.player}'s {bounds.metric} on {bounds.edition}/{bounds.set} is "
                f"{value:.4g}, but the card says {_range(bounds.low, bounds.high)}"
            )


def verdicts_hold_the_numbers_they_name(subject: Subject) -> Iterator[str]:
    """Every number is described in the family's metrics, and the headline is always there."""
    family = subject.family
    for metric in (*family.card.headline.values(), *family.card.numbers):
        if metric not in family.metrics:
            yield f"the headline metric {metric} is not described in the family's metrics"
    editions = {one.id: drawn.edition for drawn in subject.judged for one in drawn.instances}
    for episode, verdict in subject.scored_games():
        numbers = verdict.numbers
        for name in sorted(numbers.keys() - family.metrics.keys()):
            yield f"a verdict holds {name}, which is not described in the family's metrics"
        headline = family.card.headline[editions[episode.instance.id]]
        if headline not in numbers:
            yield f"a verdict on {episode.instance.id} lacks the headline metric {headline}"
        for name, value in numbers.items():
            if math.isinf(value):
                yield f"{name} is infinite on {episode.instance.id}; what does not apply is nan"


def scoring_twice_is_the_same_and_changes_nothing(subject: Subject) -> Iterator[str]:
    """Scoring is a function of the instance, the rules and the turns, and leaves them alone."""
    for episode, verdict in subject.scored_games():
        instance = episode.instance
        line, record = instance.line(), [turn.model_dump_json() for turn in episode.turns]
        if _text(episode.score()) != _text(verdict):
            yield f"{instance.id} was scored twice with different verdicts"
        if instance.line() != line:
            yield f"scoring changed the instance {instance.id}"
        if [turn.model_dump_json() for turn in episode.turns] != record:
            yield f"scoring changed the turns of {instance.id}"


def a_fresh_process_gives_the_same_verdicts(subject: Subject) -> Iterator[str]:
    """Recorded turns scored in another process, with another hash seed, have the same verdicts."""
    scored = list(subject.scored_games())
    games = [(episode.instance, episode.rules, episode.turns) for episode, _ in scored]
    here = digest(*(_text(verdict) for _, verdict in scored))
    for complaint, found in run_in_other_process(_SCORE, (subject.family.score, games), "score"):
        if complaint or found != here:
            yield complaint or "a fresh process gives other verdicts on the same turns"


def replaying_a_record_gives_the_same_game(subject: Subject) -> Iterator[str]:
    """Turns written to JSON and read back lead to the same observations and the same verdict."""
    for episode, verdict in subject.scored_games():
        instance = episode.instance
        turns = [Turn.model_validate_json(turn.model_dump_json()) for turn in episode.turns]
        try:
            again = replay(subject.family, instance, episode.rules, turns)
        except ContractError as wrong:
            yield str(wrong)
            continue
        if again.turns != episode.turns:
            yield f"{instance.id} played again has other legal moves or costs"
        if _text(subject.family.score(instance, episode.rules, turns)) != _text(verdict):
            yield f"{instance.id} scored from its record alone has another verdict"


def _oracle_bounds(subject: Subject, drawn: Draw, metric: str) -> tuple[float, float]:
    for bounds in subject.family.card.references:
        here = (bounds.edition, bounds.set) == (drawn.edition, drawn.name)
        if here and bounds.player == "oracle" and bounds.metric == metric:
            return bounds.low, bounds.high
    return 1.0, 1.0


def _find_better_players(
    subject: Subject, instance: AnyInstance, rules: Rules, metric: str
) -> Iterator[str]:
    best = _number(subject, instance, rules, "oracle", metric)
    sign = _SIGNS[subject.family.metrics[metric].better]
    for player in subject.players:
        value = _number(subject, instance, rules, player, metric)
        if sign * (value - best) > 1e-9:
            yield (
                f"{player}'s {metric} on {instance.id} is {value}, better than the oracle's {best}"
            )


def _number(
    subject: Subject, instance: AnyInstance, rules: Rules, player: str, metric: str
) -> float:
    return subject.verdict(instance, rules, player).numbers.get(metric, math.nan)


def _find_mean(subject: Subject, bounds: Bounds) -> float:
    """Return the mean that a bound is about; nan where it applies to nothing."""
    rules = subject.family.rules_for(bounds.edition)
    values = [
        _number(subject, instance, rules, bounds.player, bounds.metric)
        for instance in subject.instances(bounds.edition, bounds.set)
    ]
    numbers = [value for value in values if not math.isnan(value)]
    return fmean(numbers) if numbers else math.nan


def _range(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _text(verdict: Verdict) -> str:
    # As text, because a nan in a verdict is not equal to itself.
    return verdict.model_dump_json()


CHECKS: tuple[Check, ...] = (
    the_reference_players_exist,
    the_oracle_gets_full_marks,
    silence_scores_zero,
    progress_lies_between_nothing_and_all,
    reference_players_stay_within_the_cards_bounds,
    verdicts_hold_the_numbers_they_name,
    scoring_twice_is_the_same_and_changes_nothing,
    a_fresh_process_gives_the_same_verdicts,
    replaying_a_record_gives_the_same_game,
)
