"""A run that is killed goes on, and nothing that was finished is lost or played twice."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from inspect_ai.log import read_eval_log

from causarium.engine.logs import find_logs

ROOT = Path(__file__).resolve().parents[2]
SIZE = 84
PATIENCE_S = 120


def start(folder: Path, counts: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.support.counted_run", str(folder / counts)]
    command += ["run", "causallink", "--player", "optimal", "--set", "core", "--json"]
    command += ["--log-dir", str(folder / "logs")]
    # One at a time, so that there is something left to kill.
    command += ["--", "--max-samples", "1"]
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "data")}
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def finished(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def test_a_killed_run_goes_on_with_the_same_command(tmp_path: Path) -> None:
    run = start(tmp_path, "first")
    deadline = time.monotonic() + PATIENCE_S
    while len(finished(tmp_path / "first")) < 15 and time.monotonic() < deadline:
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    before = finished(tmp_path / "first")
    assert 15 <= len(before) < SIZE

    again = start(tmp_path, "second")
    out, err = again.communicate(timeout=PATIENCE_S)
    assert again.returncode == 0, err.decode()
    assert f'"n": {SIZE}' in out.decode()

    log = read_eval_log(str(find_logs([tmp_path / "logs"])[-1]))
    assert log.samples is not None
    kept = {f"{sample.id} {sample.uuid}" for sample in log.samples}
    assert len(kept) == SIZE
    assert set(before) <= kept
    assert {line.split()[0] for line in before}.isdisjoint(
        line.split()[0] for line in finished(tmp_path / "second")
    )
