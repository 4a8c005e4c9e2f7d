"""Programs that try to get out of their sandbox, or to see or become more than they may."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

import causarium
from causarium.engine.sandbox.agent_process import AGENT_LIMITS, agent_contents
from causarium.engine.sandbox.bubblewrap import Bubblewrap
from tests.engine.sandbox import needs_bubblewrap
from tests.engine.sandbox.support import PRELUDE, run, says

pytestmark = needs_bubblewrap


AGENT = f"{Path(__file__).resolve().parents[3] / 'examples' / 'react_agent.py'}@react_agent"


def make_sandbox(user: str) -> Bubblewrap:
    """Return the sandbox of one of the two users of the wall."""
    if user == "program":
        return Bubblewrap()
    return Bubblewrap(AGENT_LIMITS, agent_contents(AGENT)[0])


@pytest.fixture(scope="module", params=["program", "agent"])
def shared(request: pytest.FixtureRequest) -> Iterator[Bubblewrap]:
    made = make_sandbox(request.param)
    yield made
    made.close()


@pytest.fixture(params=["program", "agent"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Bubblewrap]:
    made = make_sandbox(request.param)
    yield made
    made.close()


# A program that would get out does no harm: it opens what it may not, and changes nothing.
ESCAPES = {
    # --- other file systems
    "a new mount": "tell(call('mount', b'none', b'/tmp', b'tmpfs', 0, None)[0] == 0)",
    "a mount taken away": "tell(call('umount2', b'/workspace', 2)[0] == 0)",
    "a mount by descriptor": "tell(call('fsopen', b'tmpfs', 0)[0] >= 0)",
    "a copy of a mount": "tell(call('open_tree', -100, b'/', 1)[0] >= 0)",
    "another root": "tell(call('chroot', b'/tmp')[0] == 0)",
    "a file by its handle": (
        "tell(call('open_by_handle_at', -100, ctypes.create_string_buffer(64), 0)[1] != 1)"
    ),
    "the host's root through the first process": (
        "tell(works(lambda: os.stat('/proc/1/' + 'root/etc/shadow')))"
    ),
    "the host's folder through the holder": ("tell(works(lambda: os.listdir('/proc/1/cwd')))"),
    "a device of one's own": "tell(works(lambda: os.mknod('/tmp/sda', 0o60666, os.makedev(8, 0))))",
    "the machine's memory": "tell(any(map(os.path.exists, ['/dev/mem', '/dev/kmem', '/dev/kvm'])))",
    "the terminal": "tell(works(lambda: open('/dev/tty')))",
    "the kernel's settings": (
        "tell(works(lambda: os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY)))"
    ),
    "the magic keys": "tell(works(lambda: os.open('/proc/sysrq-trigger', os.O_WRONLY)))",
    "the kernel's core": "tell(works(lambda: open('/proc/kcore', 'rb').read(1)))",
    "the passwords": (
        "tell(works(lambda: open('/etc/shadow')) or works(lambda: open('/etc/passwd', 'a')))"
    ),
    "the system's programs": "tell(works(lambda: open('/usr/bin/env', 'r+b')))",
    "the interpreter's library": "tell(works(lambda: open(os.__file__, 'r+b')))",
    "its own program, again": (
        "tell(works(lambda: os.symlink('/bin/sh', '/usr/bin/python-of-mine')))"
    ),
    # --- other namespaces, other users
    "a user namespace": "tell(call('unshare', 0x10000000)[0] == 0)",
    "a child in a user namespace": (
        "code = call('clone', 0x10000000 | signal.SIGCHLD, None, None, None, None)[0]\n"
        "os._exit(0) if code == 0 else tell(code > 0)"
    ),
    "a child by a call that cannot be read": (
        "tell(call('clone3', ctypes.create_string_buffer(88), 88) != (-1, errno.ENOSYS))"
    ),
    "the namespace of the first process": (
        "tell(works(lambda: os.open('/proc/1/ns/user', 0)) and call('setns', 3, 0)[0] == 0)"
    ),
    "root": "tell(works(lambda: os.setuid(0)) or works(lambda: os.setresuid(0, 0, 0)))",
    "groups": "tell(works(lambda: os.setgroups([0])))",
    "a program that makes root": (
        "open('/tmp/su', 'wb').write(open('/bin/sh', 'rb').read())\n"
        "tell(works(lambda: os.chown('/tmp/su', 0, 0)))"
    ),
    "another kind of machine": "tell(call('personality', 0x0008)[0] >= 0)",
    "a name for the machine": "tell(call('sethostname', b'mine', 4)[0] == 0)",
    "the clock": "tell(works(lambda: time.clock_settime(time.CLOCK_REALTIME, time.time())))",
    # --- other processes
    "the holder, traced": "tell(call('ptrace', 16, 1, None, None)[0] == 0)",
    "the holder's memory": "tell(works(lambda: open('/proc/1/mem', 'r+b')))",
    "the holder's memory, by a call": (
        "tell(call('process_vm_readv', 1, None, 0, None, 0, 0)[1] != errno.EPERM)"
    ),
    "the holder's socket": (
        "tell(call('pidfd_getfd', os.pidfd_open(1), 3, 0)[0] >= 0\n"
        "     or works(lambda: os.listdir('/proc/1/fd')))"
    ),
    "processes of the machine": "tell(len([p for p in os.listdir('/proc') if p.isdigit()]) > 2)",
    "a descriptor left open": "tell(len(os.listdir('/proc/self/fd')) > 4)",
    # --- parts of the kernel that have often been broken
    "io_uring": "tell(call('io_uring_setup', 8, ctypes.create_string_buffer(128))[0] >= 0)",
    "bpf": "tell(call('bpf', 0, ctypes.create_string_buffer(128), 72)[1] != errno.EPERM)",
    "userfaultfd": "tell(call('userfaultfd', 1)[0] >= 0)",
    "keys": "tell(call('add_key', b'user', b'mine', b'x', 1, -3)[0] >= 0)",
    "the keys of others": "tell(call('keyctl', 0, -3, 1)[0] >= 0)",
    "counters": "tell(call('perf_event_open', ctypes.create_string_buffer(120), 0, -1)[0] >= 0)",
    # --- memory that nobody counts
    "shared memory": (
        "tell(works(lambda: mmap.mmap(-1, 1 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)))"
    ),
    "memory without a name": "tell(call('memfd_create', b'mine', 0)[0] >= 0)",
    "memory of System V": "tell(call('shmget', 0, 1 << 20, 0o1666)[0] >= 0)",
    "how eagerly the machine swaps": (
        "tell(works(lambda: os.open('/proc/sys/vm/swappiness', os.O_WRONLY)))"
    ),
    "the kernel's log": "tell(call('syslog', 3, ctypes.create_string_buffer(99), 99)[0] >= 0)",
}
SOCKETS = {
    "internet": 2,
    "internet of today": 10,
    "keys": 15,
    "the kernel": 16,
    "packets": 17,
    "phones": 31,
    "ciphers": 38,
    "the host of a virtual machine": 40,
    "express data": 44,
    "no family": 4095,
}


@pytest.mark.parametrize("name", ESCAPES)
def test_there_is_no_way_out(name: str, shared: Bubblewrap) -> None:
    assert says(shared, PRELUDE + ESCAPES[name]) == "contained"


@pytest.mark.parametrize("name", SOCKETS)
def test_a_socket_leads_nowhere(name: str, shared: Bubblewrap) -> None:
    code = f"""
