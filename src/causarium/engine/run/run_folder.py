"""What keeps a run's folder whole: one process at a time, damaged and left logs out of the way.

A log is written whole to a file beside it and then renamed, so a process that is killed leaves
no half of one; disks, copies and people do. The samples of a damaged log are played again.
"""

import errno
import json
import logging
import os
import shutil
import sqlite3
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalSample,
    RecoveryNotAvailable,
    read_eval_log,
    recover_eval_log,
    resolve_sample_attachments,
    write_eval_log,
)

from causarium.contract.places import Place
from causarium.engine.inspect_private import cleanup_sample_buffers_for_log
from causarium.engine.logbook.log_files import local_copy
from causarium.engine.record.episode_record import METADATA_KEY, TURNS_KEY, read_replies
from causarium.errors import RunError

LOCK = ".causarium-lock"
"""In a run's folder: locked by the process that runs it, with its number inside."""
DAMAGED = ".damaged"
"""Put behind the name of a log that cannot be used."""
_HALF_WRITTEN = ".inspect_tmp_*.writing"
Which = tuple[str, int]
"""A sample: its id and epoch."""
_NO_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS}
_BUSY = {errno.EWOULDBLOCK, errno.EACCES}


_ROOM = 1 << 20
"""Where less than this is free on a disk, it is as good as full."""


class RunTaken(RunError):
    """Another process plays the same run."""


@contextmanager
def hold_run_folder(folder: Place) -> Iterator[None]:
    """Hold a folder for a run, tidy it before and after, and look at what the run has left.

    An object store has no locks: what is held is the copy on this machine, against its processes.

    Raises:
        RunTaken: Another process holds it.
        RunError: It cannot be written to, or the run left no whole log.
        KeyboardInterrupt: Somebody stopped the run.
    """
    errors = InspectErrors()
    try:
        with _tidy_folder(folder), errors.collect():
            before = _list_logs(folder)
            yield
            _check_end(folder, before, errors.messages)
    except OSError as wrong:
        saved = "Finished instances are saved; fix" if _list_logs(folder) else "Fix"
        raise RunError(
            f"The run cannot continue in {folder}: {wrong}. {saved} this, then run the same "
            "command to resume."
        ) from wrong


@contextmanager
def _tidy_folder(folder: Place) -> Iterator[None]:
    with lock_run_folder(folder.path or local_copy(folder), _print_note):
        if folder.path is None:
            recover_crashed_logs(folder)
            yield
            return
        _bring_logs_out_of_the_future(folder.path)
        recover_crashed_logs(folder)
        for log in set_aside_damaged_logs(folder.path):
            _print_note(str(log))
        yield
        delete_leftovers(folder.path)


def _bring_logs_out_of_the_future(folder: Path) -> None:
    """Let no log be newer than what is written now: by its time Inspect takes it for the last."""
    now = time.time()
    for path in folder.glob("*.eval"):
        if path.stat().st_mtime > now:
            os.utime(path, (now, now))


def _print_note(text: str) -> None:
    sys.stderr.write(f"{text}\n")


class InspectErrors(logging.Handler):
    """Collects the errors that Inspect logs, which some of its displays show to nobody."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message of an error."""
        self.messages.append(record.getMessage())

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Collect for as long as the block lasts."""
        logger, before = logging.getLogger("inspect_ai"), logging.raiseExceptions
        logger.addHandler(self)
        # On a full disk a log of what happens fails at every line, with a traceback for each.
        logging.raiseExceptions = False
        try:
            yield
        finally:
            logging.raiseExceptions = before
            logger.removeHandler(self)


def _list_logs(folder: Place) -> list[str]:
    return sorted(name for name in folder.list_names() if name.endswith(".eval"))


def _check_end(folder: Place, before: Collection[str], errors: Sequence[str]) -> None:
    """Look at what a run has left; Inspect may end as if all were well.

    Raises:
        RunError: There is no log, or it could not be written to its end.
        KeyboardInterrupt: Somebody stopped the run.
    """
    logs = _list_logs(folder)
    logs = [name for name in logs if name not in before] or logs
    newest = f"{folder}/{logs[-1]}" if logs else ""
    status = read_eval_log(newest, header_only=True).status if newest else None
    if status == "cancelled":
        raise KeyboardInterrupt
    if status is None or status == "started":
        reasons = list(errors[-1:])
        here = folder.path
        free = shutil.disk_usage(here).free if here is not None and here.exists() else _ROOM
        if free < _ROOM:
            reasons.append(f"the disk has only {free:,} bytes left")
        raise RunError(
            f"Inspect could not write its log in {folder} to the end "
            f"({'; '.join(reasons) or 'it says why above'}). Finished instances are saved; "
            "fix this, then run the same command to resume."
        )


@contextmanager
def lock_run_folder(folder: Path, tell: Callable[[str], None]) -> Iterator[None]:
    """Hold a run's folder for this process alone, until the block ends or the process dies.

    Raises:
        RunTaken: Another process holds it.
        OSError: The folder cannot be made or written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _lock(file, folder, tell)
        os.ftruncate(file, 0)
        os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        yield
        if not os.fstat(file).st_nlink:
            tell(
                f"{folder} was deleted during the run. The log was written again with all its "
                "samples; anything else that was in the folder is lost."
            )
    finally:
        # This gives the lock back. The file stays: whoever waits for it may have it open.
        os.close(file)


