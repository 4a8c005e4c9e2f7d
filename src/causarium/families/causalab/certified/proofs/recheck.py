"""The claims by another path: crystals one by one, all experiments at once as bits.

Nothing of `mechanics` and `evidence` is used. A level over many experiments is two whole numbers:
the experiments in which it is up, and those in which it is down. So each way to play the parts is
tried whole, by a few operations, and kept if it reads as the true crystal in every experiment.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations, product

from causarium.contract.certificate import Findings
from ..model.instance import (
    LETTERS,
    LEVELS,
    NONE_TELLS,
    READINGS,
    UNKNOWN,
    Experiment,
    Holds,
    LadderInstance,
    LadderPublic,
    Question,
)
from ..model.skeleton import Skeleton
from .claims import Claim, find_claims

UNHELD = -1
"""The symbol of the property that plays a part and cannot be held."""
_PUSHES = (-1, 0, 1)
_MOST_IDLE = 2
"""The largest number of idle properties that must be held at once.

An idle property in a part of a path shows once its path is open: with its gate held, or with the
end of the other path held, which may be idle too. In a path that nothing can open none shows."""


Level = tuple[int, int]
"""A level over all experiments, as bits: where it is up, and where it is down."""
Control = tuple[int, int, int]
"""What is done to a property over all experiments, as bits: not held, held up, held down."""


def recheck(instance: LadderInstance) -> Findings:
    """Return the claims on an instance, each crystal tried by itself."""
    public, secret = instance.public, instance.secret
    crystal, unheld = secret.crystal, {*public.fixed}
    is_played = (
        sorted({*crystal}) == sorted(crystal)
        and len(crystal) == len(public.skeleton.parts)
        and all(name in public.names for name in crystal)
        and len(unheld.intersection(crystal)) == int(public.skeleton.fixed)
    )
    if not is_played:
        return find_claims(public, "each crystal by itself", dict.fromkeys(Claim, False))
    runs: list[tuple[Experiment, tuple[int, ...]]] = [(one, (0,)) for one in public.made]
    runs += [(one.before, _PUSHES) for one in secret.questions if one.before is not None]
    asked = [name for one in secret.questions for name in one.names if name not in unheld]
    holds = {
        Claim.PLAYED: True,
        Claim.MADE: all(
            one.reading in {read(public.skeleton, crystal, one.hold, push) for push in pushes}
            for one, pushes in runs
        ),
        Claim.RIGHT: secret.answers == tuple(find_answer(instance, q) for q in secret.questions),
        Claim.ASKED: len(asked) == len({*asked}),
    }
    return find_claims(public, "each crystal by itself", holds)


def read(skeleton: Skeleton, crystal: Sequence[str], hold: Holds, push: int = 0) -> str:
    """Return what the frequency of one crystal does in one experiment."""
    levels: list[int] = []
    for number, (name, part) in enumerate(zip(crystal, skeleton.parts, strict=True)):
        if name in hold:
            levels.append(LEVELS[hold[name]])
        elif part.cause is not None:
            levels.append(levels[part.cause])
        else:
            levels.append(push if number == skeleton.head else 0)
    rising, falling = (levels[end] for end in skeleton.ends)
    if skeleton.gates >= 1 and levels[0] < 1:
        rising = 0
    if skeleton.gates > 1 and levels[1] == 1:
        falling = 0
    return READINGS[(rising > falling) - (rising < falling)]


def find_answer(instance: LadderInstance, question: Question) -> str | None:
    """Return the answer that all crystals give which no experiment tells apart; None if none."""
    public = instance.public
    said = {
        one
        for crystal in list_alike(public, instance.secret.crystal, question.names)
        for one in _list_answers(public.skeleton, crystal, question)
    }
    if len(said) == 1:
        return said.pop()
    return UNKNOWN if said and question.pair is None else None


def _list_answers(skeleton: Skeleton, crystal: Sequence[str], question: Question) -> Iterator[str]:
    """Yield what a crystal answers; one that had a run may have been pushed in some ways."""
    if question.pair is not None:
        one, other = question.pair
        parts = {one: other, other: one}
        changed = [parts.get(name, name) for name in crystal]
        differ = [
            letter
            for letter, hold in zip(LETTERS, question.options, strict=True)
            if read(skeleton, crystal, hold) != read(skeleton, changed, hold)
        ]
        yield differ[0] if differ else NONE_TELLS
    elif question.before is None:
        yield read(skeleton, crystal, question.hold)
    else:
        for push in _PUSHES:
            if read(skeleton, crystal, question.before.hold, push) == question.before.reading:
                yield read(skeleton, crystal, question.hold, push)


def list_alike(
    public: LadderPublic, crystal: Sequence[str], named: frozenset[str]
) -> Iterator[tuple[str, ...]]:
    """Yield the crystals that no experiment tells from one; unnamed idle properties are one."""
    fixed = {*public.fixed}
    acting = [name for name in crystal if name not in fixed]
    at = next((number for number, name in enumerate(crystal) if name in fixed), None)
    free = [name for name in public.holdable if name not in crystal]
    # Those that are not named change nothing, so any of them stand for all.
    loose = [name for name in free if name not in named]
    for row in list_alike_symbols(public.skeleton, public.holds, at):
        slots = max(row, default=0) - len(acting) + 1
        listed = [name for name in free if name in named] + loose[: max(slots, 0)]
        for chosen in permutations(listed, max(slots, 0)):
            for unheld in public.fixed if at is not None else ("",):
                symbols = dict(enumerate([*acting, *chosen]))
                yield tuple(unheld if one == UNHELD else symbols[one] for one in row)


@lru_cache(maxsize=64)  # up to 2 s each, and every instance of a rung asks for one of a few
def list_alike_symbols(
    skeleton: Skeleton, holds: int, at: int | None
) -> tuple[tuple[int, ...], ...]:
    """Return the crystals that no experiment tells from one, in symbols.

    Symbols from 0 on are the properties that play its parts and can be held, in order; those after
    them are idle ones.

    Args:
        skeleton: The parts.
        holds: The largest number of properties held in an experiment.
        at: The part that is played by what cannot be held; None if all can be held.
    """
    parts = len(skeleton.parts)
    acting = parts - (at is not None)
    true = [*range(acting)]
    if at is not None:
        true.insert(at, UNHELD)
    rows = _list_rows(parts, acting, skeleton.idle - skeleton.fixed, has_unheld=at is not None)
    # Experiments with two holds leave few rows.
    left = _keep_alike(skeleton, rows, true, _list_controls(acting, min(holds, 2), 0))
    found = []
    for idle in range(parts + 1):
        mine = [row for row in left if max(0, *row, acting - 1) - acting + 1 == idle]
        if mine:
            found += _keep_alike(skeleton, mine, true, _list_controls(acting, holds, idle))
    return tuple(tuple(row) for row in found)


def _keep_alike(
    skeleton: Skeleton,
    rows: Iterable[Sequence[int]],
    true: Sequence[int],
    controls: Mapping[int, Control],
) -> list[Sequence[int]]:
    """Return the rows that read as the true one in all experiments."""
    seen = _respond(skeleton, true, controls)
    return [row for row in rows if _respond(skeleton, row, controls) == seen]


def _list_rows(parts: int, acting: int, idle: int, *, has_unheld: bool) -> Iterator[list[int]]:
    """Yield all ways to play the parts, idle symbols in their order."""
    for at in range(parts) if has_unheld else (None,):
        places = [number for number in range(parts) if number != at]
        for count in range(min(idle, len(places)) + 1):
            for filled in combinations(places, count):
                others = [number for number in places if number not in filled]
                for played in permutations(range(acting), len(others)):
                    row = [UNHELD] * parts
                    for number, symbol in zip(others, played, strict=True):
                        row[number] = symbol
                    for number, symbol in enumerate(filled):
                        row[symbol] = acting + number
                    yield row


def _list_controls(acting: int, holds: int, idle: int) -> dict[int, Control]:
    """Return what every experiment does to every symbol, as bits."""
    settings = [
        setting
        for held in _list_held_idle(acting, idle)
        for setting in _list_settings(acting, holds, held)
    ]
    controls: dict[int, Control] = {UNHELD: ((1 << len(settings)) - 1, 0, 0)}
    for symbol in range(acting + idle):
        levels = [one.get(symbol) for one in settings]
        loose, up, down = (_write_bits(levels, level) for level in (None, 1, -1))
        controls[symbol] = loose, up, down
    return controls


def _list_held_idle(acting: int, idle: int) -> Iterator[dict[int, int]]:
    """Yield what may be done to idle properties."""
    for number in range(min(idle, _MOST_IDLE) + 1):
        for held in combinations(range(acting, acting + idle), number):
            for levels in product((-1, 0, 1), repeat=number):
                yield dict(zip(held, levels, strict=True))


def _list_settings(acting: int, holds: int, held: Mapping[int, int]) -> Iterator[dict[int, int]]:
    for number in range(min(acting, holds - len(held)) + 1):
        for chosen in combinations(range(acting), number):
            for levels in product((-1, 0, 1), repeat=number):
                yield {**held, **dict(zip(chosen, levels, strict=True))}


def _write_bits(levels: Sequence[int | None], level: int | None) -> int:
    return int("".join("1" if one == level else "0" for one in reversed(levels)), 2)


def _respond(skeleton: Skeleton, crystal: Sequence[int], controls: Mapping[int, Control]) -> Level:
    """Return the reading of all experiments on one crystal."""
    levels: list[Level] = []
    free = controls[UNHELD]
    for symbol, part in zip(crystal, skeleton.parts, strict=True):
        loose, up, down = controls.get(symbol, free)
        if part.cause is not None:
            above, below = levels[part.cause]
            up, down = up | loose & above, down | loose & below
        levels.append((up, down))
    rising, falling = skeleton.ends
    (up, down), (other_up, other_down) = levels[rising], levels[falling]
    if skeleton.gates > 0:
        is_open = levels[0][0]
        up, down = up & is_open, down & is_open
    if skeleton.gates > 1:
        is_shut = levels[1][0]
        other_up, other_down = other_up & ~is_shut, other_down & ~is_shut
    return up & ~other_up | other_down & ~down, down & ~other_down | other_up & ~up