kinds = socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET
tell(any(works(lambda: socket.socket({SOCKETS[name]}, kind)) for kind in kinds))
"""
    assert says(shared, PRELUDE + code) == "contained"


def test_every_refused_call_is_refused_by_the_filter(shared: Bubblewrap) -> None:
    """Whoever asks with nothing but zeros is told of a mistake where there is no filter."""
    from causarium.engine.sandbox.sandbox_command import _REFUSED

    code = f"""
names = [name for name in {_REFUSED!r} if name in NUMBERS]
print([name for name in names if call(name, 0, 0, 0, 0, 0, 0) != (-1, errno.EPERM)], len(names))
"""
    passed, count = says(shared, PRELUDE + code).rsplit(maxsplit=1)
    assert (passed, int(count) > 50) == ("[]", True)


@pytest.mark.parametrize("shared", ["program"], indirect=True)
def test_programs_can_still_do_what_they_are_for(shared: Bubblewrap) -> None:
    code = """
import asyncio, multiprocessing, os, socket, sqlite3, subprocess, threading
import numpy, pandas
left, right = socket.socketpair()
left.send(b"x")
assert right.recv(1) == b"x"
thread = threading.Thread(target=print, args=("thread",))
thread.start(); thread.join()
print(subprocess.check_output(["sh", "-c", "head -c 2 /dev/zero | wc -c"], text=True).strip())
with sqlite3.connect("/workspace/data.db") as data:
    data.execute("create table t (x)"); data.execute("insert into t values (3)")
