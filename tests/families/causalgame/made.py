"""Sessions for tests: published games, and short ways to act."""

from causarium.families.causalgame.paper.generation import session_of
from causarium.families.causalgame.paper.model.actions import Deploy, Submit
from causarium.families.causalgame.paper.model.game import Design, Game, Past, Sensor
from causarium.families.causalgame.paper.model.instance import GameInstance
from causarium.families.causalgame.paper.model.paper_games import paper_game
from causarium.families.causalgame.paper.model.rules import GameRules
from causarium.families.causalgame.paper.play.world import GameWorld

WHY = "to see what happens"


def sound(name: str = "antenna_trap", **changes: object) -> Game:
    """A published game, with some things changed."""
    return paper_game(name).model_copy(update=changes)


def noisy(**changes: object) -> Game:
    sensor = Sensor(spread=(0.05, 0.2), flip=(0.1, 0.3), by="weather_pattern", channels=("rows",))
    return sound(sensor=sensor, past=Past(hide_failed=False), **changes)


def session(game: Game | None = None, seed: int = 1) -> GameInstance:
    return session_of(game or sound(), seed, f"causalgame-made-{seed:04d}")


def world(game: Game | None = None, seed: int = 1, **rules: object) -> GameWorld:
    return GameWorld(session(game, seed), GameRules(**rules))


def design(*points: int, **equipment: str) -> Design:
    """A design with armour in the published order of components."""
    parts = ("engine", "cockpit", "wing", "body", "antenna", "camera", "gun", "shield")
    return Design(armour=dict(zip(parts, points, strict=False)), equipment=equipment)


def deploy(count: int = 5, **armour: int) -> Deploy:
    return Deploy(thought=WHY, design=armour, count=count)


def submit(**armour: int) -> Submit:
    return Submit(thought=WHY, design=armour)
