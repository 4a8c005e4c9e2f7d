"""Sets of any size: a folder of parts, each with its instances and their certificates.

    part-000000.parquet  part-000000.json  part-000001.parquet  …  manifest.json

A part depends on the set's address and its number alone, so any machine may make any part. Its
JSON file is written last: a Parquet file without one does not count. The manifest is written by
whoever finds every part there, and two writers write the same bytes.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import Literal, NamedTuple, TypeVar

from pydantic import Field, SecretStr, ValidationError

from causarium.contract.certificate import Certificate
from causarium.contract.family import AnyInstance
from causarium.contract.family_card import Part, Split
from causarium.contract.frozen import Frozen, canonical_json, digest, nan_to_null
from causarium.contract.places import PARTIAL, Place, import_extra, write_parquet
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile, UsageError

MANIFEST = "manifest.json"
_MARK_NAME = re.compile(r"part-(\d{6,})\.json")
_ROW_GROUP = 1_000
_KEY_BYTES = 16
_COLUMNS: dict[str, str | int] = {
    "index": "int64",
    "id": "string",
    "key": _KEY_BYTES,
    "instance": "large_string",
    "certificate": "large_string",
}
"""The columns of a part: their types as pyarrow calls them, or how many bytes a value has."""

Description = TypeVar("Description", bound=Frozen)


class SetAddress(Frozen):
    """Which instances a set holds, and how it is cut; the same in all its files."""

    format: Literal["causarium-parts/1"] = "causarium-parts/1"
    family: str
    version: str
    level: str
    seed: int
    split: Split | None = None
    """Which split the seed is one of; None: the seed is what the family is handed."""
    salt_id: str | None = None
    """By which salt a private set can be told."""
    canary: str | None = None
    start: int = Field(default=0, ge=0)
    """The index of the first instance."""
    size: int = Field(gt=0)
    rows: int = Field(default=1_000, gt=0)
    """How many instances a part holds; the last one may hold fewer."""
    certified: bool = True
    """Whether certificates are kept."""

    @property
    def count(self) -> int:
        """How many parts there are."""
        return math.ceil(self.size / self.rows)

    def level_part(self, salt: SecretStr | None = None) -> Part:
        """Return what the whole set holds, as a set file says it."""
        return Part(**self.model_dump(include=set(Part.model_fields)), salt=salt)

    def indices(self, part: int) -> range:
        """Return the indices of a part's instances."""
        first = part * self.rows
        return range(self.start + first, self.start + min(first + self.rows, self.size))


class PartFacts(Frozen):
    """What is in one part."""

    part: int
    first: int
    rows: int
    lines: str
    """The digest of the instances' lines: the promise, which the family's version alone decides."""
    file: str
    """The digest of the Parquet file, to find damage. Another pyarrow may write other bytes."""
    bytes: int
    uncertified: int = 0
    """How many instances have a proof that does not hold."""
    held_back: int = 0
    """How many draws were passed over, because they belong to another split or to the test."""


class PartMark(PartFacts):
    """The JSON file beside a part: the part is there, and it is of this set."""

    set: SetAddress

    def facts(self) -> PartFacts:
        """Return what the manifest says of the part."""
        return PartFacts.model_validate(self.model_dump(exclude={"set"}))


class Manifest(SetAddress):
    """A whole set in parts."""

    parts: tuple[PartFacts, ...]
    digest: str
    """The digest of the parts' `lines`, in order."""

    def address(self) -> SetAddress:
        """Return which set it is."""
        return SetAddress.model_validate(self.model_dump(exclude={"parts", "digest"}))

    @property
    def instances(self) -> int:
        """How many instances are in the parts."""
        return sum(part.rows for part in self.parts)


class PartRow(NamedTuple):
    """One instance of a part."""

    number: int
    """The instance's index."""
    id: str
    key: bytes
    """The first bytes of the sha256 of what is public and secret: equal for equal problems."""
    line: str
    certificate: str | None


def make_row(index: int, instance: AnyInstance, certificate: Certificate | None) -> PartRow:
    """Return the row of an instance; each of its pieces is written as JSON once."""
    value = instance.model_dump(mode="json")
    pieces = {name: canonical_json(value[name]) for name in sorted(value)}
    line = ",".join(f'"{name}":{text}' for name, text in pieces.items())
    content = f"[{pieces['public']},{pieces['secret']}]"
    return PartRow(
        index,
        instance.id,
        hashlib.sha256(content.encode()).digest()[:_KEY_BYTES],
        f"{{{line}}}",
        None if certificate is None else write_certificate(certificate),
    )


def write_certificate(certificate: Certificate) -> str:
    """Return a certificate as one line of canonical JSON; what is not a number is null."""
    return canonical_json(nan_to_null(certificate.flat()))


def name_part(part: int) -> str:
    """Return the name of a part's Parquet file."""
    return f"part-{part:06d}.parquet"


def _name_mark(part: int) -> str:
    return f"part-{part:06d}.json"


def write_part(
    folder: Place,
    address: SetAddress,
    part: int,
    rows: Sequence[PartRow],
    *,
    uncertified: int,
    held_back: int = 0,
) -> PartFacts:
    """Write a part, and then the JSON file that makes it count.

    Raises:
        BadFile: It cannot be written there.
    """
    content = _to_parquet(rows)
    mark = PartMark(
        part=part,
        first=address.indices(part).start,
        rows=len(rows),
        lines=digest(*(row.line for row in rows)),
        file=f"sha256:{hashlib.sha256(content).hexdigest()}",
        bytes=len(content),
        uncertified=uncertified,
        held_back=held_back,
        set=address,
    )
    (folder / name_part(part)).write_bytes(content)
    (folder / _name_mark(part)).write_bytes(_to_json(mark))
    return mark.facts()


