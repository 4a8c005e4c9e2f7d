"""A seal: what the logs of a run were when somebody vouched for them.

`seal.json` lies beside the logs. It holds their digests, and a chain with one link a sample, so
that one sample can be shown to belong to the run without the others. A signature with an ed25519
key says who vouches: the key itself, and a name for it where the reader has a list of names.
"""

import base64
import hashlib
import math
from collections.abc import Sequence
from errno import EFBIG
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
    load_ssh_private_key,
    load_ssh_public_key,
)
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from causarium.contract.frozen import Frozen, Json, canonical_json
from causarium.contract.places import is_file, write_atomically
from causarium.engine.logbook.log_book import LogBook, LoggedSample
from causarium.engine.logbook.log_files import LogHeader
from causarium.engine.logbook.run_card import RunCard
from causarium.engine.record.episode_record import Transcript
from causarium.engine.record.secrets import forget_digits
from causarium.engine.verify.verify_runs import RunProof
from causarium.errors import BadFile, UsageError

SEAL_FILE = "seal.json"
SIGNATURE_FILE = f"{SEAL_FILE}.sig"
_LONGEST_FILE = 10_000_000
"""A sample takes 73 bytes of a seal."""
_PURPOSE = b"causarium seal\n"
"""Signed along, so that a signature under something else is none under a seal."""


class Seal(Frozen):
    """What is sealed of one run."""

    format: int = 2
    card: str
    """The sha256 of the run card, and the first link of the chain."""
    logs: dict[str, str]
    """The sha256 of every log, by its file name."""
    rows: tuple[str, ...]
    """One link a sample, by instance and epoch; each holds the one before it."""
    head: str
    """The last link."""


