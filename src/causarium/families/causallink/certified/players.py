"""Who plays CausalLink without a model: exact inference, the oracle, and programs.

A program chooses trials by what the target did so far, and answers by what it saw.
"""

from collections.abc import Callable, Generator
from random import Random
from typing import cast

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.world import Action, Observation
from .evidence.pairs import Table
from .evidence.planner import Belief, choose_trial, draw_trial, read_watched
from .mechanics import find_decisive
from .model import Answer, LinkInstance, LinkPublic, LinkSecret, Trial, Watched

Inquiry = Generator[tuple[tuple[str, ...], tuple[str, ...]], bool, bool]
"""Yields what to start and what to hold, is sent whether the target moved; returns the answer."""
Inquirer = Callable[[LinkPublic, Random], Inquiry]


def infer_exactly(public: LinkPublic, rng: Random) -> Inquiry:
    """List every pair of worlds, make the trial that tells most, and answer by what is left."""
    return (yield from _infer(public, rng, plans=True))


def infer_from_random(public: LinkPublic, rng: Random) -> Inquiry:
    """Make random trials, and answer by the pairs of worlds that are left."""
    return (yield from _infer(public, rng, plans=False))


def _infer(public: LinkPublic, rng: Random, *, plans: bool) -> Inquiry:
    decided = read_watched(public)
    if decided is not None:
        return decided
    table = Table(public)
    belief = Belief.open(table)
    for left in range(public.trials, 0, -1):
        if belief.weigh()[1] == 1:
            break
        hands = choose_trial(belief, public, left, rng) if plans else draw_trial(table, public, rng)
        moved = yield table.list_names(hands.started), table.list_names(hands.held)
        belief = belief.see(hands, moved)
    return belief.weigh()[0]


def start_alone(public: LinkPublic, rng: Random) -> Inquiry:
    """Let the object asked about move, still what else the hands allow; yes if the target moves."""
    if not public.trials:
        return public.watched[-1].moved
    others = [name for name in public.objects if name != public.asked]
    rng.shuffle(others)
    others.sort(key=lambda name: name not in public.lively)
    held = others[: public.hands - (public.asked not in public.lively)]
    return (yield () if public.asked in public.lively else (public.asked,), tuple(held))


def hold_asked(public: LinkPublic, rng: Random) -> Inquiry:
    """Hold the object asked about, start what else the hands allow; yes if the target rests."""
    if not public.trials:
        return not public.watched[-1].moved
    others = [name for name in public.objects if name not in {public.asked, *public.lively}]
    rng.shuffle(others)
    return not (yield tuple(others[: public.hands - 1]), (public.asked,))


def pair_up(public: LinkPublic, rng: Random) -> Inquiry:
    """Let the asked object move with each other one in turn; yes if the target moves often enough.

    Another group of one object makes it move once, whatever the answer is.
    """
    if not public.trials:
        row = public.watched[-1]
        return row.moved == (public.asked in row.started)
    others = [name for name in public.objects if name != public.asked]
    rng.shuffle(others)
    moved = 0
    for name in others[: public.trials]:
        if _can_move(public, frozenset({public.asked, name})):
            moved += yield from _move(public, frozenset({public.asked, name}))
    return moved > public.plan.rivals.count(1)


