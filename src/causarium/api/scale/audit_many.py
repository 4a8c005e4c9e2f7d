"""Audits and certificates of many instances, by several processes or machines."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from causarium import families
from causarium.api.scale.workers import HERE, Workers, run_tasks
from causarium.contract.certificate import Certificate
from causarium.contract.family import AnyFamily
from causarium.contract.frozen import canonical_json
from causarium.contract.places import Place
from causarium.contract.rules import Edition, check_edition
from causarium.contract.sets.instance_sets import find_set, generate_instances, open_set
from causarium.contract.sets.part_files import PartRow, write_certificate
from causarium.contract.shard import WHOLE, Shard
from causarium.errors import BadFile, RunError, UsageError
from causarium.players.audit_family import (
    Audit,
    AuditShare,
    AuditTask,
    audit_share,
    combine_shares,
    join_shares,
)
from causarium.players.direct_runner import certify_instance

_BATCH = 8
"""How many instances a process is handed at a time."""


class CertifyTask(NamedTuple):
    """Instances to be certified, as plain data."""

    family: str
    edition: Edition
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Certificates:
    """The certificates of a share of a set, each when it is asked for."""

    count: int | None
    """How many there are; None where only reading tells."""
    stream: Iterator[Certificate]


@dataclass
class CertificateCounts:
    """The counts of many certificates; none of them is kept."""

    total: int = 0
    failed: int = 0
    optima: Counter[str] = field(default_factory=Counter)
    claims: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Each claim and how it is proved; whether it held in every instance."""

    def add(self, certificate: Certificate) -> None:
        """Count one certificate."""
        self.total += 1
        self.failed += not certificate.certified
        optimum = certificate.optimum
        self.optima["unknown" if optimum is None else f"{optimum:g}"] += 1
        for proof in certificate.proofs:
            key = proof.claim, proof.method
            self.claims[key] = self.claims.get(key, True) and proof.holds

    def lines(self) -> list[str]:
        """Return the counts in words."""
        spread = ", ".join(f"{value}: {self.optima[value]}" for value in sorted(self.optima))
        proved = [
            f"  proved by {method}: {claim}"
            for (claim, method), holds in self.claims.items()
            if holds
        ]
        return [f"{self.total - self.failed} of {self.total} certified; optimum {spread}", *proved]


def flatten(certificate: Certificate) -> dict[str, Any]:
    """Return a certificate as a set keeps it: the same whether it was read or proved."""
    flat: dict[str, Any] = json.loads(write_certificate(certificate))
    return flat


def certify_set(  # noqa: PLR0913
    name: str,
    *,
    edition: str = "certified",
    set: str = "standard",
    file: str | Path | None = None,
    limit: int | None = None,
    shard: Shard = WHOLE,
    workers: Workers = HERE,
    again: bool = False,
) -> Certificates:
    """Certify a set, or read the certificates that it keeps.

    Args:
        name: The family's name.
        edition: The edition of a named set.
        set: A named set.
        file: A set of one's own in place of it: a file, or a folder of parts.
        limit: Only the first so many instances.
        shard: Which block of them; the blocks in order are the whole.
        workers: Who proves.
        again: Prove what a set in parts keeps once more, and compare.

    Raises:
        UsageError: There is no such family, set or file.
        RunError: While reading: a certificate that is kept is not the one that is proved now.
    """
    family = families.get(name)
    if file is None:
        chosen = check_edition(edition)
        spec = find_set(family, chosen, set)
        block = shard.block(min(spec.size, limit or spec.size))
        drawn = islice(generate_instances(family, spec.parts), block.start, block.stop)
        lines = (instance.line() for instance in drawn)
        return Certificates(len(block), _prove_lines(family, chosen, lines, workers))
    opened = open_set(file, family)
    if opened.rows is None:
        # The digest of a file is known at its end, so it is read whole first.
        instances = list(opened.instances())[:limit]
        mine = [instances[number].line() for number in shard.block(len(instances))]
        return Certificates(len(mine), _prove_lines(family, opened.header.edition, mine, workers))
    size = opened.size or 0
    block = shard.block(min(size, limit or size))
    rows = opened.rows(block.start, block.stop)
    return Certificates(
        len(block), _read_or_prove(family, opened.header.edition, rows, workers, again=again)
    )


