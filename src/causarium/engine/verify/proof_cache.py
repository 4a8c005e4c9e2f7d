"""Proofs kept in the user's cache folder, never beside a log, so that a second report is quick.

A file holds the proofs of one log. Its name is a digest of the log's bytes, the family's version
and the code. `causarium verify` and `causarium score` never read it.
"""

import hashlib
import json
from contextlib import suppress
from pathlib import Path

from causarium.contract.frozen import digest
from causarium.contract.places import cache_folder, write_atomically
from causarium.engine.logbook.log_book import LogBook, LoggedSample, RowKey
from causarium.engine.logbook.log_files import LogHeader
from causarium.engine.logbook.reference_cache import code_stamp, delete_oldest
from causarium.engine.verify.known_instances import KnownInstances
from causarium.engine.verify.rescore import Lookup, prove_sample
from causarium.engine.verify.verify_runs import BookProof, prove_book
from causarium.errors import BadFile, UsageError


def verify_for_report(book: LogBook, lookup: Lookup) -> BookProof:
    """Work out anew what logs say, except where that was done before."""
    known = KnownInstances()
    logs: dict[Path, list[tuple[RowKey, LoggedSample]]] = {}
    for key, sample in book.newest.items():
        logs.setdefault(sample.header.path, []).append((key, sample))
    flaws: dict[RowKey, str] = {}
    for samples in logs.values():
        file = _cache_file(samples[0][1].header, lookup)
        kept = _read_kept(file)
        mine = {
            key: kept[name]
            if (name := f"{key.id} {key.epoch}") in kept
            else prove_sample(sample, lookup, known)
            for key, sample in samples
        }
        flaws |= mine
        if file is not None:
            _keep(file, {f"{key.id} {key.epoch}": flaw for key, flaw in mine.items()})
    # In the order of the rows, which is not that of the logs.
    return prove_book(book, {key: flaws[key] for key in book.newest}, lookup)


def _cache_file(header: LogHeader, lookup: Lookup) -> Path | None:
    """Return where the proofs of a log are kept; None where they depend on another file."""
    if header.set_file is not None:
        return None
    with suppress(UsageError, OSError), header.path.open("rb") as log:
        family = lookup(header.card.family)
        content = hashlib.file_digest(log, "sha256").hexdigest()
        stamp = code_stamp(family.instance.__module__)
        words = family.released.digest if family.released else ""
        key = digest(content, family.name, family.card.version, stamp, words)
        return cache_folder() / "proofs" / f"{key.partition(':')[2][:32]}.jsonl"
    return None


def _read_kept(file: Path | None) -> dict[str, str]:
    with suppress(OSError, ValueError):
        kept = json.loads(file.read_text(encoding="utf-8")) if file else None
        if isinstance(kept, dict):
            return {str(name): str(flaw) for name, flaw in kept.items()}
    return {}


def _keep(file: Path, flaws: dict[str, str]) -> None:
    # A folder that cannot be written costs time and nothing else.
    with suppress(BadFile, OSError):
        if not file.exists():
            write_atomically(file, f"{json.dumps(flaws)}\n")
            delete_oldest(file.parent)
