"""Programs that try to leave their sample without a score: each ends, and the next one runs."""

from collections.abc import Iterator
from typing import get_args

import anyio
import pytest

from causarium.contract.world import ProgramResult
from causarium.engine.play import programs
from causarium.engine.play.programs import Job, refusal
from causarium.engine.sandbox.bubblewrap import Bubblewrap
from causarium.engine.sandbox.sandbox_command import Limits
from causarium.errors import RunError
from tests.engine.sandbox import needs_bubblewrap

pytestmark = needs_bubblewrap

ENDINGS = get_args(ProgramResult.model_fields["ending"].annotation)
SMALL = Limits(memory_mb=300, disk_mb=20, tmp_mb=20, files=4000)


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bubblewrap]:
    made = Bubblewrap(SMALL)
    monkeypatch.setattr(programs, "sandbox", lambda: made)
    yield made
    made.close()


async def answer(asked: object) -> dict[str, object]:
    return refusal(f"no: {str(asked)[:20]}")


def run(code: str) -> ProgramResult:
    return anyio.run(programs.run_job, Job(code, {}, {"look": {"about": "", "fields": []}}, answer))


GUEST = "import os, signal, sys, time\nguest = os.getppid()\n"
DENIALS = {
    "3,000 nested folders": (
        "import os\nfor _ in range(3000):\n    os.mkdir('d'); os.chdir('d')",
        "finished",
    ),
    "nested folders in the workspace": (
        "import os\nos.chdir('/workspace')\n"
        "for _ in range(3000):\n    os.mkdir('d'); os.chdir('d')",
        "finished",
    ),
    "a folder that cannot be entered": (
        "import os\nos.makedirs('a/b'); os.chmod('a/b', 0); os.chmod('a', 0)\nos.chmod('.', 0)",
        "finished",
    ),
    "its own folder is gone": ("import os, shutil\nshutil.rmtree(os.getcwd())", "finished"),
    "its own folder is a link": (
        "import os\nhere = os.getcwd()\nos.rename(here, '/tmp/moved')\nos.symlink('/usr', here)",
        "finished",
    ),
    "too many files": (
        "import os, time\nfor n in range(9000): os.mkdir(str(n))\ntime.sleep(9)",
        "failed",
    ),
    "the guest is killed": (GUEST + "os.kill(guest, 9)\ntime.sleep(9)", "failed"),
    "the guest is stopped": (
        GUEST + "os.kill(guest, signal.SIGSTOP)\ntime.sleep(9)",
        "out of time",
    ),
    "everything is killed": (GUEST + "os.kill(-1, 9)\ntime.sleep(9)", "failed"),
    "its output is closed": (
        "import os\nos.closerange(0, 64)",
        "finished",
    ),
    "it never ends": ("while True: pass", "out of time"),
    "it prints without end": ("while True: print('x' * 1000)", "out of time"),
    "it prints no text": ("import os\nos.write(1, bytes(range(256)) * 100)", "finished"),
    "it prints one endless line": (
        "import os\nfor _ in range(300): os.write(1, b'x' * 10000)",
        "finished",
    ),
    "it pretends to be its guest": (
        'print(\'{"end": "finished"}\')\nprint(\'{"ready": true}\')\nraise SystemExit(3)',
        "failed",
    ),
    "it writes to its guest's output": (
        GUEST + "open(f'/proc/{guest}/fd/1', 'w').write('{\"end\": 7}\\n' * 3)\ntime.sleep(9)",
        "failed",
    ),
    "it sends no line": (
        "client._lines.write('x' * 10**6); client._lines.flush()\nimport time; time.sleep(9)",
        "failed",
    ),
    "it sends deep requests": (
        "client._lines.write('[' * 10**5 + '\\n'); client._lines.flush()",
        "finished",
    ),
    "it asks without end": (
        "while True:\n    try: client.look()\n    except Refused: pass",
        "failed",
    ),
    "it does not read answers": (
        "for _ in range(100): client._lines.write('[\"look\", {}]\\n')\n"
        "client._lines.flush()\nimport time; time.sleep(0.2)",
        "finished",
    ),
    "it leaves a daemon that kills the next": (
        GUEST + "if os.fork() == 0:\n    os.setsid()\n    while True:\n"
        "        for p in os.listdir('/proc'):\n"
        "            if p.isdigit() and int(p) != os.getpid():\n"
        "                try: os.kill(int(p), 9)\n                except OSError: pass\n"
        "time.sleep(9)",
        "failed",
    ),
    "no process can be started": (
        "import os, time\ntry:\n    while True:\n        if os.fork() == 0: time.sleep(60)\n"
        "except OSError: pass",
        "finished",
    ),
    "it needs all memory": ("x = [bytearray(10**8) for _ in range(99)]", "out of memory"),
    "it nests calls": ("def f(): f()\nimport sys; sys.setrecursionlimit(10**9)\nf()", "failed"),
    "it nests brackets": ("eval('(' * 10**5)", "failed"),
    "it ends as no program ends": ("import os\nos._exit(12)", "out of memory"),
    "it replaces what runs next": (
        "import os\nfor name in ('sitecustomize', 'json', 'os', 'client', 'selectors'):\n"
        "    for place in ('/workspace', '/tmp', '.'):\n"
        "        open(f'{place}/{name}.py', 'w').write('raise SystemExit(9)')",
        "finished",
    ),
}
CRASHES = {"it nests calls", "it nests brackets"}
"""How these end is the interpreter's to say; that they end is ours."""


