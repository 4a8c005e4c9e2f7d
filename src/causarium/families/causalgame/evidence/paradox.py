"""Simpson's reversal: better in every group and worse over all, or the other way round."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from causarium.families.causalgame.evidence.flight_records import fly_recipes
from causarium.families.causalgame.mechanics.game import Game, Paradox

CONFIDENCE = 0.99
ROWS = 40_000
"""So many rows decide whether a history's recipes hold a reversal."""

Row = tuple[float, object, bool]
"""One flight: the lever's setting, its group, and whether the drone came back."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """How survival differs between the highest and the lowest setting of a lever."""

    difference: float
    error: float
    """Its standard error."""

    def sign(self, confidence: float | None = None) -> int:
        """Return which way it goes: 1, -1, or 0 where that is not sure enough."""
        if math.isnan(self.difference):
            return 0
        least = 0.0
        if confidence is not None:
            least = NormalDist().inv_cdf(confidence) * self.error
        return int(np.sign(self.difference)) if abs(self.difference) > least else 0


def contrasts(rows: Iterable[Row]) -> tuple[Contrast, dict[object, Contrast]]:
    """Return the contrast over all rows, and the contrast in each group."""
    tallies: dict[object, dict[float, tuple[int, int]]] = {}
    for setting, group, survived in rows:
        cells = tallies.setdefault(group, {})
        alive, count = cells.get(setting, (0, 0))
        cells[setting] = (alive + survived, count + 1)
    whole: dict[float, tuple[int, int]] = {}
    for cells in tallies.values():
        for setting, (alive, count) in cells.items():
            before = whole.get(setting, (0, 0))
            whole[setting] = (before[0] + alive, before[1] + count)
    return _contrast(whole), {group: _contrast(cells) for group, cells in tallies.items()}


def reverses(rows: Iterable[Row], *, confidence: float | None = None) -> bool:
    """Return whether the lever points one way over all rows and the other way in every group.

    With a `confidence`, all the signs together have to be that sure (Bonferroni).
    """
    over_all, by_group = contrasts(rows)
    if not by_group:
        return False
    each = None if confidence is None else 1 - (1 - confidence) / (1 + len(by_group))
    signs = {contrast.sign(each) for contrast in by_group.values()}
    return signs in ({1}, {-1}) and over_all.sign(each) == -next(iter(signs))


def recipe_rows(game: Game, paradox: Paradox, *, rows: int = ROWS, seed: int = 0) -> list[Row]:
    """Fly many rows by a game's recipes."""
    found: list[Row] = []
    for flown in fly_recipes(game, rows, seed):
        setting = game.armour(flown.recipe.design)[paradox.lever]
        groups = flown.flights.columns[paradox.group].tolist()
        alive = flown.flights.survived.tolist()
        found += [(setting, group, back) for group, back in zip(groups, alive, strict=True)]
    return found


def _contrast(cells: Mapping[float, tuple[int, int]]) -> Contrast:
    if len(cells) < 2:
        return Contrast(math.nan, math.nan)
    low, high = min(cells), max(cells)
    shares = [cells[setting][0] / cells[setting][1] for setting in (low, high)]
    spread = sum(
        share * (1 - share) / cells[setting][1]
        for share, setting in zip(shares, (low, high), strict=True)
    )
    return Contrast(shares[1] - shares[0], math.sqrt(spread))
