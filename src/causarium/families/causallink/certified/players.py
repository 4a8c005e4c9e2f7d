"""Who plays CausalLink without a model: exact inference, the oracle, and programs.

A program chooses tries by what the target did so far, and answers by what it saw.
"""

from collections.abc import Callable, Generator
from random import Random
from typing import cast

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation
from .evidence.pairs import Table
from .evidence.planner import Belief, Hands, choose_try, read_watched
from .model import Answer, LinkInstance, LinkPublic, LinkSecret, Try

Inquiry = Generator[tuple[tuple[str, ...], tuple[str, ...]], bool, bool]
"""Yields what to start and what to hold, is sent whether the target moved; returns the answer."""
Inquirer = Callable[[LinkPublic, Random], Inquiry]


def infer_exactly(public: LinkPublic, rng: Random) -> Inquiry:
    """List every pair of worlds, make the try that tells most, and answer by what is left."""
    return (yield from _infer(public, rng, plans=True))


def infer_from_random(public: LinkPublic, rng: Random) -> Inquiry:
    """Make random tries, and answer by the pairs of worlds that are left."""
    return (yield from _infer(public, rng, plans=False))


def _infer(public: LinkPublic, rng: Random, *, plans: bool) -> Inquiry:
    decided = read_watched(public)
    if decided is not None:
        return decided
    table = Table(public)
    belief, count = Belief.open(table), len(public.objects)
    for left in range(public.tries, 0, -1):
        if belief.weigh()[1] == 1:
            break
        if plans:
            hands = choose_try(belief, count, left, rng)
        else:
            share = rng.uniform(0.3, 0.8)
            started = sum(1 << x for x in range(count) if rng.random() < share)
            hands = Hands(started, (1 << count) - 1 & ~started)
        moved = yield table.list_names(hands.started), table.list_names(hands.held)
        belief = belief.see(hands, moved)
    return belief.weigh()[0]


def start_alone(public: LinkPublic, rng: Random) -> Inquiry:  # noqa: ARG001
    """Start the object asked about, hold all others, and answer yes if the target moves."""
    if not public.tries:
        return public.watched[-1].moved
    others = tuple(name for name in public.objects if name != public.asked)
    return (yield (public.asked,), others)


def hold_asked(public: LinkPublic, rng: Random) -> Inquiry:  # noqa: ARG001
    """Hold the object asked about, start all others, and answer yes if the target rests."""
    if not public.tries:
        return not public.watched[-1].moved
    others = tuple(name for name in public.objects if name != public.asked)
    return not (yield others, (public.asked,))


