"""A seal: what the logs of a run were when somebody vouched for them.

`seal.json` lies beside the logs. It holds their digests, and a chain with one link a sample, so
that one sample can be shown to belong to the run without the others. A signature with an SSH key,
which `ssh-keygen` makes and checks, says who vouches.
"""

import hashlib
import math
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from causarium.contract.frozen import Frozen, canonical_json
from causarium.contract.places import write_atomically
from causarium.engine.logbook.log_book import LogBook, LoggedSample
from causarium.engine.logbook.log_files import LogHeader
from causarium.engine.logbook.run_card import RunCard
from causarium.engine.record.secrets import forget_digits
from causarium.engine.verify.verify_runs import RunProof
from causarium.errors import BadFile, RunError, UsageError

SEAL_FILE = "seal.json"
SIGNATURE_FILE = f"{SEAL_FILE}.sig"
_NAMESPACE = "causarium"
_PATIENCE_S = 30


class Seal(Frozen):
    """What is sealed of one run."""

    format: int = 1
    card: str
    """The sha256 of the run card, and the first link of the chain."""
    logs: dict[str, str]
    """The sha256 of every log, by its file name."""
    rows: tuple[str, ...]
    """One link a sample, by instance and epoch, each of which holds the one before it."""
    head: str
    """The last link."""


def make_seal(book: LogBook) -> Seal:
    """Seal the logs of one run.

    Raises:
        UsageError: They are of several runs, or in several folders.
        BadFile: A log cannot be read.
    """
    _require_one_run(book.logs)
    first = _hash(_card_text(book.logs[-1].card).encode())
    links: list[str] = []
    samples = sorted(book.newest.values(), key=lambda each: (each.row.id, each.row.epoch))
    for sample in samples:
        before = links[-1] if links else first
        links.append(_hash(f"{before}{_sample_text(sample)}".encode()))
    return Seal(
        card=first,
        logs={header.path.name: _hash_file(header.path) for header in book.logs},
        rows=tuple(links),
        head=links[-1] if links else first,
    )


def write_seal(book: LogBook, key: Path | None = None) -> Path:
    """Write the seal of a run beside its logs, signed if a key is given; returns its path.

    Raises:
        UsageError: The logs are of several runs, or `ssh-keygen` is not installed.
        BadFile: The seal cannot be written.
        RunError: `ssh-keygen` did not sign it.
    """
    path = book.logs[0].path.parent / SEAL_FILE
    seal = make_seal(book)
    write_atomically(path, f"{seal.model_dump_json(indent=2)}\n")
    path.with_name(SIGNATURE_FILE).unlink(missing_ok=True)
    if key is not None:
        signed = _run_ssh_keygen("sign", "-n", _NAMESPACE, "-f", str(key), str(path))
        if signed.returncode:
            raise RunError(f"ssh-keygen did not sign {path}: {signed.stderr.decode().strip()}")
    return path


def check_run_seal(run: RunProof, book: LogBook, signers: Path | None = None) -> RunProof:
    """Add to the proof of a run what its seal says, where there is one.

    Args:
        run: The proof of the run.
        book: Logs, those of the run among them.
        signers: Whose signatures count.
    """
    folders = {Path(log).parent for log in run.logs}
    seals = [folder / SEAL_FILE for folder in folders if (folder / SEAL_FILE).is_file()]
    if not seals:
        return run
    logs = [header for header in book.logs if str(header.path) in run.logs]
    samples = [sample for sample in book.samples if str(sample.header.path) in run.logs]
    seal, problem = check_seal(LogBook(logs, samples), seals[0], signers)
    problems = (*run.problems, problem) if problem else run.problems
    return run.model_copy(update={"seal": seal, "problems": problems})


