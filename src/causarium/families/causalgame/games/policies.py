"""How to look for a design without understanding anything: by chance, or one thing at a time.

A policy is a generator: it yields trials, is sent the share of drones that came back, and returns
the design that it would submit. It sees what an agent sees, so the same policy plays as a player
and stands in a certificate.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from causarium.families.causalgame.games.description import Budget, Design, Game, Space
from causarium.families.causalgame.games.simulate import fly

RAISED = 10
"""How many points one thing at a time is raised by."""


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


def random_search(given: Offer, rng: Random) -> Generator[Trial, float, Design]:
    """Try random designs, an equal share of the drones each, and submit the best."""
    return (yield from _best_of([scatter(given, rng) for _ in range(_trials(given))], given))


def one_factor(given: Offer, rng: Random) -> Generator[Trial, float, Design]:
    """Try the standard design, then one change to it at a time, and submit the best."""
    changes = _changes(given)
    rng.shuffle(changes)
    return (yield from _best_of([Design(), *changes[: _trials(given) - 1]], given))


POLICIES: Mapping[str, Policy] = {"random_search": random_search, "one_factor": one_factor}


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


def _trials(given: Offer) -> int:
    return max(1, min(given.budget.deployments, given.budget.drones))


def _best_of(designs: list[Design], given: Offer) -> Generator[Trial, float, Design]:
    count = min(given.budget.per_deployment, given.budget.drones // len(designs))
    best, most = designs[0], -1.0
    for design in designs:
        share = yield Trial(design, count)
        if share > most:
            best, most = design, share
    return best


def _changes(given: Offer) -> list[Design]:
    """Return every single change to the standard design: less of a part, more of it, a refit."""
    space, found = given.space, []
    spare = space.total - sum(given.default.values())
    for name, points in given.default.items():
        if points > space.low:
            found.append(Design(armour={name: space.low}))
        more = min(space.high, points + RAISED)
        if more - points <= spare:
            found.append(Design(armour={name: more}))
        else:
            found.append(Design(armour={name: more, **_paid(given, name, more - points - spare)}))
    for slot, names in given.options.items():
        found += [Design(equipment={slot: option}) for option in names[1:]]
    return found


def _paid(given: Offer, name: str, points: int) -> dict[str, int]:
    """Take `points` off the components that have most, leaving `name` alone."""
    left = {other: armour for other, armour in given.default.items() if other != name}
    before = dict(left)
    for _ in range(points):
        most = max(left, key=lambda other: left[other])
        left[most] = max(given.space.low, left[most] - 1)
    return {other: armour for other, armour in left.items() if armour != before[other]}
