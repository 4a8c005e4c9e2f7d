"""Sets: drawing them, proving them by digest, and keeping them in files.

A named set lives in its family's card as level, seed, size and digest. A set file is JSON lines:
a header that says where the instances come from and their digest, then one instance a line. A
large set is a folder of parts (`part_files`). Files are written and read as streams.

A family ships the digest of every instance of a named set, so that one can be recognized without
the others: `sets/EDITION-SET.sha256` holds the set's digest, then one line an instance, in order.
Where the file is missing, or is of another digest than the card's, the set is generated.
"""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.family_card import Part, SetSpec
from causarium.contract.frozen import Frozen, canonical_json, digest
from causarium.contract.places import Place, write_atomically
from causarium.contract.rules import Edition
from causarium.contract.rungs import list_rungs, name_rung
from causarium.contract.sets.part_files import (
    MANIFEST,
    PartRow,
    find_parts_folder,
    read_required_manifest,
    read_rows,
)
from causarium.contract.sets.splits import draw_at
from causarium.contract.shard import WHOLE, Shard
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile, ContractError, UnknownName, UsageError

FOLDER = "sets"
_DIGITS = 32
"""Half of a sha256: enough that nobody finds a second text with the same digits."""


def line_digest(line: str | bytes) -> str:
    """Return the digest by which the line of an instance is recognized."""
    content = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    return hashlib.sha256(content).hexdigest()[:_DIGITS]


def digest_file(family: AnyFamily, edition: Edition, name: str) -> Path:
    """Return where a family keeps the digests of a named set's instances."""
    return family.folder / FOLDER / f"{edition}-{name}.sha256"


def instance_digests(family: AnyFamily, edition: Edition, name: str) -> tuple[str, ...]:
    """Return the digests of a named set's instances, in order.

    Raises:
        UnknownName: There is no such set.
        ContractError: There is no current file, and the set generated is not the card's.
    """
    listed = _read_current(family, edition, name)
    return listed or tuple(
        line_digest(instance.line()) for instance in generate_set(family, edition, name)
    )


def _read_current(family: AnyFamily, edition: Edition, name: str) -> tuple[str, ...] | None:
    spec = find_set(family, edition, name)
    try:
        lines = digest_file(family, edition, name).read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return None
    current = lines[:1] == [spec.digest] and len(lines) == spec.size + 1
    return tuple(lines[1:]) if current else None


def write_instance_digests(
    family: AnyFamily, edition: Edition, name: str, digest: str, instances: Iterable[AnyInstance]
) -> None:
    """Write the file of a named set.

    Raises:
        BadFile: The file cannot be written.
    """
    lines = [digest, *(line_digest(instance.line()) for instance in instances)]
    write_atomically(digest_file(family, edition, name), "".join(f"{line}\n" for line in lines))


class SetHeader(Frozen):
    """The first line of a set file."""

    family: str
    version: str
    edition: Edition
    parts: tuple[Part, ...]
    digest: str

    @classmethod
    def make(
        cls, family: AnyFamily, edition: Edition, parts: Sequence[Part], digest: str
    ) -> "SetHeader":
        """Return the header of a set of the family as it is now; a release has no parts."""
        version = family.card.version
        name = family.name
        return cls(family=name, version=version, edition=edition, parts=tuple(parts), digest=digest)


def find_set(family: AnyFamily, edition: Edition, name: str) -> SetSpec:
    """Return the named set of an edition.

    Raises:
        UnknownName: There is none; the nearest one is suggested.
    """
    sets = family.card.sets.get(edition, {})
    if name not in sets:
        raise UnknownName(f"{family.name} set", name, sets, plural=f"{edition} sets")
    return sets[name]


def generate_instances(family: AnyFamily, parts: Iterable[Part]) -> Iterator[AnyInstance]:
    """Draw the instances of `parts`, in order."""
    for part in parts:
        for index in range(part.start, part.start + part.size):
            yield draw_at(family, part, index).instance


