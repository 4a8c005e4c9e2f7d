"""All that a report needs of some logs, from one header read and one pass over samples a log.

Logs of shards are put together in the order of the set, and checked against each other.
"""

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.log import EvalSample

from causarium.contract.frozen import put_in_one_line
from causarium.contract.row import Row
from causarium.contract.shard import Shard
from causarium.contract.texts.role_questions import Judgement
from causarium.contract.turn import Turn
from causarium.engine.logbook.log_files import (
    LogHeader,
    find_logs,
    make_logged_row,
    read_header,
    read_samples,
)
from causarium.engine.logbook.log_members import name_damaged_log
from causarium.engine.logbook.run_card import RunCard, labels
from causarium.engine.record.episode_record import (
    JUDGEMENTS_KEY,
    METADATA_KEY,
    TURNS_KEY,
    EpisodeRecord,
    EpisodeStore,
    Transcript,
    read_record,
    read_usage,
)
from causarium.errors import BadFile
from causarium.scoring.measures import MOST

_NAMED = 10
"""Largest number of missing shards or samples that are named; others are counted."""


class RowKey(NamedTuple):
    """Which row it is: what must agree for a later sample to take an earlier one's place."""

    run: str
    """The key of its run card."""
    family: str
    version: str
    edition: str
    set: str
    agent: str
    interface: str
    id: str
    epoch: int


@dataclass(frozen=True, slots=True)
class LoggedSample:
    """One sample: its row, and the rest as bytes until somebody asks for it."""

    header: LogHeader
    row: Row
    uuid: str
    """Which episode it is, wherever its log was copied to; empty where the log does not say."""
    run_labels: dict[str, str]
    """The labels of the row that are not the verdict's."""
    failed: bool
    """Whether an error ended it; there is then nothing to score."""
    record_bytes: bytes
    instance_bytes: bytes
    turn_bytes: bytes
    """Compressed: of all that a report holds in memory, turns are the most."""
    judgement_bytes: bytes
    said_bytes: bytes
    """What the model said, compressed."""

    @property
    def key(self) -> RowKey:
        """Which row it is."""
        return RowKey(self.header.run, *(getattr(self.row, name) for name in RowKey._fields[1:]))

    @property
    def record(self) -> EpisodeRecord:
        """What its metadata says of the instance and of how it was played."""
        fields = {**json.loads(self.record_bytes), "instance": json.loads(self.instance_bytes)}
        return read_record({METADATA_KEY: fields})

    @property
    def turns(self) -> list[Turn]:
        """Its turns."""
        return EpisodeStore({TURNS_KEY: json.loads(zlib.decompress(self.turn_bytes))}).turns

    @property
    def transcript(self) -> Transcript:
        """What the model said."""
        return Transcript.model_validate(json.loads(zlib.decompress(self.said_bytes)))

    @property
    def judgements(self) -> list[Judgement]:
        """What judges found."""
        return EpisodeStore({JUDGEMENTS_KEY: json.loads(self.judgement_bytes)}).judgements


