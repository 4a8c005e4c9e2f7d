"""The sandbox that a run gets, and what is said where there is none."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from causarium import families, tasks
from causarium.engine.inspect_private import PrerequisiteError
from causarium.engine.play import programs
from causarium.engine.record.episode_record import read_record
from causarium.engine.sandbox import bubblewrap
from causarium.engine.sandbox.bubblewrap import NoSandbox, find_sandbox
from causarium.engine.sandbox.sandbox_command import Limits
from causarium.engine.task.family_task import fit_rules_to_machine

HERE = bubblewrap.__name__


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    bubblewrap.no_bubblewrap.cache_clear()


def has(monkeypatch: pytest.MonkeyPatch, bubblewrap: str | None) -> None:
    monkeypatch.setattr(f"{HERE}.no_bubblewrap", lambda: bubblewrap)


def test_bubblewrap_is_taken_where_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, bubblewrap=None)
    assert (find_sandbox().type, find_sandbox().config) == ("bubblewrap", Limits())


def test_where_it_does_not_work_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, bubblewrap="no user namespaces")
    with pytest.raises(NoSandbox, match=r"here: no user namespaces\..*--rule analysis=false"):
        find_sandbox()


def test_a_machine_without_bubblewrap_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    bubblewrap.no_bubblewrap.cache_clear()
    reason = bubblewrap.no_bubblewrap()
    assert reason is not None
    assert reason.startswith("not installed: bwrap, prlimit")


def test_a_bubblewrap_that_may_not_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = "bwrap: No permissions to create a new namespace"
    for name in ("bwrap", "prlimit", "unshare", "mount", "setpriv"):
        command(tmp_path, name, f"echo '{message}' >&2; exit 1")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    bubblewrap.no_bubblewrap.cache_clear()
    assert bubblewrap.no_bubblewrap() == message


def command(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_the_page_states_the_limits_that_hold() -> None:
    root = Path(__file__).resolve().parents[3]
    page = (root / "docs" / "programs.md").read_text(encoding="utf-8")
    limits = Limits()
    for stated in (
        *(f"at most {limits.processes}", f"{limits.memory_mb // 1024} GB", f"{limits.cpu_s} s per"),
        *(f"{limits.disk_mb} MB and {limits.files:,} files", f"{limits.file_mb} MB per file"),
        *(f"{programs.TIME_S} s per program", f"{programs.MOST_OUTPUT_CHARS:,} characters"),
        *(f"{programs.MOST_CODE_CHARS:,} characters", f"{programs.MOST_CALLS} per program"),
    ):
        assert stated in page, stated


def test_a_family_that_can_do_without_programs_is_played_without_a_sandbox(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    has(monkeypatch, bubblewrap="not installed: bwrap")
    task = tasks.causalgame(edition="paper", set="smoke")
    assert task.sandbox is None
    assert task.metadata is not None
    assert task.metadata["sandbox"] == "none"
    note = "No sandbox on this machine: causalgame is played without programs (analysis=false)."
    assert task.metadata["without_sandbox"] == note
    assert capsys.readouterr().err == f"{note}\n"
    record = read_record(task.dataset[0].metadata or {})
    assert record.rules["analysis"] is False


@pytest.mark.parametrize("rules", [{"analysis": True}, {"interface": "code"}])
def test_programs_that_were_asked_for_are_refused_without_a_sandbox(
    rules: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    has(monkeypatch, bubblewrap="not installed: bwrap")
    with pytest.raises(PrerequisiteError, match="bubblewrap does not work here"):
        tasks.causalgame(edition="paper", set="smoke", **rules)


def test_a_run_without_a_sandbox_is_another_run_than_one_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    family = families.get("causalgame")
    has(monkeypatch, bubblewrap=None)
    assert fit_rules_to_machine(family, "paper", {"report": "true"}) == (
        {"report": "true"},
        None,
    )
    has(monkeypatch, bubblewrap="not installed: bwrap")
    rules, note = fit_rules_to_machine(family, "paper", {"report": "true"})
    assert rules == {"report": "true", "analysis": "false"}
    assert note
