"""Making a set in parts: which parts are still to be made, and making one."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import SecretStr

from causarium import families
from causarium.api.benchmark import Benchmark
from causarium.api.scale.workers import HERE, Workers, run_tasks
from causarium.contract.certificate import Certificate
from causarium.contract.family import AnyInstance
from causarium.contract.places import Place, import_extra
from causarium.contract.sets.part_files import (
    Manifest,
    PartFacts,
    PartMark,
    SetAddress,
    check_address,
    is_part_whole,
    list_parts,
    make_row,
    name_part,
    read_manifest,
    read_mark,
    read_required_manifest,
    write_manifest,
    write_part,
)
from causarium.contract.sets.splits import check_split, draw_at, split_part
from causarium.contract.shard import WHOLE, Shard
from causarium.errors import BadFile, CausariumError, RunError, UsageError
from causarium.players.direct_runner import certify_instance


class PartTask(NamedTuple):
    """One part to be made, as plain data."""

    folder: str
    address: SetAddress
    part: int
    salt: SecretStr | None = None


@dataclass(frozen=True)
class PartsMade:
    """What one shard did."""

    folder: str
    made: tuple[int, ...]
    """The parts that were made now."""
    found: int
    """How many of its parts were there already."""
    uncertified: int
    """How many instances of its parts have a proof that does not hold."""
    manifest: Manifest | None
    """The whole set's; None while parts of other shards are missing."""
    missing: int
    """How many parts are still missing."""
    damaged: tuple[int, ...] = ()
    """The parts that were there with other bytes than their marks are of, and were made again."""

    def flat(self) -> dict[str, Any]:
        """Return it as the command line prints it."""
        whole = self.manifest
        return {
            "folder": self.folder,
            "made": len(self.made),
            "found": self.found,
            "missing": self.missing,
            "damaged": list(self.damaged),
            "uncertified": self.uncertified,
            "instances": None if whole is None else whole.instances,
            "digest": None if whole is None else whole.digest,
        }

    def describe(self) -> str:
        """Return it in words."""
        done = f"{len(self.made)} parts made, {self.found} were there"
        if not (self.made or self.found):
            done = "this shard has no parts: there are more shards than parts"
        if self.damaged:
            names = ", ".join(map(name_part, self.damaged))
            done = f"{done}; {names} was damaged and is made again"
        proved = f"; {self.uncertified} instances are NOT CERTIFIED" if self.uncertified else ""
        if self.manifest is None:
            return f"{done}; {self.missing} parts are still missing in {self.folder}{proved}"
        whole = f"{self.manifest.instances} instances in {self.folder}, {self.manifest.digest}"
        return f"{done}; {whole}{proved}"


def write_parts(  # noqa: PLR0913
    benchmark: Benchmark,
    out: str | Path,
    level: str,
    *,
    size: int,
    seed: int = 0,
    split: str = "train",
    salt: SecretStr | None = None,
    start: int = 0,
    rows: int = 1_000,
    certify: bool = True,
    **how: Any,  # noqa: ANN401
) -> PartsMade:
    """Generate a set of any size into a folder of parts; the same call resumes.

    What else is given goes to `make_parts`.

    Raises:
        UsageError: There is no such level or split, the level is held back, or the folder holds
            another set.
    """
    benchmark.check_level(level, size)
    part = split_part(level, check_split(split), size=size, seed=seed, start=start, salt=salt)
    address = SetAddress(
        family=benchmark.name,
        version=benchmark.family.card.version,
        level=level,
        seed=seed,
        split=part.split,
        salt_id=part.salt_id,
        canary=part.canary,
        start=start,
        size=size,
        rows=rows,
        certified=certify,
    )
    return make_parts(out, address, salt=part.salt, **how)


