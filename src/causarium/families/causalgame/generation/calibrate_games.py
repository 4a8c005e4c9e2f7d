"""Find the certified games' optima anew.

`python -m causarium.families.causalgame.generation.calibrate_games` writes
`catalogue/certified.json`: for each kind of game the best design, how many drones survive with it
at evaluation, and the threshold that follows. A test searches again and compares.
"""

import json

from causarium.families.causalgame.catalogue.certified_games import (
    CALIBRATION,
    MARGIN,
    NAMES,
    Calibrated,
    uncalibrated,
)
from causarium.families.causalgame.evidence.best_design import FULL, Effort, best_design
from causarium.families.causalgame.mechanics.game import Game, Kind


def calibrate(game: Game, *, effort: Effort = FULL, seed: int = 0) -> Calibrated:
    """Find the best design of a game, and the threshold that follows from it."""
    found = best_design(game, effort=effort, seed=seed)
    return Calibrated(
        best=found.design,
        survival=round(found.survival.value, 4),
        threshold=round(found.survival.value - MARGIN, 2),
    )


def main() -> None:
    """Calibrate every kind of game and keep what was found."""
    kinds: dict[Kind, Game] = {}
    for game in map(uncalibrated, NAMES):
        kinds.setdefault(game.kind, game)
    kept = {kind: calibrate(game).model_dump(mode="json") for kind, game in kinds.items()}
    CALIBRATION.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
