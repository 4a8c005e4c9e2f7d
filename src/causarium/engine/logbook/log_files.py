"""Log files: where they are, what each says of itself, and its samples, each as a row.

Logs of an object store are brought to this machine: a log is read whole, so it is fetched whole.
Copies lie in the user's cache folder, each fetched again when the store's own has changed.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from inspect_ai.log import (
    EvalConfig,
    EvalLog,
    EvalSample,
    EvalSampleSummary,
    EvalScore,
    read_eval_log,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
)
from inspect_ai.model import ChatMessageAssistant
from pydantic import ValidationError, create_model

from causarium.contract.episode import count_bad_replies, count_refusals
from causarium.contract.frozen import canonical_json, digest, make_writable
from causarium.contract.places import Place, cache_folder, find_below, is_file, is_folder
from causarium.contract.row import UNCHECKED, Row, Usage
from causarium.contract.shard import Shard
from causarium.contract.texts.role_questions import Judgement
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.engine.logbook.log_members import (
    SAMPLES,
    copy_log,
    is_of_header,
    is_sample,
    name_damaged_log,
    read_members,
)
from causarium.engine.logbook.run_card import (
    CARD_FILE,
    SET_SIZE_KEY,
    SHARD_KEY,
    RunCard,
    card_of,
    who_played,
)
from causarium.engine.record.episode_record import (
    TURNS_KEY,
    EpisodeRecord,
    EpisodeStore,
    SaidCall,
    Transcript,
    find_cut_turns,
    read_record,
    read_replies,
    read_shown,
)
from causarium.engine.record.secrets import redact
from causarium.errors import BadFile, UsageError

_NO_CARD = RunCard(family="", version="", edition="", set="", agent="")


@dataclass(frozen=True, slots=True)
class LogHeader:
    """What a log says of its run, and whether the run came to its end."""

    path: Path
    status: str
    model: str
    card: RunCard = _NO_CARD
    """The run card; one without a word where the log is damaged."""
    run: str = ""
    """The key of the card."""
    asked_for: tuple[int, int | None] | None = (0, None)
    """The first instance of the set that was asked for and the one after the last, which is None
    where all were; None where some were picked by their ids."""
    set_file: str | None = None
    """The set file that was played; None if it was a named set."""
    shard: str | None = None
    """Which share of the set was played; None: the whole."""
    spread: Mapping[str, str] = field(default_factory=dict)
    """The part of the set that was asked for: `limit`, `rungs`; empty: all of it."""
    set_size: int | None = None
    """How large the whole set is, where a share was played."""
    order: Mapping[str, int] = field(default_factory=dict)
    """The instances that the run has, and where in the set each stands."""
    stopped: frozenset[tuple[str, int]] = frozenset()
    """The samples, by id and epoch, that were not played because the climb had ended below."""
    means: Mapping[str, float] = field(default_factory=dict)
    """What its own summary says of all its verdicts, which Inspect's viewer shows."""
    problem: str = ""
    """Why it cannot be read; its other fields then say nothing."""

    @property
    def expected(self) -> int:
        """How many samples the run has, epochs included; those above the climb's end left out."""
        return len(self.order) * self.card.epochs - len(self.stopped)

    @property
    def about(self) -> str:
        """The run in words: family, edition, set, and who plays."""
        card = self.card
        return ", ".join(filter(None, (card.family, card.edition, card.set, card.agent)))


def find_logs(places: Sequence[Path]) -> list[Path]:
    """Return the log files in `places`, files or folders, oldest first.

    Raises:
        UsageError: A place does not exist, or there is no log in any of them.
    """
    paths: list[Path] = []
    for place in places:
        if is_folder(place):
            paths += find_below(place, ".eval")
        elif place.is_symlink() or place.exists():
            paths.append(place)
        else:
            raise UsageError(f"there is no file or folder {place}")
    if not paths:
        given = ", ".join(map(str, places))
        raise UsageError(f"no .eval log in {given}; `causarium run` writes one")
    return sorted(set(paths), key=_start_order)


def _start_order(path: Path) -> tuple[str, int, str]:
    """Order logs by when they were started: a name tells the second, the file what came after."""
    # A link may lead to nothing, which is for the reader of the log to say.
    changed = path.stat().st_mtime_ns if is_file(path) else 0
    return path.name.partition("_")[0], changed, path.name


