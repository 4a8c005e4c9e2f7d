"""Verifying logs: every score worked out anew, without a model."""

from pathlib import Path
from typing import TYPE_CHECKING

from causarium.api.rows import Places, as_paths

if TYPE_CHECKING:
    from causarium.engine.verify.verify_runs import RunProof


def verify_logs(
    logs: Places, *, draw: bool = False, signers: str | Path | None = None
) -> "tuple[RunProof, ...]":
    """Work out anew what logs say, and say of every run what of it is verified.

    Args:
        logs: A log, a folder, or several of them.
        draw: Generate every instance anew instead of looking up its digest.
        signers: Whose signatures of seals count: a file with lines of a name and a public key.

    Raises:
        UsageError: A place does not exist, or holds no log.
        BadFile: A log cannot be read.
    """
    from causarium import families
    from causarium.engine.logbook.log_book import LogBook
    from causarium.engine.verify.known_instances import KnownInstances
    from causarium.engine.verify.seal import check_run_seal
    from causarium.engine.verify.verify_runs import verify_book

    book = LogBook.read(as_paths(logs))
    book.require_whole()
    proof = verify_book(book, families.get, KnownInstances(draw=draw))
    return tuple(
        check_run_seal(run, book, None if signers is None else Path(signers)) for run in proof.runs
    )


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