def _to_json(value: Frozen) -> bytes:
    return f"{canonical_json(value.model_dump(mode='json'))}\n".encode()


def _to_parquet(rows: Sequence[PartRow]) -> bytes:
    columns = list(zip(*rows, strict=True)) or [()] * len(_COLUMNS)
    return write_parquet(
        dict(zip(_COLUMNS, columns, strict=True)),
        _COLUMNS,
        compression="zstd",
        compression_level=3,
        row_group_size=_ROW_GROUP,
        store_schema=False,
    )


def list_parts(folder: Place) -> list[int]:
    """Return the numbers of the parts that count, in order."""
    names = map(_MARK_NAME.fullmatch, folder.list_names())
    return sorted(int(name[1]) for name in names if name)


def list_partial_files(folder: Place) -> list[str]:
    """Return the names of files that a killed process left."""
    return [name for name in folder.list_names() if name.endswith(PARTIAL)]


def read_mark(folder: Place, part: int) -> PartMark:
    """Read what is said of a part.

    Raises:
        BadFile: It cannot be read, or is no such file.
    """
    return _read_json(folder / _name_mark(part), PartMark)


def is_part_whole(folder: Place, mark: PartFacts) -> bool:
    """Whether the Parquet file of a part is there with every byte that its mark is of."""
    try:
        content = (folder / name_part(mark.part)).read_bytes()
    except BadFile:
        return False
    return f"sha256:{hashlib.sha256(content).hexdigest()}" == mark.file


def read_manifest(folder: Place) -> Manifest | None:
    """Read the manifest of a folder; None if it has none.

    Raises:
        BadFile: It is no manifest.
    """
    place = folder / MANIFEST
    return _read_json(place, Manifest) if place.exists() else None


def _read_json(place: Place, kind: type[Description]) -> Description:
    try:
        return kind.model_validate(json.loads(place.read_bytes()))
    except ValidationError as wrong:
        detail = describe_validation_error(wrong)
        raise BadFile(f"{place} does not describe a set in parts: {detail}") from wrong
    except (ValueError, RecursionError) as wrong:
        raise BadFile(f"{place} is not JSON: {wrong}") from wrong


def check_address(found: SetAddress, wanted: SetAddress, place: Place) -> None:
    """Make sure that what is in a folder is of the set that is asked for.

    Raises:
        UsageError: It is not; names what differs, with both values.
    """
    there, asked = found.model_dump(), wanted.model_dump()
    differ = [
        f"{name} {there[name]!r}, and {asked[name]!r} is asked for"
        for name in SetAddress.model_fields
        if there[name] != asked[name]
    ]
    if differ:
        raise UsageError(f"{place} holds a set with {'; '.join(differ)}; name another folder")


def write_manifest(folder: Place, address: SetAddress, marks: Iterable[PartMark]) -> Manifest:
    """Write the manifest of a set once all its parts are there."""
    parts = tuple(mark.facts() for mark in marks)
    manifest = Manifest(
        **address.model_dump(),
        parts=parts,
        digest=set_digest_of_parts([part.lines for part in parts]),
    )
    content = _to_json(manifest)
    place = folder / MANIFEST
    if not place.exists() or place.read_bytes() != content:
        place.write_bytes(content)
    return manifest


def set_digest_of_parts(lines: Sequence[str]) -> str:
    """Return the digest of a set, from the digests of its parts."""
    return f"sha256:{hashlib.sha256(canonical_json(list(lines)).encode()).hexdigest()}"


def read_part(folder: Place, facts: PartFacts) -> list[PartRow]:
    """Read a part and check its lines against their digest.

    Raises:
        BadFile: It cannot be read, or was changed.
    """
    place = folder / name_part(facts.part)
    rows = parse_part(place, place.read_bytes())
    if digest(*(row.line for row in rows)) != facts.lines:
        raise BadFile(f"{place} does not match its digest; make it again")
    return rows


def parse_part(place: Place, content: bytes) -> list[PartRow]:
    """Read the rows of a Parquet file.

    Raises:
        BadFile: It is none, or not one of ours.
    """
    parquet = import_extra("pyarrow.parquet", extra="parquet")
    try:
        table = parquet.read_table(BytesIO(content))
        columns = [table.column(name).to_pylist() for name in _COLUMNS]
    except Exception as wrong:
        raise BadFile(f"{place} is damaged, or no part of a set: {wrong}") from wrong
    return [PartRow(*values) for values in zip(*columns, strict=True)]


def find_parts_folder(place: Place) -> Place | None:
    """Return the folder of a set in parts, from itself or its manifest; None if it is none."""
    if place.name == MANIFEST:
        return place.parent
    if place.suffix == ".jsonl" or (place.path is not None and place.path.is_file()):
        return None
    return place if place.is_folder() else None


def read_required_manifest(folder: Place) -> Manifest:
    """Read the manifest of a folder.

    Raises:
        BadFile: It has none; says what is missing.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        there = len(list_parts(folder))
        raise BadFile(
            f"{folder} has no {MANIFEST} ({there} parts are there); `causarium merge {folder}` "
            "writes it once all parts are made"
        )
    return manifest


def read_rows(
    folder: Place, manifest: Manifest, start: int = 0, stop: int | None = None
) -> Iterator[PartRow]:
    """Yield rows of a set, one part in memory at a time.

    Args:
        folder: Where the set is.
        manifest: What is in it.
        start: The first row wanted; parts before it are not read.
        stop: The row after the last one wanted; None: to the end.
    """
    first = 0
    for facts in manifest.parts:
        last = first + facts.rows
        if last > start and (stop is None or first < stop):
            wanted = None if stop is None else max(stop - first, 0)
            yield from read_part(folder, facts)[max(start - first, 0) : wanted]
        first = last
