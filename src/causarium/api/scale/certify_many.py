"""Certificates of many instances: proved by several processes, or read where a set keeps them."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from causarium import families
from causarium.api.scale.workers import HERE, Workers, run_tasks
from causarium.contract.certificate import Certificate
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.rules import Edition, check_edition
from causarium.contract.sets.instance_sets import find_set, generate_instances, open_set
from causarium.contract.sets.part_files import PartRow, write_certificate
from causarium.contract.shard import WHOLE, Shard
from causarium.errors import RunError
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
    """What is to be said of many certificates, none of which is kept."""

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
        return Certificates(len(block), prove(family, chosen, drawn, workers))
    opened = open_set(file, family)
    if opened.rows is None:
        # The digest of a file is known at its end, so it is read whole first.
        instances = list(opened.instances())[:limit]
        mine = [instances[number] for number in shard.block(len(instances))]
        return Certificates(len(mine), prove(family, opened.header.edition, mine, workers))
    size = opened.size or 0
    block = shard.block(min(size, limit or size))
    rows = opened.rows(block.start, block.stop)
    return Certificates(
        len(block), _read_or_prove(family, opened.header.edition, rows, workers, again=again)
    )


def prove(
    family: AnyFamily, edition: Edition, instances: Iterable[AnyInstance], workers: Workers = HERE
) -> Iterator[Certificate]:
    """Certify instances, in order.

    Args:
        family: The family.
        edition: The edition that they are of.
        instances: The instances.
        workers: Who proves.
    """
    if workers == HERE:
        return (certify_instance(family, instance, edition) for instance in instances)
    lines = (instance.line() for instance in instances)
    return _prove_lines(family, edition, lines, workers)


def _prove_lines(
    family: AnyFamily, edition: Edition, lines: Iterable[str], workers: Workers
) -> Iterator[Certificate]:
    source = iter(lines)
    batches = iter(lambda: tuple(islice(source, _BATCH)), ())
    tasks = (CertifyTask(family.name, edition, batch) for batch in batches)
    for certificates in run_tasks(certify_batch, tasks, workers):
        yield from certificates


def certify_batch(task: CertifyTask) -> Sequence[Certificate]:
    """Certify some instances."""
    family = families.get(task.family)
    instances = (family.instance.model_validate(json.loads(line)) for line in task.lines)
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
            raise RunError(f"the set keeps another certificate of {id_} than is proved now")
        yield certificate
