"""Where designs and blind policies stand in a game, each with an interval."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist

from causarium.families.causalgame.evidence.search_policies import Policy, settle
from causarium.families.causalgame.mechanics.game import Design, Game
from causarium.families.causalgame.mechanics.simulate import survival
from causarium.scoring.intervals import Interval, bootstrap_interval
from causarium.seeds import entropy, stream

MEASURED = 100_000
"""Drones that measure the optimum, the standard design and the trap."""
SESSIONS = 40
"""Sessions that measure a policy."""
SUBMITTED = 4_000
"""Drones that measure what a policy submitted."""

Submit = Callable[[int], Design]
"""From the number of a session to the design that is submitted in it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How well one does."""

    survival: Interval
    """Of the fleet; of a policy, the mean over sessions."""
    win: Interval
    """The chance that a fleet reaches the threshold; of a policy, the mean over sessions."""


def win_chance(game: Game, share: float) -> float:
    """Return the chance that a fleet of which `share` survive on average reaches the threshold.

    Example:
        >>> from causarium.families.causalgame.catalogue.certified_games import certified_game
        >>> game = certified_game("weather_noise")
        >>> [round(win_chance(game, game.threshold + gap), 2) for gap in (-0.1, 0.0, 0.1)]
        [0.0, 0.51, 1.0]
    """
    fleet = game.budget.fleet
    spread = math.sqrt(share * (1 - share) / fleet)
    if not spread:
        return float(share >= game.threshold)
    # Half a drone, because fleets are counted and the normal distribution is not.
    return 1 - NormalDist(share, spread).cdf(game.threshold - 0.5 / fleet)


def design_standing(game: Game, design: Design, *, seed: int = 0, n: int = MEASURED) -> Standing:
    """Measure one design."""
    found = survival(game, design, n, entropy(seed, "standing"))
    value, low, high = (win_chance(game, one) for one in (found.value, found.low, found.high))
    return Standing(found, Interval(value, low, high, found.n))


def policy_standing(game: Game, submit: Submit, *, sessions: int = SESSIONS) -> Standing:
    """Measure what is submitted in many sessions."""
    shares = [
        survival(game, submit(number), SUBMITTED, entropy(number, "submitted")).value
        for number in range(sessions)
    ]
    return Standing(
        bootstrap_interval(shares), bootstrap_interval(win_chance(game, share) for share in shares)
    )


def standings(game: Game, policies: Mapping[str, Policy]) -> dict[str, Standing]:
    """Measure the optimum, the standard design, the trap, and some policies."""
    found = {
        name: design_standing(game, design)
        for name, design in (("optimum", game.best), ("default", Design()), ("trap", game.trap))
    }
    for name, policy in policies.items():
        found[name] = policy_standing(game, partial(_settled, game, name, policy))
    return found


def _settled(game: Game, name: str, policy: Policy, number: int) -> Design:
    return settle(policy, game, stream(number, name))
