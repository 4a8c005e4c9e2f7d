"""Long runs survive: kills, Ctrl-C, full disks, lost folders, damaged logs, two at a time.

A real provider on localhost plays; the command line runs in processes of its own.
"""

import json
import os
import shutil
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from bench.kills import KILLS, SAMPLES, survive
from causarium import families
from causarium.api.verify import verify_logs
from causarium.engine.gate import LEDGER
from causarium.engine.run.run_folder import DAMAGED
from tests.support import small_disk
from tests.support.bad_provider import MODEL, Provider, provider
from tests.support.extras import needs_openai
from tests.support.forked_run import Run, start
from tests.support.logs import find_logs, newest_rows

# One process imports everything and forks the others: all of these share it.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("survival"), needs_openai]
SIZE = 24
PLAYED = ("--set", "standard", "--edition", "paper", "--limit", str(SIZE))


def begin(folder: Path, asked: Provider, *more: str, name: str = "said") -> Run:
    command = ["run", "causallink", *PLAYED, "--model", MODEL, "--json"]
    command += ["--log-dir", str(folder / "logs"), "--ctl-server", "false", *more]
    return start(command, folder / name, asked.environment)


@pytest.fixture(scope="module")
def calm_calls(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How often the provider is asked where nothing goes wrong."""
    with provider() as asked:
        run = begin(tmp_path_factory.mktemp("calm"), asked)
        assert run.wait() == 0, run.err
        return asked.asked


def until(asked: Provider, calls: int, run: Run) -> None:
    while asked.asked < calls:
        assert run.process.exitcode is None, run.err
        time.sleep(0.005)


def uuids(folder: Path) -> set[str]:
    log = read_eval_log(str(find_logs([folder / "logs"])[-1]))
    return {str(sample.uuid) for sample in log.samples or () if sample.error is None}


def run_folder(folder: Path) -> Path:
    (found,) = (folder / "logs" / "causallink").iterdir()
    return found


@pytest.mark.long
def test_thirty_kills_lose_no_finished_sample_and_play_none_twice(tmp_path: Path) -> None:
    found = survive(tmp_path, seed=20261115)
    assert found.kills == KILLS == 30
    assert 0 < found.finished_before < SAMPLES
    assert (found.lost, found.twice, found.scored) == (0, 0, SAMPLES)
    assert len(newest_rows([tmp_path / "logs"])) == SAMPLES
    # What the killed processes left is gone once the run is complete.
    assert len(find_logs([tmp_path / "logs"])) == 1
    assert not list((tmp_path / "data").rglob("*.db"))


def test_ctrl_c_ends_cleanly_and_keeps_what_is_finished(tmp_path: Path) -> None:
    with provider(delay_s=0.1) as asked:
        run = begin(tmp_path, asked, "--max-connections", "2")
        until(asked, 8, run)
        os.kill(run.pid, signal.SIGINT)
        assert run.wait() == 130
        assert "run the same command to resume" in run.err
        assert "Traceback" not in run.err
        before = uuids(tmp_path)
        assert 0 < len(before) < SIZE
        asked.delay_s = 0.0
        again = begin(tmp_path, asked)
        assert again.wait() == 0, again.err
    assert before < uuids(tmp_path)
    assert len(uuids(tmp_path)) == SIZE


def test_a_second_process_on_the_same_run_is_told_who_is_at_it(tmp_path: Path) -> None:
    with provider(delay_s=0.2) as asked:
        first = begin(tmp_path, asked, "--max-connections", "2", name="first")
        until(asked, 1, first)
        second = begin(tmp_path, asked, name="second")
        assert second.wait() == 1
        assert f"process {first.pid} is already running this" in second.err
        assert "Traceback" not in second.err
        # The lock dies with its process.
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        asked.delay_s = 0.0
        third = begin(tmp_path, asked, name="third")
        assert third.wait() == 0, third.err
    assert len(uuids(tmp_path)) == SIZE


def test_a_budget_counts_what_killed_sessions_spent(tmp_path: Path) -> None:
    limits = ("--price", "0,1000000", "--budget", "6", "--max-connections", "1")
    with provider(delay_s=0.1) as asked:
        for number in range(2):
            run = begin(tmp_path, asked, *limits, name=f"killed{number}")
            until(asked, asked.asked + 3, run)
            os.kill(run.pid, signal.SIGKILL)
            run.wait()
        last = begin(tmp_path, asked, *limits)
        assert last.wait() == 3, last.err
        ledger = (run_folder(tmp_path) / LEDGER).read_text().split()
        assert asked.asked - 2 <= len(ledger) <= asked.asked
        assert "The budget of $6 is spent" in last.err


def test_a_log_folder_deleted_while_it_runs_is_written_again(
    tmp_path: Path, calm_calls: int
) -> None:
    with provider(delay_s=0.05) as asked:
        run = begin(tmp_path, asked, "--max-connections", "2")
        until(asked, 8, run)
        shutil.rmtree(tmp_path / "logs")
        assert run.wait() == 0, run.err
        assert "was deleted during the run. The log was written again" in run.err
        assert json.loads(run.out)["n"] == SIZE
        assert asked.asked == calm_calls
    assert len(uuids(tmp_path)) == SIZE


def test_a_family_that_cannot_run_holds_up_no_other(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    # Where the logs of this family would go there is something else.
    (tmp_path / "logs" / "causalab").write_text("in the way")
    command = ["run", "all", "--player", "silent", "--set", "smoke", "--limit", "1", "--json"]
    command += ["--log-dir", str(tmp_path / "logs"), "--ctl-server", "false"]
    run = start(command, tmp_path / "said", {})
    assert run.wait() == 1, run.err
    assert "Traceback" not in run.err
    ran = {json.loads(line)["family"] for line in run.out.splitlines()}
    assert ran == set(families.names()) - {"causalab"}
    ends = run.err.splitlines()[-len(families.names()) :]
    assert [end.partition(":")[0] for end in ends] == list(families.names())
    assert all(end.endswith(": complete") for end in ends if not end.startswith("causalab"))
    assert "causalab: failed: The run cannot continue" in run.err


SMALL_KIB = 64
"""Room for a part of the samples."""


def full_disk(folder: Path) -> None:
    """Run what follows twice: while the disk is full, then with room; and keep what it holds."""
    small_disk.mount(folder, kibibytes=SMALL_KIB)
    codes = []
    for _ in range(2):
        child = os.fork()
        if not child:
            return
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        if len(codes) == 1:
            shutil.copy(folder.parent / "said" / "err", folder.parent / "full")
            small_disk.make_room(folder, kibibytes=4096)
    (folder.parent / "code").write_text(str(codes[0]))
    shutil.copytree(folder, folder.parent / "kept")
    os._exit(codes[1])


def run_on_disk(folder: Path, asked: Provider, prepare: Callable[[Path], None]) -> tuple[Run, int]:
    """Run into a folder that is prepared first; returns the run and its exit code."""
    logs = folder / "logs"
    logs.mkdir()
    command = ["run", "causallink", *PLAYED, "--model", MODEL, "--json"]
    command += ["--log-dir", str(logs), "--ctl-server", "false"]
    run = start(command, folder / "said", asked.environment, partial(prepare, logs))
    code = run.wait()
    if "Operation not permitted" in run.err:
        pytest.skip("this machine lets nobody mount a disk of their own")
    return run, code


def test_a_full_disk_is_named_and_loses_nothing(tmp_path: Path, calm_calls: int) -> None:
    with provider() as asked:
        run, code = run_on_disk(tmp_path, asked, full_disk)
        full = (tmp_path / "full").read_text()
        assert (tmp_path / "code").read_text() == "1", full
        assert "No space left on device" in full
        assert "bytes left" in full
        assert "Traceback" not in full
        assert code == 0, run.err
        assert json.loads(run.out.splitlines()[-1])["n"] == SIZE
        # Every sample that was finished was kept: nobody was asked anything twice.
        assert asked.asked == calm_calls
    (verified,) = verify_logs(tmp_path / "kept")
    assert (verified.verified, verified.reasons, verified.problems) == (SIZE, {}, ())


def read_only(folder: Path) -> None:
    small_disk.mount(folder, kibibytes=4096)
    small_disk.forbid_writing(folder)


def test_a_folder_that_cannot_be_written_is_named_before_anybody_is_asked(tmp_path: Path) -> None:
    with provider() as asked:
        run, code = run_on_disk(tmp_path, asked, read_only)
        assert code == 1, run.err
        assert "Read-only file system" in run.err
        assert "Traceback" not in run.err
        assert asked.asked == 0


def test_a_clock_that_was_set_back_decides_nothing(tmp_path: Path, calm_calls: int) -> None:
    """The second session's log has a name and times before those of the first."""
    with provider(delay_s=0.05) as asked:
        first = begin(tmp_path, asked, "--max-connections", "2")
        until(asked, 8, first)
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        (old,) = run_folder(tmp_path).glob("*.eval")
        ahead = old.with_name(f"2099{old.name[4:]}")
        old.rename(ahead)
        os.utime(ahead, (4_000_000_000, 4_000_000_000))
        again = begin(tmp_path, asked)
        assert again.wait() == 0, again.err
        third = begin(tmp_path, asked)
        assert third.wait() == 0, third.err
        calls = asked.asked
    assert len(newest_rows([tmp_path / "logs"])) == SIZE
    # What the first session had not written yet is kept under the name that its log had.
    assert calm_calls <= calls <= calm_calls + 8


def test_a_damaged_log_is_put_aside_and_played_again(tmp_path: Path, calm_calls: int) -> None:
    with provider() as asked:
        assert begin(tmp_path, asked).wait() == 0
        before = uuids(tmp_path)
        (log,) = run_folder(tmp_path).glob("*.eval")
        data = bytearray(log.read_bytes())
        data[len(data) // 3] ^= 0xFF
        log.write_bytes(data)
        again = begin(tmp_path, asked)
        assert again.wait() == 0, again.err
    assert f"was renamed to {log.name}{DAMAGED}" in again.err
    assert log.with_name(log.name + DAMAGED).read_bytes() == data
    assert len(before | uuids(tmp_path)) == 2 * SIZE
    assert asked.asked == 2 * calm_calls
