"""Places: where files are, on this machine or on an object store, under one name.

A bare path and `file://` are on this machine. `s3://`, `gs://`, `az://` and whatever else fsspec
knows are elsewhere; credentials come from the environment, as the store's own package reads them.
On an object store nothing is renamed and no bucket is made: a file is one PUT, whole or not there.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EISDIR
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from causarium.errors import BadFile, MissingExtra, UsageError

COMMON_SCHEMES = ("az", "file", "gs", "memory", "s3")
"""Those that messages name."""
PARTIAL = ".partial"
"""How the name of a file ends that is not whole yet."""
_EXTRAS = {"s3": "causarium[s3]", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs"}
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_BROKEN_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/(?!/)")
_TOKEN = re.compile(r"[?&#][\w.-]*(?:key|token|secret|sig|passw|auth)[\w.-]*=", re.IGNORECASE)
_PASSWORD = re.compile(r"//[^/@]*:[^/@]*@")


def cache_folder() -> Path:
    """Return the user's folder for what can be fetched or computed again."""
    place = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(place) if place else Path.home() / ".cache") / "causarium"


def find_below(folder: Path, suffix: str) -> Iterator[Path]:
    """Yield what is below a folder, however deep, with a name that ends so, but for folders.

    Links to folders are not followed, and what cannot be listed holds nothing. The library's own
    search gives up at a thousand folders within each other.
    """
    waiting = [folder]
    while waiting:
        with suppress(OSError):
            for path in waiting.pop().iterdir():
                if is_folder(path):
                    waiting += [] if path.is_symlink() else [path]
                elif path.name.endswith(suffix):
                    yield path


def is_folder(path: Path) -> bool:
    """Whether a path leads to a folder; pathlib's own raises where a link's name is too long."""
    return os.path.isdir(path)  # noqa: PTH112


def is_file(path: Path) -> bool:
    """Whether a path leads to a file; as above, a link that leads nowhere does not."""
    return os.path.isfile(path)  # noqa: PTH113


@dataclass(frozen=True, slots=True)
class Place:
    """A file or a folder, here or on an object store."""

    url: str
    """As people write it, without a slash at the end."""
    path: Path | None
    """Where it is on this machine; None on an object store."""

    @classmethod
    def parse(cls, text: "str | Path | Place") -> "Place":
        """Read a path or a URL; nothing is opened yet.

        Raises:
            UsageError: The scheme is unknown, its package is missing, or a password is in it.
        """
        if isinstance(text, Place):
            return text
        given = str(text)
        scheme = _URL.match(given)
        if scheme is None:
            if broken := _BROKEN_URL.match(given):
                fixed = f"{broken[1]}://{given[broken.end() :]}"
                raise UsageError(f"{given} has lost a slash; give it as text: {fixed!r}")
            return cls(given, Path(given))
        if _PASSWORD.search(given) or _TOKEN.search(given):
            raise UsageError("a URL must not hold a password or a token; set it in the environment")
        filesystem, path = _find_filesystem(given, scheme[1])
        if scheme[1] in ("file", "local"):
            return cls(path, Path(path))
        return cls(filesystem.unstrip_protocol(path).rstrip("/"), None)

    def __str__(self) -> str:
        return self.url

    def __truediv__(self, name: str) -> "Place":
        if self.path is not None:
            return Place(str(self.path / name), self.path / name)
        return Place(f"{self.url}/{name}", None)

    @property
    def parent(self) -> "Place":
        """The folder that it is in."""
        if self.path is not None:
            return Place(str(self.path.parent), self.path.parent)
        return Place(self.url.rpartition("/")[0], None)

    @property
    def name(self) -> str:
        """The last part of its name."""
        return Path(self.url).resolve().name if self.path is not None else Path(self.url).name

    @property
    def suffix(self) -> str:
        """How its name ends, with the dot."""
        return Path(self.url).suffix

    @property
    def resolved(self) -> str:
        """Its name, the same from whatever folder it is asked for."""
        return self.url if self.path is None else str(self.path.resolve())

    def exists(self) -> bool:
        """Whether there is a file of this name, or anything in a folder of this name."""
        if self.path is not None:
            return self.path.exists()
        with self._name_errors("look at"):
            return bool(self._filesystem.exists(self._key))

    def is_folder(self) -> bool:
        """Whether it is a folder; on an object store, whether anything is below it."""
        if self.path is not None:
            return self.path.is_dir()
        with self._name_errors("look at"):
            return bool(self._filesystem.isdir(self._key))

    def list_names(self) -> list[str]:
        """Return the names of all that is in this folder; nothing if it is not there."""
        if self.path is not None:
            return sorted(p.name for p in self.path.iterdir()) if self.path.is_dir() else []
        with self._name_errors("list"):
            try:
                entries = self._filesystem.ls(self._key, detail=False, refresh=True)
            except FileNotFoundError:
                return []
        return sorted({entry.rstrip("/").rpartition("/")[2] for entry in entries} - {""})

    def find_files(self, suffix: str) -> "dict[str, tuple[Place, str]]":
        """Return the files below this folder with names that end so.

        Returns:
            By name relative to this folder: each file, and a text that changes with its content.
        """
        with self._name_errors("list"):
            listed = self._filesystem.find(self._key, detail=True)
        start = len(self._key.rstrip("/")) + 1
        return {
            key[start:]: (self / key[start:], _read_mark(about))
            for key, about in sorted(listed.items())
            if key.endswith(suffix)
        }

    def read_bytes(self) -> bytes:
        """Return what the file holds.

        Raises:
            BadFile: It cannot be read.
        """
        with self._name_errors("read"):
            if self.path is not None:
                return self.path.read_bytes()
            content: bytes = self._filesystem.cat_file(self._key)
            return content

    def read_lines(self) -> Iterator[bytes]:
        """Yield the lines of a file, each without its line feed, without holding the others.

        Raises:
            BadFile: It cannot be read.
        """
        with self._name_errors("read"):
            opened: Any = (
                self.path.open("rb") if self.path else self._filesystem.open(self._key, "rb")
            )
            with opened as file:
                for line in file:
                    yield line.removesuffix(b"\n")

    def write_bytes(self, content: bytes) -> None:
        """Write the file so that it is there whole or not at all, and stays after a power cut.

        Raises:
            BadFile: It cannot be written.
        """
        with self._name_errors("write"):
            if self.path is None:
                self._filesystem.pipe_file(self._key, content)
            else:
                _write_durably(self.path, content)

    def claim(self, who: str) -> str:
        """Write a name into a new file on an object store; returns the name that it holds now.

        Two that claim it at once both get the same name.

        Raises:
            BadFile: It cannot be written, or the store cannot tell who was first.
        """
        with self._name_errors("claim"):
            try:
                self._filesystem.pipe_file(self._key, who.encode(), mode="create")
            except FileExistsError:
                return self.read_bytes().decode(errors="replace")
        return who

    def copy_from(self, path: Path) -> None:
        """Put a whole file of this machine here; the file itself may be moved.

        Raises:
            BadFile: It cannot be written.
        """
        with self._name_errors("write"):
            if self.path is None:
                self._filesystem.put_file(str(path), self._key)
            else:
                path.replace(self.path)

    def copy_to(self, path: Path) -> None:
        """Copy the file to this machine, whole or not at all.

        Raises:
            BadFile: It cannot be read.
        """
        _write_durably(path, self.read_bytes())

    @property
    def _filesystem(self) -> Any:  # noqa: ANN401 - fsspec has no types
        return _find_filesystem(self.url, self.url.partition(":")[0])[0]

    @property
    def _key(self) -> str:
        return _find_filesystem(self.url, self.url.partition(":")[0])[1]

    @contextmanager
    def _name_errors(self, verb: str) -> Iterator[None]:
        """Turn whatever a disk or a store says into a message that names the place."""
        try:
            yield
        except (UsageError, GeneratorExit):
            raise
        except OSError as wrong:
            raise BadFile(f"cannot {verb} {self.url}: {wrong}") from wrong
        except Exception as wrong:
            if self.path is not None:
                raise
            detail = f"{type(wrong).__name__}: {wrong}"
            raise BadFile(f"cannot {verb} {self.url}: {detail}") from wrong


