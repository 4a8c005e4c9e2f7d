"""What tests of a sandbox share: running code in one, and the words that code begins with."""

import anyio
from inspect_ai.util import ExecResult

from causarium.engine.sandbox.bubblewrap import Bubblewrap
from causarium.engine.sandbox.sandbox_command import MACHINES, PYTHON, Limits

SMALL = Limits(memory_mb=400, processes=24, disk_mb=20, tmp_mb=20, file_mb=8, files=200)
TINY = Limits(memory_mb=200, processes=24, disk_mb=20, tmp_mb=20, file_mb=8, files=200)

PRELUDE = f"""
import ctypes, errno, mmap, os, platform, resource, signal, socket, sys, threading, time
NUMBERS = { ({kind: machine.numbers for kind, machine in MACHINES.items()})!r}[platform.machine()]
libc = ctypes.CDLL(None, use_errno=True)

def call(name, *given):
    ctypes.set_errno(0)
    code = libc.syscall(NUMBERS[name], *given)
    return code, ctypes.get_errno()

def tell(escaped):
    print("escaped" if escaped else "contained", flush=True)

def works(act):
    try:
        act()
    except OSError:
        return False
    return True
"""
"""Names that a program which tries to get out begins with."""


def run(sandbox: Bubblewrap, code: str, timeout: int = 120) -> ExecResult[str]:
    return anyio.run(lambda: sandbox.exec([PYTHON, "-c", code], timeout=timeout))


def says(sandbox: Bubblewrap, code: str) -> str:
    found = run(sandbox, code)
    assert found.success, found.stderr
    return found.stdout.strip()