def leave_one_out(public: LinkPublic, rng: Random) -> Inquiry:
    """Find a trial that moves the target, still one object after another, the asked one last."""
    worked = yield from _find_worked(public, rng, public.trials // 2)
    if worked is None:
        return rng.random() < 0.5
    best, used = worked
    others = sorted(best - {public.asked})
    rng.shuffle(others)
    left = public.trials - used
    for name in others:
        if left <= 1:
            break
        if _can_move(public, best - {name}):
            left -= 1
            if (yield from _move(public, best - {name})):
                best = best - {name}
    if left <= 0 or not _can_move(public, best - {public.asked}):
        return public.asked in best
    return not (yield from _move(public, best - {public.asked}))


def shrink_by_halves(public: LinkPublic, rng: Random) -> Inquiry:
    """Find a trial that moves the target, halve what moves while the target still does."""
    worked = yield from _find_worked(public, rng, min(public.trials, public.trials // 2 + 1))
    if worked is None:
        return False
    best, used = worked
    step = max(1, len(best) // 2)
    for _ in range(public.trials - used):
        droppable = sorted(best - {public.asked})
        if not droppable:
            break
        rng.shuffle(droppable)
        smaller = best - set(droppable[:step])
        if step == 1 and rng.random() < 0.5:
            smaller = best - {public.asked}
        if _can_move(public, smaller) and (yield from _move(public, smaller)):
            best = smaller
        else:
            step = max(1, step // 2)
    return public.asked in best


def toggle_asked(public: LinkPublic, rng: Random) -> Inquiry:
    """Find trials that move the target, and see whether it rests without the asked object.

    What moved while the target did is no stopper, so that little else is let move.
    """
    if not public.trials:
        return public.watched[-1].moved
    clear = {name for row in public.watched if row.moved for name in _list_moving(public, row)}
    left = public.trials
    while left > 0:
        drawn = [_draw_moving(public, rng) | {public.asked} for _ in range(60)]
        fit = [some for some in drawn if _can_move(public, some)]
        moving = min(fit, key=lambda some: len(some - clear))
        left -= 1
        if (yield from _move(public, moving)):
            clear |= moving
            if left and _can_move(public, moving - {public.asked}):
                left -= 1
                if not (yield from _move(public, moving - {public.asked})):
                    return True
    return False


def _list_moving(public: LinkPublic, row: Watched) -> frozenset[str]:
    """Return which objects moved in a trial, but for what a starter started."""
    return frozenset({*public.lively, *row.started}.difference(row.held))


def _draw_moving(public: LinkPublic, rng: Random) -> frozenset[str]:
    """Draw which objects move, as the hands allow."""
    touched = rng.sample(public.objects, rng.randint(0, public.hands))
    return frozenset({*public.lively} ^ {*touched})


def _can_move(public: LinkPublic, moving: frozenset[str]) -> bool:
    """Say whether the hands are enough for some objects to move and no other."""
    return len(moving ^ {*public.lively}) <= public.hands


def _move(public: LinkPublic, moving: frozenset[str]) -> Inquiry:
    """Let some objects move and no other, but for what a starter starts."""
    started = tuple(n for n in public.objects if n in moving and n not in public.lively)
    held = tuple(name for name in public.lively if name not in moving)
    if public.plan.starters:
        spare = [name for name in public.objects if name not in {*moving, *held}]
        held += tuple(spare[: public.hands - len(started) - len(held)])
    return (yield started, held)


def _find_worked(
    public: LinkPublic, rng: Random, most: int
) -> Generator[tuple[tuple[str, ...], tuple[str, ...]], bool, tuple[frozenset[str], int] | None]:
    """Let random objects and the asked one move, until the target does."""
    for used in range(1, most + 1):
        moving = _draw_moving(public, rng) | {public.asked}
        while not _can_move(public, moving):
            moving = _draw_moving(public, rng) | {public.asked}
        if (yield from _move(public, moving)):
            return moving, used
    return None


def echo_last(public: LinkPublic, rng: Random) -> Inquiry:
    """Make random trials and answer yes if the target moved in the last one."""
    moved = yield from _test_at_random(public, rng)
    return moved if public.trials else public.watched[-1].moved


def _test_at_random(public: LinkPublic, rng: Random) -> Inquiry:
    """Make random trials, and return whether the target moved in the last trial."""
    moved = False
    for _ in range(public.trials):
        moved = yield from _move(public, _draw_moving(public, rng))
    return moved


def say_yes(public: LinkPublic, rng: Random) -> Inquiry:
    """Make random trials and answer yes."""
    yield from _test_at_random(public, rng)
    return True


def say_no(public: LinkPublic, rng: Random) -> Inquiry:
    """Make random trials and answer no."""
    yield from _test_at_random(public, rng)
    return False


def toss_coin(public: LinkPublic, rng: Random) -> Inquiry:
    """Make random trials and answer by a coin."""
    yield from _test_at_random(public, rng)
    return rng.random() < 0.5


def _play(inquire: Inquirer) -> Callable[[LinkPublic, Rules, Random], Moves]:
    """Return the moves of a program."""

    def moves(public: LinkPublic, rules: Rules, rng: Random) -> Moves:  # noqa: ARG001
        inquiry = inquire(public, rng)
        try:
            started, held = next(inquiry)
            while True:
                seen: Observation = yield Trial(start=started, hold=held)
                started, held = inquiry.send(bool(seen.data["moved"]))
        except StopIteration as stop:
            answer = cast("bool", stop.value)
        yield Answer(answer="yes" if answer else "no")

    return moves


def _tell_truth(instance: LinkInstance, rules: Rules, rng: Random) -> Moves:  # noqa: ARG001
    """Make one decisive trial and say what is true."""
    public, parts = instance.public, instance.secret.parts
    if public.trials:
        started, held = find_decisive(public, parts)
        yield cast("Action", Trial(start=started, hold=held))
    yield Answer(answer=instance.secret.answer)


def _make_player(
    inquire: Inquirer, *, ignores_input: bool = False
) -> Player[LinkPublic, LinkSecret]:
    about = (inquire.__doc__ or "").splitlines()[0]
    return Player(about=about, moves=_play(inquire), ignores_input=ignores_input)


PLAYERS: dict[str, Player[LinkPublic, LinkSecret]] = {
    "oracle": Player(
        about="Makes a decisive trial and tells the truth.", moves_from_truth=_tell_truth
    ),
    "exact": _make_player(infer_exactly),
    "random_trials": _make_player(infer_from_random),
    "pair_up": _make_player(pair_up),
    "one_out": _make_player(leave_one_out),
    "halves": _make_player(shrink_by_halves),
    "toggle": _make_player(toggle_asked),
    "hold_asked": _make_player(hold_asked),
    "start_alone": _make_player(start_alone),
    "echo": _make_player(echo_last),
    "always_yes": _make_player(say_yes, ignores_input=True),
    "always_no": _make_player(say_no, ignores_input=True),
    "random": _make_player(toss_coin, ignores_input=True),
    "silent": SILENT,
}
"""All players by name."""
