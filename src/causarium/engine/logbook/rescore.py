"""Scoring logged samples again, from their records and turns alone."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from causarium.contract.family import AnyFamily
from causarium.contract.row import Row
from causarium.engine.logbook.log_book import LoggedSample
from causarium.engine.logbook.log_files import name_damaged_log
from causarium.engine.record.episode_record import score_record
from causarium.errors import BadFile, UsageError

Lookup = Callable[[str], AnyFamily]
"""Finds a family by name."""


@dataclass(frozen=True, slots=True)
class Rescored:
    """One episode, scored when it was played and scored again now."""

    before: Row
    after: Row

    @property
    def same(self) -> bool:
        """Whether the two verdicts agree in every number and label."""
        return _comparable(self.before) == _comparable(self.after)


def _comparable(row: Row) -> object:
    # nan is not equal to itself, and two nans agree.
    numbers = {k: None if math.isnan(v) else v for k, v in row.numbers.items()}
    return numbers, row.labels, row.unscored


def rescore(samples: Iterable[LoggedSample], lookup: Lookup) -> Iterator[Rescored]:
    """Score samples again; one that an error ended keeps what its log says.

    Raises:
        BadFile: A sample was recorded by another version of its family, or is damaged.
    """
    for sample in samples:
        after = sample.row
        if not sample.failed:
            path = sample.header.path
            with name_damaged_log(path, sample.row.id):
                try:
                    verdict = score_record(
                        lookup(sample.row.family), sample.record, sample.turns, sample.judgements
                    )
                except BadFile as wrong:
                    raise BadFile(f"{path}: {wrong}") from wrong
            after = sample.row.model_copy(
                update={
                    "numbers": verdict.numbers,
                    "labels": {**verdict.labels, **sample.run_labels},
                    "unscored": verdict.unscored,
                }
            )
        yield Rescored(sample.row, after)


def list_turn_numbers(
    samples: Iterable[LoggedSample], lookup: Lookup
) -> Iterator[dict[str, object]]:
    """Yield one object a turn: which episode, which turn, and the family's numbers after it.

    Raises:
        UsageError: The family of an episode has no numbers turn by turn.
    """
    for sample in samples:
        row, record = sample.row, sample.record
        family = lookup(record.family)
        if family.turn_numbers is None:
            raise UsageError(f"{record.family} has no numbers turn by turn; score without --turns")
        instance, rules = record.reopen(family)
        which = {
            "family": record.family,
            "agent": row.agent,
            "id": instance.id,
            "epoch": row.epoch,
        }
        turns = family.turn_numbers(instance, rules, sample.turns)
        for number, numbers in enumerate(turns, 1):
            yield {**which, "turn": number, **numbers}
