"""Sets: drawing them, proving them by digest, and keeping them in files.

A named set lives in its family's card as level, seed, size and digest. A set file is JSON lines:
a header that says where the instances come from and their digest, then one instance a line.
"""

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.family_card import Part, SetSpec
from causarium.contract.frozen import Frozen, canonical_json, digest
from causarium.contract.rules import Edition
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile, ContractError, UnknownName, UsageError


class SetHeader(Frozen):
    """The first line of a set file."""

    family: str
    version: str
    edition: Edition
    parts: tuple[Part, ...]
    digest: str


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
        config = family.level(part.level)
        for index in range(part.start, part.start + part.size):
            yield family.generate(config, part.seed, index)


def generate_set(
    family: AnyFamily, edition: Edition, name: str, *, limit: int | None = None
) -> list[AnyInstance]:
    """Draw a named set, whole or its first `limit` instances.

    A whole set is held against the card's digest.

    Raises:
        ContractError: The instances drawn are not those the card's digest was taken of.
    """
    spec = find_set(family, edition, name)
    if limit is not None and limit < spec.size:
        drawn = generate_instances(family, spec.parts)
        return [next(drawn) for _ in range(limit)]
    instances = list(generate_instances(family, spec.parts))
    if (found := set_digest(instances)) != spec.digest:
        raise ContractError(
            f"set {edition}/{name} of {family.name} has digest {found}, but its card says "
            f"{spec.digest}: the generator changed without a new version"
        )
    return instances


def generate_one(family: AnyFamily, edition: Edition, name: str, number: int) -> AnyInstance:
    """Draw instance `number` of a named set, and no other.

    Raises:
        UsageError: The set is smaller.
    """
    spec = find_set(family, edition, name)
    left = number
    for part in spec.parts if number >= 0 else ():
        if left < part.size:
            return family.generate(family.level(part.level), part.seed, part.start + left)
        left -= part.size
    raise UsageError(f"the set {name} has instances 0 to {spec.size - 1}, not {number}")


def set_digest(instances: Iterable[AnyInstance]) -> str:
    """Return the digest of instances in their order."""
    return digest(*(instance.line() for instance in instances))


def write_set(path: Path, family: AnyFamily, edition: Edition, parts: Sequence[Part]) -> SetHeader:
    """Draw `parts` and write them to a set file, whole or not at all."""
    instances = list(generate_instances(family, parts))
    header = SetHeader(
        family=family.name,
        version=family.card.version,
        edition=edition,
        parts=tuple(parts),
        digest=set_digest(instances),
    )
    lines = (canonical_json(header.model_dump(mode="json")), *(i.line() for i in instances))
    write_atomically(path, "".join(f"{line}\n" for line in lines))
    return header


def read_set(path: Path, family: AnyFamily) -> tuple[SetHeader, list[AnyInstance]]:
    """Read a set file, or a file of the family's published release.

    Raises:
        BadFile: It is missing, damaged, of another family or version, or its digest is wrong.
    """
    try:
        # Lines end at a line feed alone: a text may hold other characters that end lines.
        lines = path.read_bytes().decode("utf-8").rstrip("\n").split("\n")
    except OSError as wrong:
        raise BadFile(f"cannot read the set file {path}: {wrong}") from wrong
    except UnicodeDecodeError as wrong:
        # A release may come in a format that is no text.
        if family.read_released is None:
            raise BadFile(f"cannot read the set file {path}: {wrong}") from wrong
        lines = []
    if family.read_released is not None and not _is_ours(lines):
        return _read_released(family, family.read_released(path))
    header = _header(path, lines)
    if header.family != family.name:
        raise BadFile(f"{path} holds {header.family} instances, not {family.name} ones")
    if header.version != family.card.version:
        raise BadFile(
            f"{path} was drawn by version {header.version} of {family.name} and this is version "
            f"{family.card.version}; draw it again, or install the release that has that version"
        )
    instances = [_instance(path, n, line, family) for n, line in enumerate(lines[1:], 2)]
    if (found := set_digest(instances)) != header.digest:
        raise BadFile(
            f"{path} has digest {found}, but its first line says {header.digest}: "
            "it was changed after it was written; draw it again"
        )
    return header, instances


def _is_ours(lines: Sequence[str]) -> bool:
    try:
        return "digest" in json.loads(lines[0])
    except (IndexError, ValueError, TypeError):
        return False


def _read_released(
    family: AnyFamily, instances: list[AnyInstance]
) -> tuple[SetHeader, list[AnyInstance]]:
    header = SetHeader(
        family=family.name,
        version=family.card.version,
        edition="paper",
        parts=(),
        digest=set_digest(instances),
    )
    return header, instances


def _header(path: Path, lines: Sequence[str]) -> SetHeader:
    try:
        return SetHeader.model_validate(json.loads(lines[0]))
    except (IndexError, ValueError) as wrong:
        detail = (
            describe_validation_error(wrong)
            if isinstance(wrong, ValidationError)
            else "not a JSON object"
        )
        raise BadFile(
            f"line 1 of {path} is not the header of a set file ({detail}); "
            "`causarium generate` writes one"
        ) from wrong


def _instance(path: Path, number: int, line: str, family: AnyFamily) -> AnyInstance:
    try:
        value: Any = json.loads(line)
        return family.instance.model_validate(value)
    except ValidationError as wrong:
        raise BadFile(
            f"line {number} of {path} is not a {family.name} instance: "
            f"{describe_validation_error(wrong)}"
        ) from wrong
    except ValueError as wrong:
        raise BadFile(f"line {number} of {path} is not JSON: {wrong}") from wrong


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole or not at all.

    Raises:
        BadFile: It cannot be written there.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(content.encode() if isinstance(content, str) else content)
        partial.replace(path)
    except OSError as wrong:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise BadFile(f"cannot write {path}: {wrong}") from wrong