def choose_numbers(
    parts: Sequence[Part], *, limit: int | None = None, rungs: range | None = None
) -> list[int]:
    """Return the numbers of some instances of a set, in order.

    Args:
        parts: The parts of the set.
        limit: The number of instances, spread evenly over levels; None: all.
        rungs: The rungs that they are of; None: all.

    Raises:
        UsageError: The set does not have these rungs.

    Example:
        >>> choose_numbers([Part(level="a", size=4), Part(level="b", size=4)], limit=3)
        [0, 1, 4]
    """
    levels: dict[str, list[int]] = {}
    start = 0
    for part in parts:
        levels.setdefault(part.level, []).extend(range(start, start + part.size))
        start += part.size
    if rungs is not None:
        _check_rungs(rungs, levels)
        levels = {name: levels[name] for name in map(name_rung, rungs)}
    total = sum(map(len, levels.values()))
    if limit is None or limit >= total:
        return sorted(number for numbers in levels.values() for number in numbers)
    listed = list(levels.values())
    if limit <= len(listed):
        return sorted(listed[place * len(listed) // limit][0] for place in range(limit))
    # Each level has its share of the limit, and at least one; the largest remainders fill up.
    shares = [limit * len(numbers) / total for numbers in listed]
    counts = [max(1, int(share)) for share in shares]
    order = sorted(range(len(listed)), key=lambda at: counts[at] - shares[at])
    for at in order[: max(0, limit - sum(counts))]:
        counts[at] += 1
    while sum(counts) > limit:
        counts[counts.index(max(counts))] -= 1
    chosen = zip(listed, counts, strict=True)
    return sorted(number for numbers, count in chosen for number in numbers[:count])


def _check_rungs(rungs: range, levels: Iterable[str]) -> None:
    known = list_rungs(levels)
    if not known:
        raise UsageError("this set has no rungs; only certified sets of a ladder have some")
    if not set(rungs) <= set(known):
        raise UsageError(
            f"this set has the rungs {known[0]} to {known[-1]}, not {rungs[0]} to {rungs[-1]}; the "
            "set `beyond` has those above `standard`, where there are some"
        )


def generate_set(
    family: AnyFamily,
    edition: Edition,
    name: str,
    *,
    limit: int | None = None,
    rungs: range | None = None,
) -> list[AnyInstance]:
    """Draw a named set, whole, or some rungs of it, or `limit` instances spread over its levels.

    A whole set is checked against the card's digest.

    Raises:
        UsageError: The set does not have these rungs.
        ContractError: The instances drawn are not those the card's digest was taken of.
    """
    spec = find_set(family, edition, name)
    chosen = choose_numbers(spec.parts, limit=limit, rungs=rungs)
    if len(chosen) < spec.size:
        return [generate_one(family, edition, name, number) for number in chosen]
    instances = list(generate_instances(family, spec.parts))
    if (found := set_digest(instances)) != spec.digest:
        raise ContractError(
            f"set {edition}/{name} of {family.name} has digest {found}, but its card says "
            f"{spec.digest}: the generator changed without a new version"
        )
    return instances


def generate_one(family: AnyFamily, edition: Edition, name: str, number: int) -> AnyInstance:
    """Draw instance `number` of a named set, counted from 0, and no other.

    Raises:
        UsageError: The set is smaller.
    """
    spec = find_set(family, edition, name)
    left = number
    for part in spec.parts if number >= 0 else ():
        if left < part.size:
            return draw_at(family, part, part.start + left).instance
        left -= part.size
    raise UsageError(f"the set {name} has instances 0 to {spec.size - 1}, not {number}")


def set_digest(instances: Iterable[AnyInstance]) -> str:
    """Return the digest of instances in their order."""
    return digest(*(instance.line() for instance in instances))


def write_set(
    path: str | Path | Place, family: AnyFamily, edition: Edition, parts: Sequence[Part]
) -> SetHeader:
    """Draw `parts` and write them to a set file, whole or not at all, one instance at a time.

    Raises:
        BadFile: It cannot be written there.
    """
    place = Place.parse(path)
    folder = None if place.path is None else place.path.parent
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".causarium-", dir=folder) as room:
            # The digest comes first in the file and is known last.
            body, whole = Path(room) / "body", Path(room) / "whole"
            digest = _write_lines(body, generate_instances(family, parts))
            header = SetHeader.make(family, edition, parts, digest)
            with whole.open("wb") as file, body.open("rb") as lines:
                file.write(f"{canonical_json(header.model_dump(mode='json'))}\n".encode())
                shutil.copyfileobj(lines, file)
            place.copy_from(whole)
    except OSError as wrong:
        raise BadFile(f"cannot write {place}: {wrong}") from wrong
    return header


def _write_lines(path: Path, instances: Iterable[AnyInstance]) -> str:
    sha = hashlib.sha256()
    with path.open("wb") as file:
        for instance in instances:
            line = f"{instance.line()}\n".encode()
            sha.update(line)
            file.write(line)
    return f"sha256:{sha.hexdigest()}"


@dataclass(frozen=True)
class OpenSet:
    """A set of one's own: what it says of itself, and its instances as a stream."""

    name: str
    header: SetHeader
    size: int | None
    """How many instances it holds; None where only reading tells."""
    stream: Callable[[Shard], Iterator[AnyInstance]]
    """Reads the instances of a shard, each when it is asked for; at the end of a file its digest is
    checked."""
    rows: Callable[[int, int], Iterator[PartRow]] | None = None
    """Reads rows of a set in parts, from one to before another, with their certificates; None for
    a file."""

    def instances(self, shard: Shard = WHOLE) -> Iterator[AnyInstance]:
        """Yield the instances that a shard is dealt."""
        return self.stream(shard)


def open_named_set(family: AnyFamily, edition: Edition, name: str) -> OpenSet:
    """Open a named set.

    Raises:
        UnknownName: There is none; the nearest one is suggested.
        ContractError: While reading: the instances are not those of the card's digest.
    """
    spec = find_set(family, edition, name)
    header = SetHeader.make(family, edition, spec.parts, spec.digest)

    def stream(shard: Shard) -> Iterator[AnyInstance]:
        return shard.deal(generate_set(family, edition, name))

    return OpenSet(name, header, spec.size, stream)


def open_set(path: str | Path | Place, family: AnyFamily) -> OpenSet:
    """Open a set file, a set in parts (its folder or its manifest), or a published release.

    Raises:
        BadFile: It is missing, damaged, incomplete, or of another family or version.
    """
    place = Place.parse(path)
    folder = find_parts_folder(place)
    if folder is not None:
        return _open_parts(folder, family)
    first = _read_first_line(place, family)
    if family.publication.read_released is not None and not _is_ours(first):
        if place.path is None:
            raise BadFile(
                f"{place} is not a set file; a published release is read from this machine"
            )
        instances = family.publication.read_released(place.path)
        header = SetHeader.make(family, "paper", (), set_digest(instances))
        return OpenSet(name_set(place), header, len(instances), lambda shard: shard.deal(instances))
    header = _header(place, first)
    _check_origin(place, family, header.family, header.version)
    size = sum(part.size for part in header.parts) or None

    def stream(shard: Shard) -> Iterator[AnyInstance]:
        return shard.deal(_read_lines(place, header, family))

    return OpenSet(name_set(place), header, size, stream)


def read_set(
    path: str | Path | Place, family: AnyFamily, *, limit: int | None = None
) -> tuple[SetHeader, list[AnyInstance]]:
    """Read a set file, a set in parts, or a file of the family's published release.

    Args:
        path: The file, the folder of parts, or its manifest.
        family: The family.
        limit: Return only the first so many.

    Raises:
        BadFile: It is missing, damaged, of another family or version, or its digest is wrong.
    """
    opened = open_set(path, family)
    if opened.rows is None:
        # The digest of a file is known at its end.
        return opened.header, list(opened.instances())[:limit]
    return opened.header, list(islice(opened.instances(), limit))


def name_set(path: str | Path | Place) -> str:
    """Return what a set of one's own is called: after its file, or its folder of parts."""
    place = Place.parse(path)
    if place.name == MANIFEST:
        return place.parent.name
    is_file = place.suffix == ".jsonl" if place.path is None else not place.path.is_dir()
    return Path(place.name).stem if is_file else place.name


def _open_parts(folder: Place, family: AnyFamily) -> OpenSet:
    manifest = read_required_manifest(folder)
    _check_origin(folder, family, manifest.family, manifest.version)
    edition = family.level(manifest.level).edition
    header = SetHeader.make(family, edition, [manifest.level_part()], manifest.digest)

    def rows(start: int, stop: int) -> Iterator[PartRow]:
        return read_rows(folder, manifest, start, stop)

    def stream(shard: Shard) -> Iterator[AnyInstance]:
        for row in shard.deal(read_rows(folder, manifest)):
            yield _instance(f"row {row.number} of {folder}", row.line, family)

    return OpenSet(folder.name, header, manifest.instances, stream, rows)


def _read_first_line(place: Place, family: AnyFamily) -> str | None:
    try:
        # Lines end at a line feed alone: a text may hold other characters that end lines.
        return next(place.read_lines(), b"").decode("utf-8")
    except BadFile as wrong:
        raise BadFile(f"cannot read the set file {place}: {wrong.__cause__ or wrong}") from wrong
    except UnicodeDecodeError as wrong:
        # A release may come in a format that is no text.
        if family.publication.read_released is None:
            raise BadFile(f"cannot read the set file {place}: {wrong}") from wrong
        return None


def _is_ours(first: str | None) -> bool:
    try:
        return "digest" in json.loads(first or "")
    except (ValueError, TypeError):
        return False


def _check_origin(place: Place, family: AnyFamily, name: str, version: str) -> None:
    if name != family.name:
        raise BadFile(f"{place} holds {name} instances, not {family.name} ones")
    if version != family.card.version:
        raise BadFile(
            f"{place} was drawn by version {version} of {family.name} and this is version "
            f"{family.card.version}; draw it again, or install the release that has that version"
        )


def _read_lines(place: Place, header: SetHeader, family: AnyFamily) -> Iterator[AnyInstance]:
    sha = hashlib.sha256()
    for number, line in islice(enumerate(place.read_lines(), 1), 1, None):
        if not line:
            continue
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as wrong:
            raise BadFile(f"line {number} of {place} is not UTF-8: {wrong}") from wrong
        instance = _instance(f"line {number} of {place}", text, family)
        sha.update(f"{instance.line()}\n".encode())
        yield instance
    if (found := f"sha256:{sha.hexdigest()}") != header.digest:
        raise BadFile(
            f"{place} has digest {found}, but its first line says {header.digest}: "
            "it was changed after it was written; draw it again"
        )


def _header(place: Place, first: str | None) -> SetHeader:
    try:
        return SetHeader.model_validate(json.loads(first or ""))
    except ValueError as wrong:
        detail = (
            describe_validation_error(wrong)
            if isinstance(wrong, ValidationError)
            else "not a JSON object"
        )
        raise BadFile(
            f"line 1 of {place} is not the header of a set file ({detail}); "
            "`causarium generate` writes one"
        ) from wrong


def _instance(where: str, line: str, family: AnyFamily) -> AnyInstance:
    try:
        value: Any = json.loads(line)
        return family.read_instance(value)
    except ValidationError as wrong:
        raise BadFile(
            f"{where} is not a {family.name} instance: {describe_validation_error(wrong)}"
        ) from wrong
    except (ValueError, RecursionError) as wrong:
        raise BadFile(f"{where} is not JSON: {wrong}") from wrong
