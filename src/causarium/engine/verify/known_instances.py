"""Which instances there are: those of named sets, and those of set files that the user has."""

import contextlib
import stat
from pathlib import Path

from causarium.contract.family import AnyFamily
from causarium.contract.places import Place
from causarium.contract.rules import Edition
from causarium.contract.sets.instance_digests import instance_digests, line_digest
from causarium.contract.sets.instance_sets import generate_one, read_set
from causarium.contract.sets.part_files import MANIFEST
from causarium.engine.logbook.log_book import LoggedSample
from causarium.errors import CausariumError

MOST_BYTES = 2_000_000_000
"""A set file that a log names is not read beyond this size."""


class KnownInstances:
    """Recognizes instances; what it looked up once it does not look up again."""

    def __init__(self, *, draw: bool = False) -> None:
        """Recognize by the digests that families ship, or by generating each instance anew.

        Args:
            draw: Generate each instance anew; takes up to a hundred times as long.
        """
        self._draw = draw
        self._sets: dict[tuple[str, Edition, str], dict[str, int]] = {}
        self._files: dict[tuple[str, str], frozenset[str]] = {}

    def is_known(self, sample: LoggedSample, family: AnyFamily, line: str | bytes) -> bool:
        """Whether a line is an instance of the set that a sample says it is of.

        Args:
            sample: The sample of a log.
            family: The family of the sample.
            line: The instance of the sample, as a line of a set file.
        """
        digest, file = line_digest(line), sample.header.set_file
        if file is not None:
            return digest in self._read_file(family, file)
        edition, name = sample.row.edition, sample.row.set
        place = self._read_set(family, edition, name).get(digest)
        if place is None or not self._draw:
            return place is not None
        return line_digest(generate_one(family, edition, name, place).line()) == digest

    def _read_set(self, family: AnyFamily, edition: Edition, name: str) -> dict[str, int]:
        key = family.name, edition, name
        if key not in self._sets:
            self._sets[key] = {}
            # A set that nobody knows holds nothing.
            with contextlib.suppress(CausariumError):
                digests = instance_digests(family, edition, name)
                self._sets[key] = {digest: place for place, digest in enumerate(digests)}
        return self._sets[key]

    def _read_file(self, family: AnyFamily, file: str) -> frozenset[str]:
        key = family.name, file
        if key not in self._files:
            self._files[key] = frozenset()
            with contextlib.suppress(CausariumError):
                place = Place.parse(file)
                # What lies on an object store can only be read as a set or not at all.
                path = place.path
                if path is None or _is_small_file(path) or _is_small_folder(path):
                    instances = read_set(place, family)[1]
                    self._files[key] = frozenset(line_digest(i.line()) for i in instances)
        return self._files[key]


def _is_small_folder(path: Path) -> bool:
    """Whether a path that a log names is a folder of parts that can be read to its end."""
    try:
        parts = sorted(path.glob("part-*.parquet")) if (path / MANIFEST).is_file() else []
        return bool(parts) and sum(part.stat().st_size for part in parts) <= MOST_BYTES
    except (OSError, ValueError):
        return False


def _is_small_file(path: Path) -> bool:
    """Whether a path that a log names is a file that can be read to its end."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= MOST_BYTES