def read_header(path: Path) -> LogHeader:
    """Read what a log says of its run.

    Raises:
        BadFile: The log is damaged or not a log.
    """
    header = _read_eval_log(path)
    with name_damaged_log(path):
        card, metadata = card_of(header), header.eval.metadata or {}
        card.model_dump_json()  # half a pair of surrogates could not be written in any report
        shard, size = _read_share(metadata)
        ids = header.eval.dataset.sample_ids or []
        scores = header.results.scores if header.results else []
        ended = header.results.early_stopping if header.results else None
        arguments = header.eval.task_args
        set_file = arguments.get("file")
        return LogHeader(
            path=path,
            status=header.status,
            model=header.eval.model,
            card=card,
            run=card.key,
            asked_for=_read_planned_size(header.eval.config),
            spread={name: str(arguments[name]) for name in _SPREAD if arguments.get(name)},
            set_file=None if set_file is None else str(set_file),
            shard=metadata.get(SHARD_KEY),
            set_size=size,
            order={str(id_): n * shard.count + shard.number - 1 for n, id_ in enumerate(ids)},
            stopped=frozenset(
                (str(one.id), one.epoch) for one in (ended.early_stops if ended else ())
            ),
            means=_read_means(scores),
        )


def _read_means(scores: Sequence[EvalScore]) -> dict[str, float]:
    """Return what a summary says of each number; nothing that is one, where it says two things."""
    means: dict[str, float] = {}
    for key, found in (one for score in scores for one in score.metrics.items()):
        value = float(found.value)
        for name in (key, found.name):  # the viewer shows the latter
            means[name] = value if means.get(name, value) == value else math.nan
    return means


def _read_share(metadata: Mapping[str, Any]) -> tuple[Shard, int | None]:
    size = metadata.get(SET_SIZE_KEY)
    if not (size is None or isinstance(size, int)):
        raise ValueError(f"a set has a number of instances, not {size!r}")
    try:
        return Shard.parse(metadata.get(SHARD_KEY)), size
    except UsageError as wrong:
        raise ValueError(str(wrong)) from wrong


_SPREAD = ("limit", "rungs")


def _read_planned_size(config: EvalConfig) -> tuple[int, int | None] | None:
    if config.sample_id is not None:
        return None
    return config.limit if isinstance(config.limit, tuple) else (0, config.limit)


def _read_eval_log(path: Path) -> EvalLog:
    if path.suffix != ".eval":
        raise BadFile(f"{path} is not a log: logs are .eval files, and `causarium run` writes them")
    try:
        with copy_log(path, is_of_header) as copy:
            return read_eval_log(copy, header_only=True)
    except UsageError:
        raise
    except Exception as wrong:
        raise BadFile(
            f"{path} cannot be read as a log ({wrong or type(wrong).__name__}); if its run was "
            "interrupted, run it again to resume from its samples"
        ) from wrong


def write_run_card(folder: Path | Place) -> None:
    """Write the card of a run beside its logs; nothing if there is no log to tell it from."""
    with suppress(UsageError):
        card = read_header(find_logs([fetch_logs(folder)])[-1]).card
        (Place.parse(folder) / CARD_FILE).write_bytes(
            f"{card.model_dump_json(indent=2)}\n".encode()
        )


_MARKS = ".fetched.json"


def fetch_logs(place: str | Path | Place) -> Path:
    """Return a log, or a folder of logs, on this machine; it is fetched if it lies elsewhere.

    Raises:
        UsageError: The scheme is unknown, or there is nothing at this place.
    """
    source = Place.parse(place)
    if source.path is not None:
        return source.path
    folder = local_copy(source)
    if source.suffix == ".eval":
        source.copy_to(folder / source.name)
        return folder / source.name
    files = {name: file for name, file in source.find_files(".eval").items() if _is_below(name)}
    if not files:
        raise UsageError(f"no .eval log in {source}; `causarium run` writes one")
    marks = _read_marks(folder)
    for name, (file, mark) in files.items():
        if marks.get(name) != mark or not (folder / name).exists():
            file.copy_to(folder / name)
            marks[name] = mark
    for left in folder.rglob("*.eval"):
        if left.relative_to(folder).as_posix() not in files:
            left.unlink(missing_ok=True)
    kept = {name: marks[name] for name in files}
    Place.parse(folder / _MARKS).write_bytes(canonical_json(kept).encode())
    return folder


def local_copy(source: Place) -> Path:
    """Return the folder in which copies of a place lie; it may not be there yet."""
    key = digest(source.url).partition(":")[2][:16]
    return cache_folder() / "fetched-logs" / key / (source.name or "logs")


