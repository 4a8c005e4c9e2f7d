"""The files within a log, each no larger than any of ours, whatever a stranger's log unpacks to."""

import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from causarium.contract.texts.replies import describe_error
from causarium.engine.record.json_size import count_values
from causarium.errors import BadFile, UsageError

SAMPLES = "samples/"
_MOST_BYTES = 128_000_000
"""The most that one file within a log may unpack to; the largest of our own logs has 1 MB."""
_MOST_HEADER = 40_000_000
"""The same of what names the instances, a million of them at most: each takes memory of its own."""
_MOST_VALUES = 4_000_000
"""The most values that one file within a log may hold: each takes a hundred bytes as an object."""
_MOST_TIMES = 2_000
"""How many times its own size, beyond that, a log may unpack to; ours do up to 1,400 times, where a
model says one letter for ever."""
_PIECE = 4_000
"""Few bytes of an archive, as even these may unpack to 100 MB."""


@contextmanager
def copy_log(path: Path, is_wanted: Callable[[str], bool] = lambda _: True) -> Iterator[str]:
    """Give a copy of a log, or of some files within it, that Inspect can read without harm.

    Inspect's own reader unpacks whatever there is, and a stranger's log of 1 MB may hold gigabytes.

    Raises:
        BadFile: It is no file, or unpacks to more than a log does.
        Exception: It is damaged.
    """
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.eval"
        with zipfile.ZipFile(copy, "w") as archive:
            for name, content in read_members(path, is_wanted):
                archive.writestr(name, content)
        yield str(copy)


def is_of_header(name: str) -> bool:
    """Whether a file of a log says what its run is."""
    # A run that has not ended has its header in pieces.
    return name == "header.json" or name.startswith(("_journal/start", "_journal/config"))


def is_sample(name: str) -> bool:
    """Whether a file of a log is a sample."""
    return name.startswith(SAMPLES) and name.endswith(".json")


def read_members(
    path: Path, is_wanted: Callable[[str], bool], skipped: list[str] | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield files within a log, by name; the sizes that the log tells are not relied upon.

    Args:
        path: The log.
        is_wanted: Which files to read.
        skipped: Gets why a file was left out, and others are read on; None: that is raised.
    """
    # To open a named pipe is to wait for ever.
    if path.exists() and not path.is_file():
        raise BadFile(f"{path} is no file, and a log is; remove it")
    left = _MOST_BYTES + _MOST_TIMES * path.stat().st_size
    # Inspect, once imported, has taught the standard library the archive's compression.
    with zipfile.ZipFile(path) as archive:
        # A sample that was tried again stands there twice; the later one counts.
        for name in filter(is_wanted, dict.fromkeys(archive.namelist())):
            most = min(left, _MOST_HEADER if is_of_header(name) else _MOST_BYTES)
            try:
                with name_damaged_log(path, name), archive.open(name) as member:
                    pieces = iter(partial(member.read, _PIECE), b"")
                    content = b"".join(islice(pieces, max(0, most) // _PIECE + 1))
                left -= len(content)
                _check_size(path, name, content, most)
            except BadFile as wrong:
                if skipped is None:
                    raise
                skipped.append(str(wrong))
            else:
                yield name, content


def _check_size(path: Path, name: str, content: bytes, most: int) -> None:
    """Refuse a file of a log that is larger than any of ours.

    Raises:
        BadFile: It is.
    """
    told = f"{path} is larger than a log can be: {name} "
    if len(content) > most:
        raise BadFile(
            f"{told}unpacks to {len(content):,} bytes or more; this file of a log may have "
            f"{most:,}, and all of them {_MOST_TIMES} times the log's own size more; leave it out"
        )
    if count_values(content, _MOST_VALUES) > _MOST_VALUES:
        raise BadFile(f"{told}holds more than {_MOST_VALUES:,} values; leave it out")


@contextmanager
def name_damaged_log(path: Path, sample: str | int | None = None) -> Iterator[None]:
    """Turn whatever a damaged log makes us stumble over into a message that names the log."""
    try:
        yield
    except (UsageError, GeneratorExit):
        raise
    except Exception as wrong:
        where = "" if sample is None else f" in sample {sample}"
        raise BadFile(
            f"{path} is cut off or damaged{where} ({describe_error(wrong) or type(wrong).__name__})"
            "; run it again to resume from the samples that are whole"
        ) from wrong
