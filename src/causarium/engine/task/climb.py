"""Climbing a ladder: rungs above two without a score above 0 are not played."""

import math
from collections.abc import Iterable
from typing import Any

from inspect_ai.util import EarlyStop

from causarium.contract.family import AnyInstance
from causarium.contract.rungs import RUNG
from causarium.scoring.reach import find_spent_rung

REASON = "two rungs below are without a score above 0"


class Climb:
    """Inspect's manager of early stops for a set of rungs.

    Samples that run at the same time may begin a rung before the one below has ended, so that a few
    more are played than needed; a resumed run is told the scores of its finished samples.
    """

    def __init__(self, instances: Iterable[AnyInstance], headline: str) -> None:
        """Remember the rung of each instance.

        Args:
            instances: The instances of the task.
            headline: The number of a verdict that is the score.
        """
        self._rungs = {one.id: int(one.facets[RUNG]) for one in instances if RUNG in one.facets}
        self._headline = headline
        self._scores: dict[int, list[float]] = {}

    async def start_task(self, task: Any, samples: Any, epochs: int) -> str:  # noqa: ANN401, ARG002
        """Return the name of the manager."""
        return "causarium/climb"

    async def schedule_sample(self, id: str | int, epoch: int) -> EarlyStop | None:  # noqa: A002
        """Return a stop for a sample above the rungs that ended the climb; None: it is played."""
        last = find_spent_rung(self._scores)
        if last is None or self._rungs.get(str(id), 0) <= last:
            return None
        return EarlyStop(id=id, epoch=epoch, reason=REASON, metadata={RUNG: self._rungs[str(id)]})

    async def complete_sample(
        self,
        id: str | int,  # noqa: A002
        epoch: int,  # noqa: ARG002
        scores: Any,  # noqa: ANN401 - Inspect's scores, by scorer
    ) -> None:
        """Note the score of a sample that was played."""
        for one in scores.values():
            value = one.score.value
            number = value.get(self._headline) if isinstance(value, dict) else None
            if isinstance(number, int | float) and not math.isnan(number):
                self._scores.setdefault(self._rungs.get(str(id), 0), []).append(float(number))

    async def complete_task(self) -> dict[str, Any]:
        """Return the rung above which nothing was played; None if all were."""
        return {"last_rung": find_spent_rung(self._scores)}
