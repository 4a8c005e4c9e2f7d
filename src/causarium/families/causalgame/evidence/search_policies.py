"""What a policy is: a way of looking for a design by trials, without understanding anything.

It is a generator: it yields trials, is sent the share of drones that came back, and returns the
design that it would submit. It sees what an agent sees, so the same policy plays as a player
and stands in a certificate (`explorers.py` has some).
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from causarium.families.causalgame.mechanics.game import Budget, Design, Game, Space
from causarium.families.causalgame.mechanics.simulate import fly


@dataclass(frozen=True, slots=True)
class Offer:
    """What an agent may choose from."""

    default: Mapping[str, int]
    """Armour by component when a design says nothing."""
    space: Space
    options: Mapping[str, tuple[str, ...]]
    """Names by equipment slot, the default one first."""
    budget: Budget


@dataclass(frozen=True, slots=True)
class Trial:
    """Drones to be deployed."""

    design: Design
    count: int


Policy: TypeAlias = Callable[[Offer, Random], Generator[Trial, float, Design]]


def offer(game: Game) -> Offer:
    """Return what a game lets an agent choose from."""
    slots = [slot for slot in game.slots if slot.declared]
    options = {
        slot.name: tuple(sorted((one.name for one in slot.options), key=slot.default.__ne__))
        for slot in slots
    }
    return Offer(game.default, game.space, options, game.budget)


def scatter(given: Offer, rng: Random) -> Design:
    """Draw a legal design: the whole total spread over most components, any equipment."""
    space = given.space
    keen = {name: rng.random() ** 2 if rng.random() < 0.75 else 0.0 for name in given.default}
    free, scale = space.total - space.low * len(keen), sum(keen.values()) or 1.0
    armour = {
        name: min(space.high, space.low + int(free * share / scale)) for name, share in keen.items()
    }
    fitted = {slot: rng.choice(names) for slot, names in given.options.items()}
    return Design(armour=armour, equipment=fitted)


def settle(policy: Policy, game: Game, rng: Random) -> Design:
    """Let a policy explore a game; return what it would submit."""
    plan = policy(offer(game), rng)
    try:
        trial = next(plan)
        while True:
            fleet = fly(game, trial.design, trial.count, rng, 1)
            trial = plan.send(float(fleet.survived.mean()))
    except StopIteration as end:
        design: Design = end.value
        return design