def make_parts(
    out: str | Path,
    address: SetAddress,
    *,
    salt: SecretStr | None = None,
    shard: Shard = WHOLE,
    workers: Workers = HERE,
    resume: bool = True,
    watch: Callable[[PartFacts], None] | None = None,
) -> PartsMade:
    """Make one shard's parts of a set; those that are there already are left as they are.

    Args:
        out: The folder, here or on an object store.
        address: Which set.
        salt: What a private set is drawn with.
        shard: Which share of the parts to make.
        workers: Who makes them.
        resume: Whether the folder may hold parts already.
        watch: Gets each part that was made.

    Raises:
        UsageError: The folder holds another set, or anything without `resume`.
        RunError: An instance could not be generated; says which.
    """
    import_extra("pyarrow.parquet", extra="parquet")
    folder = Place.parse(out)
    if folder.suffix == ".jsonl":
        raise UsageError(f"{folder} is a file, and parts need a folder; name a folder")
    if not resume and folder.list_names():
        raise UsageError(f"{folder} is not empty; leave out --no-resume, or name another folder")
    mine = list(shard.deal(range(address.count)))
    marks = _check_folder(folder, address, mine)
    damaged = tuple(part for part, mark in marks.items() if not is_part_whole(folder, mark))
    for part in damaged:
        del marks[part]
    tasks = (PartTask(folder.url, address, part, salt) for part in mine if part not in marks)
    made: list[PartFacts] = []
    for facts in run_tasks(make_part, tasks, workers):
        made.append(facts)
        if watch is not None:
            watch(facts)
    manifest, missing = _finish(folder, address)
    return PartsMade(
        folder=folder.url,
        made=tuple(facts.part for facts in made),
        found=len(marks),
        uncertified=sum(facts.uncertified for facts in (*made, *marks.values())),
        manifest=manifest,
        missing=missing,
        damaged=damaged,
    )


def _check_folder(folder: Place, address: SetAddress, mine: Sequence[int]) -> dict[int, PartMark]:
    """Return the marks of those of `mine` that are there, each of the same set."""
    manifest = read_manifest(folder)
    if manifest is not None:
        check_address(manifest.address(), address, folder)
    there = list_parts(folder)
    # One part of another shard tells whether it is of the same set.
    looked_at = sorted(set(there) & set(mine) | set(there[:1]))
    marks = {part: read_mark(folder, part) for part in looked_at}
    for mark in marks.values():
        check_address(mark.set, address, folder)
    return {part: mark for part, mark in marks.items() if part in set(mine)}


def _finish(folder: Place, address: SetAddress) -> tuple[Manifest | None, int]:
    there = list_parts(folder)
    missing = address.count - len(there)
    if missing:
        return None, missing
    marks = [read_mark(folder, part) for part in there]
    for mark in marks:
        check_address(mark.set, address, folder)
    return write_manifest(folder, address, marks), 0


def merge_parts(place: str | Path) -> Manifest:
    """Complete a folder that shards have made: check every part's mark and write the manifest.

    Raises:
        UsageError: There is no part, some are missing, or they are of different sets.
    """
    folder = Place.parse(place)
    there = list_parts(folder)
    if not there:
        raise UsageError(f"{folder} holds no part of a set; `causarium generate` makes them")
    address = read_mark(folder, there[0]).set
    damaged = [part for part in there if not is_part_whole(folder, read_mark(folder, part))]
    if damaged:
        names = ", ".join(map(name_part, damaged[:5]))
        raise BadFile(f"{folder}: {names} is damaged; run the command that makes it again")
    manifest, missing = _finish(folder, address)
    if manifest is None:
        absent = sorted(set(range(address.count)) - set(there))
        named = ", ".join(map(str, absent[:5])) + (", …" if missing > 5 else "")
        raise UsageError(
            f"{folder} lacks {missing} of {address.count} parts ({named}); run the commands that "
            "make them again"
        )
    return read_required_manifest(folder)


def make_part(task: PartTask) -> PartFacts:
    """Generate, certify and write one part.

    Raises:
        RunError: An instance could not be generated or certified; says which, and how it failed.
    """
    address = task.address
    family = families.get(address.family)
    if family.card.version != address.version:
        raise UsageError(
            f"the set is of version {address.version} of {family.name}, and version "
            f"{family.card.version} is installed here"
        )
    edition = family.level(address.level).edition
    made: list[tuple[int, AnyInstance, Certificate | None]] = []
    uncertified, held_back = 0, 0
    for index in address.indices(task.part):
        try:
            instance, passed_over = draw_at(family, address.level_part(task.salt), index)
            held_back += passed_over
            certificate: Certificate | None = None
            if address.certified:
                certificate = certify_instance(family, instance, edition)
                uncertified += not certificate.certified
            made.append((index, instance, certificate))
        except CausariumError:
            raise
        except Exception as wrong:
            raise RunError(
                f"{family.name} could not make instance {index} of {address.level}, seed "
                f"{address.seed}: {type(wrong).__name__}: {wrong}\n{traceback.format_exc()}"
            ) from wrong
    return write_part(
        Place.parse(task.folder),
        address,
        task.part,
        [make_row(*row) for row in made],
        uncertified=uncertified,
        held_back=held_back,
    )
