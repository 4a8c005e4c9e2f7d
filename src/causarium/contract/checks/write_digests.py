"""Writing the digests of a card's sets, where they are not so."""

import re

from causarium.contract.family import AnyFamily
from causarium.contract.places import write_atomically
from causarium.contract.rules import EDITIONS
from causarium.contract.sets.instance_sets import (
    generate_instances,
    set_digest,
    write_instance_digests,
)
from causarium.contract.sets.splits import RESERVED, collect_kin
from causarium.errors import BadFile

_TABLE = re.compile(r"^\s*\[([^\[\]]+)\]\s*(#.*)?$")
_DIGEST = re.compile(r'^(\s*digest\s*=\s*)"[^"]*"')


def write_digests(family: AnyFamily) -> list[str]:
    """Generate every set of the card and write the digests that differ; returns those sets.

    The digests of single instances, which are files beside the card, are always written. A digest
    that changes means other instances: raise the card's version in the same edit.

    Raises:
        BadFile: The card has no `digest` line for a set, or cannot be written.
    """
    path = family.folder / "card.toml"
    lines = path.read_text(encoding="utf-8").split("\n")
    changed = []
    for edition in EDITIONS:
        for name, spec in family.card.sets.get(edition, {}).items():
            instances = list(generate_instances(family, spec.parts))
            digest = set_digest(instances)
            write_instance_digests(family, edition, name, digest, instances)
            if digest != spec.digest:
                number = _find_line(lines, f"sets.{edition}.{name}", _DIGEST)
                if number is None:
                    raise BadFile(
                        f'{path} has no line digest = "..." under [sets.{edition}.{name}]; add one'
                    )
                lines[number] = _DIGEST.sub(rf'\g<1>"{digest}"', lines[number])
                changed.append(f"{edition}/{name}")
    if changed:
        write_atomically(path, "\n".join(lines))
    write_reserved(family)
    return changed


def write_reserved(family: AnyFamily) -> None:
    """Write the file of kin that no split may draw, if it is not what the sets now hold.

    Raises:
        BadFile: It cannot be written.
    """
    path, content = family.folder / RESERVED, collect_kin(family)
    if not path.exists() or path.read_bytes() != content:
        write_atomically(path, content)


def _find_line(lines: list[str], table: str, wanted: re.Pattern[str]) -> int | None:
    """Return the number of the first line of a table that begins as wanted."""
    here = False
    for number, line in enumerate(lines):
        if match := _TABLE.match(line):
            here = re.sub(r"[\s\"']", "", match.group(1)) == table
        elif here and wanted.match(line):
            return number
    return None
