"""Verifying logs: every score worked out anew, without a model."""

from typing import TYPE_CHECKING

from causarium.api.rows import Places, as_paths

if TYPE_CHECKING:
    from causarium.engine.verify.verify_runs import RunProof


def verify_logs(logs: Places, *, draw: bool = False) -> "tuple[RunProof, ...]":
    """Work out anew what logs say, and say of every run what of it is verified.

    Args:
        logs: A log, a folder, or several of them.
        draw: Generate every instance anew instead of looking up its digest.

    Raises:
        UsageError: A place does not exist, or holds no log.
        BadFile: A log cannot be read.
    """
    from causarium import families
    from causarium.engine.logbook.log_book import LogBook
    from causarium.engine.verify.known_instances import KnownInstances
    from causarium.engine.verify.verify_runs import verify_book

    book = LogBook.read(as_paths(logs))
    book.require_whole()
    return verify_book(book, families.get, KnownInstances(draw=draw)).runs
