"""The digest of every instance of a named set, so that one can be recognized without the others.

A family ships one file a set, `sets/EDITION-SET.sha256`: the set's digest, then one line an
instance, in the set's order. A file that is missing, or is of another digest than the card's, is
of no use; the set is then generated.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.places import write_atomically
from causarium.contract.rules import Edition
from causarium.contract.sets.instance_sets import find_set, generate_set

FOLDER = "sets"
_DIGITS = 32
"""Half of a sha256: enough that nobody finds a second text with the same digits."""


def line_digest(line: str | bytes) -> str:
    """Return the digest by which the line of an instance is recognized."""
    content = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    return hashlib.sha256(content).hexdigest()[:_DIGITS]


def digest_file(family: AnyFamily, edition: Edition, name: str) -> Path:
    """Return where a family keeps the digests of a named set's instances.

    Args:
        family: The family of the set.
        edition: The edition of the set.
        name: The name of the set.
    """
    return family.folder / FOLDER / f"{edition}-{name}.sha256"


def is_digest_file_current(family: AnyFamily, edition: Edition, name: str) -> bool:
    """Whether the file of a named set is there and is of the digest that the card has.

    Args:
        family: The family of the set.
        edition: The edition of the set.
        name: The name of the set.
    """
    return _read_current(family, edition, name) is not None


def instance_digests(family: AnyFamily, edition: Edition, name: str) -> tuple[str, ...]:
    """Return the digests of a named set's instances, in order.

    Args:
        family: The family of the set.
        edition: The edition of the set.
        name: The name of the set.

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

    Args:
        family: The family.
        edition: The edition that the set is of.
        name: The set's name.
        digest: The set's digest.
        instances: Its instances, in order.

    Raises:
        BadFile: The file cannot be written.
    """
    lines = [digest, *(line_digest(instance.line()) for instance in instances)]
    write_atomically(digest_file(family, edition, name), "".join(f"{line}\n" for line in lines))