def _lock(file: int, folder: Path, tell: Callable[[str], None]) -> None:
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as wrong:
        if wrong.errno in _NO_LOCKS:
            tell(f"{folder} is on a disk without file locks; run this in one process only.")
            return
        if wrong.errno not in _BUSY:
            raise
        holder = os.pread(file, 32, 0).decode(errors="replace").strip() or "of unknown number"
        raise RunTaken(
            f"process {holder} is already running this in {folder}. Wait until it ends, or stop "
            f"it (kill {holder}), then run the same command again."
        ) from wrong


@dataclass(frozen=True, slots=True)
class DamagedLog:
    """A log that was found damaged."""

    path: Path
    problem: str
    aside: Path
    """Where the damaged file is now."""
    kept: int
    """How many of its samples are used."""

    def __str__(self) -> str:
        rest = "the others will be run again" if self.kept else "all will be run again"
        return (
            f"{self.path.name} is damaged ({self.problem}) and was renamed to {self.aside.name}; "
            f"{self.kept} of its samples could be saved, {rest}."
        )


def recover_crashed_logs(folder: Place) -> None:
    """Put what a killed session had finished into its log, turns included.

    Inspect keeps finished samples in a database until it writes them to the log. It would recover
    them itself when the run goes on, but without their stores, and so without the turns.

    Raises:
        OSError: A log cannot be written.
    """
    for name in folder.list_names():
        log = f"{folder}/{name}"
        if name.endswith(".eval") and _is_crashed(log):
            # Without the database, what the log holds is all there is.
            with suppress(RecoveryNotAvailable, sqlite3.Error):
                restore_stores(recover_eval_log(log, overwrite=True).location)


def _is_crashed(log: str) -> bool:
    try:
        return read_eval_log(log, header_only=True).status == "started"
    except OSError:
        raise
    except Exception:  # noqa: BLE001 - it is damaged, which is for others to see
        return False


def restore_stores(location: str) -> None:
    """Give the samples of a recovered log the stores that their events tell of, if they do."""
    log = read_eval_log(location)
    restored = False
    for sample in log.samples or ():
        if sample.error is None and not sample.store:
            sample.store = rebuild_store(sample)
            restored = restored or bool(sample.store)
    if restored:
        write_eval_log(log, location)


def rebuild_store(sample: EvalSample) -> dict[str, Any]:
    """Return the store that the outermost steps of a sample left; empty if they do not tell."""
    # Long texts stand apart in a log.
    events = resolve_sample_attachments(sample, "full").events
    steps = {
        event.id for event in events if event.event == "span_begin" and event.parent_id is None
    }
    store: dict[str, Any] = {}
    for event in events:
        if event.event != "store" or event.span_id not in steps:
            continue
        for change in event.changes:
            key = change.path.removeprefix("/")
            if change.op not in {"add", "replace"} or "/" in key:
                return {}
            store[key] = change.value
    return store


def set_aside_damaged_logs(folder: Path) -> list[DamagedLog]:
    """Put damaged logs of a run aside; drop half-written files.

    Of a log that can be read, those samples are kept that lack nothing.

    Raises:
        OSError: A file cannot be read or renamed.
    """
    for left in folder.glob(_HALF_WRITTEN):
        left.unlink(missing_ok=True)
    damaged = []
    for path in sorted(folder.glob("*.eval")):
        if problem := find_damage(path):
            aside = _free_name(path)
            path.rename(aside)
            damaged.append(DamagedLog(path, problem, aside, _keep_finished_samples(aside, path)))
    return damaged