print(data.execute("select x from t").fetchone()[0])
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(abs, [-4, 5]))
asyncio.run(asyncio.sleep(0))
print(pandas.DataFrame({"a": numpy.arange(3.0)}).a.sum(), numpy.linalg.det(numpy.eye(9)))
"""
    assert says(shared, code).split("\n") == ["thread", "2", "3", "[4, 5]", "3.0 1.0"]


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


def test_there_is_no_network(
    sandbox: Bubblewrap, listeners: list[tuple[int, object]], capsys: pytest.CaptureFixture[str]
) -> None:
    code = REACH.format(targets=[(int(family), address) for family, address in listeners])
    exec(code, {})
    assert capsys.readouterr().out.strip() != "[]"
    assert says(sandbox, code) == "[]"
    named = "print([line.split(':')[0].strip() for line in list(open('/proc/net/dev'))[2:]])"
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


def test_processes_are_counted(sandbox: Bubblewrap) -> None:
    code = """
import os, signal, time
children = []
try:
    while len(children) < 400:
        child = os.fork()
        if child == 0:
            time.sleep(30)
            os._exit(0)
        children.append(child)
except OSError:
    pass
print(len(children) < 300)
"""
    assert says(sandbox, code) == "True"


def test_an_agent_finds_no_family_and_no_log(tmp_path: Path) -> None:
    sandbox = make_sandbox("agent")
    assert not run(sandbox, "import causarium").success
    code = (
        "import os; print([d for d, names, files in os.walk('/') if not d.startswith('/proc')"
        " for n in [*names, *files] if 'causallink' in n or n.endswith('.eval')])"
    )
    assert says(sandbox, code) == "[]"
    sandbox.close()


@pytest.mark.parametrize("sandbox", ["program"], indirect=True)
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
# Packages of an environment under /tmp are seen in the sandbox's own /tmp, which is its to fill.
packages = [path for path in sys.path[1:] if not path.startswith("/tmp/")]
for where in ["/", "/usr/bin", "/usr/lib", "/etc", *packages, "/dev", "/proc/sys/kernel"]:
    try:
        os.close(os.open(os.path.join(where, "core_pattern"), os.O_WRONLY | os.O_CREAT))
        done.append(where)
    except OSError:
        pass
print(done)
"""
    assert says(sandbox, code) == "[]"


def test_nobody_becomes_more_than_they_are(sandbox: Bubblewrap) -> None:
    status = says(sandbox, "print(open('/proc/self/status').read())")
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert set(fields["CapEff"] + fields["CapPrm"] + fields["CapBnd"]) == {"0"}
    assert (fields["NoNewPrivs"], fields["Seccomp"]) == ("1", "2")
    assert not anyio.run(lambda: sandbox.exec(["unshare", "--user", "true"])).success


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


def test_two_sandboxes_share_nothing(sandbox: Bubblewrap, shared: Bubblewrap) -> None:
    run(sandbox, "open('/tmp/note', 'w').write('here'); open('note', 'w').write('here')")
    code = "import os; print(os.path.exists('/tmp/note'), os.path.exists('note'))"
    assert says(shared, code) == "False False"
    assert says(sandbox, code) == "True True"
