"""What moves in a try.

What is started moves. What is held stands still. What is left alone moves if it is lively or its
starter moves. The target moves if all objects of a group move and no stopper is at work; a stopper
is at work if it moves and its shield, where it has one, does not.
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
    """Say whether the target moves in a try.

    Args:
        public: What is shown of the table.
        parts: Which object plays which part.
        started: The objects that are started by hand.
        held: The objects that are held by hand.
        truth: Whether the object asked about is in the first group.
    """
    moving = {*started, *public.lively}.difference(held)
    for starter, woken in zip(parts.starters, parts.started, strict=True):
        if starter in moving and woken not in held:
            moving.add(woken)
    shields = dict(zip(parts.shielded, parts.shields, strict=True))
    if any(name in moving and shields.get(name) not in moving for name in parts.stoppers):
        return False
    first = (*parts.partners, public.asked if truth else parts.stand_in)
    return any(moving.issuperset(group) for group in (first, *parts.rivals))


def decides(
    public: LinkPublic, parts: Parts, started: Collection[str], held: Collection[str]
) -> bool:
    """Say whether a try would come out differently if the other answer were true."""
    yes, no = (moves(public, parts, started, held, truth=truth) for truth in (True, False))
    return yes != no


def find_decisive(public: LinkPublic, parts: Parts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the objects to start and those to hold in a decisive try, as few as can be.

    The first group moves with the object asked about and without its stand-in, no stopper is at
    work, and one object of each other group stands still.
    """
    lively = {*public.lively}
    shields = dict(zip(parts.shielded, parts.shields, strict=True))
    woken = dict(zip(parts.starters, parts.started, strict=True))
    moving = lively | {woken[name] for name in lively & woken.keys()}
    held = [name for name in (parts.stand_in, *parts.stoppers) if name in lively]
    held = [name for name in held if shields.get(name) not in lively]
    held += [group[0] for group in parts.rivals if moving.issuperset(group)]
    started = [name for name in (*parts.partners, public.asked) if name not in lively]
    return tuple(started), tuple(held)
