"""Who plays lamps without a model."""

from random import Random

from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from tests.support.lamps.model import Answer, Flip, LampsInstance, LampsPublic, LampsSecret


def _oracle(instance: LampsInstance, _rules: Rules, _rng: Random) -> Moves:
    yield Answer(wired=instance.secret.wired)


def _optimal(public: LampsPublic, _rules: Rules, _rng: Random) -> Moves:
    *tried, last = public.switches
    for name in tried:
        observation = yield Flip(switch=name)
        if observation.data["lit"]:
            last = name
            break
    yield Answer(wired=last)


def _random(public: LampsPublic, _rules: Rules, rng: Random) -> Moves:
    yield Flip(switch=rng.choice(public.switches))
    yield Answer(wired=rng.choice(public.switches))


PLAYERS: dict[str, Player[LampsPublic, LampsSecret]] = {
    "oracle": Player("Knows the wiring and answers at once.", moves_from_truth=_oracle),
    "optimal": Player("Flips one switch after another until the lamp lights.", moves=_optimal),
    "random": Player(
        "Flips one switch, looks away and guesses.", moves=_random, ignores_input=True
    ),
    "silent": Player("Never says anything.", ignores_input=True),
}
