"""What simulation found out about a game is kept, so that it is not flown again.

Games hold dictionaries and cannot be keys themselves; their text can.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from causarium.contract.frozen import digest
from causarium.families.causalgame.model.published.game import Game

FoundT = TypeVar("FoundT")

_NOT_OF_FLIGHTS = {"name", "past", "sensor", "budget", "threshold", "trap", "best", "tale"}


class Memo(Generic[FoundT]):
    """Findings by game and by question; the oldest are forgotten first."""

    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._known: dict[tuple[str, str], FoundT] = {}

    def get_or_find(
        self, game: Game, question: str, find: Callable[[], FoundT], *, of_flights: bool = False
    ) -> FoundT:
        """Return what is known, or find it out.

        Args:
            game: The game that the question is about.
            question: What is asked, as a text.
            find: Finds it out.
            of_flights: Whether only the way drones fly decides it, so that games which differ in
                their records or their budget share it.
        """
        left_out = _NOT_OF_FLIGHTS if of_flights else set()
        address = (digest(game.model_dump_json(exclude=left_out)), question)
        if address not in self._known:
            found = find()
            if len(self._known) >= self._most:
                self._known.pop(next(iter(self._known)))
            self._known[address] = found
        return self._known[address]
