"""A stranger's attack behind the wall that programs have: it never meets the truth."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal

import causarium
from causarium.api.attack_session import AttackFunction, AttackSession, load_attack
from causarium.contract.family import AnyFamily
from causarium.engine.sandbox.agent_process import (
    AgentProcess,
    BrokenFrame,
    agent_contents,
    find_module_file,
)
from causarium.engine.sandbox.bubblewrap import no_bubblewrap
from causarium.engine.sandbox.sandbox_command import COPIES
from causarium.errors import BadFile, RunError, UsageError


@dataclass(frozen=True)
class Attack:
    """A file that was loaded."""

    function: AttackFunction
    theorem: str
    """The theorem that it says it falls under; empty where it names none."""
    lines: int


@contextlib.contextmanager
def open_attack(
    file: Path, family: AnyFamily, note: Callable[[str], None] = lambda _: None
) -> Iterator[Attack]:
    """Load an attack, behind a wall where this machine has one.

    Args:
        file: A Python file with a function `attack(session)`.
        family: What it is to play.
        note: Gets a sentence where there is no wall, before the file is run.

    Raises:
        BadFile: There is no such file, it cannot be run, or it defines no function `attack`.
    """
    try:
        lines = sum(bool(line.strip()) for line in file.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeError) as wrong:
        raise BadFile(f"there is no file {file} that can be read: {wrong}") from wrong
    if (why := no_bubblewrap()) is not None:
        note(f"there is no sandbox here ({why}): {file} runs in this process, beside the truth")
        function, theorem = load_attack(file)
        yield Attack(function, theorem, lines)
        return
    with start_blocking_portal() as portal:
        try:
            process = portal.call(_start, file, family)
        except RunError as wrong:
            raise BadFile(f"{file} cannot be attacked with: {wrong}") from wrong
        try:
            yield Attack(_Walled(portal, process, file), str(process.ready), lines)
        finally:
            process.kill()


async def _start(file: Path, family: AnyFamily) -> AgentProcess:
    contents, name = agent_contents(f"{file}@attack")
    packages = {name.partition(".")[0] for name in ("causarium", family.package)}
    copies = {f"lib/{name}": _find_package(name) for name in packages}
    shown = replace(contents, copies={**contents.copies, **copies})
    inside = name.rpartition("@")[0]
    return await AgentProcess.run(
        shown, "causarium.api.attack_session", family.package, f"{COPIES}/own/{Path(inside).name}"
    )


def _find_package(name: str) -> Path:
    if name == "causarium":
        return Path(causarium.__file__).parent
    return find_module_file(name).parent


@dataclass(frozen=True)
class _Walled:
    """Plays a session by what the process behind the wall asks for."""

    portal: BlockingPortal
    process: AgentProcess
    file: Path

    def __call__(self, session: AttackSession) -> None:
        self._send(
            public=session.public.model_dump(mode="json"),
            rules=session.rules.model_dump(mode="json"),
            chance=session.chance,
            actions=[action.kind for action in session.actions],
        )
        while "end" not in (frame := self._receive()):
            if "failed" in frame:
                raise BadFile(f"{self.file} failed: {frame['failed']}")
            self._send(**_answer(session, frame.get("move")))

    def _send(self, **frame: Any) -> None:  # noqa: ANN401
        try:
            self.portal.call(self.process.send, frame)
        except BrokenFrame as wrong:
            raise BadFile(f"{self.file} failed: {wrong}") from wrong

    def _receive(self) -> dict[str, Any]:
        try:
            return self.portal.call(self.process.receive)
        except BrokenFrame as wrong:
            raise BadFile(f"{self.file} failed: {wrong}") from wrong


def _answer(session: AttackSession, move: object) -> dict[str, Any]:
    """Make a move that came through the wall, and return what goes back."""
    if not isinstance(move, str | dict):
        return {"refused": "a move is a text, or an action as data with its kind"}
    try:
        seen = session.step(move)
    except UsageError as wrong:
        return {"refused": str(wrong)}
    told = {**seen._asdict(), "data": dict(seen.data)}
    return {**told, "actions": [action.kind for action in session.actions]}