def leave_one_out(public: LinkPublic, rng: Random) -> Inquiry:
    """Find a try that moves the target, leave out one object after another, the asked one last."""
    others = [name for name in public.objects if name != public.asked]
    rng.shuffle(others)
    worked = yield from _find_worked(public, rng, public.tries // 2)
    if worked is None:
        return rng.random() < 0.5
    tries = public.tries - worked[1]
    best = worked[0]
    for name in others:
        if tries <= 1:
            break
        if name in best:
            tries -= 1
            if (yield from _start(public, best - {name})):
                best = best - {name}
    if tries <= 0:
        return public.asked in best
    return not (yield from _start(public, best - {public.asked}))


def shrink_by_halves(public: LinkPublic, rng: Random) -> Inquiry:
    """Find a try that moves the target, halve what was started while it still moves."""
    worked = yield from _find_worked(public, rng, min(public.tries, public.tries // 2 + 1))
    if worked is None:
        return False
    best, used = worked
    step = max(1, len(best) // 2)
    for _ in range(public.tries - used):
        droppable = sorted(best - {public.asked})
        if not droppable:
            break
        rng.shuffle(droppable)
        smaller = best - set(droppable[:step])
        if step == 1 and rng.random() < 0.5:
            smaller = best - {public.asked}
        if (yield from _start(public, smaller)):
            best = smaller
        else:
            step = max(1, step // 2)
    return public.asked in best


def _start(public: LinkPublic, started: frozenset[str]) -> Inquiry:
    """Start some objects and hold all others."""
    names = tuple(name for name in public.objects if name in started)
    return (yield names, tuple(name for name in public.objects if name not in started))


def _find_worked(
    public: LinkPublic, rng: Random, most: int
) -> Generator[tuple[tuple[str, ...], tuple[str, ...]], bool, tuple[frozenset[str], int] | None]:
    """Start everything, then random halves with the asked object, until the target moves."""
    started = frozenset(public.objects)
    for used in range(1, most + 1):
        if (yield from _start(public, started)):
            return started, used
        half = rng.sample(public.objects, (len(public.objects) + 1) // 2)
        started = frozenset({public.asked, *half})
    return None


def echo_last(public: LinkPublic, rng: Random) -> Inquiry:
    """Make random tries and answer yes if the target moved in the last one."""
    moved = yield from _try_at_random(public, rng)
    return moved if public.tries else public.watched[-1].moved


def _try_at_random(public: LinkPublic, rng: Random) -> Inquiry:
    """Start random halves, and return whether the target moved in the last try."""
    moved = False
    for _ in range(public.tries):
        moved = yield from _start(
            public, frozenset(n for n in public.objects if rng.random() < 0.5)
        )
    return moved


def say_yes(public: LinkPublic, rng: Random) -> Inquiry:
    """Make random tries and answer yes."""
    yield from _try_at_random(public, rng)
    return True


def say_no(public: LinkPublic, rng: Random) -> Inquiry:
    """Make random tries and answer no."""
    yield from _try_at_random(public, rng)
    return False


def toss_coin(public: LinkPublic, rng: Random) -> Inquiry:
    """Make random tries and answer by a coin."""
    yield from _try_at_random(public, rng)
    return rng.random() < 0.5


def _play(inquire: Inquirer) -> Callable[[LinkPublic, Rules, Random], Moves]:
    """Return the moves of a program."""

    def moves(public: LinkPublic, rules: Rules, rng: Random) -> Moves:  # noqa: ARG001
        inquiry = inquire(public, rng)
        try:
            started, held = next(inquiry)
            while True:
                seen: Observation = yield Try(start=started, hold=held)
                started, held = inquiry.send(bool(seen.data["moved"]))
        except StopIteration as stop:
            answer = cast("bool", stop.value)
        yield Answer(answer="yes" if answer else "no")

    return moves


def _tell_truth(instance: LinkInstance, rules: Rules, rng: Random) -> Moves:  # noqa: ARG001
    """Make one decisive try and say what is true."""
    public, parts = instance.public, instance.secret.parts
    if public.tries:
        # In no other group is anything started, so that the first one decides.
        started = (*parts.partners, public.asked)
        yield cast("Action", Try(start=started, hold=tuple(set(public.objects) - set(started))))
    yield Answer(answer=instance.secret.answer)


def _make_player(
    inquire: Inquirer, *, ignores_input: bool = False
) -> Player[LinkPublic, LinkSecret]:
    about = (inquire.__doc__ or "").splitlines()[0]
    return Player(about=about, moves=_play(inquire), ignores_input=ignores_input)


PLAYERS: dict[str, Player[LinkPublic, LinkSecret]] = {
    "oracle": Player(
        about="Makes a decisive try and tells the truth.", moves_from_truth=_tell_truth
    ),
    "exact": _make_player(infer_exactly),
    "random_tries": _make_player(infer_from_random),
    "one_out": _make_player(leave_one_out),
    "halves": _make_player(shrink_by_halves),
    "hold_asked": _make_player(hold_asked),
    "start_alone": _make_player(start_alone),
    "echo": _make_player(echo_last),
    "always_yes": _make_player(say_yes, ignores_input=True),
    "always_no": _make_player(say_no, ignores_input=True),
    "random": _make_player(toss_coin, ignores_input=True),
    "silent": SILENT,
}
"""All players by name."""
