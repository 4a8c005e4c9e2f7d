"""A run's folder: one process at a time, damaged logs aside."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai.log import read_eval_log, write_eval_log

from causarium.contract.places import Place
from causarium.engine.logbook.log_files import local_copy
from causarium.engine.run.run_folder import (
    DAMAGED,
    LOCK,
    RunTaken,
    find_damage,
    hold_run_folder,
    lock_run_folder,
    restore_stores,
    set_aside_damaged_logs,
)
from causarium.errors import RunError
from tests.support.inspect_runs import run_task, task_of
from tests.support.lamps import FAMILY as LAMPS
from tests.support.scripted import in_turn, scripted_model


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    model = scripted_model(in_turn(["nothing that anybody could read"]))
    return Path(run_task(task_of(LAMPS), folder, model).location)


def ids(path: Path) -> set[str]:
    return {str(sample.id) for sample in read_eval_log(str(path)).samples or ()}


def never(text: str) -> None:
    raise AssertionError(text)


def test_a_folder_is_held_by_one_and_free_again_after(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "run"
    with lock_run_folder(folder, never):
        with (
            pytest.raises(RunError, match=f"process {os.getpid()} is already running this"),
            lock_run_folder(folder, never),
        ):
            raise AssertionError
        # A process that was refused takes nothing from the one that holds it.
        with pytest.raises(RunError), lock_run_folder(folder, never):
            raise AssertionError
    with lock_run_folder(folder, never):
        assert (folder / LOCK).read_text() == f"{os.getpid()}\n"


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file")
    folder = Place.parse(tmp_path / "logs" / "run")
    with pytest.raises(RunError, match="cannot continue") as wrong, hold_run_folder(folder):
        raise AssertionError
    assert "saved" not in str(wrong.value)


def test_one_process_of_a_machine_is_at_a_run_on_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    store = Place.parse("memory://locks/run")
    with (
        lock_run_folder(local_copy(store), never),
        pytest.raises(RunTaken, match="is already running"),
        hold_run_folder(store),
    ):
        raise AssertionError


def test_a_whole_log_is_left_alone(tmp_path: Path, log: Path) -> None:
    copy = Path(shutil.copy(log, tmp_path))
    assert find_damage(copy) is None
    assert set_aside_damaged_logs(tmp_path) == []
    assert copy.read_bytes() == log.read_bytes()


def test_a_recovered_log_gets_its_turns_back(tmp_path: Path, log: Path) -> None:
    """Inspect recovers samples of a killed session without their stores."""
    copy = tmp_path / log.name
    content = read_eval_log(str(log))
    stores = [sample.store for sample in content.samples or ()]
    for sample in content.samples or ():
        sample.store = {}
    write_eval_log(content, str(copy))
    assert "lack their turns" in str(find_damage(copy))
    restore_stores(str(copy))
    assert [sample.store for sample in read_eval_log(str(copy)).samples or ()] == stores
    assert find_damage(copy) is None


def test_half_written_files_are_dropped(tmp_path: Path) -> None:
    left = tmp_path / ".inspect_tmp_abc.writing"
    left.write_bytes(b"half")
    set_aside_damaged_logs(tmp_path)
    assert not left.exists()


def test_damaged_logs_of_one_name_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    for content in (b"one", b"two"):
        path.write_bytes(content)
        (found,) = set_aside_damaged_logs(tmp_path)
        assert found.aside.read_bytes() == content
        assert "a.eval is damaged" in str(found)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.eval.damaged", "a.eval.damaged-2"]


def harmed(log: Path, folder: Path, harm: Callable[[bytearray], bytes | bytearray]) -> set[str]:
    """Harm a copy of a log, have it mended, and return whose samples are left."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    path = folder / log.name
    path.write_bytes(harm(bytearray(log.read_bytes())))
    problem = find_damage(path)
    found = set_aside_damaged_logs(folder)
    assert [one.path for one in found] == ([path] if problem else [])
    assert all(one.aside.name.startswith(log.name + DAMAGED) for one in found)
    left = ids(path) if path.exists() else set()
    assert not found or found[0].kept == len(left)
    assert not path.exists() or find_damage(path) is None
    return left


@settings(max_examples=15)
@given(share=st.floats(0, 1))
def test_a_log_that_is_cut_off_is_put_aside(
    share: float, log: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    at = int(share * (log.stat().st_size - 1))
    left = harmed(log, tmp_path_factory.getbasetemp() / "cut", lambda data: data[:at])
    assert left == set()


@settings(max_examples=15)
@given(share=st.floats(0, 1, exclude_max=True), bits=st.integers(1, 255))
def test_whatever_byte_is_wrong_what_is_left_is_whole(
    share: float, bits: int, log: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    def flip(data: bytearray) -> bytearray:
        data[int(share * len(data))] ^= bits
        return data

    assert harmed(log, tmp_path_factory.getbasetemp() / "flip", flip) <= ids(log)
