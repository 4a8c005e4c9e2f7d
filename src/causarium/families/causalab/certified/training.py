"""What a trainer may ask of an episode beyond the verdict: the crystals that are left."""

from collections.abc import Sequence
from math import log2

from causarium.contract.companions import Training
from causarium.contract.frozen import Numbers
from causarium.contract.turn import Turn
from .evidence.fits import Fits, read_settings
from .levels import LadderRules
from .model.actions import ACTIONS
from .model.instance import NUMBERS, Experiment, LadderInstance, LadderPublic, LadderSecret
from .play.world import LadderWorld

_MOST_ROWS = 100_000
"""An experiment after which more rows would have to be listed tells nothing here."""


def turn_numbers(
    instance: LadderInstance, rules: LadderRules, turns: Sequence[Turn]
) -> list[Numbers]:
    """Return after each turn the experiments made, and the bits that they told at least.

    Nothing secret is needed to count them: the readings are those that the agent was told.
    """
    world, public = LadderWorld(instance, rules), instance.public
    fits = Fits.of(public.skeleton)
    for one in public.made:
        fits = _keep(public, fits, one)
    at_first, numbers = fits.count, list[Numbers]()
    for turn in turns:
        before = world.spent
        world.act(turn.move(ACTIONS))
        for one in world.experiments[before:]:
            fits = _keep(public, fits, one)
        bits = log2(at_first / fits.count)
        numbers.append({"experiments": float(world.spent), "bits": bits})
    return numbers


def _keep(public: LadderPublic, fits: Fits, made: Experiment) -> Fits:
    """Return the crystals in which an experiment reads so, if they can be listed."""
    fresh = {public.index[name] for name in made.hold} - fits.touched
    if fits.count_rows(len(fresh)) > _MOST_ROWS:
        return fits
    return fits.keep(read_settings(public, made.hold), NUMBERS[made.reading])


def progress(instance: LadderInstance, rules: LadderRules, turns: Sequence[Turn]) -> float:
    """Return the share of the bits of all crystals that the experiments told, from 0 to 1."""
    numbers = turn_numbers(instance, rules, turns)
    return numbers[-1]["bits"] / log2(Fits.of(instance.public.skeleton).count) if numbers else 0.0


TRAINING: Training[LadderPublic, LadderSecret, LadderRules] = Training(
    progress=progress, turn_numbers=turn_numbers
)
