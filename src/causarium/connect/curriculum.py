"""A curriculum: levels from easy to hard, as measured, at the pace of an agent."""

from collections import deque
from collections.abc import Iterator
from typing import Any

from causarium import families
from causarium.api.session import Session, open_session
from causarium.errors import UsageError


class Curriculum:
    """Climbs the ladder of a family's card by the mean reward of the latest episodes.

    It can be pickled, so a trainer that was stopped goes on where it stood.

    Args:
        family: The family's name.
        up: Go a rung up when the mean of a full window is at least this.
        down: Go a rung down when it is less than this.
        window: Over how many episodes the mean is taken; it begins anew on every rung.
        options: What else `causarium.open_session` takes, but for level and index.

    Example:
        >>> course = Curriculum("causallink", window=2)
        >>> course.level, course.record(1.0), course.record(1.0), course.level
        ('practice-6', None, None, 'practice-7')
    """

    def __init__(
        self,
        family: str,
        *,
        up: float = 0.8,
        down: float = 0.5,
        window: int = 64,
        **options: Any,  # noqa: ANN401
    ) -> None:
        if not 0 <= down < up <= 1 or window < 1:
            raise UsageError(
                f"a curriculum needs 0 <= down < up <= 1 and a window of 1 or more, not "
                f"down={down}, up={up}, window={window}"
            )
        self.family, self.up, self.down, self.options = family, up, down, options
        self.ladder = families.get(family).card.ladder
        if not self.ladder:
            raise UsageError(f"the card of {family} has no ladder of levels")
        self.rung = 0
        self.episodes = 0
        self._latest: deque[float] = deque(maxlen=window)

    @property
    def level(self) -> str:
        """The level that is trained on now."""
        return self.ladder[self.rung]

    def __iter__(self) -> Iterator[Session]:
        """Open one session after another at the present level; `record` their rewards."""
        while True:
            yield open_session(self.family, level=self.level, index=self.episodes, **self.options)

    def record(self, reward: float) -> None:
        """Note an episode's reward, and change the rung where the window says so.

        Raises:
            UsageError: It is no number from -1 to 1.
        """
        if not -1 <= reward <= 1:
            raise UsageError(f"the reward of an episode is from -1 to 1, not {reward}")
        self.episodes += 1
        self._latest.append(reward)
        if len(self._latest) < (self._latest.maxlen or 1):
            return
        mean = sum(self._latest) / len(self._latest)
        step = 1 if mean >= self.up else -1 if mean < self.down else 0
        rung = min(max(self.rung + step, 0), len(self.ladder) - 1)
        if rung != self.rung:
            self.rung = rung
            self._latest.clear()
