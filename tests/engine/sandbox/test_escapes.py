"""Programs that try to get out of their sandbox, or to take more than their share."""

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from inspect_ai.util import ExecResult

import causarium
from causarium.engine.sandbox.bubblewrap import Bubblewrap
from causarium.engine.sandbox.limits import Limits
from causarium.engine.sandbox.sandbox_command import PYTHON
from tests.engine.sandbox import needs_bubblewrap

pytestmark = needs_bubblewrap

SMALL = Limits(memory_mb=400, processes=24, disk_mb=20, file_mb=8, files=200)


@pytest.fixture
def sandbox() -> Iterator[Bubblewrap]:
    made = Bubblewrap(SMALL)
    yield made
    made.close()


def run(sandbox: Bubblewrap, code: str, timeout: int = 20) -> ExecResult[str]:
    return anyio.run(lambda: sandbox.exec([PYTHON, "-c", code], timeout=timeout))


def says(sandbox: Bubblewrap, code: str) -> str:
    found = run(sandbox, code)
    assert found.success, found.stderr
    return found.stdout.strip()


REACH = """
import socket
found = []
for family, address in {targets!r}:
    try:
        link = socket.socket(family, socket.SOCK_STREAM)
        link.settimeout(2)
        link.connect(address)
        found.append(address)
    except OSError:
        pass
print(found)
"""


@pytest.fixture
def listeners() -> Iterator[list[tuple[int, object]]]:
    """Servers of this machine: on the loopback, and under a name that no file system has."""
    by_port = socket.create_server(("127.0.0.1", 0))
    by_name = socket.socket(socket.AF_UNIX)
    by_name.bind(f"\0causarium-{os.getpid()}")
    by_name.listen()
    yield [(socket.AF_INET, by_port.getsockname()), (socket.AF_UNIX, by_name.getsockname())]
    by_port.close()
    by_name.close()


def test_there_is_no_network(
    sandbox: Bubblewrap, listeners: list[tuple[int, object]], capsys: pytest.CaptureFixture[str]
) -> None:
    code = REACH.format(targets=[(int(family), address) for family, address in listeners])
    exec(code, {})
    assert capsys.readouterr().out.strip() != "[]"
    assert says(sandbox, code) == "[]"
    named = "import socket; print([name for _, name in socket.if_nameindex()])"
    assert says(sandbox, named) == "['lo']"


def test_no_file_of_the_host_can_be_read(sandbox: Bubblewrap, tmp_path: Path) -> None:
    secret = tmp_path / "truth.json"
    secret.write_text("the truth")
    wanted = [
        *(str(secret), "/etc/shadow", "/etc/hostname", causarium.__file__, __file__),
        *(f"/proc/1/root{secret}", str(Path.home() / ".profile")),
    ]
    code = f"import os; print([path for path in {wanted!r} if os.path.exists(path)])"
    assert says(sandbox, code) == "[]"


def test_nothing_of_causarium_can_be_imported_or_found(sandbox: Bubblewrap) -> None:
    assert not run(sandbox, "import causarium").success
    code = (
        "import os; print([d for d, names, files in os.walk('/') if not d.startswith('/proc')"
        " for n in [*names, *files] if 'causarium' in n or 'inspect_ai' in n])"
    )
    assert says(sandbox, code) == "[]"


