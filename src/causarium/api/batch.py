"""Many episodes at once: n sessions of a family that take a step together.

A session that is over is opened anew on the next instance, so every row always has somebody to
play. A row is one session's place in the batch.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from causarium import families
from causarium.api.moves import MoveLike
from causarium.api.session import Session, Step, open_session, restore
from causarium.contract.rules import check_edition
from causarium.contract.sets.instance_sets import find_set
from causarium.contract.world import Action, Move, Program
from causarium.errors import BadFile, UsageError

_KEPT_MOVES = 8192
"""So many read replies are kept. Rows say the same words: of 3,072 replies in 256 CausalLink
episodes 23 differ, and reading one costs more than the world's answer."""


@dataclass(frozen=True)
class BatchStep:
    """What one move in every row led to."""

    texts: list[str]
    """What each row's agent reads next: the world's answer, or the opening of a new episode."""
    rewards: npt.NDArray[np.float64]
    done: npt.NDArray[np.bool_]
    """The rows where an episode ended; they stand at a new opening."""
    legal: npt.NDArray[np.bool_]
    """The rows where the move was taken."""
    moved: npt.NDArray[np.bool_]
    """The rows where a move was given."""
    steps: list[Step | None]
    """The steps themselves: the last words of an episode, and `info`."""


class Batch:
    """Sessions that step together.

    Args:
        family: The family's name.
        n: How many sessions.
        size: How many instances there are; after the last comes the first again. None: those of
            the set from the first on, or else no end.
        start: The number of the first instance.
        options: What else `causarium.open_session` takes: level, split, seed, rules and the rest.

    Raises:
        UsageError: There is no such family, level, split, set or rule, n or size is less than 1, or
            the set is smaller.

    Example:
        >>> import causarium as cm
        >>> rows = cm.batch("causallink", 3, level="rung-2", interface="tools")
        >>> step = rows.step([{"kind": "answer", "answer": "yes"}] * 3)
        >>> step.done.tolist(), step.texts == rows.texts
        ([True, True, True], True)
    """

    def __init__(
        self,
        family: str,
        n: int,
        *,
        size: int | None = None,
        start: int = 0,
        **options: Any,  # noqa: ANN401
    ) -> None:
        if "index" in options:
            raise UsageError("a batch counts its instances itself; say where it begins with start=")
        if options.get("set") is not None:
            edition = check_edition(options.get("edition", "certified"))
            left = find_set(families.get(family, edition), edition, options["set"]).size - start
            size = left if size is None else size
            if size > left:
                raise UsageError(f"the set has {left} instances from {start} on, not {size}")
        if n < 1 or (size is not None and size < 1):
            raise UsageError(f"a batch needs at least 1 session and 1 instance, not {n} and {size}")
        self.family, self.size, self.start, self.options = family, size, start, options
        self.sessions: list[Session] = []
        self._opened = 0
        self._first: dict[int, Session] = {}
        self._keep_read()
        self.sessions = [self._open() for _ in range(n)]

    def _keep_read(self) -> None:
        self._read = lru_cache(maxsize=_KEPT_MOVES)(self._parse)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_read"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._keep_read()

    def __len__(self) -> int:
        """Return how many sessions there are."""
        return len(self.sessions)

    def __repr__(self) -> str:
        return f"Batch({self.family!r}, {len(self)} sessions, {self._opened} episodes opened)"

    @property
    def texts(self) -> list[str]:
        """What each row's agent reads now."""
        return [session.observation for session in self.sessions]

    def _open(self) -> Session:
        """Open the next instance; one that comes round again is not drawn again."""
        number = self._opened if self.size is None else self._opened % self.size
        self._opened += 1
        if number in self._first:
            return self._first[number].start_again()
        session = open_session(self.family, index=self.start + number, **self.options)
        if self.size is not None:
            self._first[number] = session
        return session

    def _parse(self, reply: str, allowed: tuple[type[Action], ...]) -> Move:
        session = self.sessions[0]
        return session.family.replies.parse(reply, allowed, session.rules)

    def step(self, moves: Sequence[MoveLike | None]) -> BatchStep:
        """Make one move in every row; None leaves a row as it is.

        All moves are read before the first is made: where one is wrong, none is.

        Args:
            moves: A move for each row, as `Session.step` takes it.

        Raises:
            UsageError: There are more or fewer moves than rows, or as in `Session.step`.
        """
        if len(moves) != len(self):
            raise UsageError(
                f"a batch of {len(self)} sessions needs {len(self)} moves, not {len(moves)}"
            )
        rows = list(zip(self.sessions, moves, strict=True))
        read = [None if move is None else self._read_row(row, move) for row, move in rows]
        steps = [
            None if one is None else row.make(one, is_call=not isinstance(move, str))
            for (row, move), one in zip(rows, read, strict=True)
        ]
        done = np.array([step is not None and step.done for step in steps])
        for row in np.flatnonzero(done):
            self.sessions[row] = self._open()
        return BatchStep(
            texts=self.texts,
            rewards=np.array([step.reward if step else 0.0 for step in steps]),
            done=done,
            legal=np.array([step is not None and step.legal for step in steps]),
            moved=np.array([step is not None for step in steps]),
            steps=steps,
        )

    def _read_row(self, session: Session, move: MoveLike) -> Move:
        if isinstance(move, str):
            # The session knows what a reply is that breaks the reader.
            with suppress(Exception):
                if not isinstance(read := self._read(move, session.actions), Program):
                    return read
        return session.parse_move(move)

    async def step_async(self, moves: Sequence[MoveLike | None]) -> BatchStep:
        """Step as `step` does, in a thread beside the event loop; one call at a time."""
        return await asyncio.to_thread(self.step, moves)

    def fork(self) -> "Batch":
        """Return a second batch at the same point; the two go on apart."""
        return self._restore([session.fork() for session in self.sessions], self._opened)

    def snapshot(self) -> dict[str, Any]:
        """Return where the batch stands as JSON data, no secret; `load` goes on from it."""
        sessions = [session.snapshot() for session in self.sessions]
        return {"opened": self._opened, "sessions": sessions}

    def load(self, snapshot: Mapping[str, Any]) -> "Batch":
        """Return the batch that a snapshot was taken of.

        Raises:
            BadFile: It is no snapshot of a batch of this family, or as `causarium.restore`.
        """
        try:
            opened, parts = int(snapshot["opened"]), list(snapshot["sessions"])
        except (KeyError, TypeError, ValueError) as wrong:
            raise BadFile(f"this is not a snapshot of a batch: {wrong!r}") from wrong
        given = {name: self.options.get(name) for name in ("instance", "salt")}
        sessions = [restore(part, **given) for part in parts]
        if {session.family.name for session in sessions} != {self.family} or opened < len(sessions):
            raise BadFile(f"this is not a snapshot of a batch of {self.family}")
        return self._restore(sessions, opened)

    def _restore(self, sessions: list[Session], opened: int) -> "Batch":
        other = object.__new__(Batch)
        changed = {"_first": dict(self._first), "sessions": sessions, "_opened": opened}
        other.__setstate__(self.__getstate__() | changed)
        return other


batch = Batch
"""Opens n sessions that step together."""
