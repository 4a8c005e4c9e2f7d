"""Who acts without a model.

A player is a generator: it yields actions and is sent the observation of each. Most see only the
public part; a sighted one (the oracle) is handed the secret too, and says so.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Literal, TypeAlias, get_args

from causarium.contract.instance import Instance, PublicT, SecretT
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation

Moves: TypeAlias = Generator[Action, Observation, None]
"""Yields actions, is sent observations; returning means falling silent."""
Sight = Literal["nothing", "prompt", "prompt and observations"]
"""What a player's moves may depend on."""
SIGHTS: tuple[Sight, ...] = get_args(Sight)
"""From least to most."""


@dataclass(frozen=True, slots=True)
class Player(Generic[PublicT, SecretT]):
    """Someone who acts without a model."""

    about: str
    """One sentence on how it plays."""
    moves: Callable[[PublicT, Rules, Random], Moves] | None = None
    """How a player plays that sees only what an agent sees."""
    moves_from_truth: Callable[[Instance[PublicT, SecretT], Rules, Random], Moves] | None = None
    """How a player plays that knows the secret."""
    ignores_input: bool = False
    """Whether its answer does not depend on what it sees: it scores what guessing earns."""
    slow: bool = False
    """Whether it takes too long to be played beside every run; the audit plays it all the same."""
    sees: Sight = "prompt and observations"
    """What its moves depend on, as far as it does not see the truth; `nothing` where it ignores its
    input."""

    def __post_init__(self) -> None:
        """Have a player that ignores its input see nothing."""
        if self.ignores_input:
            object.__setattr__(self, "sees", "nothing")

    @property
    def sees_truth(self) -> bool:
        """Whether the player is handed the secret."""
        return self.moves_from_truth is not None

    def start(self, instance: Instance[Any, Any], rules: Rules, rng: Random) -> Moves:
        """Start playing `instance`.

        Args:
            instance: The instance to play.
            rules: The rules it is played by.
            rng: Where all its random numbers come from.
        """
        if self.moves_from_truth is not None:
            return self.moves_from_truth(instance, rules, rng)
        if self.moves is not None:
            return self.moves(instance.public, rules, rng)
        return _say_nothing()


def _say_nothing() -> Moves:
    yield from ()


SILENT: Player[Any, Any] = Player(about="Never says anything.", ignores_input=True)