def test_no_variable_of_the_host_is_set(
    sandbox: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    code = (
        "import glob\n"
        "found = b''\n"
        "for path in glob.glob('/proc/*/environ'):\n"
        "    try:\n"
        "        found += open(path, 'rb').read()\n"
        "    except OSError:\n"
        "        pass\n"
        "print(b'secret' in found, b'PATH' in found)"
    )
    assert says(sandbox, code) == "False True"


def test_the_system_cannot_be_changed(sandbox: Bubblewrap) -> None:
    code = """
import os, sys
done = []
for where in ["/", "/usr/bin", "/usr/lib", "/etc", *sys.path[1:], "/dev", "/proc/sys/kernel"]:
    try:
        open(os.path.join(where, "core_pattern"), "w").write("|/bin/sh")
        done.append(where)
    except OSError:
        pass
print(done)
"""
    assert says(sandbox, code) == "[]"


def test_no_other_process_can_be_seen(sandbox: Bubblewrap) -> None:
    code = "import os; print(len([name for name in os.listdir('/proc') if name.isdigit()]))"
    assert int(says(sandbox, code)) <= 3


def test_nobody_becomes_more_than_they_are(sandbox: Bubblewrap) -> None:
    status = says(sandbox, "print(open('/proc/self/status').read())")
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert set(fields["CapEff"] + fields["CapPrm"] + fields["CapBnd"]) == {"0"}
    assert fields["NoNewPrivs"] == "1"
    assert not anyio.run(lambda: sandbox.exec(["unshare", "--user", "true"])).success
    run(sandbox, "open('mine', 'w')")
    assert (sandbox._folder / "workspace" / "mine").stat().st_uid != 0


def test_a_link_left_behind_leads_nowhere_on_the_host(sandbox: Bubblewrap, tmp_path: Path) -> None:
    target = tmp_path / "notes"
    target.write_text("mine")
    tmp_path.chmod(0o777)
    target.chmod(0o666)
    run(sandbox, f"import os; os.symlink({str(target)!r}, 'link')")
    with pytest.raises(FileNotFoundError):
        anyio.run(sandbox.read_file, "link")
    with pytest.raises(OSError, match="link"):
        anyio.run(sandbox.write_file, "link", "yours")
    assert target.read_text() == "mine"


def test_a_fork_bomb_runs_against_the_limit(sandbox: Bubblewrap) -> None:
    code = """
import os, time
made = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        made += 1
except OSError as wrong:
    print(made, wrong.errno)
"""
    made, why = says(sandbox, code).split()
    assert int(made) < SMALL.processes
    assert int(why) == 11


def test_a_shell_s_fork_bomb_is_over_in_time(sandbox: Bubblewrap) -> None:
    bomb = ["/bin/sh", "-c", "b() { b | b & }; b; while true; do :; done"]
    with contextlib.suppress(TimeoutError):
        anyio.run(lambda: sandbox.exec(bomb, timeout=2))
    for _ in range(100):
        left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
        if "b | b &" not in left.stdout:
            return
        time.sleep(0.05)
    pytest.fail("the bomb is still going off")


def test_one_process_cannot_take_all_memory(sandbox: Bubblewrap) -> None:
    found = run(sandbox, "x = bytearray(10**10)")
    assert "MemoryError" in found.stderr


@pytest.mark.parametrize("size", [60, 90])
def test_many_processes_together_cannot_either(sandbox: Bubblewrap, size: int) -> None:
    code = f"""
import os, time
for _ in range(20):
    if os.fork() == 0:
        x = bytearray(os.urandom(1024)) * (1024 * {size})
        time.sleep(60)
time.sleep(60)
"""
    found = run(sandbox, code)
    assert found.returncode == 137


def test_processor_time_has_an_end() -> None:
    hasty = Bubblewrap(Limits(cpu_s=1))
    stubborn = "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    try:
        assert run(hasty, "while True: pass", 60).returncode == 128 + signal.SIGXCPU
        assert run(hasty, stubborn, 60).returncode == 128 + signal.SIGKILL
    finally:
        hasty.close()


def test_one_file_has_an_end(sandbox: Bubblewrap) -> None:
    found = run(sandbox, "open('big', 'wb').write(bytes(10**8))")
    assert not found.success
    assert int(says(sandbox, "import os; print(os.path.getsize('big'))")) <= 8 * 1024 * 1024


@pytest.mark.parametrize("where", [".", "/tmp"])
def test_the_disk_has_an_end(where: str, sandbox: Bubblewrap) -> None:
    code = f"""
import itertools, os, time
os.chdir({where!r})
for n in itertools.count():
    open(str(n), "wb").write(bytes(10**6))
    time.sleep(0.005)
"""
    assert run(sandbox, code).returncode == 137


def test_so_has_the_number_of_files(sandbox: Bubblewrap) -> None:
    code = "import os, time\nfor n in range(10**4): os.mkdir(str(n)); time.sleep(0.001)"
    assert run(sandbox, code).returncode == 137


def test_shared_memory_has_an_end(sandbox: Bubblewrap) -> None:
    code = """
import itertools
try:
    for n in itertools.count():
        open(f"/dev/shm/{n}", "wb").write(bytes(4 * 2**20))
except OSError as wrong:
    print(n, wrong.errno)
"""
    assert says(sandbox, code) == "16 28"


def test_output_is_read_to_its_end_and_kept_in_part(sandbox: Bubblewrap) -> None:
    found = run(sandbox, "for _ in range(40): print('x' * 10**6)\nprint('end')")
    assert found.success
    assert found.stdout.endswith("end\n")
    assert len(found.stdout) <= 10 * 1024 * 1024


def test_two_sandboxes_share_nothing(sandbox: Bubblewrap) -> None:
    other = Bubblewrap()
    try:
        run(sandbox, "open('/tmp/note', 'w').write('here'); open('note', 'w').write('here')")
        code = "import os; print(os.path.exists('/tmp/note'), os.path.exists('note'))"
        assert says(other, code) == "False False"
        assert says(sandbox, code) == "True True"
    finally:
        other.close()


def test_nothing_is_left_of_a_closed_sandbox() -> None:
    made = Bubblewrap()
    run(made, "import os; os.makedirs('a/b'); os.chmod('a', 0o000)")
    folder = made._folder
    made.close()
    assert not folder.exists()


def test_who_writes_too_much_loses_what_was_written(sandbox: Bubblewrap) -> None:
    code = """
import os, time
for n in range(3):
    os.posix_fallocate(os.open(str(n), os.O_CREAT | os.O_RDWR), 0, 8 * 2**20)
os.mkdir("locked", 0)
time.sleep(60)
"""
    assert run(sandbox, code).returncode == 137
    assert says(sandbox, "import os; print(os.listdir('.'))") == "[]"
