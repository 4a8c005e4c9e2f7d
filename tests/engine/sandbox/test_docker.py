"""The Docker sandbox, where a daemon runs: it plays, and it keeps in what bubblewrap keeps in."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.util import SandboxEnvironmentSpec

from causarium.engine.play import programs
from causarium.engine.sandbox.bubblewrap import no_docker
from causarium.engine.task import family_task as sandbox_need
from tests.engine.test_causalgame_programs import EXPLORE, SUBMIT, fenced, numbers, play, turns

COMPOSE = Path(programs.__file__).with_name("sandbox") / "compose.yaml"

pytestmark = [
    pytest.mark.skipif(no_docker() is not None, reason=f"no Docker here: {no_docker()}"),
    pytest.mark.xdist_group("docker"),
]

REACH_OUT = """
import os, socket
found = []
for address in [("1.1.1.1", 53), ("172.17.0.1", 22)]:
    try:
        socket.create_connection(address, timeout=2)
        found.append(address)
    except OSError:
        pass
for path in ["/", "/usr/bin", "/etc"]:
    try:
        open(os.path.join(path, "mine"), "w")
        found.append(path)
    except OSError:
        pass
found += [name for _, name in socket.if_nameindex() if name != "lo"]
found += [path for path in ["/var/run/docker.sock", SECRET] if os.path.exists(path)]
try:
    import causarium
    found.append("causarium")
except ImportError:
    pass
print(found, os.getuid())
"""
FORK = """
import os, time
made = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        made += 1
except OSError:
    print(made < 64)
"""
BOMBS = {
    "for ever": ("while True: pass", "out of time"),
    "memory": ("x = bytearray(b'x') * (4 * 2**30)\nprint(len(x))", "out of memory"),
    "too many": (FORK, "finished"),
}


@pytest.fixture(autouse=True)
def docker(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = SandboxEnvironmentSpec("docker", str(COMPOSE))
    monkeypatch.setattr(sandbox_need, "choose_sandbox", lambda: chosen)
    monkeypatch.setattr(programs, "TIME_S", 5)


def analysis(code: str, folder: Path) -> dict[str, Any]:
    rest: list[Any] = [
        ("deploy", {"thought": "Try it.", "count": 5}),
        ("submit", {"thought": "That will do."}),
        ("report", {"text": "The record held survivors alone."}),
    ]
    call = ("run_analysis", {"thought": "Look around.", "code": code})
    sample = play([call, *rest], folder, interface="tools")
    found: dict[str, Any] = turns(sample)[0]["action"]["ran"]
    return found


def test_the_image_can_be_built() -> None:
    subprocess.run(["docker", "compose", "-f", str(COMPOSE), "build"], check=True, timeout=600)


def test_programs_play_a_whole_game(tmp_path: Path) -> None:
    sample = play([fenced(EXPLORE), fenced(SUBMIT)], tmp_path, interface="code")
    kinds = [turn["action"]["kind"] for turn in turns(sample)]
    assert kinds[:4] == ["status", "fly", "fly", "play_expedition"]
    assert numbers(sample)["question_skill"] <= 1


def test_a_program_reaches_neither_the_network_nor_the_host(tmp_path: Path) -> None:
    secret = tmp_path / "truth.json"
    secret.write_text("the truth")
    ran = analysis(f"SECRET = {str(secret)!r}\n{REACH_OUT}", tmp_path)
    assert (ran["output"], ran["ending"]) == ("[] 1000\n", "finished")


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_hurts_nobody_else(bomb: str, tmp_path: Path) -> None:
    code, ending = BOMBS[bomb]
    ran = analysis(code, tmp_path)
    assert ran["ending"] == ending, ran["output"]
    if ending == "finished":
        assert ran["output"] == "True\n"
