"""The player that knows the coins."""

from random import Random

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.families.causalgame.mechanics.expeditions import find_best_design
from causarium.families.causalgame.model.expeditions import Expedition
from causarium.families.causalgame.players.expeditions.legs import Choice, commit_choices


def take_as_insider(instance: Expedition, rules: Rules, rng: Random, *, right: bool) -> Moves:
    """Commit to the best design of every leg, or to what is best under the other face.

    Args:
        instance: The expedition.
        rules: The rules it is played by.
        rng: Not used.
        right: Whether the coins are read as they lie.
    """
    del rules, rng
    choices = {
        leg.name: Choice(
            find_best_design(leg, hidden.model_copy(update={"face": hidden.face == right}))
        )
        for leg, hidden in zip(instance.public.legs, instance.secret.legs, strict=True)
    }
    yield from commit_choices(instance.public, choices)
