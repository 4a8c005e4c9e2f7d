"""Places: bare paths, URLs, and what is refused before anything is written."""

from pathlib import Path

import pytest

from causarium.contract.places import Place, write_atomically
from causarium.errors import BadFile, UsageError


def test_a_bare_path_and_a_file_url_are_the_same_place(tmp_path):
    bare, url = Place.parse(tmp_path / "a"), Place.parse(f"file://{tmp_path}/a")
    assert bare.path == url.path == tmp_path / "a"
    assert (url / "b").path == tmp_path / "a" / "b"


def test_what_is_written_is_read_and_nothing_half_written_stays(tmp_path):
    file = Place.parse(tmp_path / "folder") / "file"
    file.write_bytes(b"one\ntwo")
    assert file.read_bytes() == b"one\ntwo"
    assert list(file.read_lines()) == [b"one", b"two"]
    assert file.parent.list_names() == ["file"]


def test_a_folder_is_not_written_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in (Path(), tmp_path):
        with pytest.raises(BadFile, match="it is a folder"):
            write_atomically(folder, "x")


def test_a_place_of_another_filesystem_reads_and_writes():
    folder = Place.parse("memory://places/set")
    assert not (folder / "a").exists()
    (folder / "a").write_bytes(b"here\n")
    assert (folder / "a").exists()
    assert folder.is_folder()
    assert (folder / "a").read_bytes() == b"here\n"
    assert list((folder / "a").read_lines()) == [b"here"]
    assert folder.list_names() == ["a"]
    assert folder.parent.url.endswith("places")


@pytest.mark.parametrize("url", ["nope://bucket/set", "s4://bucket/set"])
def test_an_unknown_scheme_is_named_and_so_are_known_ones(url, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"unknown scheme .*known: az, file, gs, memory, s3"):
        Place.parse(url)
    assert not list(tmp_path.iterdir())


def test_a_known_scheme_without_its_package_names_the_package(monkeypatch):
    import fsspec

    def refuse(url, **_):
        raise ImportError("no such package")

    monkeypatch.setattr(fsspec.core, "url_to_fs", refuse)
    with pytest.raises(UsageError, match="pip install 'gcsfs'"):
        Place.parse("gs://bucket/set")


def test_a_url_that_went_through_a_path_has_lost_a_slash():
    with pytest.raises(UsageError, match="s3://bucket/set"):
        Place.parse(Path("s3://bucket/set"))


def test_a_password_in_a_url_is_refused_and_not_repeated():
    with pytest.raises(UsageError) as refused:
        Place.parse("s3://name:hidden@bucket/set")
    assert "hidden" not in str(refused.value)


def test_a_drive_letter_is_no_scheme():
    assert Place.parse("C:/sets/a.jsonl").path is not None


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadFile, match="cannot read"):
        Place.parse(tmp_path / "missing").read_bytes()