def _prove_lines(
    family: AnyFamily, edition: Edition, lines: Iterable[str], workers: Workers
) -> Iterator[Certificate]:
    """Certify instances, each a line of a set file, in order."""
    # One process says each certificate as soon as it has it.
    size = 1 if workers == HERE else _BATCH
    source = iter(lines)
    batches = iter(lambda: tuple(islice(source, size)), ())
    tasks = (CertifyTask(family.name, edition, batch) for batch in batches)
    for certificates in run_tasks(certify_batch, tasks, workers):
        yield from certificates


def certify_batch(task: CertifyTask) -> Sequence[Certificate]:
    """Certify some instances."""
    family = families.get(task.family, task.edition)
    instances = (family.read_instance(json.loads(line)) for line in task.lines)
    return [certify_instance(family, instance, task.edition) for instance in instances]


def _read_or_prove(
    family: AnyFamily,
    edition: Edition,
    rows: Iterator[PartRow],
    workers: Workers,
    *,
    again: bool,
) -> Iterator[Certificate]:
    first = next(rows, None)
    if first is None:
        return
    if first.certificate is not None and not again:
        yield Certificate.from_flat(json.loads(first.certificate))
        for row in rows:
            yield Certificate.from_flat(json.loads(row.certificate or "{}"))
        return
    kept: list[tuple[str, str | None]] = []

    def lines() -> Iterator[str]:
        for row in (first, *rows):
            kept.append((row.id, row.certificate))
            yield row.line

    for certificate in _prove_lines(family, edition, lines(), workers):
        id_, text = kept.pop(0)
        if text is not None and write_certificate(certificate) != text:
            raise RunError(f"the certificate stored for {id_} is not the one that is proved now")
        yield certificate


_NAME = "audit-"


def audit_set(
    task: AuditTask, workers: Workers = HERE, watch: Callable[[str], None] | None = None
) -> Audit:
    """Audit a certified set.

    Args:
        task: The whole of it.
        workers: Who plays.
        watch: Gets the name of each player before it plays, where this process plays.
    """
    return combine_shares(
        families.get(task.family, "certified"), [_share_out(task, workers, watch)]
    )


def play_share(task: AuditTask, watch: Callable[[str], None] | None = None) -> AuditShare:
    """Play one share of an audit."""
    return audit_share(families.get(task.family, "certified"), task, watch)


def _share_out(
    task: AuditTask, workers: Workers, watch: Callable[[str], None] | None
) -> AuditShare:
    """Play one share of an audit by several processes, each an equal part of it."""
    if workers == HERE:
        return play_share(task, watch)
    shards = task.shard.split(workers.count_processes())
    tasks = [task._replace(shard=shard) for shard in shards]
    return join_shares(list(run_tasks(play_share, tasks, workers)), task.shard)


def write_share(
    out: str | Path,
    task: AuditTask,
    workers: Workers = HERE,
    watch: Callable[[str], None] | None = None,
) -> Place:
    """Play one share of an audit and write it to a folder or a store, for `merge_audit`.

    Raises:
        BadFile: The folder cannot be written to.
    """
    place = Place.parse(out) / f"{_NAME}{task.shard.number:04d}-of-{task.shard.count:04d}.json"
    share = _share_out(task, workers, watch)
    # Not a number is null, and is read back as what it was.
    content = json.loads(share.model_dump_json())
    place.write_bytes(f"{canonical_json(content)}\n".encode())
    return place


def holds_audit(place: str | Path) -> bool:
    """Whether there are shares of an audit in a folder."""
    return any(name.startswith(_NAME) for name in Place.parse(place).list_names())


def merge_audit(place: str | Path) -> Audit:
    """Put together the shares of an audit that are in a folder.

    Raises:
        UsageError: There are none, some are missing, or they are of different audits.
    """
    folder = Place.parse(place)
    names = [name for name in folder.list_names() if name.startswith(_NAME)]
    if not names:
        raise UsageError(f"{folder} holds no share of an audit")
    shares = []
    for name in names:
        try:
            shares.append(AuditShare.model_validate_json((folder / name).read_bytes()))
        except ValidationError as wrong:
            raise BadFile(f"{folder / name} is not a share of an audit: {wrong}") from wrong
    return combine_shares(families.get(shares[0].family, "certified"), shares)
