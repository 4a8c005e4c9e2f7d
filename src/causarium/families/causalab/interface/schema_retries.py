"""What becomes of a hypothesis that breaks its schema: sent back at most twice, then set aside."""

from typing import Literal

MAX_RETURNS = 2
"""How often in a row a hypothesis with problems is sent back."""

Fate = Literal["taken", "sent back", "set aside"]


class Returns:
    """Keeps count of how often in a row a hypothesis was sent back."""

    def __init__(self) -> None:
        self._in_a_row = 0

    def weigh(self, *, sound: bool, last: bool) -> Fate:
        """Say what becomes of the hypothesis of a turn, or of a turn without one (`sound`).

        In the last turn nothing could be sent again and its action would be lost, so there a bad
        hypothesis is set aside at once.
        """
        if not sound and self._in_a_row < MAX_RETURNS and not last:
            self._in_a_row += 1
            return "sent back"
        self._in_a_row = 0
        return "taken" if sound else "set aside"
