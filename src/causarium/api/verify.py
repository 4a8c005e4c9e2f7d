"""Verifying without a model: is every score of a log what it should be, and every set file?

Of a set, also of one in parts: is what it holds what the manifest says and the family generates?
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from causarium import families
from causarium.api.rows import Places, as_paths
from causarium.contract.frozen import digest, put_in_one_line
from causarium.contract.places import Place, is_file
from causarium.contract.sets.instance_sets import read_set
from causarium.contract.sets.part_files import (
    Manifest,
    PartFacts,
    PartRow,
    find_parts_folder,
    list_partial_files,
    list_parts,
    make_row,
    name_part,
    parse_part,
    read_mark,
    read_required_manifest,
    set_digest_of_parts,
)
from causarium.contract.sets.splits import SALT_VARIABLE, draw_at, find_salt
from causarium.errors import BadFile, UsageError
from causarium.players.direct_runner import certify_instance
from causarium.seeds import stream

if TYPE_CHECKING:
    from causarium.engine.verify.verify_runs import RunProof


SUBMISSION = "submission.json"
"""The file that makes a folder of logs a submission."""


def verify_logs(
    logs: Places,
    *,
    draw: bool = False,
    signers: str | Path | None = None,
    release: str | Path | None = None,
    release_anyway: bool = False,
) -> "tuple[RunProof, ...]":
    """Work out anew what logs say, and say of every run what of it is verified.

    A log that cannot be read stands first, as a run without a family.

    Args:
        logs: A log, a folder, or several of them.
        draw: Generate every instance anew instead of looking up its digest.
        signers: Who may sign seals: a file with lines of a name and a public key.
        release: A clone of the release that they were played from, so that its words count too.
        release_anyway: Whether an unknown state of it will do.

    Raises:
        UsageError: A place does not exist or holds no log, or the release is another.
    """
    from causarium.engine.logbook.log_book import LogBook
    from causarium.engine.logbook.log_files import find_logs
    from causarium.engine.verify.rescore import KnownInstances
    from causarium.engine.verify.seal import check_run_seal
    from causarium.engine.verify.verify_runs import RunProof, verify_book

    # A submission stands for itself: what another holds of the same run is nothing to it.
    groups: dict[Path | None, list[Path]] = {}
    for log in find_logs(as_paths(logs)):
        told = next((folder for folder in log.parents if is_file(folder / SUBMISSION)), None)
        groups.setdefault(told, []).append(log)
    counts = {"expected": 0, "samples": 0, "verified": 0}
    blank = RunProof(family="", agent="", set="", logs=(), reasons={}, **counts)
    books: list[tuple[LogBook, Path]] = []
    unread: list[RunProof] = []

    def leave_out(log: Path, why: str) -> None:
        unread.append(blank.model_copy(update={"logs": (str(log),), "problems": (why,)}))

    for mine in groups.values():
        books.append((LogBook.read(mine), mine[0]))
        for said in books[-1][0].problems:
            place = next((log for log in mine if put_in_one_line(str(log)) in said), mine[0])
            leave_out(place, said.removeprefix("Skipped: "))
    played = {row.family for book, _ in books for row in book.rows}
    lookup = families.find_played(played, release, anyway=release_anyway)
    known, allowed = KnownInstances(draw=draw), None if signers is None else Path(signers)
    runs: list[RunProof] = []
    for book, first in books:
        try:
            proof = verify_book(book, lookup, known)
            runs += [check_run_seal(run, book, allowed) for run in proof.runs]
        except UsageError:
            raise
        except Exception as wrong:  # noqa: BLE001 - one submission must not hide all others
            leave_out(first, f"it cannot be verified ({type(wrong).__name__})")
    return (*unread, *runs)


def seal_run(run: str | Path, *, key: str | Path | None = None) -> Path:
    """Write the seal of a run beside its logs, and sign it if a key is given; returns its path.

    Args:
        run: The folder of the run, or its log.
        key: An ed25519 key to sign with, as `ssh-keygen -t ed25519` makes one.

    Raises:
        UsageError: There is no log, logs are of several runs, or the key cannot sign.
    """
    from causarium.engine.logbook.log_book import LogBook
    from causarium.engine.verify.seal import write_seal

    book = LogBook.read(as_paths(run))
    book.require_whole()
    return write_seal(book, None if key is None else Path(key))


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
    return Path(place).suffix == ".jsonl" or is_set_in_parts(place)


def verify_set(place: str, *, sample: int | None = None, full: bool = False) -> SetProof:
    """Hold a set against its digests, and instances of a set in parts against the family.

    Args:
        place: A set file, a folder of parts or its manifest; URLs too.
        sample: How many instances of a set in parts to generate and certify anew, `DRAWN` by
            default; which ones depends on the digest.
        full: Generate all of them anew.

    Raises:
        UsageError: It is not a set of a family that is known here.
    """
    if is_set_in_parts(place):
        return verify_parts(place, sample=sample, full=full)
    try:
        name = str(json.loads(next(Place.parse(place).read_lines(), b"")).get("family"))
    except (BadFile, ValueError, AttributeError, RecursionError) as wrong:
        raise BadFile(f"{place} is not a set file; `causarium generate` writes one") from wrong
    family = families.get(name)
    try:
        _, instances = read_set(place, family)
    except BadFile as wrong:
        return SetProof(place, name, 0, (str(wrong),))
    return SetProof(place, name, len(instances))


DRAWN = 10
"""How many instances are generated and certified anew, unless more are asked for."""


def is_set_in_parts(place: str | Path) -> bool:
    """Whether a place is a folder of parts, or the manifest of one."""
    folder = find_parts_folder(Place.parse(place))
    return folder is not None and bool((folder / "manifest.json").exists() or list_parts(folder))


def verify_parts(place: str | Path, *, sample: int | None = None, full: bool = False) -> SetProof:
    """Hold every file of a set in parts against its digests, and instances against the family.

    Raises:
        BadFile: There is no manifest.
    """
    given = Place.parse(place)
    folder = find_parts_folder(given) or given
    manifest = read_required_manifest(folder)
    chosen = set(range(manifest.instances))
    if not full:
        rng = stream(0, "verify", manifest.digest)
        count = min(DRAWN if sample is None else sample, manifest.instances)
        chosen = set(rng.sample(range(manifest.instances), count))
    problems = list(_check_manifest(folder, manifest))
    first, drawn = 0, 0
    for facts in manifest.parts:
        here = {row - first for row in chosen if first <= row < first + facts.rows}
        wrong, same = _check_part(folder, manifest, facts, here)
        problems += wrong
        drawn += same
        first += facts.rows
    notes = [f"{name} was left by a process that was killed" for name in list_partial_files(folder)]
    if manifest.split == "private" and find_salt(manifest.salt_id) is None:
        notes.append(
            f"its instances were not drawn again: set {SALT_VARIABLE} to the salt with the mark "
            f"{manifest.salt_id}"
        )
    return SetProof(
        folder.url, manifest.family, manifest.instances, tuple(problems), drawn, tuple(notes)
    )


def _check_manifest(folder: Place, manifest: Manifest) -> Iterator[str]:
    if len(manifest.parts) != manifest.count:
        yield f"the manifest lists {len(manifest.parts)} parts of {manifest.count}"
    if manifest.digest != set_digest_of_parts([part.lines for part in manifest.parts]):
        yield "the manifest's digest is not that of its parts"
    for facts in manifest.parts:
        try:
            mark = read_mark(folder, facts.part)
        except BadFile as wrong:
            yield f"part {facts.part}: {wrong}"
            continue
        # The file's own digest may differ where another pyarrow wrote it again.
        if (mark.lines, mark.rows, mark.set) != (facts.lines, facts.rows, manifest.address()):
            yield f"part {facts.part}: its JSON file does not say what the manifest says"


def _check_part(
    folder: Place, manifest: Manifest, facts: PartFacts, chosen: set[int]
) -> tuple[list[str], int]:
    """Return what is wrong with a part, and how many rows were generated anew and are the same."""
    place = folder / name_part(facts.part)
    try:
        content = place.read_bytes()
        if f"sha256:{hashlib.sha256(content).hexdigest()}" != facts.file:
            return [f"part {facts.part}: {place} was changed after it was written"], 0
        rows = parse_part(place, content)
    except BadFile as wrong:
        return [f"part {facts.part}: {wrong}"], 0
    if len(rows) != facts.rows or digest(*(row.line for row in rows)) != facts.lines:
        return [f"part {facts.part}: its instances are not those that its digest is of"], 0
    salt = find_salt(manifest.salt_id)
    if manifest.split == "private" and salt is None:
        return [], 0
    wrong_rows = [
        f"part {facts.part}: {problem}"
        for number in sorted(chosen)
        if (problem := _compare_with_family(manifest, rows[number], salt))
    ]
    return wrong_rows, len(chosen) - len(wrong_rows)


def _compare_with_family(manifest: Manifest, row: PartRow, salt: SecretStr | None) -> str:
    """Generate and certify an instance anew; returns how the row differs, or nothing."""
    family = families.get(manifest.family)
    if family.card.version != manifest.version:
        return (
            f"it is of version {manifest.version} of {family.name}, and {family.card.version} is "
            "installed here"
        )
    edition = family.level(manifest.level).edition
    instance = draw_at(family, manifest.level_part(salt), row.number).instance
    certificate = certify_instance(family, instance, edition) if manifest.certified else None
    again = make_row(row.number, instance, certificate)
    if again.line != row.line:
        return f"{row.id} is not what the family generates"
    if again.certificate != row.certificate:
        return f"{row.id} has another certificate than is proved now"
    return "" if again == row else f"{row.id} has another key or id than its instance"
