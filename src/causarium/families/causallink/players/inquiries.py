"""Playing a graph: interventions and an answer, and how they become the turns of an interface."""

from collections.abc import Callable, Generator
from random import Random
from typing import NamedTuple, cast

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from causarium.families.causallink.model.instance import (
    CONTINUE,
    STOP,
    Answer,
    Choose,
    Intervene,
    LinkPublic,
)
from causarium.families.causallink.model.reach import Reach
from causarium.families.causallink.model.theme import theme

State = frozenset[str]
"""The names of what is active."""


class Wish(NamedTuple):
    """Start one variable, or try to stop it."""

    name: str
    starts: bool


Inquiry = Generator[Wish, State, bool]
"""Yields interventions, is sent the states after them, returns the answer."""
Inquirer = Callable[[LinkPublic, Random], Inquiry]


def inquire_optimally(public: LinkPublic, rng: Random) -> Inquiry:
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
            state = yield Wish(name, starts=False)
    if effect in state and cause in state:
        state = yield Wish(cause, starts=False)
        return cause not in state and effect not in state
    if cause in state or (effect in state and cause_was_active):
        # An effect that goes on when the cause has been stopped with others never had it as a
        # cause: stopping gives nothing a way to go on alone.
        return False
    if effect in state:
        yield Wish(effect, starts=False)
    state = yield Wish(cause, starts=True)
    return effect in state


def probe_once(public: LinkPublic, _rng: Random) -> Inquiry:
    """Stop the cause if it is active, else start it; yes if the effect's state changed."""
    was_active = public.effect in public.moving
    state = yield Wish(public.cause, starts=public.cause not in public.moving)
    return (public.effect in state) != was_active


def probe_at_random(public: LinkPublic, rng: Random) -> Inquiry:
    """Make some random interventions, then toss a coin."""
    for _ in range(rng.randrange(1, public.cap + 1)):
        starts = rng.choice((True, False))
        yield Wish(rng.choice(public.shapes), starts)
    return rng.random() < 0.5


def say_always(*, answer: bool) -> Inquirer:
    """Return an inquiry that asks nothing and gives this answer."""

    def inquire(_public: LinkPublic, _rng: Random) -> Inquiry:
        yield from ()
        return answer

    return inquire


def carry_out(inquiry: Inquiry, public: LinkPublic, reach: Reach) -> tuple[bool, int]:
    """Let an inquiry run in a world; returns its answer and its number of interventions."""
    state, length = public.start, 0
    try:
        wish = next(inquiry)
        while True:
            x = public.shapes.index(wish.name)
            state = reach.move(state, x) if wish.starts else reach.hold(state, x)
            length += 1
            active = (name for y, name in enumerate(public.shapes) if state >> y & 1)
            wish = inquiry.send(frozenset(active))
    except StopIteration as end:
        return bool(end.value), length


def take_turns(inquiry: Inquiry, public: LinkPublic, rules: Rules) -> Moves:
    """Turn an inquiry into the turns of the interface.

    Under the text protocol it makes the choices between, and the one intervention that has to come
    first.

    Args:
        inquiry: What to try, and the answer.
        public: What is shown of the case.
        rules: How it is played.
    """
    words = theme(public.theme)
    as_text = rules.interface == "json"
    first = True
    try:
        wish = next(inquiry)
        while True:
            if as_text and not first:
                yield Choose(next=CONTINUE)
            first = False
            verb = words.start if wish.starts else words.stop
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
