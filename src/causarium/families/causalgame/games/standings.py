"""Where designs and blind policies stand in a game, each with an interval."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from causarium.families.causalgame.games.description import Design, Game
from causarium.families.causalgame.games.policies import Policy, settle
from causarium.families.causalgame.games.simulate import survival
from causarium.scoring.uncertainty import Interval, bootstrap, wilson
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
    """How often the threshold is reached, by what would be expected of each submission."""


def design_standing(game: Game, design: Design, *, seed: int = 0, n: int = MEASURED) -> Standing:
    """Measure one design."""
    found = survival(game, design, n, entropy(seed, "standing"))
    return Standing(found, wilson(int(found.value >= game.threshold), 1))


def policy_standing(game: Game, submit: Submit, *, sessions: int = SESSIONS) -> Standing:
    """Measure what is submitted in many sessions."""
    shares = [
        survival(game, submit(number), SUBMITTED, entropy(number, "submitted")).value
        for number in range(sessions)
    ]
    wins = sum(share >= game.threshold for share in shares)
    return Standing(bootstrap(shares), wilson(wins, sessions))


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
