"""What an attack is handed: one instance as an agent meets it, on either side of the wall.

This module is also the process in which a stranger's file runs, behind the wall that programs have:
`python -m causarium.api.attack_session PACKAGE FILE`, with the package of a family. It holds our
source and no instance's secret. It speaks to the process that scores it in lines of JSON.

    <- {"ready": THEOREM} or {"failed": "..."}        the file was loaded, or not
    -> {"public", "rules", "chance", "actions"}       an instance
    <- {"move": ...}   -> {"text", "data", "legal", "cost", "actions"} or {"refused": "..."}
    <- {"end": ""} or {"failed": "..."}
"""

import json
import os
import runpy
import sys
import traceback
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

from pydantic import TypeAdapter

from causarium.api.moves import MoveLike, opening_text, read_move
from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily
from causarium.contract.instance import Public
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation
from causarium.errors import BadFile, UsageError


class Answered(NamedTuple):
    """What came back for a move, and the kinds of action that are allowed then."""

    seen: Observation
    allowed: tuple[str, ...]


class AttackSession:
    """One instance as an agent meets it."""

    def __init__(
        self,
        family: AnyFamily,
        public: Public,
        rules: Rules,
        chance: int,
        allowed: tuple[str, ...],
        act: Callable[[MoveLike], Answered],
    ) -> None:
        """Open the session.

        Args:
            family: What is played.
            public: What an agent may see before it acts.
            rules: The rules it is played by.
            chance: Where the attack's random numbers start.
            allowed: The kinds of action that are allowed at first.
            act: Makes a move.
        """
        self.rules = rules
        self.chance = chance
        """Where its random numbers start."""
        self.rng = Random(chance)
        """Where an attack takes its random numbers from, so that it can be played again."""
        self.public: Any = public
        """What an agent may see before it acts, as data."""
        self.opening = opening_text(family.prompt(public, rules))
        self.latest = Observation(self.opening)
        """What the world answered last: its text, and the same as data."""
        self._kinds: Mapping[str, type[Action]] = {one.kind: one for one in family.actions}
        self._allowed = allowed
        self._act = act

    @property
    def actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are allowed now; empty after the end."""
        return tuple(self._kinds[kind] for kind in self._allowed)

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return not self._allowed

    def step(self, move: MoveLike) -> Observation:
        """Send a reply as text, an action, or an action's fields with its `kind`."""
        self.latest, self._allowed = self._act(move)
        return self.latest


AttackFunction: TypeAlias = Callable[[AttackSession], None]


def open_session(episode: Episode, chance: int) -> AttackSession:
    """Return the session of an episode in this process.

    The secret is in the same process: whoever walks closures or memory finds it, and cheats.
    """
    family = episode.family

    def act(move: MoveLike) -> Answered:
        read = episode.parse_reply(move) if isinstance(move, str) else read_move(family, move, {})
        return Answered(episode.step(read), list_allowed(episode))

    public, allowed = episode.instance.public, list_allowed(episode)
    return AttackSession(family, public, episode.rules, chance, allowed, act)


def list_allowed(episode: Episode) -> tuple[str, ...]:
    """Return the kinds of action that are allowed now."""
    return tuple(action.kind for action in episode.world.allowed_actions)


def load_attack(path: Path) -> tuple[AttackFunction, str]:
    """Return the function `attack` of a file, and the theorem it says it falls under (`THEOREM`).

    Raises:
        BadFile: There is no such file, it cannot be run, or it defines no such function.
    """
    try:
        names = runpy.run_path(str(path))
    except FileNotFoundError as wrong:
        raise BadFile(f"there is no file {path}") from wrong
    except Exception as wrong:  # the user's code may fail in any way
        raise BadFile(f"{path} cannot be run: {type(wrong).__name__}: {wrong}") from wrong
    if not callable(names.get("attack")):
        raise BadFile(f"{path} defines no function attack(session)")
    return names["attack"], str(names.get("THEOREM", ""))


class _Line:
    """The two pipes to the process that holds the truth."""

    def __init__(self) -> None:
        self._received, self._sent = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        # What the file reads and prints is not ours.
        with Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)

    def send(self, **frame: Any) -> None:  # noqa: ANN401
        self._sent.write(json.dumps(frame).encode() + b"\n")
        self._sent.flush()

    def receive(self) -> dict[str, Any] | None:
        line = self._received.readline()
        return json.loads(line) if line else None

    def act(self, move: MoveLike) -> Answered:
        self.send(move=write_move(move))
        answer = self.receive()
        if answer is None:
            raise UsageError("the other process has ended")
        if "refused" in answer:
            raise UsageError(answer["refused"])
        allowed = tuple(answer.pop("actions"))
        return Answered(Observation(**answer), allowed)


def write_move(move: MoveLike) -> str | dict[str, Any]:
    """Return a move as JSON knows it."""
    if isinstance(move, Action):
        return {"kind": move.kind, **move.model_dump(mode="json")}
    return move if isinstance(move, str) else dict(move)


def serve(family: AnyFamily, file: Path) -> None:
    """Load a file and let it play one instance after another, until there are no more."""
    line = _Line()
    try:
        function, theorem = load_attack(file)
    except BadFile as wrong:
        line.send(failed=str(wrong))
        return
    line.send(ready=theorem)
    shown: TypeAdapter[Public] = TypeAdapter(family.instance.model_fields["public"].annotation)
    while (given := line.receive()) is not None:
        session = AttackSession(
            family,
            shown.validate_python(given["public"]),
            family.rules.model_validate(given["rules"]),
            given["chance"],
            tuple(given["actions"]),
            line.act,
        )
        try:
            function(session)
        except Exception:  # noqa: BLE001 - the other process says so
            line.send(failed=traceback.format_exc(limit=-2))
            return
        line.send(end="")


if __name__ == "__main__":
    serve(import_module(sys.argv[1]).FAMILY, Path(sys.argv[2]))