class LogBook:
    """What some logs hold: rows, run cards, samples, and what could not be read."""

    def __init__(
        self,
        logs: Sequence[LogHeader],
        samples: Sequence[LoggedSample],
        problems: Sequence[str] = (),
        parts: Mapping[str, str] | None = None,
    ) -> None:
        """Keep what was read; `LogBook.read` is the way in.

        Args:
            logs: The headers of the logs, oldest first.
            samples: Their samples, run by run. Of several with one key, one that was scored counts
                before one that failed, then that of the log with most finished samples, then
                the last.
            problems: One sentence for each log that is damaged or not ours.
            parts: Which part of its set each run has that was chosen, by the key of its card.
        """
        self.parts = dict(parts or {})
        self.logs = tuple(logs)
        self.samples = tuple(samples)
        """Every sample, those that a later one replaces too."""
        self.problems = tuple(problems)
        self.newest = _choose_newest(samples)
        """The sample that counts for each row."""

    @classmethod
    def read(cls, places: Sequence[Path]) -> "LogBook":
        """Read all logs in `places`, files or folders: each header once and each sample once.

        A log that cannot be read, or not to its end, is named in `problems`; what was read of it
        counts. Of a run with shards that contradict, nothing does.

        Raises:
            UsageError: A place does not exist, or there is no log in any of them.
        """
        logs: list[LogHeader] = []
        samples: list[LoggedSample] = []
        problems: list[str] = []
        shared: dict[bytes, bytes] = {}
        for path in find_logs(places):
            try:
                header = read_header(path)
                logs.append(header)
                skipped: list[str] = []
                # A damaged sample takes no other with it.
                samples.extend(_read_log(header, shared, skipped))
                problems += [put_in_one_line(f"Skipped: {why}.") for why in _shorten(skipped, path)]
            except BadFile as wrong:
                problems.append(put_in_one_line(f"Skipped: {wrong}."))
        false = find_contradictions(samples)
        problems += [put_in_one_line(f"Skipped: {told}.") for told in false.values()]
        kept = [sample for sample in samples if sample.header.run not in false]
        return cls([one for one in logs if one.run not in false], order_by_set(kept), problems)

    def with_proofs(
        self, proofs: Mapping[RowKey, str], parts: Mapping[str, str] | None = None
    ) -> "LogBook":
        """Return this book with why each row cannot be relied upon; nothing if it can."""
        newest = self.newest
        samples = [
            replace(sample, row=sample.row.model_copy(update={"proof": proofs[sample.key]}))
            if newest.get(sample.key) is sample
            else sample
            for sample in self.samples
        ]
        return LogBook(self.logs, samples, self.problems, parts)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The newest row of every sample.

        Rows of runs that are not the same are kept apart, each with what sets its run apart.
        """
        return tuple(
            sample.row.model_copy(update={"variant": self._variants[key.run]})
            if key.run in self._variants
            else sample.row
            for key, sample in self.newest.items()
        )

    @cached_property
    def run_cards(self) -> tuple[RunCard, ...]:
        """The card of each run that has a row, once."""
        cards = {key.run: sample.header.card for key, sample in self.newest.items()}
        return tuple(
            card.model_copy(update={"label": self._variants.get(run, ""), **self._amount(run)})
            for run, card in cards.items()
        )

    def _amount(self, run: str) -> dict[str, Any]:
        """Return what the card says of how much was played, for the shards of a run together."""
        headers = [header for header in self.logs if header.run == run]
        if all(header.shard is None for header in headers):
            return {}
        count = len({id_ for header in headers for id_ in header.order})
        limit = None if headers[0].card.limit is None else str(count)
        return {"instances": count, "limit": limit}

    @cached_property
    def missing_shards(self) -> tuple[str, ...]:
        """One sentence for every run that lacks shards."""
        return tuple(name_missing_shards(self.logs))

    @cached_property
    def _variants(self) -> dict[str, str]:
        """Name the runs that would otherwise pass for one, by the key of their card."""
        runs: dict[tuple[object, ...], dict[str, RunCard]] = {}
        for key, sample in self.newest.items():
            runs.setdefault(key[1:-2], {})[key.run] = sample.header.card
        variants: dict[str, str] = {}
        for cards in runs.values():
            if len(cards) > 1:
                variants |= labels(list(cards.values()))
        for run, part in self.parts.items():
            # A part never stands beside whole sets without saying so.
            variants[run] = ", ".join(filter(None, [variants.get(run, ""), part]))
        return variants

    @cached_property
    def incomplete(self) -> tuple[str, ...]:
        """One sentence for every run that did not come to its end.

        A folder is a run, and its newest log tells.
        """
        newest = {header.path.parent: header for header in self.logs}
        return (
            tuple(
                f"The run in {folder.name} is incomplete ({header.status}); run it again to resume."
                for folder, header in newest.items()
                if header.status != "success"
            )
            + self.missing_shards
        )

    def samples_of(self, instance: str) -> Iterator[LoggedSample]:
        """Yield the samples of one instance, first epochs only, those of the newest log first."""
        for sample in reversed(self.samples):
            if sample.row.id == instance and sample.row.epoch == 1:
                yield sample

    def require_rows(self) -> None:
        """Make sure that something could be read.

        Raises:
            BadFile: Nothing could; says why of the first log.
        """
        if self.problems and not self.samples:
            raise BadFile(f"No readable logs: {self.problems[0].removeprefix('Skipped: ')}")

    def require_whole(self) -> None:
        """Make sure that every log was read to its end.

        Raises:
            BadFile: One was not; says why.
        """
        if self.problems:
            raise BadFile(self.problems[0].removeprefix("Skipped: ").removesuffix("."))


def _choose_newest(samples: Sequence[LoggedSample]) -> dict[RowKey, LoggedSample]:
    """Choose among samples of one key; a log's date alone, which anybody can set, does not."""
    finished = Counter(sample.header.path for sample in samples if not sample.failed)
    newest: dict[RowKey, LoggedSample] = {}
    for sample in samples:
        other = newest.setdefault(sample.key, sample)
        if _rank(sample, finished) >= _rank(other, finished):
            newest[sample.key] = sample
    return newest


def _rank(sample: LoggedSample, finished: Counter[Path]) -> tuple[bool, int]:
    return not sample.failed, finished[sample.header.path]


def _shorten(skipped: list[str], path: Path) -> list[str]:
    """Return the first reasons, and how many more there are."""
    more = len(skipped) - _NAMED
    return [*skipped[:_NAMED], *([f"{path} has {more} more such samples"] if more > 0 else [])]


