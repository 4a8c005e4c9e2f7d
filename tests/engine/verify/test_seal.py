"""Seals: logs that were changed after somebody vouched for them, and who vouched."""

import base64
import json
import shutil
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from inspect_ai.log import EvalLog
from typer.testing import CliRunner

from causarium.api.evaluate import evaluate
from causarium.api.verify import seal_run, verify_logs
from causarium.cli.commands import app
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.record.episode_record import METADATA_KEY
from causarium.engine.verify.seal import make_seal
from causarium.errors import BadFile, UsageError
from tests.support.tampered_logs import play_log, samples_of, tamper


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_log(tmp_path_factory.mktemp("honest"), "causallink", "start_alone")


@pytest.fixture
def log(honest: Path, tmp_path: Path) -> Path:
    (tmp_path / "run").mkdir()
    return Path(shutil.copy(honest, tmp_path / "run" / honest.name))


def make_key(folder: Path, name: str) -> Path:
    private, path = Ed25519PrivateKey.generate(), folder / name
    path.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    public = private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
    path.with_suffix(".pub").write_bytes(public)
    return path


def rename_model(log: EvalLog) -> None:
    log.eval.model = "openai/gpt-9"
    (log.eval.metadata or {})["player"] = None
    for sample in samples_of(log):
        sample.metadata[METADATA_KEY]["player"] = None


def drop_sample(log: EvalLog) -> None:
    log.samples = samples_of(log)[1:]


def test_a_sealed_run_is_verified_and_says_so(log: Path) -> None:
    path = seal_run(log.parent)
    assert path == log.with_name("seal.json")
    (run,) = verify_logs(log.parent)
    assert run.is_verified
    assert run.seal == "sealed, not signed"
    assert seal_run(log.parent).read_bytes() == path.read_bytes()


def test_a_reply_that_no_file_can_hold_is_sealed_all_the_same(log: Path) -> None:
    book = LogBook.read([log])
    said = zlib.compress(b'{"replies": [{"text": "half a pair: \\ud800"}]}')
    odd = LogBook(book.logs, [replace(sample, said_bytes=said) for sample in book.samples])
    assert make_seal(odd).head not in {make_seal(book).head, make_seal(book).card}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (rename_model, "seal: the run card is another"),
        (drop_sample, "seal: 3 samples were sealed, and here are 2"),
        (lambda log: setattr(log.eval, "task_id", "x"), "seal: a log was changed after"),
    ],
)
def test_what_was_changed_after_the_seal_is_seen(log: Path, change: object, said: str) -> None:
    seal_run(log.parent)
    tamper(log, change)  # type: ignore[arg-type]
    (run,) = verify_logs(log.parent)
    assert not run.is_verified
    assert any(problem.startswith(said) for problem in run.problems)


def test_a_seal_that_is_none_is_a_problem(log: Path) -> None:
    log.with_name("seal.json").write_text("{}", encoding="utf-8")
    (run,) = verify_logs(log)
    assert run.problems == ("seal: it cannot be read (ValidationError)",)


def test_a_seal_that_would_fill_memory_is_not_read(log: Path) -> None:
    seal = seal_run(log)
    with seal.open("ab") as file:
        file.truncate(10_000_001)
    (run,) = verify_logs(log)
    assert run.problems == ("seal: it cannot be read (OSError)",)


def test_a_seal_is_of_one_run(log: Path, tmp_path: Path) -> None:
    play_log(tmp_path / "run", "causallink", "silent", limit=1)
    with pytest.raises(UsageError, match="one run in one folder"):
        seal_run(tmp_path)


