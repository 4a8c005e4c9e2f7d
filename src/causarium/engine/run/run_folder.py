"""What keeps a run's folder whole: one process at a time, damaged and left logs out of the way.

A log is written whole to a file beside it and then renamed, so a process that is killed leaves
no half of one; disks, copies and people do. What is still whole in a damaged log is kept.
"""

import errno
import json
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

from causarium.engine.inspect_private import cleanup_sample_buffers_for_log
from causarium.engine.run.salvage_log import is_finished, salvage_samples
from causarium.errors import RunError

LOCK = ".causarium-lock"
"""In a run's folder: locked by the process that runs it, with its number inside."""
DAMAGED = ".damaged"
"""Put behind the name of a log that cannot be used."""
_HALF_WRITTEN = ".inspect_tmp_*.writing"
_NO_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS}
_BUSY = {errno.EWOULDBLOCK, errno.EACCES}


@contextmanager
def lock_run_folder(folder: Path, tell: Callable[[str], None]) -> Iterator[None]:
    """Hold a run's folder for this process alone, until the block ends or the process dies.

    Raises:
        RunError: Another process holds it.
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
        raise RunError(
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
    """How many whole samples of it are used."""

    def __str__(self) -> str:
        rest = "the others will be run again" if self.kept else "all will be run again"
        return (
            f"{self.path.name} is damaged ({self.problem}) and was renamed to {self.aside.name}; "
            f"{self.kept} of its samples could be saved, {rest}."
        )


def set_aside_damaged_logs(folder: Path) -> list[DamagedLog]:
    """Put damaged logs of a run aside and use what is whole in them; drop half-written files.

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
            damaged.append(DamagedLog(path, problem, aside, salvage_samples(aside, path)))
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
    """Remove what killed processes left of a run that is complete: its last log has it all.

    Inspect leaves them, for it cannot know that nobody writes them any more.
    """
    *older, newest = sorted(folder.glob("*.eval"), key=lambda path: path.name)
    if read_eval_log(str(newest), header_only=True).status != "success":
        return
    finished = _list_finished_samples(newest)
    for path in older:
        is_unfinished = read_eval_log(str(path), header_only=True).status == "started"
        if is_unfinished and _list_finished_samples(path) <= finished:
            cleanup_sample_buffers_for_log(str(path))
            path.unlink()


def _list_finished_samples(path: Path) -> set[tuple[str, int]]:
    summaries = read_eval_log_sample_summaries(str(path))
    return {(str(summary.id), summary.epoch) for summary in summaries if summary.error is None}


def _free_name(path: Path) -> Path:
    number, name = 1, path.with_name(path.name + DAMAGED)
    while name.exists():
        number += 1
        name = path.with_name(f"{path.name}{DAMAGED}-{number}")
    return name