def _read_log(
    header: LogHeader, shared: dict[bytes, bytes], skipped: list[str]
) -> Iterator[LoggedSample]:
    """Yield the samples of a log; why one was left out is added to `skipped`."""
    with name_damaged_log(header.path):
        for sample, transcript in read_samples(header.path, skipped):
            try:
                with name_damaged_log(header.path, sample.id):
                    logged = _keep_sample(header, sample, transcript, shared)
            except BadFile as wrong:
                skipped.append(str(wrong))
            else:
                yield logged


def _keep_sample(
    header: LogHeader, sample: EvalSample, transcript: Transcript, shared: dict[bytes, bytes]
) -> LoggedSample:
    """Keep what is needed of a sample; what several samples hold is in memory once."""
    try:
        record = read_record(sample.metadata)
    except BadFile as wrong:
        raise BadFile(f"{header.path}: {wrong}") from wrong
    store = EpisodeStore(sample.store)
    turns, _ = store.turns, store.judgements  # both are read, so that damage shows
    fields = dict(sample.metadata[METADATA_KEY])
    instance = fields.pop("instance")
    if not isinstance(instance, str):
        instance = json.dumps(instance)
    record_bytes, instance_bytes = _to_bytes(fields), instance.encode("utf-8", "surrogatepass")
    usage, odd = read_usage(sample)
    labels_of_run = store.read_labels(record.rules) | odd
    row = make_logged_row(
        sample, record, turns, transcript, model=header.model, labels=labels_of_run, usage=usage
    )
    if any(abs(number) > MOST for number in row.numbers.values()):
        raise ValueError("it tells of a number that is too large for a mean")
    row.model_dump_json()  # half a pair of surrogates could not be written in any report
    return LoggedSample(
        header=header,
        row=row,
        uuid=sample.uuid or "",
        run_labels=labels_of_run,
        failed=sample.error is not None or TURNS_KEY not in sample.store,
        record_bytes=shared.setdefault(record_bytes, record_bytes),
        instance_bytes=shared.setdefault(instance_bytes, instance_bytes),
        turn_bytes=zlib.compress(_to_bytes(sample.store.get(TURNS_KEY, [])), level=1),
        judgement_bytes=_to_bytes(sample.store.get(JUDGEMENTS_KEY, [])),
        said_bytes=zlib.compress(_to_bytes(transcript.model_dump(mode="json")), level=1),
    )


def _to_bytes(value: Any) -> bytes:  # noqa: ANN401
    # As JSON in ASCII, which holds half a surrogate pair too.
    return json.dumps(value, separators=(",", ":")).encode()


def order_by_set(samples: "Iterable[LoggedSample]") -> "list[LoggedSample]":
    """Return samples run by run, each in the order of its set; later logs stay behind earlier."""
    runs: dict[str, int] = {}

    def place(sample: "LoggedSample") -> tuple[int, int, int]:
        header, row = sample.header, sample.row
        last = len(header.order)
        run = runs.setdefault(header.run, len(runs))
        return run, header.order.get(row.id, last), row.epoch

    return sorted(samples, key=place)


def find_contradictions(samples: "Iterable[LoggedSample]") -> dict[str, str]:
    """Say of each run, by its key, which of its shards have different verdicts on an instance."""
    seen: dict[RowKey, LoggedSample] = {}
    found: dict[str, str] = {}
    for sample in samples:
        if sample.failed or sample.row.unscored is not None:
            continue
        other = seen.setdefault(sample.key, sample)
        if sample.header.shard == other.header.shard:
            continue
        if (sample.row.numbers, sample.row.labels) != (other.row.numbers, other.row.labels):
            found[sample.header.run] = (
                f"{sample.row.id} has one verdict in {other.header.path} and another in "
                f"{sample.header.path}, which are shards of one run; leave one of them out"
            )
    return found


def name_missing_shards(logs: Sequence[LogHeader]) -> list[str]:
    """Return one sentence for each run that lacks shards."""
    runs: dict[str, dict[int, dict[int, LogHeader]]] = {}
    for header in logs:
        shard = Shard.parse(header.shard)
        runs.setdefault(header.run, {}).setdefault(shard.count, {})[shard.number] = header
    sentences = []
    for cuts in runs.values():
        # A run that is there whole, or cut otherwise as well, has all its instances.
        if any(len(headers) == count for count, headers in cuts.items()):
            continue
        for count, headers in cuts.items():
            numbers = (k for k in range(1, count + 1) if k not in headers)
            absent = [f"{k}/{count}" for k in islice(numbers, _NAMED)]
            if (more := count - len(headers) - len(absent)) > 0:
                absent.append(f"and {more} others")
            played = len({id_ for header in headers.values() for id_ in header.order})
            header = next(iter(headers.values()))
            size = header.set_size
            few = f" ({size - played} of {size} instances)" if size else ""
            sentences.append(
                f"The run {header.about} lacks the shards {', '.join(absent)}{few}; run them "
                "and report again."
            )
    return sentences
