"""The filter of system calls, read as the kernel reads it, for every machine."""

import struct
from errno import EAFNOSUPPORT, ENOSYS, EPERM

import pytest

from causarium.engine.sandbox import seccomp
from causarium.engine.sandbox.seccomp import (
    MACHINES,
    Machine,
    explain_missing_filter,
    seccomp_filter,
)

ALLOW, KILL = 0x7FFF0000, 0x80000000


def ask(machine: Machine, number: int, *given: int, audit: int | None = None) -> int:
    """Run the filter on one call; returns what the kernel is told to do."""
    code = seccomp_filter(machine)
    lines = [struct.unpack_from("<HBBI", code, at) for at in range(0, len(code), 8)]
    arguments = [*given, *[0] * (6 - len(given))]
    data = struct.pack("<IIQ6Q", number, audit or machine.audit, 0, *arguments)
    place = value = 0
    while True:
        kind, yes, no, constant = lines[place]
        place += 1
        if kind == 0x20:
            value = struct.unpack_from("<I", data, constant)[0]
        elif kind == 0x54:
            value &= constant
        elif kind == 0x06:
            return int(constant)
        else:
            true = {0x15: value == constant, 0x35: value >= constant, 0x45: value & constant}[kind]
            place += yes if true else no


def errno(machine: Machine, name: str, *given: int) -> int | None:
    """Return the error that a call fails with; None if it is allowed."""
    found = ask(machine, machine.numbers[name], *given)
    return None if found == ALLOW else found & 0xFFFF


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> Machine:
    return MACHINES[request.param]


def test_what_is_refused_is_refused(machine: Machine) -> None:
    for name in seccomp._REFUSED:
        if name in machine.numbers:
            assert errno(machine, name) == EPERM, name
    assert errno(machine, "clone3") == ENOSYS


def test_every_other_call_is_allowed(machine: Machine) -> None:
    refused = {
        machine.numbers[name] for name in (*seccomp._REFUSED, "clone3") if name in machine.numbers
    }
    looked_into = {machine.numbers[name] for name in ("socket", "socketpair")}
    for number in set(range(500)) - refused - looked_into:
        assert ask(machine, number) == ALLOW, number


def test_the_two_tables_have_the_same_calls_but_for_those_of_one_processor() -> None:
    ours, theirs = (set(MACHINES[kind].numbers) for kind in ("x86_64", "aarch64"))
    assert ours - theirs == {"iopl", "ioperm", "modify_ldt"}
    assert not theirs - ours
    for kind in MACHINES.values():
        assert len(set(kind.numbers.values())) == len(kind.numbers)


def test_another_machine_s_calls_end_the_program(machine: Machine) -> None:
    assert ask(machine, 1, audit=0x40000003) == KILL
    if machine.has_x32:
        assert ask(machine, 0x40000000 + 319) == KILL


@pytest.mark.parametrize("family", range(50))
@pytest.mark.parametrize("name", ["socket", "socketpair"])
def test_sockets_are_those_of_files_alone(name: str, family: int, machine: Machine) -> None:
    assert errno(machine, name, family) == (None if family == 1 else EAFNOSUPPORT)


@pytest.mark.parametrize(
    ("flags", "refused"), [(0x22, False), (0x21, True), (0x01, False), (0x23, True), (0x4021, True)]
)
def test_memory_is_shared_through_files_alone(flags: int, refused: bool, machine: Machine) -> None:
    assert (errno(machine, "mmap", 0, 4096, 3, flags) == EPERM) is refused


@pytest.mark.parametrize("bit", [17, 25, 26, 27, 28, 29, 30])
def test_no_child_gets_a_namespace(bit: int, machine: Machine) -> None:
    assert errno(machine, "clone", 1 << bit | 17) == EPERM
    assert errno(machine, "clone", 0x3D0F00) is None


def test_buffers_of_sockets_keep_their_size(machine: Machine) -> None:
    for option in range(60):
        expected = 0 if option in seccomp._BUFFER_SIZES else None
        assert errno(machine, "setsockopt", 3, 1, option) == expected
        assert errno(machine, "setsockopt", 3, 6, option) is None


def test_a_machine_without_a_table_has_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    assert explain_missing_filter() is None
    monkeypatch.setattr(seccomp.platform, "machine", lambda: "riscv64")
    assert "no filter of system calls for riscv64" in (explain_missing_filter() or "")


def test_locks_of_parts_of_a_file_are_said_to_be_had_and_other_commands_allowed(
    machine: Machine,
) -> None:
    assert [errno(machine, "fcntl", 3, command) for command in (6, 7, 37, 38)] == [0] * 4
    assert [errno(machine, "fcntl", 3, command) for command in (0, 1, 3, 5, 36)] == [None] * 5