def _find_filesystem(url: str, scheme: str) -> tuple[Any, str]:
    import fsspec

    protocols = fsspec.available_protocols()
    if scheme not in protocols:
        names = ", ".join(COMMON_SCHEMES)
        raise UsageError(f"unknown scheme {scheme!r} in {url}; known: {names}")
    # What other machines write must be seen, so no listing is kept.
    options = {} if scheme in ("file", "local") else {"use_listings_cache": False}
    try:
        filesystem, path = fsspec.core.url_to_fs(url, **options)
    except ImportError as wrong:
        package = _EXTRAS.get(scheme, str(wrong))
        raise UsageError(f"{scheme}:// needs a package: pip install '{package}'") from wrong
    return filesystem, str(path)


def _read_mark(about: dict[str, Any]) -> str:
    times = [about.get(name) for name in ("ETag", "etag", "LastModified", "mtime", "created")]
    return "-".join(str(part) for part in (about.get("size"), *times) if part is not None)


def _write_durably(path: Path, content: bytes) -> None:
    if path.is_dir():
        raise IsADirectoryError(EISDIR, "it is a folder", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}{PARTIAL}")
    try:
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError:
        with suppress(OSError):
            partial.unlink()
        raise


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole or not at all.

    Raises:
        BadFile: It cannot be written there.
    """
    try:
        _write_durably(path, content.encode() if isinstance(content, str) else content)
    except OSError as wrong:
        raise BadFile(f"cannot write {path}: {wrong}") from wrong


def import_extra(module: str, *, extra: str) -> Any:  # noqa: ANN401
    """Import a package that comes with an extra of ours.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        return import_module(module)
    except ImportError as wrong:
        raise MissingExtra(f"a table in {module.partition('.')[0]}", extra) from wrong


def write_parquet(
    columns: Mapping[str, Sequence[Any]],
    types: Mapping[str, str | int] | None = None,
    **options: object,
) -> bytes:
    """Return a table as a Parquet file.

    Args:
        columns: Its values, by name.
        types: The types of all columns, as pyarrow calls them, or how many bytes each value has;
            found by itself where not given.
        options: How pyarrow is to write it.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    arrow = import_extra("pyarrow", extra="parquet")
    kinds = ((n, arrow.binary(k) if isinstance(k, int) else k) for n, k in (types or {}).items())
    schema = None if types is None else arrow.schema(list(kinds))
    sink = BytesIO()
    parquet = import_extra("pyarrow.parquet", extra="parquet")
    parquet.write_table(arrow.table(dict(columns), schema=schema), sink, **options)
    return sink.getvalue()
