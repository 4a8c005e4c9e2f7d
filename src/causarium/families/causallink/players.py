"""Who plays CausalLink without a model.

Inquiries speak of interventions and answers only. `_spoken` turns them into the turns of the
interface: under the text protocol it makes the choices between, and the one intervention that has
to come first.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from random import Random
from typing import cast

from causarium.contract.player import Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from causarium.families.causallink.instance import (
    CONTINUE,
    STOP,
    Answer,
    Choose,
    Intervene,
    LinkInstance,
    LinkPublic,
    LinkSecret,
)
from causarium.families.causallink.mechanics.theme import theme
from causarium.players.silent import SILENT

State = frozenset[str]
"""The names of what is active."""


@dataclass(frozen=True, slots=True)
class Start:
    """Start one variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Try to stop one variable."""

    name: str


Inquiry = Generator[Start | Stop, State, bool]
"""Yields interventions, is sent the states after them, returns the answer."""


def optimal_inquiry(public: LinkPublic, rng: Random) -> Inquiry:
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
            state = yield Stop(name)
    if effect in state and cause in state:
        state = yield Stop(cause)
        return cause not in state and effect not in state
    if cause in state or (effect in state and cause_was_active):
        # An effect that goes on when the cause has been stopped with others never had it as a
        # cause: stopping gives nothing a way to go on alone.
        return False
    if effect in state:
        yield Stop(effect)
    state = yield Start(cause)
    return effect in state


def one_shot_inquiry(public: LinkPublic, _rng: Random) -> Inquiry:
    """Stop the cause if it is active, else start it; yes if the effect's state changed."""
    was_active = public.effect in public.moving
    probe = Stop if public.cause in public.moving else Start
    state = yield probe(public.cause)
    return (public.effect in state) != was_active


def random_inquiry(public: LinkPublic, rng: Random) -> Inquiry:
    """Make some random interventions, then toss a coin."""
    for _ in range(rng.randrange(1, public.cap + 1)):
        act = rng.choice((Start, Stop))
        yield act(rng.choice(public.shapes))
    return rng.random() < 0.5


def _constant(*, answer: bool) -> Callable[[LinkPublic, Random], Inquiry]:
    def inquiry(_public: LinkPublic, _rng: Random) -> Inquiry:
        yield from ()
        return answer

    return inquiry


def words_inquiry(public: LinkPublic, _rng: Random) -> Inquiry:
    """Answer by what the words suggest, without looking."""
    yield from ()
    return theme(public.theme).suggests(public.cause, public.effect)


def _spoken(inquiry: Inquiry, public: LinkPublic, rules: Rules) -> Moves:
    """Turn an inquiry into the turns of the interface."""
    words = theme(public.theme)
    as_text = rules.interface == "json"
    first = True
    try:
        wish = next(inquiry)
        while True:
            if as_text and not first:
                yield Choose(next=CONTINUE)
            first = False
            verb = words.start if isinstance(wish, Start) else words.stop
            seen = yield Intervene(shape=wish.name, action=verb)
            wish = inquiry.send(_active(seen))
    except StopIteration as end:
        answer = bool(end.value)
    if as_text and first:
        yield Intervene(shape=public.cause, action=words.stop)
    if as_text:
        yield Choose(next=STOP)
    yield Answer(answer="yes" if answer else "no")


def _active(seen: Observation) -> State:
    return frozenset(cast("list[str]", seen.data.get("moving", [])))


def _player(
    about: str, inquiry: Callable[[LinkPublic, Random], Inquiry], *, blind: bool = False
) -> Player[LinkPublic, LinkSecret]:
    def plan(public: LinkPublic, rules: Rules, rng: Random) -> Moves:
        return _spoken(inquiry(public, rng), public, rules)

    return Player(about=about, moves=plan, ignores_input=blind)


def _oracle_plan(instance: LinkInstance, rules: Rules, rng: Random) -> Moves:
    inquiry = _constant(answer=instance.secret.truth)
    return _spoken(inquiry(instance.public, rng), instance.public, rules)


PLAYERS: dict[str, Player[LinkPublic, LinkSecret]] = {
    "oracle": Player(about="Knows the truth and says it.", moves_from_truth=_oracle_plan),
    "optimal": _player("Asks with the fewest interventions that always suffice.", optimal_inquiry),
    "one_shot": _player(
        "Probes the cause once; yes if the effect's state changed.", one_shot_inquiry
    ),
    "always_yes": _player("Says yes without looking.", _constant(answer=True), blind=True),
    "always_no": _player("Says no without looking.", _constant(answer=False), blind=True),
    "words": _player("Says what the words suggest, without looking.", words_inquiry, blind=True),
    "random": _player("Intervenes at random and tosses a coin.", random_inquiry, blind=True),
    "silent": SILENT,
}
"""All players, by name."""