class Signature(Frozen):
    """Who vouches for a seal."""

    key: str
    """The public key, as OpenSSH writes it: `ssh-ed25519 AAAA…`."""
    signature: str
    """In base64."""


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
        UsageError: The logs are of several runs, or the key is none that can sign.
        BadFile: The seal cannot be written.
    """
    path = book.logs[0].path.parent / SEAL_FILE
    private = None if key is None else _read_private_key(key)
    content = f"{make_seal(book).model_dump_json(indent=2)}\n"
    write_atomically(path, content)
    path.with_name(SIGNATURE_FILE).unlink(missing_ok=True)
    if private is not None:
        signature = Signature(
            key=_write_key(private.public_key()),
            signature=base64.b64encode(private.sign(_PURPOSE + content.encode())).decode(),
        )
        write_atomically(path.with_name(SIGNATURE_FILE), f"{signature.model_dump_json(indent=2)}\n")
    return path


def _read_private_key(path: Path) -> Ed25519PrivateKey:
    """Read a key that can sign, as OpenSSH or OpenSSL writes it, without a passphrase."""
    try:
        content = path.read_bytes()
        load = load_ssh_private_key if b"OPENSSH" in content else load_pem_private_key
        key = load(content, password=None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as wrong:
        raise UsageError(f"{path} is not a usable key: {wrong}") from wrong
    if not isinstance(key, Ed25519PrivateKey):
        raise UsageError(f"{path} is not an ed25519 key; `ssh-keygen -t ed25519` makes one")
    return key


def check_run_seal(run: RunProof, book: LogBook, signers: Path | None = None) -> RunProof:
    """Add to the proof of a run what its seal says, where there is one."""
    folders = dict.fromkeys(Path(log).parent for log in run.logs)
    if signers is None and not any(is_file(folder / SEAL_FILE) for folder in folders):
        return run
    # Shards have a folder each, and each is sealed where it was played.
    found = [_check_folder(folder, run, book, signers) for folder in folders]
    said, wrong = (list(dict.fromkeys(filter(None, texts))) for texts in zip(*found, strict=True))
    seal = "" if wrong else ", ".join(said)
    return run.model_copy(update={"seal": seal, "problems": (*run.problems, *wrong)})


def _check_folder(
    folder: Path, run: RunProof, book: LogBook, signers: Path | None
) -> tuple[str, str]:
    if not is_file(folder / SEAL_FILE):
        return "", f"seal: there is none in {folder}"
    mine = {Path(log) for log in run.logs if Path(log).parent == folder}
    logs = [header for header in book.logs if header.path in mine]
    samples = [sample for sample in book.samples if sample.header.path in mine]
    return check_seal(LogBook(logs, samples), folder / SEAL_FILE, signers)


def check_seal(book: LogBook, path: Path, signers: Path | None = None) -> tuple[str, str]:
    """Hold the logs of one run against their seal.

    Args:
        book: The logs of the run, as they are now.
        path: The seal.
        signers: Who may sign: lines of a name and a public key. Anybody, if not given.

    Returns:
        Who sealed them, in words, and what is wrong with it; either may be empty.
    """
    try:
        content = _read_small(path)
        sealed = Seal.model_validate_json(content)
        now = make_seal(book)
    except (OSError, ValidationError, UsageError) as wrong:
        return "", f"seal: it cannot be read ({type(wrong).__name__})"
    if sealed != now:
        return "", f"seal: {_tell_difference(sealed, now)}"
    signature = path.with_name(SIGNATURE_FILE)
    if not is_file(signature):
        wanted = "" if signers is None else "seal: nobody signed it"
        return "" if wanted else "sealed, not signed", wanted
    try:
        signed = Signature.model_validate_json(_read_small(signature))
        public = _parse_key(signed.key)
        public.verify(base64.b64decode(signed.signature), _PURPOSE + content)
    except (OSError, ValueError, UnsupportedAlgorithm, InvalidSignature):
        return "", "seal: the signature is not good"
    # A key can be written in many ways, and goes by one name.
    key = _write_key(public)
    names = {} if signers is None else _read_signers(signers)
    if signers is not None and key not in names:
        return "", f"seal: signed by {_show_key(key)}, who is not in {signers}"
    return f"sealed and signed by {names.get(key) or _show_key(key)}", ""


def _read_small(path: Path) -> bytes:
    """Read a file; memory that runs out over a large one would end the whole process."""
    if path.stat().st_size > _LONGEST_FILE:
        raise OSError(EFBIG, f"it has more than {_LONGEST_FILE:,} bytes", str(path))
    return path.read_bytes()


def _parse_key(text: str) -> Ed25519PublicKey:
    key = load_ssh_public_key(text.encode())
    if not isinstance(key, Ed25519PublicKey):
        raise UnsupportedAlgorithm("it is no ed25519 key")
    return key


def _write_key(key: Ed25519PublicKey) -> str:
    return key.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()


def _show_key(key: str) -> str:
    """Return the fingerprint of a public key as `ssh-keygen -l` shows it."""
    digest = hashlib.sha256(base64.b64decode(key.split()[1])).digest()
    return f"ed25519 SHA256:{base64.b64encode(digest).decode().rstrip('=')}"


def _read_signers(path: Path) -> dict[str, str]:
    """Return names by keys, from lines such as `ada@example.org ssh-ed25519 AAAA…`.

    Raises:
        BadFile: The file cannot be read, or a line in it that is no comment.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadFile(f"cannot read {path}: {wrong}") from wrong
    names = {}
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#") or "ssh-ed25519" not in words[1:]:
            continue  # Lists of OpenSSH hold keys of other kinds too.
        key = words[words.index("ssh-ed25519", 1) + 1 :]
        if not key:
            raise BadFile(f"{path}:{number}: there is no key after ssh-ed25519")
        names[f"ssh-ed25519 {key[0]}"] = words[0]
    return names


def _require_one_run(logs: Sequence[LogHeader]) -> None:
    folders = {header.path.parent for header in logs}
    if len({header.run for header in logs}) != 1 or len(folders) != 1:
        places = ", ".join(sorted(map(str, folders)))
        raise UsageError(
            f"a seal covers one run in one folder; these logs do not fit one: {places}"
        )


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
    verdict: Json = [numbers, dict(row.labels), row.unscored]
    turns = [turn.model_dump(mode="json") for turn in sample.turns]
    return canonical_json(
        [
            row.id,
            row.epoch,
            _hash(sample.instance_bytes),
            _hash(canonical_json(turns).encode("utf-8", "surrogatepass")),
            _hash(_transcript_bytes(sample.transcript)),
            _hash(canonical_json(verdict).encode("utf-8", "surrogatepass")),
        ]
    )


def _transcript_bytes(transcript: Transcript) -> bytes:
    later = {"shown", "checked"}  # older seals do not have them
    try:
        return transcript.model_dump_json(exclude=later).encode()
    except PydanticSerializationError:  # a model may write half of a pair of surrogates
        said = canonical_json(transcript.model_dump(mode="json", exclude=later))
        return said.encode("utf-8", "surrogatepass")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _hash_file(path: Path) -> str:
    try:
        with path.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as wrong:
        raise BadFile(f"cannot read {path}: {wrong}") from wrong
