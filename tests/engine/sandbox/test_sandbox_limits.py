"""Programs that try to take more than their share: memory, files, processors, time."""

import contextlib
import gc
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from causarium.engine.sandbox import sandbox_command
from causarium.engine.sandbox.bubblewrap import Bubblewrap
from causarium.engine.sandbox.sandbox_command import Limits, measure_memory, tree
from tests.engine.sandbox import needs_bubblewrap
from tests.engine.sandbox.support import PRELUDE, SMALL, TINY, run, says

pytestmark = needs_bubblewrap


@pytest.fixture
def sandbox() -> Iterator[Bubblewrap]:
    made = Bubblewrap(SMALL)
    yield made
    made.close()


REFUSED = {
    "memory in a file without a name": "tell(call('memfd_create', b'x', 0)[0] >= 0)",
    "secret memory": "tell(call('memfd_secret', 0)[0] >= 0)",
    "memory shared without a name": "tell(works(lambda: mmap.mmap(-1, 2**20)))",
    "memory shared by an old call": "tell(call('shmget', 0, 2**20, 0o1600)[0] >= 0)",
    "messages of an old kind": "tell(call('msgget', 0, 0o1600)[0] >= 0)",
    "locks of an old kind": "tell(call('semget', 0, 100, 0o1600)[0] >= 0)",
    "queues": "tell(call('mq_open', b'x', os.O_CREAT | os.O_RDWR, 0o600, None)[0] >= 0)",
    "zeros that are mapped": (
        "zero = os.open('/dev/zero', os.O_RDWR)\ntell(works(lambda: mmap.mmap(zero, 2**20)))"
    ),
    "pages that stay": "tell(libc.mlockall(3) == 0)",
    "large buffers of sockets": (
        "left, right = socket.socketpair()\n"
        "before = left.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)\n"
        "left.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**24)\n"
        "tell(left.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) > before)"
    ),
    "locks of parts of a file": (
        "import fcntl\n"
        "file = open('locked', 'wb')\n"
        "fcntl.lockf(file, fcntl.LOCK_EX, 1, 7)\n"
        "tell(' POSIX ' in open('/proc/locks').read())"
    ),
    "higher limits": (
        "tell(any(works(lambda: resource.setrlimit(kind, (2**40, 2**40))) for kind in\n"
        "  (resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE,\n"
        "   resource.RLIMIT_FSIZE, resource.RLIMIT_CPU)))"
    ),
    "more than one process may reserve": "tell(works(lambda: mmap.mmap(-1, 2**31, flags=2 | 32)))",
    "a large file": (
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "tell(works(lambda: open('big', 'wb').write(bytes(10**8))))"
    ),
    "many open files": ("tell(works(lambda: [os.open('/dev/null', 0) for _ in range(80)]))"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_counted_is_refused(name: str, sandbox: Bubblewrap) -> None:
    code = REFUSED[name].replace("ValueError", "OSError")
    prelude = PRELUDE.replace("except OSError:", "except (OSError, ValueError):")
    assert says(sandbox, prelude + code) == "contained"


FILL = """
def fill(write):
    done = 0
    try:
        while done < 200:
            write(done)
            done += 1
    except OSError as wrong:
        print(done, wrong.errno)
    else:
        print("no end")
"""
FULL = {
    "the workspace": ("fill(lambda n: open(str(n), 'wb').write(bytes(2**20)))", 20),
    "/tmp": ("fill(lambda n: open(f'/tmp/{n}', 'wb').write(bytes(2**20)))", 20),
    "/dev/shm": ("fill(lambda n: open(f'/dev/shm/{n}', 'wb').write(bytes(2**20)))", 20),
    "files that are deleted and still open": (
        "kept = []\n"
        "def write(n):\n"
        "    kept.append(open('gone', 'wb', buffering=0)); os.unlink('gone')\n"
        "    kept[-1].write(bytes(2**20))\n"
        "fill(write)",
        20,
    ),
    "files deeper than a path can say": (
        "for _ in range(60):\n"
        "    os.mkdir('d' * 250); os.chdir('d' * 250)\n"
        "fill(lambda n: open(str(n), 'wb').write(bytes(2**20)))",
        20,
    ),
    "reserved and never written": (
        "fill(lambda n: os.posix_fallocate(os.open(str(n), 66), 0, 2**20))",
        20,
    ),
    "mapped and shared": (
        "file = os.open('map', 66)\n"
        "def write(n):\n"
        "    os.posix_fallocate(file, n * 2**20, 2**20)\n"
        "    mmap.mmap(file, 2**20, offset=n * 2**20)[:] = bytes(2**20)\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "fill(write)",
        8,
    ),
}


@pytest.mark.parametrize("name", FULL)
def test_the_disk_has_an_end(name: str, sandbox: Bubblewrap) -> None:
    code, most = FULL[name]
    done, why = says(sandbox, PRELUDE + FILL + code).split()
    assert int(done) <= most
    assert int(why) in (27, 28)


KILLED = {
    "many processes": """
for _ in range(20):
    if os.fork() == 0:
        x = bytearray(os.urandom(1024)) * (1024 * 40)
        time.sleep(60)
time.sleep(60)
""",
    "processes that leave their parents": """
for _ in range(8):
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        x = bytearray(os.urandom(1024)) * (1024 * 40)
        time.sleep(60)
    os.wait()
time.sleep(60)
""",
    "processes without a first thread": """
def hold():
    x = bytearray(os.urandom(1024)) * (1024 * 40)
    time.sleep(60)
for _ in range(10):
    if os.fork() == 0:
        threading.Thread(target=hold).start()
        time.sleep(0.2)
        libc.syscall(93 if platform.machine() == "aarch64" else 60, 0)
time.sleep(60)
""",
    "files and processes together": """
for n in range(20):
    open(f"/tmp/{n}", "wb").write(bytes(10**6)); open(str(n), "wb").write(bytes(10**6))
for _ in range(4):
    if os.fork() == 0:
        x = bytearray(os.urandom(1024)) * (1024 * 42)
        time.sleep(60)
time.sleep(60)
""",
    "data in sockets": """
for _ in range(20):
    if os.fork() == 0:
        kept = []
        try:
            while True:
                kept += socket.socketpair()
                for end in kept[-2:]:
                    end.setblocking(False)
                    while works(lambda: end.send(bytes(32768))): pass
        except OSError:
            time.sleep(60)
time.sleep(60)
""",
    "many empty files": "for n in range(10**5): os.mkdir(str(n))\ntime.sleep(60)",
    "many links": "for n in range(10**5): os.symlink('x' * 4000, str(n))\ntime.sleep(60)",
    "notes on files": """
open("x", "w")
for n in range(10**4): os.setxattr("x", f"user.{n}", bytes(60000))
time.sleep(60)
""",
}


@pytest.mark.parametrize("name", KILLED)
def test_who_takes_too_much_is_ended(name: str) -> None:
    sandbox = Bubblewrap(TINY)
    try:
        found = run(sandbox, PRELUDE + KILLED[name], 30)
        if name == "notes on files" and "not supported" in found.stderr:
            pytest.skip("this kernel keeps no notes on files in memory")
        full = found.returncode == 1 and "No space left" in found.stderr
        assert found.returncode == 137 or full, found.stderr
        if full:
            run(sandbox, "pass")  # What was left may end this one, and is cleared with it.
        assert says(sandbox, "print('well')") == "well"
    finally:
        sandbox.close()


def test_one_process_cannot_take_all_memory(sandbox: Bubblewrap) -> None:
    assert "MemoryError" in run(sandbox, "x = bytearray(10**10)").stderr


def test_who_takes_too_much_memory_keeps_what_was_written(sandbox: Bubblewrap) -> None:
    assert says(sandbox, "print(open('note', 'w').write('here'))") == "4"
    code = PRELUDE + KILLED["many processes"].replace("40)", "90)")
    assert run(sandbox, code).returncode == 137
    assert says(sandbox, "print(open('note').read())") == "here"


def test_what_is_held_is_seen() -> None:
    before = measure_memory(os.getpid())
    kept = bytearray(os.urandom(1024)) * (50 * 1024)
    assert measure_memory(os.getpid()) - before > 45 * 2**20
    del kept
    gc.collect()
    assert os.getpid() in tree(os.getpid())
    assert measure_memory(2**22 + 1) == 0


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


def test_so_do_threads(sandbox: Bubblewrap) -> None:
    code = """
import threading, time
made = 0
try:
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        made += 1
except RuntimeError:
    print(made)
"""
    assert int(says(sandbox, code)) < SMALL.processes


def test_a_shell_s_fork_bomb_is_over_in_time(sandbox: Bubblewrap) -> None:
    bomb = ["/bin/sh", "-c", "b() { b | b & }; b; while true; do :; done"]
    with contextlib.suppress(TimeoutError):
        anyio.run(lambda: sandbox.exec(bomb, timeout=2))
    assert _is_gone("b | b &")
    assert says(sandbox, "print('well')") == "well"


def _is_gone(words: str) -> bool:
    for _ in range(100):
        left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
        if words not in left.stdout:
            return True
        time.sleep(0.05)
    return False


def test_processor_time_has_an_end() -> None:
    hasty = Bubblewrap(Limits(cpu_s=1))
    stubborn = "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    try:
        assert run(hasty, "while True: pass", 60).returncode == 128 + signal.SIGXCPU
        assert run(hasty, stubborn, 60).returncode == 128 + signal.SIGKILL
    finally:
        hasty.close()


BUSY = {
    "many processes, each below the limit": """
for _ in range(9):
    if os.fork() == 0:
        begun = time.process_time()
        while time.process_time() - begun < 0.8: pass
        os._exit(0)
    if _ % 3 == 2: [os.wait() for _ in range(3)]
""",
    "children that nobody waits for": """
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(9):
    if os.fork() == 0:
        begun = time.process_time()
        while time.process_time() - begun < 0.8: pass
        os._exit(0)
time.sleep(60)
""",
}


@pytest.mark.parametrize("name", BUSY)
def test_processor_time_is_counted_over_all_processes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_command, "_CPU_SLACK_S", 0.2)
    hasty = Bubblewrap(Limits(cpu_s=1))
    try:
        assert run(hasty, PRELUDE + BUSY[name], 60).returncode == 137
        assert says(hasty, "print('well')") == "well"
    finally:
        hasty.close()


def test_output_is_read_to_its_end_and_kept_in_part(sandbox: Bubblewrap) -> None:
    found = run(sandbox, "for _ in range(40): print('x' * 10**6)\nprint('end')")
    assert found.success
    assert found.stdout.endswith("end\n")
    assert len(found.stdout) <= 10 * 1024 * 1024


def test_nothing_runs_on_when_a_command_is_over(sandbox: Bubblewrap) -> None:
    code = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            open("/workspace/alive", "a").write("x")
            time.sleep(0.01)
    os._exit(0)
time.sleep(0.2)
"""
    assert run(sandbox, code).success
    size = "import os; print(os.path.getsize('/workspace/alive'))"
    assert says(sandbox, size) == says(sandbox, f"import time; time.sleep(0.3); {size}")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD])
@pytest.mark.parametrize("target", [-1, 1])
def test_the_holder_is_neither_ended_nor_stopped(
    target: int, number: signal.Signals, sandbox: Bubblewrap
) -> None:
    code = f"open('mine', 'w'); works(lambda: os.kill({target}, {int(number)})); print('done')"
    assert says(sandbox, PRELUDE + code) == "done"
    assert says(sandbox, "import os; print(os.listdir('.'))") == "['mine']"


def test_where_the_holder_is_gone_the_next_command_finds_a_new_sandbox(
    sandbox: Bubblewrap,
) -> None:
    assert says(sandbox, "print(open('mine', 'w').write('x'))") == "1"
    assert sandbox._held is not None
    *_, holder = tree(sandbox._held._process.pid)

    async def lose() -> int:
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.to_thread.run_sync, _kill_soon, holder)
            return (await sandbox.exec(["sleep", "60"], timeout=20)).returncode

    assert anyio.run(lose) == 137
    assert says(sandbox, "import os; print(os.listdir('.'))") == "[]"


def test_a_holder_that_does_not_answer_is_not_waited_for(sandbox: Bubblewrap) -> None:
    assert says(sandbox, "print(open('mine', 'w').write('x'))") == "1"
    assert sandbox._held is not None
    *_, holder = tree(sandbox._held._process.pid)
    os.kill(holder, signal.SIGSTOP)
    with pytest.raises(TimeoutError):
        run(sandbox, "print('never')", 1)
    assert says(sandbox, "import os; print(os.listdir('.'))") == "[]"


def _kill_soon(pid: int) -> None:
    time.sleep(0.3)
    os.kill(pid, signal.SIGKILL)


def test_two_commands_may_run_at_once(sandbox: Bubblewrap) -> None:
    async def both() -> list[str]:
        printed: list[str] = []

        async def one(text: str, seconds: float) -> None:
            done = await sandbox.exec(["sh", "-c", f"sleep {seconds}; echo {text}"], timeout=20)
            printed.append(done.stdout.strip())

        async with anyio.create_task_group() as group:
            group.start_soon(one, "late", 0.6)
            group.start_soon(one, "early", 0.1)
        return printed

    assert anyio.run(both) == ["early", "late"]


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "forgotten"])
def test_nothing_is_left_of_a_sandbox(closed: bool) -> None:
    made = Bubblewrap()
    run(made, "import os; os.makedirs('a/b'); os.chmod('a', 0o000)")
    assert made._held is not None
    number = made._held._process.pid
    (folder,) = (made._held._remove.peek() or ())[2]
    assert folder.exists()
    if closed:
        made.close()
        assert not Path(f"/proc/{number}").exists()
    del made
    gc.collect()
    assert not folder.exists()
