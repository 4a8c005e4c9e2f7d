"""What a trainer may ask of a table beyond the verdict."""

from collections.abc import Sequence
from math import log2

from causarium.contract.companions import Training
from causarium.contract.frozen import Numbers
from causarium.contract.turn import Turn
from .evidence.pairs import Table
from .evidence.planner import Belief, Hands
from .levels import LinkRules
from .model import ACTIONS, LinkInstance, LinkPublic, LinkSecret
from .play.world import open_world


def turn_numbers(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> list[Numbers]:
    """Return after each turn the trials made, the bits they told, and the score that is sure.

    `sure` is what the best answer earns in expectation, given all that was shown; nothing secret is
    needed to count it.
    """
    world, table = open_world(instance, rules), Table(instance.public)
    belief = Belief.open(table)
    if not instance.public.trials:
        for row in instance.public.watched:
            belief = belief.see(Hands(table.mask(row.started), table.mask(row.held)), row.moved)
    at_first = belief.count()
    numbers: list[Numbers] = []
    for turn in turns:
        before = world.spent
        world.act(turn.move(ACTIONS))
        for made in world.made[before:]:
            belief = belief.see(Hands(table.mask(made.started), table.mask(made.held)), made.moved)
        told = log2(at_first / belief.count())
        numbers.append({"trials": float(world.spent), "bits": told, "sure": belief.weigh()[1]})
    return numbers


def progress(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> float:
    """Return the score of which the trials made so far are sure, from 0 to 1."""
    numbers = turn_numbers(instance, rules, turns)
    return numbers[-1]["sure"] if numbers else float(not instance.public.trials)


TRAINING: Training[LinkPublic, LinkSecret, LinkRules] = Training(
    progress=progress, turn_numbers=turn_numbers
)
