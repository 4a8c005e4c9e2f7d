"""Logs to rows, and scoring again: the only reader of logs."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from pydantic import ValidationError

from causarium.contract.episode import count_bad_replies
from causarium.contract.family import AnyFamily
from causarium.contract.instance_sets import write_atomically
from causarium.contract.replies import describe_validation_error
from causarium.contract.row import Row, Usage
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.engine.logbook.read_samples import read_samples
from causarium.engine.logbook.run_card import CARD_FILE, RunCard, card_of, labels, who_played
from causarium.engine.play.answer_check import recheck_label
from causarium.engine.play.context_window import context_label
from causarium.engine.play.conversation import read_tokens
from causarium.engine.record.episode_record import (
    Record,
    read_judgements,
    read_record,
    read_turns,
    score_record,
)
from causarium.engine.record.usage import usage_of
from causarium.errors import BadFile, UsageError

Lookup = Callable[[str], AnyFamily]
"""Finds a family by name."""


@dataclass(frozen=True, slots=True)
class Log:
    """One log file: what ran, and whether it came to its end."""

    path: Path
    status: str
    model: str
    expected: int
    """How many samples the run has, epochs included."""
    about: str = ""
    """The run in words: family, edition, set, and who plays."""


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


def find_logs(places: Sequence[Path]) -> list[Path]:
    """Return the log files in `places`, files or folders, oldest first.

    Raises:
        UsageError: A place does not exist, or there is no log in any of them.
    """
    found: list[Path] = []
    for place in places:
        if place.is_dir():
            found += place.rglob("*.eval")
        elif place.exists():
            found.append(place)
        else:
            raise UsageError(f"there is no file or folder {place}")
    if not found:
        given = ", ".join(map(str, places))
        raise UsageError(f"no .eval log in {given}; `causarium run` writes one")
    return sorted(set(found), key=_begun)


def _begun(path: Path) -> tuple[str, int, str]:
    """Order logs by when they were begun: a name tells the second, the file what came after."""
    return path.name.partition("_")[0], path.stat().st_mtime_ns, path.name


def read_header(path: Path) -> Log:
    """Read what a log says of itself.

    Raises:
        BadFile: The log is damaged or not a log.
    """
    header = _read(path)
    chosen = header.eval.dataset.sample_ids or []
    expected = len(chosen) * (header.eval.config.epochs or 1)
    return Log(path, header.status, header.eval.model, expected, _in_words(header))


def _in_words(header: EvalLog) -> str:
    known = header.eval.metadata or {}
    who = who_played(known.get("player"), known.get("agent"), header.eval.model)
    parts = (known.get("family"), known.get("edition"), known.get("set"), who)
    return ", ".join(str(part) for part in parts if part)


def _read(path: Path) -> EvalLog:
    if path.suffix not in {".eval", ".json"}:
        raise BadFile(f"{path} is not a log: logs are .eval files, and `causarium run` writes them")
    try:
        return read_eval_log(str(path), header_only=True)
    except Exception as wrong:
        raise BadFile(
            f"{path} cannot be read as a log ({wrong or type(wrong).__name__}); if its run was cut "
            "off, start the same run again and it goes on from its samples"
        ) from wrong


def read_card(path: Path) -> RunCard:
    """Return the card of the run that a log is of.

    Raises:
        BadFile: The log is damaged or not a log.
    """
    header = _read(path)
    with blaming(path):
        return card_of(header)


def keep_card(folder: Path) -> None:
    """Write the card of a run beside its logs; nothing if there is no log to tell it from."""
    with suppress(UsageError):
        card = read_card(find_logs([folder])[-1])
        write_atomically(folder / CARD_FILE, f"{card.model_dump_json(indent=2)}\n")


def read_rows(path: Path) -> Iterator[Row]:
    """Yield a row for each finished sample of a log."""
    model = read_header(path).model
    for sample, record in _samples(path):
        with blaming(path, sample):
            row = _row(sample, record, model, logged_verdict(sample))
        yield row


def read_records(path: Path) -> Iterator[Record]:
    """Yield what a log says of each instance and of how it was played, once an instance."""
    seen: set[str | int] = set()
    for sample, record in _samples(path):
        if sample.id not in seen:
            seen.add(sample.id)
            yield record


def rescore(path: Path, lookup: Lookup) -> Iterator[Rescored]:
    """Score every sample of a log again, from its record and turns alone."""
    model = read_header(path).model
    for sample, record in _samples(path):
        with blaming(path, sample):
            before = after = _row(sample, record, model, logged_verdict(sample))
            if sample.error is None:
                again = _scored_again(path, lookup(record.family), record, sample)
                after = _row(sample, record, model, again)
        yield Rescored(before, after)


def _scored_again(path: Path, family: AnyFamily, record: Record, sample: EvalSample) -> Verdict:
    try:
        turns, judgements = read_turns(sample.store), read_judgements(sample.store)
        return score_record(family, record, turns, judgements)
    except BadFile as wrong:
        raise BadFile(f"{path}: {wrong}") from wrong


def _samples(path: Path) -> Iterator[tuple[EvalSample, Record]]:
    _read(path)
    with blaming(path):
        for sample in read_samples(path):
            with blaming(path, sample):
                record = _record(path, sample)
                read_turns(sample.store)
            yield sample, record


@contextmanager
def blaming(path: Path, sample: EvalSample | None = None) -> Iterator[None]:
    """Turn whatever a damaged log makes us stumble over into a message that names the log."""
    try:
        yield
    except (UsageError, GeneratorExit):
        raise
    except Exception as wrong:
        where = f" in sample {sample.id}" if sample else ""
        detail = (
            describe_validation_error(wrong) if isinstance(wrong, ValidationError) else str(wrong)
        )
        raise BadFile(
            f"{path} is cut off or damaged{where} ({detail or type(wrong).__name__}); start the "
            "same run again and it goes on from the samples that are whole"
        ) from wrong


def _record(path: Path, sample: EvalSample) -> Record:
    try:
        return read_record(sample.metadata)
    except BadFile as wrong:
        raise BadFile(f"{path}: {wrong}") from wrong


def logged_verdict(sample: EvalSample) -> Verdict:
    """Return the verdict that a log holds of a sample."""
    if sample.error is not None:
        return Verdict(numbers={}, unscored=f"error: {sample.error.message}")
    score = next(iter((sample.scores or {}).values()), None)
    if score is None:
        return Verdict(numbers={}, unscored="the run was stopped before this was scored")
    labels = (score.metadata or {}).get("labels", {})
    if not isinstance(score.value, dict):
        return Verdict(numbers={}, labels=labels, unscored=score.explanation or "not scored")
    return Verdict(numbers=score.value, labels=labels, answer=score.answer)


def agent_of(record: Record, model: str) -> str:
    """Return who played: `player/NAME`, `human`, the model, or `NAME (model)` of an agent."""
    return who_played(record.player, record.agent, model)


def _row(sample: EvalSample, record: Record, model: str, verdict: Verdict) -> Row:
    turns = read_turns(sample.store)
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
        labels={
            **verdict.labels,
            **recheck_label(record.rules, sample.store),
            **context_label(record.rules, sample.store),
        },
        turns=len(turns),
        faults=count_bad_replies(turns),
        unscored=verdict.unscored,
        usage=_usage(sample),
    )


def _usage(sample: EvalSample) -> Usage | None:
    used = usage_of(sample)
    if used is None:
        return None
    replies = tuple((one.input, one.cached, one.output) for one in read_tokens(sample.store))
    return used.model_copy(update={"replies": replies})


def read_traces(path: Path, lookup: Lookup) -> Iterator[dict[str, object]]:
    """Yield one object a turn: which episode, which turn, and the family's numbers after it.

    Raises:
        UsageError: The family of an episode has no numbers turn by turn.
    """
    model = read_header(path).model
    for sample, record in _samples(path):
        family = lookup(record.family)
        if family.turn_numbers is None:
            raise UsageError(f"{record.family} has no numbers turn by turn; score without --turns")
        instance, rules = record.reopen(family)
        of = {"agent": agent_of(record, model), "id": instance.id, "epoch": sample.epoch}
        for number, found in enumerate(
            family.turn_numbers(instance, rules, read_turns(sample.store)), 1
        ):
            yield {"family": record.family, **of, "turn": number, **found}


@dataclass(frozen=True, slots=True)
class Played:
    """One episode as a log has it."""

    agent: str
    record: Record
    turns: list[Turn]


def read_episode(path: Path, instance: str) -> Played | None:
    """Return the episode of one instance, its first epoch; None if the log has none."""
    model = read_header(path).model
    for sample, record in _samples(path):
        if sample.id == instance and sample.epoch == 1:
            return Played(agent_of(record, model), record, read_turns(sample.store))
    return None


def unfinished(paths: Sequence[Path]) -> list[str]:
    """Say of each run whether it came to its end: one sentence for every one that did not.

    A folder is a run, and its newest log tells.
    """
    newest = {path.parent: path for path in paths}
    found = []
    for path in newest.values():
        with suppress(BadFile):
            status = read_header(path).status
            if status != "success":
                found.append(
                    f"The run in {path.parent.name} is incomplete ({status}); "
                    "the same command goes on."
                )
    return found


@dataclass(frozen=True, slots=True)
class Reading:
    """What could be read of some logs, and what stood in the way of the rest."""

    rows: list[Row]
    problems: list[str]
    """One sentence for each log that is damaged or not ours; its readable rows are in `rows`."""
    cards: list[RunCard] = field(default_factory=list)
    """The card of each run, once."""


def read_places(places: Sequence[Path]) -> Reading:
    """Read all logs in `places`, the newest row where a sample was run twice.

    Rows of runs that are not the same are kept apart, each with what sets its run apart. A log
    that cannot be read is named and skipped.

    Raises:
        UsageError: A place does not exist, or there is no log in any of them.
    """
    rows: dict[tuple[str, ...], Row] = {}
    cards: dict[str, RunCard] = {}
    problems = []
    for path in find_logs(places):
        try:
            card = read_card(path)
            for row in read_rows(path):
                rows[(*_setting(row), card.key, row.id, str(row.epoch))] = row
                cards[card.key] = card
        except BadFile as wrong:
            problems.append(f"Skipped: {wrong}.")
    return _told_apart(rows, cards, problems)


def _told_apart(
    rows: Mapping[tuple[str, ...], Row], cards: Mapping[str, RunCard], problems: list[str]
) -> Reading:
    """Label the rows of runs that would otherwise pass for one."""
    played: dict[tuple[str, ...], dict[str, RunCard]] = {}
    for identity in rows:
        *setting, key, _, _ = identity
        played.setdefault(tuple(setting), {})[key] = cards[key]
    named: dict[str, str] = {}
    for runs in played.values():
        if len(runs) > 1:
            named |= labels(list(runs.values()))
    marked = [row.model_copy(update={"variant": named.get(at[-3], "")}) for at, row in rows.items()]
    return Reading(
        marked,
        problems,
        [card.model_copy(update={"label": named.get(key, "")}) for key, card in cards.items()],
    )


def newest_rows(places: Sequence[Path]) -> list[Row]:
    """Return the rows of all logs in `places`, the newest where a sample was run twice.

    Raises:
        BadFile: No log in `places` could be read.
        UsageError: A place does not exist, or there is no log in any of them.
    """
    reading = read_places(places)
    if reading.problems and not reading.rows:
        raise BadFile(reading.problems[0].removeprefix("Skipped: "))
    return reading.rows


def _setting(row: Row) -> tuple[str, ...]:
    return (row.family, row.version, row.edition, row.set, row.agent, row.interface)
