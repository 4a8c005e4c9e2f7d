"""Scoring logged samples again, from their records and turns alone, and checking each of them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from causarium.contract.family import AnyFamily
from causarium.contract.row import NOT_PLAYED, Row
from causarium.contract.verdict import Verdict
from causarium.engine.logbook.log_book import LoggedSample
from causarium.engine.logbook.log_files import name_damaged_log
from causarium.engine.verify.check_sample import find_flaw, open_sample
from causarium.engine.verify.known_instances import KnownInstances
from causarium.errors import BadFile, UsageError

Lookup = Callable[[str], AnyFamily]
"""Finds a family by name."""


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """One episode, scored when it was played and scored again now."""

    before: Row
    after: Row
    """As it is scored now; its proof says whether the log is verified."""

    @property
    def same(self) -> bool:
        """Whether the two verdicts agree in every number and label."""
        return _comparable(self.before) == _comparable(self.after)


def _comparable(row: Row) -> object:
    # nan is not equal to itself, and two nans agree.
    numbers = {k: None if v != v else v for k, v in row.numbers.items()}  # noqa: PLR0124
    return numbers, row.labels, row.unscored


def rescore(
    samples: Iterable[LoggedSample], lookup: Lookup, known: KnownInstances | None = None
) -> Iterator[ScoreChange]:
    """Score samples again and check them; one that an error ended keeps what its log says.

    Args:
        samples: The samples.
        lookup: Finds a family by name.
        known: Which instances there are; what named sets have, where it is not given.

    Raises:
        BadFile: A sample was recorded by another version of its family, or is damaged.
    """
    known = known or KnownInstances()
    for sample in samples:
        after = sample.row.model_copy(update={"proof": NOT_PLAYED})
        if not sample.failed:
            path = sample.header.path
            with name_damaged_log(path, sample.row.id):
                try:
                    opened = open_sample(sample, lookup(sample.row.family))
                    verdict = opened.score()
                    proof = find_flaw(opened, partial(_keep, verdict), known)
                except BadFile as wrong:
                    raise BadFile(f"{path}: {wrong}") from wrong
            after = sample.row.model_copy(
                update={
                    "numbers": verdict.numbers,
                    "labels": {**verdict.labels, **sample.run_labels},
                    "unscored": verdict.unscored,
                    "proof": proof,
                }
            )
        yield ScoreChange(sample.row, after)


def _keep(verdict: Verdict) -> Verdict:
    return verdict


def prove_sample(sample: LoggedSample, lookup: Lookup, known: KnownInstances) -> str:
    """Say why a sample is not verified; empty if it is. Nothing in a log makes this raise.

    Args:
        sample: The sample.
        lookup: Finds a family by name.
        known: Which instances there are.
    """
    if sample.failed:
        return NOT_PLAYED
    try:
        family = lookup(sample.row.family)
    except UsageError:
        return f"version: there is no family {sample.row.family!r} here"
    if sample.row.version.split("-")[0] != family.card.version.split("-")[0]:
        return f"version: score it with version {sample.row.version}"
    try:
        opened = open_sample(sample, family)
        return find_flaw(opened, opened.score, known)
    except Exception as wrong:  # noqa: BLE001 - a log may hold anything
        return f"damaged: it cannot be scored again ({type(wrong).__name__})"


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
        if family.training.turn_numbers is None:
            raise UsageError(f"{record.family} has no numbers turn by turn; score without --turns")
        instance, rules = record.rebuild(family)
        which = {
            "family": record.family,
            "agent": row.agent,
            "id": instance.id,
            "epoch": row.epoch,
        }
        with name_damaged_log(sample.header.path, row.id):
            turns = family.training.turn_numbers(instance, rules, sample.turns)
        for number, numbers in enumerate(turns, 1):
            yield {**which, "turn": number, **numbers}