def check_seal(book: LogBook, path: Path, signers: Path | None = None) -> tuple[str, str]:
    """Hold the logs of one run against their seal.

    Args:
        book: The logs of the run, as they are now.
        path: The seal.
        signers: Whose signatures count: a file of allowed signers as `ssh-keygen` reads it.

    Returns:
        Who sealed them, in words, and what is wrong with it; either may be empty.
    """
    try:
        content = path.read_bytes()
        sealed = Seal.model_validate_json(content)
        now = make_seal(book)
    except (OSError, ValidationError, UsageError) as wrong:
        return "", f"seal: it cannot be read ({type(wrong).__name__})"
    if sealed != now:
        return "", f"seal: {_tell_difference(sealed, now)}"
    signature = path.with_name(SIGNATURE_FILE)
    if not signature.is_file():
        return "sealed, not signed", ""
    if signers is None:
        return "sealed; to check the signature, give --signers FILE", ""
    who = _find_signer(content, signature, signers)
    return (f"sealed and signed by {who}", "") if who else ("", "seal: the signature is not good")


def _find_signer(content: bytes, signature: Path, signers: Path) -> str:
    """Return who signed; empty if nobody did whose signature counts."""
    files = ("-f", str(signers), "-s", str(signature))
    names = _run_ssh_keygen("find-principals", *files)
    for who in names.stdout.decode(errors="replace").splitlines() if not names.returncode else ():
        given = ("-I", who, "-n", _NAMESPACE)
        if not _run_ssh_keygen("verify", *given, *files, content=content).returncode:
            return who
    return ""


def _run_ssh_keygen(
    action: str, *words: str, content: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    command = ["ssh-keygen", "-Y", action, *words]
    try:
        return subprocess.run(  # noqa: S603 - our own words, no shell
            command, input=content, capture_output=True, timeout=_PATIENCE_S, check=False
        )
    except FileNotFoundError as wrong:
        raise UsageError("signatures need ssh-keygen, which is not installed") from wrong
    except subprocess.TimeoutExpired as wrong:
        raise RunError(f"ssh-keygen took more than {_PATIENCE_S} seconds") from wrong


def _require_one_run(logs: Sequence[LogHeader]) -> None:
    folders = {header.path.parent for header in logs}
    if len({header.run for header in logs}) != 1 or len(folders) != 1:
        places = ", ".join(sorted(map(str, folders)))
        raise UsageError(f"a seal is of one run in one folder; these are not: {places}")


def _tell_difference(sealed: Seal, now: Seal) -> str:
    if sealed.card != now.card:
        return "the run card is another"
    if len(sealed.rows) != len(now.rows):
        return f"{len(sealed.rows)} samples were sealed, and here are {len(now.rows)}"
    for number, (before, after) in enumerate(zip(sealed.rows, now.rows, strict=True), 1):
        if before != after:
            return f"sample {number} is not what was sealed"
    return "a log was changed after it was sealed"


def _card_text(card: RunCard) -> str:
    # What sets runs apart within a report, and what a machine's own key hides, is left out.
    kept = card.model_dump(mode="json", exclude={"label", "run"})
    return canonical_json(forget_digits(kept))


def _sample_text(sample: LoggedSample) -> str:
    row = sample.row
    numbers = {name: None if math.isnan(n) else n for name, n in row.numbers.items()}
    turns = [turn.model_dump(mode="json") for turn in sample.turns]
    return canonical_json(
        [
            row.id,
            row.epoch,
            _hash(sample.instance_bytes),
            _hash(canonical_json(turns).encode("utf-8", "surrogatepass")),
            _hash(_verdict_text(numbers, row.labels, row.unscored)),
        ]
    )


def _verdict_text(
    numbers: Mapping[str, float | None], labels: Mapping[str, str], unscored: str | None
) -> bytes:
    text = canonical_json([dict(numbers), dict(labels), unscored])
    return text.encode("utf-8", "surrogatepass")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _hash_file(path: Path) -> str:
    try:
        with path.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as wrong:
        raise BadFile(f"cannot read {path}: {wrong}") from wrong