def test_a_signature_says_who_vouches(log: Path, tmp_path: Path) -> None:
    key, other = make_key(tmp_path, "key"), make_key(tmp_path, "other")
    signers = tmp_path / "signers"
    signers.write_text(f"ada@example.org {key.with_suffix('.pub').read_text('utf-8')}", "utf-8")
    sealed = CliRunner().invoke(app, ["seal", str(log.parent), "--key", str(key)])
    assert sealed.exit_code == 0, sealed.output
    (run,) = verify_logs(log.parent, signers=signers)
    assert (run.is_verified, run.seal) == (True, "sealed and signed by ada@example.org")
    assert verify_logs(log.parent)[0].seal.startswith("sealed and signed by ed25519 SHA256:")
    # A stranger's key, and a seal that was made anew without the key.
    seal_run(log.parent, key=other)
    assert verify_logs(log.parent, signers=signers)[0].problems
    signature = log.with_name("seal.json.sig")
    seal_run(log.parent, key=key)
    kept = signature.read_bytes()
    tamper(log, rename_model)
    seal_run(log.parent)
    signature.write_bytes(kept)
    problems = verify_logs(log.parent, signers=signers)[0].problems
    assert problems == ("seal: the signature is not good",)


def test_one_key_goes_by_one_name(log: Path, tmp_path: Path) -> None:
    seal_run(log.parent, key=make_key(tmp_path, "key"))
    (before,) = verify_logs(log.parent)
    signature = log.with_name("seal.json.sig")
    told = json.loads(signature.read_text("utf-8"))
    kind, key = told["key"].split()
    signature.write_text(json.dumps({**told, "key": f"{kind} {key} me@home"}), "utf-8")
    assert verify_logs(log.parent)[0].seal == before.seal
    for other in (b"junk" + base64.b64decode(key), base64.b64decode(key)[-32:]):
        text = f"{kind} {base64.b64encode(other).decode()}"
        signature.write_text(json.dumps({**told, "key": text}), "utf-8")
        assert verify_logs(log.parent)[0].problems == ("seal: the signature is not good",)


def test_shards_that_were_sealed_one_by_one_are_verified_together(tmp_path: Path) -> None:
    folders = [
        evaluate(
            "causallink",
            player="silent",
            set="smoke",
            shard=f"{k}/2",
            log_dir=tmp_path,
            progress=False,
        ).folder
        for k in (1, 2)
    ]
    first, second = map(seal_run, folders)
    (run,) = verify_logs(tmp_path)
    assert (run.seal, run.problems) == ("sealed, not signed", ())
    second.unlink()
    (run,) = verify_logs(tmp_path)
    assert (run.seal, run.problems) == ("", (f"seal: there is none in {second.parent}",))
    second.write_bytes(first.read_bytes())
    assert "seal: " in verify_logs(tmp_path)[0].problems[0]


def test_a_signer_who_is_commented_out_does_not_sign(log: Path, tmp_path: Path) -> None:
    key, signers = make_key(tmp_path, "key"), tmp_path / "signers"
    seal_run(log.parent, key=key)
    signers.write_text(f"# revoked: {key.with_suffix('.pub').read_text('utf-8')}\n\n# ada\n")
    assert "who is not in" in verify_logs(log.parent, signers=signers)[0].problems[0]
    signers.write_text("# ada\nada@example.org ssh-ed25519\n")
    with pytest.raises(BadFile, match="signers:2: there is no key"):
        verify_logs(log.parent, signers=signers)


def test_who_asks_for_signers_gets_no_log_that_nobody_signed(log: Path, tmp_path: Path) -> None:
    key, signers = make_key(tmp_path, "key"), tmp_path / "signers"
    signers.write_text(f"ada@example.org {key.with_suffix('.pub').read_text('utf-8')}", "utf-8")
    assert verify_logs(log.parent, signers=signers)[0].problems
    seal_run(log.parent)
    assert verify_logs(log.parent)[0].is_verified
    assert verify_logs(log.parent, signers=signers)[0].problems


def test_only_an_ed25519_key_signs(log: Path, tmp_path: Path) -> None:
    other = generate_private_key(SECP256R1())
    key = tmp_path / "other"
    key.write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with pytest.raises(UsageError, match="not an ed25519 key"):
        seal_run(log.parent, key=key)
    with pytest.raises(UsageError, match="not a usable key"):
        seal_run(log.parent, key=tmp_path / "nothing")
    assert not log.with_name("seal.json").exists()


def test_what_a_model_said_is_sealed_too(log: Path) -> None:
    seal_run(log.parent)

    def change(content: EvalLog) -> None:
        samples_of(content)[0].messages = []

    tamper(log, change)
    assert verify_logs(log.parent)[0].problems
