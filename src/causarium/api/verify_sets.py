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
    drawn: int = 0
    """How many instances were generated and certified anew and were the same."""
    notes: tuple[str, ...] = ()
    """What is no damage, such as files that a killed process left."""

    @property
    def is_verified(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.problems


def is_set(place: str) -> bool:
    """Whether a place is a set and not a log."""
    from causarium.api.scale.verify_parts import is_set_in_parts

    return Path(place).suffix == ".jsonl" or is_set_in_parts(place)


def verify_set(place: str, *, sample: int | None = None, full: bool = False) -> SetProof:
    """Hold a set against its digests, and instances of a set in parts against the family.

    Args:
        place: A set file, a folder of parts or its manifest; URLs too.
        sample: How many instances of a set in parts to generate anew.
        full: Generate all of them anew.

    Raises:
        UsageError: It is not a set of a family that is known here.
    """
    import json

    from causarium import families
    from causarium.api.scale.verify_parts import DRAWN, is_set_in_parts, verify_parts
    from causarium.contract.places import Place
    from causarium.contract.sets.instance_sets import read_set
    from causarium.errors import BadFile

    if is_set_in_parts(place):
        proof = verify_parts(place, sample=DRAWN if sample is None else sample, full=full)
        counts = proof.family, proof.instances, proof.problems, proof.drawn, proof.notes
        return SetProof(proof.place, *counts)
    try:
        name = str(json.loads(next(Place.parse(place).read_lines(), b"")).get("family"))
    except (BadFile, ValueError, AttributeError) as wrong:
        raise BadFile(f"{place} is not a set file; `causarium generate` writes one") from wrong
    family = families.get(name)
    try:
        _, instances = read_set(place, family)
    except BadFile as wrong:
        return SetProof(place, name, 0, (str(wrong),))
    return SetProof(place, name, len(instances))
