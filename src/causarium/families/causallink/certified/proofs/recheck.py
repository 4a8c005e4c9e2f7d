"""The certificate once more, by a path that shares nothing with drawing, and faults to test it.

Objects are names in sets here, not masks. Who stops the target comes first, because rows that were
stopped say nothing of groups; then the other groups; and the first group is counted, not listed.
What `certify` claims must come out the same.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from causarium.contract.certificate import Findings
from ..model import LinkInstance, LinkPublic, Parts, Watched
from .claims import Claim, list_proofs

Names = frozenset[str]
Fault = Callable[[LinkInstance], LinkInstance | None]


class _Row(NamedTuple):
    """What a trial says of the first group: which names moved, and whether the target did."""

    moving: Names
    moved: bool


def recheck(instance: LinkInstance) -> Findings:
    """Compute the claims about a table once more."""
    public, parts, truth = instance.public, instance.secret.parts, instance.secret.truth
    told = [_play(public, parts, row) for row in public.watched]
    as_told = [pair[not truth] == row.moved for pair, row in zip(told, public.watched, strict=True)]
    counts = _count_pairs(public)
    own = bool(public.trials)
    left = {answer for answer in ("yes", "no") if counts[answer]}

    def decides(row: Watched) -> bool:
        yes, no = _play(public, parts, row)
        return yes != no

    proofs = {
        Claim.ROWS: all(as_told),
        Claim.ALIKE: all((yes == no) == own for yes, no in told),
        Claim.FITS: all(as_told) and _is_dealt(public, parts),
        Claim.DECISIVE: not own or any(map(decides, _list_trials(public))),
        Claim.READ: own or left == {instance.secret.answer},
    }
    return Findings(
        optimum=float(own),
        proofs=list_proofs("sets of names, searched", proofs),
        extra={"pairs": counts["both"] if own else counts["all"]},
    )


def _play(public: LinkPublic, parts: Parts, row: Watched) -> tuple[bool, bool]:
    """Return the outcomes of a trial if the answer is yes, and if it is no."""
    moving = _list_moving(public, row)
    for starter, woken in zip(parts.starters, parts.started, strict=True):
        if starter in moving:
            moving |= {woken} - set(row.held)
    stopped = not moving.isdisjoint(parts.stoppers)
    rival = any(set(group) <= moving for group in parts.rivals)
    firsts = ({*parts.partners, public.asked}, {*parts.partners, parts.stand_in})
    yes, no = (not stopped and (rival or first <= moving) for first in firsts)
    return yes, no


def _list_trials(public: LinkPublic) -> Iterator[Watched]:
    """Yield all trials within the hands that change whether some objects move."""
    for size in range(public.hands + 1):
        for touched in combinations(public.objects, size):
            started = tuple(name for name in touched if name not in public.lively)
            held = tuple(name for name in touched if name in public.lively)
            yield Watched(started=started, held=held, moved=False)


def _list_moving(public: LinkPublic, row: Watched) -> set[str]:
    """Return the objects that move in a trial, but for what a starter starts."""
    return ({*public.lively} - {*row.held}) | {*row.started}


def _is_dealt(public: LinkPublic, parts: Parts) -> bool:
    """Say whether parts are as many as the plan says, and no object plays two."""
    plan = public.plan
    dealt = Counter([*parts.partners, parts.stand_in, *sum(parts.rivals, ())])
    dealt.update([*parts.stoppers, *parts.starters])
    return (
        max(dealt.values()) == 1
        and set(dealt) <= set(public.objects) - {public.asked}
        and (len(parts.partners) + 1, *map(len, parts.rivals)) == (plan.group, *plan.rivals)
        and len(parts.stoppers) == plan.stoppers
        and (len(parts.starters), len(parts.started)) == (plan.starters, plan.starters)
        and set(parts.started) <= set(sum(parts.rivals, ()))
    )


def _count_pairs(public: LinkPublic) -> Counter[str]:
    """Count the pairs that the plan allows, and those whose worlds fit all rows.

    Counts by `all`, `yes`, `no` and `both`: all pairs, and those of which the world with the answer
    yes, with the answer no, or each of the two fits.
    """
    counts: Counter[str] = Counter()
    plan, others = public.plan, frozenset(public.objects) - {public.asked}
    for stoppers in map(frozenset, combinations(sorted(others), plan.stoppers)):
        open_rows = []
        for row in public.watched:
            moving = _list_moving(public, row)
            if not stoppers & moving:
                open_rows.append(row)
            elif row.moved:
                break
        else:
            spare = public.hands - len(stoppers.intersection(public.lively))
            for starters in combinations(sorted(others - stoppers), plan.starters):
                rest = others - stoppers - {*starters}
                _count_groups(public, open_rows, starters, rest, spare, counts)
    return counts


def _count_groups(
    public: LinkPublic,
    rows: Sequence[Watched],
    starters: Sequence[str],
    rest: Names,
    spare: int,
    counts: Counter[str],
) -> None:
    """Count the ways of dealing the groups among the names that are left."""
    for rivals in _deal_rivals(public.plan.rivals, rest):
        members = [name for group in rivals for name in group]
        for woken in members if starters else [""]:
            open_rows = []
            for row in rows:
                moving = _list_moving(public, row)
                if moving & {*starters} and woken not in row.held:
                    moving.add(woken)
                if not any(group <= moving for group in rivals):
                    open_rows.append(_Row(frozenset(moving), row.moved))
                elif not row.moved:
                    break
            else:
                left = rest.difference(members)
                near = left | {public.asked}
                kept = tuple(_Row(row.moving & near, row.moved) for row in open_rows)
                alone = {*public.lively}
                if alone & {*starters}:
                    alone.add(woken)
                hands = spare - sum(group <= alone for group in rivals)
                settled = (public.asked, public.plan.group - 1, near & {*public.lively})
                counts.update(_count_first(*settled, hands, left, kept))


def _deal_rivals(sizes: Sequence[int], rest: Names) -> Iterator[tuple[Names, ...]]:
    """Yield who may be in the other groups; groups of one size are in order of their names."""
    if not sizes:
        yield ()
        return
    for chosen in combinations(sorted(rest), sizes[0]):
        for more in _deal_rivals(sizes[1:], rest.difference(chosen)):
            if not more or len(more[0]) != sizes[0] or chosen < tuple(sorted(more[0])):
                yield frozenset(chosen), *more


@lru_cache(maxsize=4096)  # of some hundred thousand calls on rung 8, nine in ten repeat another
def _count_first(
    asked: str, size: int, lively: Names, hands: int, left: Names, rows: tuple[_Row, ...]
) -> dict[str, int]:
    """Count the choices of partners and stand-in, all and those that fit the rows.

    Of the latter, `both` are those for which so many hands can make the one group move in full
    and the other not.
    """
    counts = {"all": 0, "yes": 0, "no": 0, "both": 0}
    for partners in combinations(sorted(left), size):
        for stand_in in left.difference(partners):
            yes, no = (
                all(({*partners, one} <= row.moving) == row.moved for row in rows)
                for one in (asked, stand_in)
            )
            touched = len({*partners, asked} - lively) + (stand_in in lively)
            both = yes and no and touched <= hands
            for name, fits in {"all": True, "yes": yes, "no": no, "both": both}.items():
                counts[name] += fits
    return counts


def _spoil_public(instance: LinkInstance, **changes: object) -> LinkInstance:
    return instance.model_copy(update={"public": instance.public.model_copy(update=changes)})


def _spoil_parts(instance: LinkInstance, **changes: object) -> LinkInstance:
    parts = instance.secret.parts.model_copy(update=changes)
    return instance.model_copy(
        update={"secret": instance.secret.model_copy(update={"parts": parts})}
    )


def _flip_row(instance: LinkInstance) -> LinkInstance:
    """Tell the first trial otherwise than it came out."""
    first, *rest = instance.public.watched
    told = first.model_copy(update={"moved": not first.moved})
    return _spoil_public(instance, watched=(told, *rest))


def _flip_answer(instance: LinkInstance) -> LinkInstance | None:
    """Store the other answer, where what was watched decides it."""
    if instance.public.trials:
        return None
    secret = instance.secret.model_copy(update={"truth": not instance.secret.truth})
    return instance.model_copy(update={"secret": secret})


def _tell_answer(instance: LinkInstance) -> LinkInstance | None:
    """Add a trial that decides the answer, where agents have trials of their own."""
    public, secret = instance.public, instance.secret
    if not public.trials:
        return None
    for row in _list_trials(public):
        outcomes = _play(public, secret.parts, row)
        if len({*outcomes}) == 2:
            told = row.model_copy(update={"moved": outcomes[not secret.truth]})
            return _spoil_public(instance, watched=(*public.watched, told))
    return None


def _deal_twice(instance: LinkInstance) -> LinkInstance | None:
    """Make the stand-in a stopper as well."""
    parts = instance.secret.parts
    if not parts.stoppers:
        return None
    return _spoil_parts(instance, stoppers=(*parts.stoppers[:-1], parts.stand_in))


def _let_down(instance: LinkInstance) -> LinkInstance | None:
    """Leave no hand, where agents have trials of their own."""
    yes, no = _play(
        instance.public, instance.secret.parts, Watched(started=(), held=(), moved=False)
    )
    return _spoil_public(instance, hands=0) if instance.public.trials and yes == no else None


def _plan_more(instance: LinkInstance) -> LinkInstance:
    """Tell of one more stopper than there is."""
    plan = instance.public.plan
    more = plan.model_copy(update={"stoppers": plan.stoppers + 1})
    return _spoil_public(instance, plan=more)


FAULTS: dict[str, Fault] = {
    "a row told otherwise": _flip_row,
    "the other answer": _flip_answer,
    "a row that tells": _tell_answer,
    "two parts for one object": _deal_twice,
    "a stopper too many": _plan_more,
    "no hands": _let_down,
}
"""Each spoils a good table in one way; None where there is no room for it."""