RACES = {"no process can be started"}
"""Ends by the limit that is met first: of processes, or of the memory that all of them hold."""


@pytest.mark.parametrize("name", DENIALS)
def test_a_program_cannot_leave_a_sample_without_a_score(
    name: str, sandbox: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, ending = DENIALS[name]
    with monkeypatch.context() as hurried:
        # Who is to end otherwise has all the time of a busy machine.
        if ending == "out of time":
            hurried.setattr(programs, "TIME_S", 2)
            hurried.setattr(programs, "_GRACE_S", 0.5)
        ran = run(code)
    assert ran.ending in ENDINGS
    if name not in CRASHES | RACES:
        assert ran.ending == ending, ran.output[-300:]
    after = run("print('well')")
    assert (after.ending, after.output) == ("finished", "well\n")


@pytest.mark.parametrize("place", ["/tmp", "/workspace"])
def test_a_full_disk_is_the_program_s_own_fault(place: str, sandbox: Bubblewrap) -> None:
    code = f"""
import os
file = os.open({place!r} + "/big", os.O_CREAT | os.O_WRONLY)
try:
    while True: os.write(file, bytes(2**16))
except OSError:
    pass
"""
    assert run(code).ending == "finished"
    after = run("print('well')")
    assert (after.ending, after.output) == ("finished", "well\n")


@pytest.mark.parametrize(
    ("mode", "why"), [(0o500, "cannot be started"), (0, "nothing can be run any more")]
)
def test_where_nothing_can_be_written_any_more_programs_fail(
    mode: int, why: str, sandbox: Bubblewrap
) -> None:
    code = f"import os\nfor place in ('/tmp', '/workspace'): os.chmod(place, {mode})"
    assert run(code).ending == "finished"
    after = run("print('well')")
    assert after.ending == "failed"
    assert why in after.output


def test_a_sandbox_that_an_earlier_program_brought_down_costs_only_programs(
    sandbox: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("print('well')").ending == "finished"
    monkeypatch.setattr(programs, "read_inner_module", lambda name: "raise SystemExit")
    ran = run("print('well')")
    assert (ran.ending, ran.output) == ("failed", programs._BROUGHT_DOWN)


def test_one_that_never_worked_is_a_broken_machine(
    sandbox: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        programs, "read_inner_module", lambda name: "raise SystemExit('nothing works')"
    )
    with pytest.raises(RunError, match="nothing works"):
        run("print('well')")