def _is_below(name: str) -> bool:
    """Whether a name leads into the folder and not out of it: names of a store may be anything."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name


def _read_marks(folder: Path) -> dict[str, str]:
    with suppress(OSError, ValueError):
        marks = json.loads((folder / _MARKS).read_text(encoding="utf-8"))
        return marks if isinstance(marks, dict) else {}
    return {}


def shelve(place: Path) -> list[LogHeader]:
    """Return all logs in a folder, newest first; a damaged one says what is wrong with it."""
    try:
        paths = find_logs([place])
    except UsageError:
        return []
    shelf = []
    for path in reversed(paths):
        try:
            shelf.append(read_header(path))
        except BadFile as wrong:
            shelf.append(LogHeader(path, "damaged", "", problem=str(wrong)))
    return shelf


@dataclass(frozen=True, slots=True)
class SampleSummary:
    """One sample of a log, in short."""

    id: str
    epoch: int
    completed: bool
    numbers: dict[str, float]
    note: str
    """Why there is no score, where there is none."""


def list_samples(path: Path) -> list[SampleSummary]:
    """Return the samples that a log has so far; it may still be being written.

    Raises:
        BadFile: The log is damaged or not a log.
    """
    read_header(path)
    with name_damaged_log(path), copy_log(path, lambda name: not is_sample(name)) as copy:
        return [_list_sample(summary) for summary in read_eval_log_sample_summaries(copy)]


def _list_sample(summary: EvalSampleSummary) -> SampleSummary:
    score = next(iter((summary.scores or {}).values()), None)
    numbers = score.value if score is not None and isinstance(score.value, dict) else {}
    measured = {k: float(v) for k, v in numbers.items() if isinstance(v, int | float)}
    note = summary.error or ("" if measured else "not scored")
    return SampleSummary(str(summary.id), summary.epoch, summary.completed, measured, note)


@dataclass(frozen=True, slots=True)
class Story:
    """One episode as a log tells it."""

    agent: str
    record: EpisodeRecord
    turns: Sequence[Turn]
    said: Sequence[str]
    """What the model wrote in each turn; empty where nobody wrote."""
    opening: Sequence[str]
    """The messages that opened the episode."""
    verdict: Verdict
    judgements: Sequence[Judgement]


def read_story(path: Path, id_: str, epoch: int = 1) -> Story:
    """Read one episode.

    Raises:
        UsageError: The log has no such sample, or not yet.
        BadFile: The log is damaged.
    """
    model = read_header(path).model
    with name_damaged_log(path):
        try:
            with copy_log(path, lambda name: name == f"{SAMPLES}{id_}_epoch_{epoch}.json") as copy:
                sample = read_eval_log_sample(
                    copy, id_, epoch, resolve_attachments=True, exclude_fields={"events"}
                )
        except IndexError as missing:
            raise UsageError(f"{path.name} has no sample {id_} of epoch {epoch} yet") from missing
        record, turns = read_record(sample.metadata), EpisodeStore(sample.store).turns
        return Story(
            agent=who_played(record.player, record.agent, model),
            record=record,
            turns=turns,
            said=_read_replies(sample, turns, own=record.agent is not None),
            opening=_opening(sample),
            verdict=read_logged_verdict(sample),
            judgements=EpisodeStore(sample.store).judgements,
        )


def _opening(sample: EvalSample) -> list[str]:
    if isinstance(sample.input, str):
        return [sample.input]
    return [message.text for message in sample.input]


def _read_replies(sample: EvalSample, turns: Sequence[Turn], *, own: bool) -> list[str]:
    """Return what the model wrote in each turn: a message is one, and so is each tool call.

    Of an agent of a user's own only calls of the world's tools are turns. Words that made no turn,
    and those of an answer that was held back, stand with the words of the next turn.
    """
    kinds = {(turn.action or {}).get("kind") for turn in turns} if own else None
    said: list[str] = []
    waiting = ""
    for message in sample.messages:
        if not isinstance(message, ChatMessageAssistant):
            continue
        waiting = f"{waiting}\n\n{message.text}".strip()
        calls = [call for call in message.tool_calls or () if not kinds or call.function in kinds]
        for _ in range(len(calls) if own else max(1, len(calls))):
            said.append(waiting)
            waiting = ""
    held = EpisodeStore(sample.store).answer_check
    if held is not None and held.turn + 1 < len(said):
        said[held.turn : held.turn + 2] = ["\n\n".join(said[held.turn : held.turn + 2]).strip()]
    return (said + [""] * len(turns))[: len(turns)]


_SAID = ("input", "messages", "limit")
_SCORED = ("id", "uuid", "epoch", "metadata", "scores", "store", "error")
_TAKEN = ("model_usage", "role_usage", "working_time")
_CUT = re.compile(rb'"stop_reason": ?"max_tokens"')
_CALLS = ("events", "output")
"""Where a sample's file says how replies ended; they are large, and seldom have to be read."""
_FIELDS: dict[str, Any] = dict.fromkeys((*_SAID, *_SCORED, *_TAKEN), (Any, None))
_Member = create_model("_Member", **_FIELDS)
_Calls = create_model("_Calls", **dict.fromkeys(_CALLS, (Any, None)))  # type: ignore[call-overload]
"""What scoring needs of a sample's file, as it stands there; the rest is never made an object."""


