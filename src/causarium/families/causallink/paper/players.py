"""Who plays CausalLink without a model. What a docstring says is what people read of a player."""

from collections.abc import Callable, Generator
from random import Random
from typing import cast

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation
from .model.instance import (
    CONTINUE,
    STOP,
    Answer,
    Choose,
    Intervene,
    LinkInstance,
    LinkPublic,
    LinkSecret,
)
from .model.theme import theme

Inquirer = Callable[[LinkPublic, Random], Moves]
"""Tries out a case, as tools do: interventions or a run, then an answer."""


def inquire_optimally(public: LinkPublic, rng: Random) -> Moves:
    """Ask with the fewest interventions that suffice in the worst case.

    While the effect is active, everything but the cause and the effect is stopped, once each. What
    is left is kept going by the cause or the effect alone, and the last one or two interventions
    decide. With both at rest, starting the cause decides at once.
    """
    state = frozenset(public.moving)
    cause, effect = public.cause, public.effect
    cause_was_active = cause in state
    others = [name for name in public.shapes if name not in {cause, effect}]
    rng.shuffle(others)
    for name in others:
        if effect in state and name in state:
            state = yield from _try(public, name, starts=False)
    if effect in state and cause in state:
        state = yield from _try(public, cause, starts=False)
        yes = cause not in state and effect not in state
    elif cause in state or (effect in state and cause_was_active):
        # An effect that goes on when the cause has been stopped with others never had it as a
        # cause: stopping gives nothing a way to go on alone.
        yes = False
    else:
        if effect in state:
            yield from _try(public, effect, starts=False)
        yes = effect in (yield from _try(public, cause, starts=True))
    yield from _say(yes=yes)


def _probe_once(public: LinkPublic, _rng: Random) -> Moves:
    """Stop the cause if it is active, else start it; yes if the effect's state changed."""
    was_active = public.effect in public.moving
    state = yield from _try(public, public.cause, starts=public.cause not in public.moving)
    yield from _say(yes=(public.effect in state) != was_active)


def _act_at_random(public: LinkPublic, rng: Random) -> Moves:
    """Acts at random and tosses a coin."""
    for _ in range(rng.randrange(1, public.cap + 1)):
        starts = rng.choice((True, False))
        yield from _try(public, rng.choice(public.shapes), starts=starts)
    yield from _say(yes=rng.random() < 0.5)


def _say(*, yes: bool) -> Moves:
    yield Answer(answer="yes" if yes else "no")


def _try(
    public: LinkPublic, name: str, *, starts: bool
) -> Generator[Action, Observation, frozenset[str]]:
    """Start one variable or try to stop it, and return who is active after it."""
    words = theme(public.theme)
    seen = yield Intervene(shape=name, action=words.start if starts else words.stop)
    return _read_moving(seen)


def _read_moving(seen: Observation) -> frozenset[str]:
    return frozenset(cast("list[str]", seen.data.get("moving", [])))


def _take_turns(moves: Moves, public: LinkPublic, rules: Rules) -> Moves:
    """Make the turns of the interface out of moves, which are those of tools.

    The text protocol adds the choices between, and the one intervention that has to come
    first.
    """
    if rules.interface != "json":
        yield from moves
        return
    acted, move = False, next(moves)
    while isinstance(move, Intervene):
        if acted:
            yield Choose(next=CONTINUE)
        acted, move = True, moves.send((yield move))
    if not acted:
        yield Intervene(shape=public.cause, action=theme(public.theme).stop)
    yield Choose(next=STOP)
    yield move


def _player(
    inquirer: Inquirer, about: str = "", *, ignores_input: bool = False, slow: bool = False
) -> Player[LinkPublic, LinkSecret]:
    def play(public: LinkPublic, rules: Rules, rng: Random) -> Moves:
        return _take_turns(inquirer(public, rng), public, rules)

    about = about or inquirer.__doc__ or ""
    return Player(about=about, moves=play, ignores_input=ignores_input, slow=slow)


def _follow_words(public: LinkPublic, _rng: Random) -> Moves:
    """Says what the words suggest, without looking."""
    return _say(yes=bool(theme(public.theme).suggests(public.cause, public.effect)))


def _play_from_truth(instance: LinkInstance, rules: Rules, _rng: Random) -> Moves:
    return _take_turns(_say(yes=instance.secret.truth), instance.public, rules)


PLAYERS: dict[str, Player[LinkPublic, LinkSecret]] = {
    "oracle": Player(about="Knows the truth, and says it.", moves_from_truth=_play_from_truth),
    "exact": _player(
        inquire_optimally, "Tries out graphs with the fewest interventions that always suffice."
    ),
    # The same moves under the name that pages use.
    "optimal": _player(
        inquire_optimally, "Tries out graphs with the fewest interventions that always suffice."
    ),
    "one_shot": _player(_probe_once, "Moves or stops the cause alone; yes if the effect follows."),
    "words": _player(_follow_words, ignores_input=True),
    "always_yes": _player(
        lambda _public, _rng: _say(yes=True), "Says yes without looking.", ignores_input=True
    ),
    "always_no": _player(
        lambda _public, _rng: _say(yes=False), "Says no without looking.", ignores_input=True
    ),
    "random": _player(_act_at_random, ignores_input=True),
    "silent": SILENT,
}
"""All players, by name."""
