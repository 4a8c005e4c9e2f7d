"""Tasks as folders: Harbor loads them, the solution earns 1 and nothing earns 0.

`pip install . pytest && pytest`; beside Harbor (Python 3.12) its own loader is asked too.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from causarium_harbor.write_tasks import main, write_task

import causarium as cm
from causarium.errors import UsageError

LEVELS = [("recite", None), ("replayscm", "rung-1"), ("replayscm", "rung-4")]


def grade(folder: Path, home: Path, *, solved: bool) -> float:
    """Run a task's scripts as Harbor does, with other places for the container's."""
    answer, reward = home / "answer.txt", home / "reward.txt"
    bin_ = home / "bin"
    bin_.mkdir(exist_ok=True)
    for name, line in (("pip", "exit 0"), ("python", f'exec "{sys.executable}" "$@"')):
        (bin_ / name).write_text(f"#!/bin/sh\n{line}\n")
        (bin_ / name).chmod(0o755)
    places = {"ANSWER": str(answer), "REWARD": str(reward)}
    env = {**os.environ, **places, "PATH": f"{bin_}:{os.environ['PATH']}"}
    answer.unlink(missing_ok=True)
    if solved:
        subprocess.run([folder / "solution/solve.sh"], env=env, check=True)
    subprocess.run([folder / "tests/test.sh"], env=env, check=True)
    return float(reward.read_text())


@pytest.mark.slow
@pytest.mark.parametrize(("family", "level"), LEVELS)
def test_the_solution_earns_1_and_silence_0(family: str, level: str | None, tmp_path: Path) -> None:
    folder = tmp_path / "task"
    write_task(cm.open_session(family, level=level, index=1), folder)
    assert grade(folder, tmp_path, solved=True) == 1.0
    assert grade(folder, tmp_path, solved=False) == 0.0


def test_a_task_of_the_paper_edition_is_scored_by_its_headline(tmp_path: Path) -> None:
    session = cm.open_session("recite", edition="paper", set="smoke")
    write_task(session, tmp_path / "task")
    assert grade(tmp_path / "task", tmp_path, solved=True) == 1.0


@pytest.mark.parametrize("size", ["0", "-2"])
def test_no_tasks_are_no_result(
    size: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["causarium-harbor", "replayscm", "--size", size, "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "1 or more" in capsys.readouterr().err


def test_what_the_agent_gets_holds_no_answer(tmp_path: Path) -> None:
    write_task(cm.open_session("replayscm", level="rung-2"), tmp_path)
    answer = (tmp_path / "solution/answer.txt").read_text()
    for name in ("instruction.md", "environment/Dockerfile", "task.toml"):
        assert answer not in (tmp_path / name).read_text()


def test_harbor_loads_it(tmp_path: Path) -> None:
    task = pytest.importorskip("harbor.models.task.task", reason="needs harbor").Task
    session = cm.open_session("replayscm", level="rung-2")
    write_task(session, tmp_path)
    assert task(tmp_path).name == f"causarium/{session.instance.id}"


def test_worlds_that_answer_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a task holds one reply"):
        write_task(cm.open_session("causallink", level="rung-2"), tmp_path)