def find_damage(path: Path) -> str | None:
    """Return what is wrong with a log; None if every part of it is whole.

    Raises:
        OSError: The file cannot be read at all.
    """
    if not path.stat().st_size:
        return "it is empty"
    try:
        _check_archive(path)
        read_eval_log(str(path), header_only=True)
    except OSError as wrong:
        if wrong.errno != errno.EINVAL:
            raise
        return "its list of contents seems to begin before the file does"
    except (zipfile.BadZipFile, zlib.error, EOFError) as wrong:
        return str(wrong) or "it is cut off"
    except Exception as wrong:  # noqa: BLE001 - whatever a reader of headers stumbles over
        return f"{type(wrong).__name__} while reading it"
    return None


def _check_archive(path: Path) -> None:
    with zipfile.ZipFile(path) as log:
        broken = log.testzip()
        if broken is not None:
            raise zipfile.BadZipFile(f"{broken} cannot be read")
        # No log has remarks: where one seems to, a wrong length hides the members behind it.
        if any(member.comment for member in log.infolist()):
            raise zipfile.BadZipFile("its list of contents is broken")
        names = [name for name in log.namelist() if name.startswith("samples/")]
        if lacking := sum(not is_finished(json.loads(log.read(name))) for name in names):
            raise zipfile.BadZipFile(f"{lacking} samples lack their turns or what was said")


def delete_leftovers(folder: Path) -> None:
    """Remove what killed processes left of a run that is complete: its whole log has it all.

    Inspect leaves them, for it cannot know that nobody writes them any more.
    """
    complete: list[Path] = []
    unfinished: list[Path] = []
    for path in sorted(folder.glob("*.eval")):
        is_complete = read_eval_log(str(path), header_only=True).status == "success"
        (complete if is_complete else unfinished).append(path)
    if not complete:
        return
    finished = list_finished_samples(complete[-1])
    for path in unfinished:
        if list_finished_samples(path) <= finished:
            cleanup_sample_buffers_for_log(str(path))
            path.unlink()


def list_finished_samples(path: Path) -> set[Which]:
    """Return the samples that a log has finished.

    Raises:
        OSError, ValueError, KeyError, zipfile.BadZipFile: The log is damaged.
    """
    # Not by Inspect's reader, which would patch the event loop that calls its hooks.
    with zipfile.ZipFile(path) as log:
        # A log that is complete has all summaries in one file, another has them bit by bit.
        names = [name for name in log.namelist() if "summaries" in name and name.endswith(".json")]
        summaries = [summary for name in names for summary in json.loads(log.read(name))]
    return {
        (str(summary["id"]), int(summary["epoch"]))
        for summary in summaries
        if not summary.get("error") and summary.get("completed", True)
    }


def _free_name(path: Path) -> Path:
    number, name = 1, path.with_name(path.name + DAMAGED)
    while name.exists():
        number += 1
        name = path.with_name(f"{path.name}{DAMAGED}-{number}")
    return name


def _keep_finished_samples(aside: Path, path: Path) -> int:
    """Write a log with the finished samples of one that was put aside; returns how many.

    A log that cannot be read has none: all that is in it is played again.
    """
    try:
        log = read_eval_log(str(aside), format="eval")
    except Exception:  # noqa: BLE001 - it is damaged, which was said already
        return 0
    samples = log.samples or ()
    log.samples = [one for one in samples if is_finished(one.model_dump(mode="json"))]
    if log.samples:
        # Inspect goes on with a run that failed, and leaves one alone that succeeded.
        log.status, log.results = "error", None
        write_eval_log(log, str(path), format="eval")
    return len(log.samples)


def is_finished(sample: Mapping[str, Any]) -> bool:
    """Whether a sample, as its JSON has it, need not be played again: nothing of it is missing.

    One that an error ended is for Inspect to play again. A full disk may leave a score behind
    without the turns, or turns without what was said.
    """
    if sample.get("error") is not None:
        return True
    store, record = sample.get("store") or {}, (sample.get("metadata") or {}).get(METADATA_KEY)
    if not sample.get("scores") or TURNS_KEY not in store:
        return False
    by_itself = isinstance(record, dict) and (
        record.get("player") is None and record.get("agent") is None
    )
    said = any(turn.get("unparsed") is None for turn in store[TURNS_KEY])
    return not (by_itself and said) or bool(read_replies(sample.get("messages") or ()))
