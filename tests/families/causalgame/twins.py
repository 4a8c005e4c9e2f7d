"""Twin pairs for tests, and short ways to play them."""

from random import Random

from causarium.families.causalgame.model.actions import Commit, Fly
from causarium.families.causalgame.model.config import LEVELS, GameRules
from causarium.families.causalgame.generation.draw import generate
from causarium.families.causalgame.interface.twin_world import TwinWorld
from causarium.families.causalgame.mechanics.twin_law import PARTS, SLOTS, TwinDesign

FLOWN = ("twin-weather", "twin-zone", "twin-antenna")
TWINS = [name for name, config in LEVELS.items() if config.edition == "certified"]
ARCHIVES = ("archive-frontdoor", "archive-instrument")


def pair(level="twin-weather", index=0, seed=0):
    return generate(LEVELS[level], seed, index)


def world(level="twin-weather", index=0, **rules):
    return TwinWorld(pair(level, index), GameRules(**rules))


def committed(game, *designs):
    """Play both missions: a test flight where there are any, then a design."""
    seen = None
    for mission in range(2):
        if not game.public.archived:
            game.act(Fly(count=1))
        seen = game.act(designs[mission] if mission < len(designs) else Commit())
    return seen


def drawn_design(rng: Random, total: int) -> TwinDesign:
    armour = [0] * PARTS
    for _ in range(rng.randint(0, total)):
        part = rng.randrange(PARTS)
        armour[part] = min(30, armour[part] + 1)
    return TwinDesign(armour=tuple(armour), options=tuple(rng.randint(0, 1) for _ in range(SLOTS)))
