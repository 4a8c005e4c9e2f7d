"""Draw new games of the published kinds: other components, traps, places, equipment and constants.

Game `index` of a kind depends on the seed and the index alone. Candidates are drawn one after the
other until one passes: a search finds its optimum, the threshold follows, the standard design and
the trap lose clearly, every lever works, and the records mislead a regression (where conditions
shift, the shift is what misleads). `certify.py` then proves the same at length.

What the draws of the shipped sets came to is kept in `procedural.json`, so that drawing them again
takes no search.
`python -m causarium.families.causalgame.generation.procedural_games` writes it anew.
"""

import json
from functools import cache
from pathlib import Path

from causarium.contract.frozen import Frozen
from causarium.errors import ContractError
from causarium.families.causalgame.catalogue.certified_games import MARGIN, Calibrated
from causarium.families.causalgame.generation.candidate_games import candidate
from causarium.families.causalgame.mechanics.game import Design, Game, Kind, Stage
from causarium.families.causalgame.mechanics.laws import ZoneLaw

KEPT = Path(__file__).with_name("procedural.json")
KINDS: tuple[Kind, ...] = ("antenna", "zone", "zone_shift", "weather")
KEPT_SEED, KEPT_GAMES = 0, 6
"""The seed whose games are kept, and how many of each kind."""
TRIES = 60
ROOM = 0.12
"""The standard design and the trap have to lose by this; a longer look confirms 10 points."""
LEAST_SWAY = 0.04
"""What a storm, a loud place or a full shield has to do to the survival of the standard design."""
OPTIMA = (0.60, 0.975)
"""Optima outside of this leave nothing to win, or nothing to lose."""


class Drawn(Calibrated):
    """A candidate that passed."""

    attempt: int


@cache
def draw_game(kind: Kind, seed: int, index: int) -> Game:
    """Draw game `index` of a kind.

    Raises:
        ContractError: No candidate passed, which no seed that was tried has led to.
    """
    kept = _kept().get(f"{kind}-{index}") if seed == KEPT_SEED else None
    found = kept or find(kind, seed, index)
    game = candidate(kind, seed, index, found.attempt)
    return game.model_copy(update={"best": found.best, "threshold": found.threshold})


def find(kind: Kind, seed: int, index: int) -> Drawn:
    """Draw candidates until one passes.

    Raises:
        ContractError: None did.
    """
    for attempt in range(TRIES):
        game = candidate(kind, seed, index, attempt)
        found = passed(game)
        if found is not None:
            return Drawn(attempt=attempt, **found.model_dump())
    raise ContractError(
        f"none of {TRIES} candidates for the {kind} game {index} of seed {seed} passed"
    )


def passed(game: Game) -> Calibrated | None:
    """Calibrate a candidate; None if it is no good game. Cheap questions come first."""
    from causarium.families.causalgame.evidence.best_design import QUICK, best_design
    from causarium.families.causalgame.mechanics.simulate import survival

    tempting = max(survival(game, one, 4_000, 1).value for one in (Design(), game.trap))
    if tempting > OPTIMA[1] - MARGIN - ROOM or not _clear(game):
        return None
    best = best_design(game, effort=QUICK)
    optimum = best.survival.value
    threshold = round(optimum - MARGIN, 2)
    if not OPTIMA[0] <= optimum <= OPTIMA[1] or tempting > threshold - ROOM:
        return None
    if not _sound(game.model_copy(update={"best": best.design, "threshold": threshold})):
        return None
    return Calibrated(best=best.design, survival=round(optimum, 4), threshold=threshold)


def _sound(game: Game) -> bool:
    """Return whether every lever works, and the records or the shift mislead."""
    from causarium.families.causalgame.evidence.levers import dead_armour, dead_options, shift
    from causarium.families.causalgame.evidence.misleading import readings

    if dead_options(game) or dead_armour(game):
        return False
    if game.kind in {"zone_shift", "weather"} and shift(game) < MARGIN:
        return False
    return game.kind == "zone_shift" or any(one.misleads for one in readings(game))


def _clear(game: Game) -> bool:
    """Return whether the conditions, and the shield where there is one, visibly matter."""
    from causarium.families.causalgame.evidence.levers import sway

    law, called = game.law, {one.key: one.name for one in game.variables}
    stages: tuple[Stage, ...] = (1, 2)
    if not isinstance(law, ZoneLaw):
        storm = called["is_storm"]
        return all(
            abs(sway(game, Design(), False, True, storm, stage=stage)) >= LEAST_SWAY  # noqa: FBT003
            for stage in stages
        )
    levels = sorted(law.zones, key=lambda zone: zone.emi)
    ends, shield = (levels[0].name, levels[-1].name), called[f"{law.shield}_def"]
    return all(
        sway(game, Design(), *ends, called["mission_zone"], stage=stage) <= -LEAST_SWAY
        and sway(game, Design(), game.space.low, game.space.high, shield, stage=stage) >= LEAST_SWAY
        for stage in stages
    )


@cache
def _kept() -> dict[str, Drawn]:
    if not KEPT.exists():
        return {}
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    return {name: Drawn.model_validate(found) for name, found in kept.items()}


def main() -> None:
    """Draw the games of the shipped sets and keep what the draws came to."""
    kept: dict[str, Frozen] = {
        f"{kind}-{index}": find(kind, KEPT_SEED, index)
        for kind in KINDS
        for index in range(KEPT_GAMES)
    }
    text = json.dumps({name: one.model_dump(mode="json") for name, one in kept.items()}, indent=1)
    KEPT.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
