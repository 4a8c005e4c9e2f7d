"""Verifying set files: is what they hold what their family generates?"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class SetProof:
    """What of one set is verified."""

    place: str
    family: str
    instances: int
    problems: tuple[str, ...] = ()

    @property
    def is_verified(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.problems


def is_set(place: str) -> bool:
    """Whether a place is a set and not a log."""
    return Path(place).suffix == ".jsonl"


def verify_set(place: str) -> SetProof:
    """Hold a set file against its digest.

    Raises:
        UsageError: The file is not a set file of a family that is known here.
    """
    import json

    from causarium import families
    from causarium.contract.sets.instance_sets import read_set
    from causarium.errors import BadFile

    path = Path(place)
    try:
        with path.open(encoding="utf-8") as lines:
            name = str(json.loads(lines.readline()).get("family"))
    except (OSError, ValueError, AttributeError) as wrong:
        raise BadFile(f"{place} is not a set file; `causarium generate` writes one") from wrong
    family = families.get(name)
    try:
        _, instances = read_set(path, family)
    except BadFile as wrong:
        return SetProof(place, name, 0, (str(wrong),))
    return SetProof(place, name, len(instances))