def read_samples(path: Path, skipped: list[str]) -> Iterator[tuple[EvalSample, Transcript]]:
    """Yield the finished samples of a log with what scoring needs, and what the model said.

    Why one was left out, as damaged or too large, is added to `skipped`.

    Inspect's own reader opens the archive anew for every sample, which for a thousand of them takes
    longer than everything a report does. What we need is small; the rest never becomes objects.
    """
    for name, content in read_members(path, is_sample, skipped):
        try:
            with name_damaged_log(path, name):
                found = _parse_member(content)
        except BadFile as wrong:
            skipped.append(str(wrong))
        else:
            yield found


def _find_cut(content: bytes) -> frozenset[str]:
    """Return the ids of the messages that ended at the token limit."""
    if not _CUT.search(content):
        return frozenset()
    told = _Calls.model_validate_json(content).model_dump()
    events = [event for event in told["events"] or () if event.get("event") == "model"]
    outputs = [told["output"], *(event.get("output") for event in events)]
    choices = [choice for output in outputs if output for choice in output.get("choices") or ()]
    cut = [choice for choice in choices if choice.get("stop_reason") == "max_tokens"]
    return frozenset(str((choice.get("message") or {}).get("id")) for choice in cut)


def _read_transcript(fields: Mapping[str, Any], cut: frozenset[str]) -> Transcript:
    store = EpisodeStore(fields.get("store") or {})
    return Transcript(
        replies=read_replies(fields.get("messages") or (), cut),
        calls=tuple(SaidCall(name=n, arguments=given, reply=r) for n, given, r in store.calls),
        repairs=tuple(store.repairs),
        limit=str((fields.get("limit") or {}).get("type") or ""),
        shown=read_shown(fields.get("messages") or ()),
        checked=None if store.answer_check is None else store.answer_check.turn,
    )


def _parse_member(content: bytes) -> tuple[EvalSample, Transcript]:
    try:
        member = _Member.model_validate_json(content)
    except ValidationError:
        # Half a surrogate pair, say, which the standard library lets pass.
        member = _Member.model_validate(json.loads(content))
    fields = {name: getattr(member, name) for name in member.model_fields_set}
    kept = {name: value for name, value in fields.items() if name not in _SAID}
    sample = EvalSample.model_validate({"input": "", "target": "", **kept})
    return sample, _read_transcript(fields, _find_cut(content))


def _tell_error(message: str) -> str:
    # What raised may have said half a pair of surrogates, which no report could hold.
    return str(make_writable(redact(f"error: {message}")))


def read_logged_verdict(sample: EvalSample) -> Verdict:
    """Return the verdict that a log holds of a sample."""
    if sample.error is not None:
        return Verdict(numbers={}, unscored=_tell_error(sample.error.message))
    score = next(iter((sample.scores or {}).values()), None)
    if score is None:
        return Verdict(numbers={}, unscored="the run was stopped before this was scored")
    if TURNS_KEY not in sample.store:
        return Verdict(numbers={}, unscored="its turns are not in the log; run it again")
    labels = (score.metadata or {}).get("labels", {})
    if not isinstance(score.value, dict):
        return Verdict(numbers={}, labels=labels, unscored=score.explanation or "not scored")
    return Verdict(numbers=score.value, labels=labels, answer=score.answer)


def make_logged_row(
    sample: EvalSample,
    record: EpisodeRecord,
    turns: list[Turn],
    said: Transcript,
    *,
    model: str,
    labels: Mapping[str, str],
    usage: Usage | None,
) -> Row:
    """Return the row of a sample, with the verdict that its log holds."""
    verdict = read_logged_verdict(sample)
    return Row(
        family=record.family,
        version=record.version,
        edition=record.edition,
        set=record.set,
        agent=who_played(record.player, record.agent, model),
        interface=record.interface,
        id=str(sample.id),
        epoch=sample.epoch,
        facets=record.instance.get("facets", {}),
        numbers=verdict.numbers,
        labels={**verdict.labels, **labels},
        turns=len(turns),
        answered=verdict.is_answered,
        faults=count_bad_replies(turns, find_cut_turns(said, turns)),
        refusals=count_refusals(turns),
        limit=said.limit,
        unscored=verdict.unscored,
        usage=usage,
        proof=UNCHECKED,
    )
