"""A user's own functions as players: a generator of actions, or a function from text to text."""

import inspect
from collections.abc import Callable, Generator, Mapping
from random import Random
from typing import Any, TypeAlias, TypeGuard

from causarium.api.moves import build_action, opening_text
from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation
from causarium.errors import UsageError

PlayerFunction: TypeAlias = Callable[
    [Any, Any, Random], Generator[Action | Mapping[str, Any], Observation, None]
]
"""(public, rules, rng): a generator that yields actions and is sent observations."""
ReplyFunction: TypeAlias = Callable[[str], str]
"""Takes what an agent reads and returns its reply; called once a turn."""


def takes_text(function: PlayerFunction | ReplyFunction) -> TypeGuard[ReplyFunction]:
    """Say whether a function is one from text to text; otherwise it is a player's generator.

    Raises:
        UsageError: It is neither.
    """
    if not callable(function):
        raise UsageError(
            f"a player must be a name, a Player or a function, not a {type(function).__name__}"
        )
    parameters = inspect.signature(function).parameters.values()
    needed = [
        parameter
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    if len(needed) not in (1, 3):
        raise UsageError(
            f"{function_name(function)} takes {len(needed)} arguments; a player is a generator "
            "function of (public, rules, rng), or a function from text to text"
        )
    return len(needed) == 1


def function_name(function: object) -> str:
    """Return what a function, or an object that can be called, is called."""
    return str(getattr(function, "__name__", type(function).__name__))


def make_player(family: AnyFamily, function: PlayerFunction) -> Player[Any, Any]:
    """Return the player that plays as a generator function does; it may yield actions as data."""

    def moves(public: Any, rules: Rules, rng: Random) -> Moves:  # noqa: ANN401
        playing = function(public, rules, rng)
        try:
            move = next(playing)
            while True:
                action = move if isinstance(move, Action) else build_action(family, move)
                move = playing.send((yield action))
        except StopIteration:
            return

    return Player(about=(function.__doc__ or "A player of your own.").strip(), moves=moves)


def play_by_text(
    family: AnyFamily, instance: AnyInstance, rules: Rules, reply: ReplyFunction
) -> Episode:
    """Let a function from text to text play one instance to its end.

    Args:
        family: The family of the instance.
        instance: The instance to play.
        rules: The rules it is played by.
        reply: The function that is given the text and returns a reply.

    Raises:
        UsageError: It returns something else than a text.
    """
    episode = Episode(family, instance, rules)
    text = opening_text(family.prompt(instance.public, rules))
    while not episode.done:
        answer = reply(text)
        if not isinstance(answer, str):
            name, kind = function_name(reply), type(answer).__name__
            raise UsageError(f"{name} returned a {kind}; a reply is a text")
        text = episode.take(episode.parse_reply(answer)).text
    return episode
