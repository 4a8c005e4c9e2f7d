"""Which sandbox a run gets, and what is said where there is none."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest

from causarium import families, tasks
from causarium.contract.episode import Episode
from causarium.contract.sets.instance_sets import generate_set
from causarium.contract.world import Move, Observation
from causarium.engine.inspect_private import PrerequisiteError
from causarium.engine.play import programs
from causarium.engine.record.episode_record import read_record
from causarium.engine.sandbox import bubblewrap
from causarium.engine.sandbox.bubblewrap import NoSandbox, no_docker
from causarium.engine.sandbox.bubblewrap import choose_sandbox as choose
from causarium.engine.sandbox.sandbox_command import Limits
from causarium.engine.task.family_task import fit_rules_to_machine
from causarium.errors import RunError
from tests.support.wired_lamps import WIRED, Tinker

HERE = bubblewrap.__name__
COMPOSE = Path(bubblewrap.__file__).with_name("compose.yaml")


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    bubblewrap.no_docker.cache_clear()
    bubblewrap.no_bubblewrap.cache_clear()


def has(monkeypatch: pytest.MonkeyPatch, docker: str | None, bubblewrap: str | None) -> None:
    monkeypatch.setattr(f"{HERE}.no_docker", lambda: docker)
    monkeypatch.setattr(f"{HERE}.no_bubblewrap", lambda: bubblewrap)


def test_docker_is_taken_where_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, docker=None, bubblewrap=None)
    assert (choose().type, choose().config) == ("docker", str(COMPOSE))


def test_bubblewrap_is_taken_where_docker_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, docker="no daemon", bubblewrap=None)
    assert (choose().type, choose().config) == ("bubblewrap", Limits())


def test_where_neither_works_both_reasons_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, docker="no daemon", bubblewrap="no user namespaces")
    with pytest.raises(
        NoSandbox,
        match=r"Docker: no daemon\. Bubblewrap: no user namespaces.*--rule analysis=false",
    ):
        choose()


def test_a_docker_without_its_daemon_is_no_docker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command(tmp_path, "docker", "echo Client: 27.1; echo Cannot connect to the daemon >&2; exit 1")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    bubblewrap.no_docker.cache_clear()
    assert no_docker() == "Cannot connect to the daemon"


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


def test_the_container_has_the_same_walls() -> None:
    service = compose()["services"]["default"]
    limits = Limits()
    assert service["network_mode"] == "none"
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["user"] != "0:0"
    assert service["mem_limit"] == service["memswap_limit"] == f"{limits.memory_mb // 1024}g"
    assert service["pids_limit"] == limits.processes
    assert service["ulimits"]["fsize"] == limits.file_mb * 1024 * 1024
    assert service["ulimits"]["cpu"] == limits.cpu_s
    assert service["ulimits"]["nofile"] == limits.descriptors
    assert service["shm_size"] == f"{limits.tmp_mb}m"
    mode = f"mode=1777,nr_inodes={limits.files}"
    sizes = {"/tmp": limits.tmp_mb, "/workspace": limits.disk_mb}
    assert service["tmpfs"] == [f"{place}:size={size}m,{mode}" for place, size in sizes.items()]
    assert (COMPOSE.parent / "Dockerfile").is_file()


def compose() -> Any:
    import yaml

    return yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))


def command(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


class Container:
    """A Docker sandbox as Inspect hands it out: it has a container, and is not bubblewrap."""

    def __init__(self, container: str | None) -> None:
        self.container = container

    def as_type(self, kind: type) -> None:
        raise TypeError(f"not a {kind.__name__}")

    async def connection(self) -> SimpleNamespace:
        if self.container is None:
            raise NotImplementedError
        return SimpleNamespace(container=self.container)


def solve(monkeypatch: pytest.MonkeyPatch, place: Container) -> Episode:
    monkeypatch.setattr(programs, "sandbox", lambda: place)
    instance = generate_set(WIRED, "certified", "smoke", limit=1)[0]
    episode = Episode(WIRED, instance, WIRED.rules_for("certified", interface="code"))

    async def take(move: Move) -> Observation:
        return episode.step(move)

    code = "import json\nfor name in json.load(open('switches.json')): client.answer(wired=name)"
    anyio.run(programs.run_program, episode, Tinker(code=code), take)
    return episode


def test_a_program_reaches_the_world_through_docker_exec(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Docker's client is played by a script: what is tried is the line to the container."""
    command(tmp_path, "docker", '[ "$1 $2 $3" = "exec -i box-1" ] || exit 9; shift 3; exec "$@"')
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    episode = solve(monkeypatch, Container("box-1"))
    assert [turn.action["kind"] for turn in episode.turns if turn.action] == ["answer"]


def test_a_container_that_is_gone_is_a_broken_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command(tmp_path, "docker", "echo Error: No such container >&2; exit 1")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(RunError, match="does not start: Error: No such container"):
        solve(monkeypatch, Container("box-1"))


def test_a_sandbox_without_walls_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RunError, match="Docker or a bubblewrap sandbox"):
        solve(monkeypatch, Container(None))


@pytest.mark.parametrize(
    ("engine", "compose", "reason"),
    [
        ("26.1.5+dfsg1", "2.26.1-4", None),
        ("20.10.24+dfsg1", "2.26.1", "Docker is 20.10.24+dfsg1, and 24.0.6 is needed"),
        ("26.1.5", "v2.3.0", "Docker Compose is 2.3.0, and 2.21.0 is needed"),
        ("", "2.26.1", "Docker is of no known version, and 24.0.6 is needed"),
    ],
)
def test_a_docker_that_is_too_old_is_no_docker(
    engine: str,
    compose: str,
    reason: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command(tmp_path, "docker", f'[ "$1" = version ] && echo {engine} || echo {compose}')
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    bubblewrap.no_docker.cache_clear()
    assert no_docker() == reason


def test_the_page_states_the_limits_that_hold() -> None:
    root = Path(__file__).resolve().parents[3]
    page = (root / "docs" / "programs.md").read_text(encoding="utf-8")
    limits = Limits()
    for stated in (
        *(f"at most {limits.processes}", f"{limits.memory_mb // 1024} GB", f"{limits.cpu_s} s a"),
        *(f"{limits.disk_mb} MB and {limits.files:,} files", f"{limits.file_mb} MB a file"),
        *(f"{programs.TIME_S} s a program", f"{programs.MOST_OUTPUT_CHARS:,} characters"),
        *(f"{programs.MOST_CODE_CHARS:,} characters", f"{programs.MOST_CALLS} a program"),
    ):
        assert stated in page, stated


def test_a_family_that_can_do_without_programs_is_played_without_a_sandbox(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    has(monkeypatch, docker="no daemon", bubblewrap="not installed: bwrap")
    task = tasks.causalgame(set="smoke")
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
    has(monkeypatch, docker="no daemon", bubblewrap="not installed: bwrap")
    with pytest.raises(PrerequisiteError, match="there is none here"):
        tasks.causalgame(set="smoke", **rules)


def test_a_run_without_a_sandbox_is_another_run_than_one_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    family = families.get("causalgame")
    has(monkeypatch, docker=None, bubblewrap=None)
    assert fit_rules_to_machine(family, "certified", {"report": "true"}) == (
        {"report": "true"},
        None,
    )
    has(monkeypatch, docker="no daemon", bubblewrap="not installed: bwrap")
    rules, note = fit_rules_to_machine(family, "certified", {"report": "true"})
    assert rules == {"report": "true", "analysis": "false"}
    assert note
