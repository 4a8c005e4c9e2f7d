"""What moves in a trial.

What is started moves. What is held stands still. What is left alone moves if it is lively or its
starter moves. The target moves if all objects of a group move and no stopper does.
"""

from collections.abc import Collection

from .model import LinkPublic, Parts


def moves(
    public: LinkPublic,
    parts: Parts,
    started: Collection[str],
    held: Collection[str],
    *,
    truth: bool,
) -> bool:
    """Say whether the target moves in a trial.

    Args:
        public: What is shown of the table.
        parts: Which object plays which part.
        started: The objects that are started by hand.
        held: The objects that are held by hand.
        truth: Whether the object asked about is in the first group.
    """
    moving = list_moving(public, parts, started, held)
    if not moving.isdisjoint(parts.stoppers):
        return False
    first = (*parts.partners, public.asked if truth else parts.stand_in)
    return any(moving.issuperset(group) for group in (first, *parts.rivals))


def list_moving(
    public: LinkPublic, parts: Parts, started: Collection[str], held: Collection[str]
) -> set[str]:
    """Return the objects that move in a trial."""
    moving = {*started, *public.lively}.difference(held)
    for starter, woken in zip(parts.starters, parts.started, strict=True):
        if starter in moving and woken not in held:
            moving.add(woken)
    return moving


def decides(
    public: LinkPublic, parts: Parts, started: Collection[str], held: Collection[str]
) -> bool:
    """Say whether a trial would come out differently if the other answer were true."""
    yes, no = (moves(public, parts, started, held, truth=truth) for truth in (True, False))
    return yes != no


def find_decisive(public: LinkPublic, parts: Parts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the objects to start and those to hold in a decisive trial, as few as can be.

    The first group moves with the object asked about and without its stand-in, no stopper moves,
    and one object of each other group stands still.
    """
    lively = {*public.lively}
    woken = dict(zip(parts.starters, parts.started, strict=True))
    moving = lively | {woken[name] for name in lively & woken.keys()}
    held = [name for name in (parts.stand_in, *parts.stoppers) if name in lively]
    held += [group[0] for group in parts.rivals if moving.issuperset(group)]
    started = [name for name in (*parts.partners, public.asked) if name not in lively]
    return tuple(started), tuple(held)
